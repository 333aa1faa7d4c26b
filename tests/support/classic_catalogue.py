"""A game system, a catalogue and a roster of it, small and invented, in the forms that BattleScribe writes."""

from __future__ import annotations

from pathlib import Path

SYSTEM = """\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<gameSystem id="sys" name="Small War 3rd Edition" type="gameSystem"
    xmlns="http://www.battlescribe.net/schema/gameSystemSchema">
  <categoryEntries>
    <categoryEntry id="cat-hq" name="HQ"/><categoryEntry id="cat-tr" name="Troops"/>
  </categoryEntries>
  <sharedProfiles>
    <profile id="p-rifle" name="Rifle" typeName="Weapon"><characteristics>
      <characteristic name="Range" typeId="c-r">24"</characteristic><characteristic name="S">4</characteristic>
      <characteristic name="AP">5</characteristic><characteristic name="Type">Rapid Fire</characteristic>
      <characteristic name="Abilities"/></characteristics></profile>
    <profile id="p-knife" name="Close Combat Weapon" typeName="Weapon"><characteristics>
      <characteristic name="Range">Melee</characteristic><characteristic name="S">As User</characteristic>
      <characteristic name="AP">-</characteristic><characteristic name="Type">Melee</characteristic>
      </characteristics></profile>
    <profile id="p-beam" name="Lascannon" typeName="Weapon"><characteristics>
      <characteristic name="Range">48"</characteristic><characteristic name="S">9</characteristic>
      <characteristic name="AP">2</characteristic><characteristic name="Type">Heavy 1</characteristic>
      </characteristics></profile>
    <profile id="p-claw" name="Power Fist" typeName="Weapon"><characteristics>
      <characteristic name="Range">Melee</characteristic><characteristic name="S">User x2</characteristic>
      <characteristic name="AP">1</characteristic><characteristic name="Type">Melee</characteristic>
      <characteristic name="Abilities">Doubles Strength up to 10 and ignores armour saves, but strikes last.
      </characteristic></characteristics></profile>
    <profile id="p-frag" name="Frag Grenades" typeName="Weapon"><characteristics>
      <characteristic name="Range"/><characteristic name="S"/></characteristics></profile>
  </sharedProfiles>
  <sharedRules>
    <rule id="r-brave" name="Brave"><description>SECRET TEXT of the publisher.</description></rule>
    <rule id="r-ic" name="Independent Character"><description>SECRET TEXT.</description></rule>
    <rule id="r-fast" name="Fast"/><rule id="r-open" name="Open-Topped"/>
  </sharedRules>
</gameSystem>
"""


def unit_profile(key: str, name: str, line: str) -> str:
    """A model's profile: WS BS S T W I A Ld Sv."""
    keys = ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv")
    values = zip(keys, line.split(), strict=True)
    inner = "".join(f'<characteristic name="{key_}">{value}</characteristic>' for key_, value in values)
    return f'<profile id="{key}" name="{name}" typeName="Unit"><characteristics>{inner}</characteristics></profile>'


CATALOGUE = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<catalogue id="c1" name="Grey Guard (1999)" gameSystemId="sys" type="catalogue"
    xmlns="http://www.battlescribe.net/schema/catalogueSchema">
  <catalogueLinks><catalogueLink name="Allies" targetId="c-unknown" importRootEntries="true"/></catalogueLinks>
  <entryLinks>
    <entryLink id="l-squad" name="Line Squad" targetId="e-squad" type="selectionEntry"><categoryLinks>
      <categoryLink name="Troops" targetId="cat-tr" primary="true"/></categoryLinks></entryLink>
    <entryLink id="l-lord" name="Captain" targetId="e-lord" type="selectionEntry"><categoryLinks>
      <categoryLink name="HQ" targetId="cat-hq" primary="true"/></categoryLinks></entryLink>
    <entryLink id="l-gone" name="Nowhere" targetId="e-nowhere" type="selectionEntry"/>
    <entryLink id="l-hidden" name="Old Squad" hidden="true" targetId="e-squad" type="selectionEntry"/>
    <entryLink id="l-loop" name="Endless" targetId="e-loop" type="selectionEntry"/>
    <entryLink id="l-set" name="Game length" targetId="e-set" type="selectionEntry"/>
  </entryLinks>
  <sharedSelectionEntries>
    <selectionEntry id="e-squad" name="Line Squad" type="unit">
      <infoLinks><infoLink id="i1" name="Brave" targetId="r-brave" type="rule"/></infoLinks>
      <selectionEntries>
        <selectionEntry id="e-man" name="Guard" type="model">
          <constraints><constraint id="k1" type="min" field="selections" scope="parent" value="5"/>
            <constraint id="k2" type="max" field="selections" scope="parent" value="10"/></constraints>
          <infoLinks><infoLink id="i2" targetId="p-man" type="profile"/>
            <infoLink id="i3" targetId="p-rifle" type="profile"/></infoLinks>
          <costs><cost name="pts" typeId="pts" value="10"/></costs>
        </selectionEntry>
        <selectionEntry id="e-serg" name="Sergeant Upgrade" type="upgrade">
          <constraints><constraint id="k3" type="max" field="selections" scope="parent" value="1"/></constraints>
          <infoLinks><infoLink id="i4" targetId="p-serg" type="profile"/></infoLinks>
          <selectionEntries><selectionEntry id="e-claw" name="Power Fist" type="upgrade">
            <constraints><constraint id="k4" type="max" field="selections" scope="parent" value="1"/></constraints>
            <infoLinks><infoLink id="i5" targetId="p-claw" type="profile"/></infoLinks>
            <costs><cost name="pts" typeId="pts" value="15"/></costs></selectionEntry></selectionEntries>
          <costs><cost name="pts" typeId="pts" value="12"/></costs>
        </selectionEntry>
        <selectionEntry id="e-frag" name="Frag Grenades" type="upgrade">
          <modifiers><modifier type="increment" field="pts" value="1"><repeats>
            <repeat field="selections" scope="parent" value="1" repeats="1" childId="e-man"/>
            </repeats></modifier></modifiers>
          <constraints><constraint id="k5" type="max" field="selections" scope="parent" value="1"/></constraints>
          <infoLinks><infoLink id="i6" targetId="p-frag" type="profile"/></infoLinks>
          <costs><cost name="pts" typeId="pts" value="0"/></costs>
        </selectionEntry>
      </selectionEntries>
      <selectionEntryGroups>
        <selectionEntryGroup id="g-heavy" name="Heavy Weapon">
          <constraints><constraint id="k6" type="max" field="selections" scope="parent" value="1"/></constraints>
          <selectionEntries>
            <selectionEntry id="e-beam" name="Lascannon" type="upgrade">
              <infoLinks><infoLink id="i7" targetId="p-beam" type="profile"/></infoLinks>
              <costs><cost name="pts" typeId="pts" value="25"/></costs></selectionEntry>
            <selectionEntry id="e-twin" name="Twin Rifle" type="upgrade">
              <infoLinks><infoLink id="i8" targetId="p-rifle" type="profile"><modifiers>
                <modifier type="set" field="name" value="Twin-linked Rifle"/>
                <modifier type="set" field="c-r" value="30&quot;"/></modifiers></infoLink></infoLinks>
              <costs><cost name="pts" typeId="pts" value="5"/></costs></selectionEntry>
          </selectionEntries>
        </selectionEntryGroup>
      </selectionEntryGroups>
      <entryLinks><entryLink id="l-truck" name="Truck" targetId="e-truck" type="selectionEntry"><constraints>
        <constraint id="k7" type="max" field="selections" scope="parent" value="1"/></constraints>
        </entryLink></entryLinks>
    </selectionEntry>
    <selectionEntry id="e-lord" name="Captain" type="model">
      <infoLinks><infoLink id="i9" targetId="r-ic" type="rule"/>
        <infoLink id="i10" targetId="p-knife" type="profile"/></infoLinks>
      <profiles>{unit_profile("p-lord", "Captain", "5 5 4 4(5) 3 5 3 10 3+/4+")}</profiles>
      <entryLinks><entryLink id="l-guard" name="Bodyguard" targetId="e-guard" type="selectionEntry"/></entryLinks>
      <costs><cost name="pts" typeId="pts" value="60"/></costs>
    </selectionEntry>
    <selectionEntry id="e-guard" name="Bodyguard" type="unit">
      <selectionEntries><selectionEntry id="e-gm" name="Bodyguard" type="model">
        <constraints><constraint id="k8" type="min" field="selections" scope="parent" value="2"/>
          <constraint id="k9" type="max" field="selections" scope="parent" value="4"/></constraints>
        <infoLinks><infoLink id="i11" targetId="p-serg" type="profile"/>
          <infoLink id="i12" targetId="p-knife" type="profile"/></infoLinks>
        <costs><cost name="pts" typeId="pts" value="20"/></costs></selectionEntry></selectionEntries>
    </selectionEntry>
    <selectionEntry id="e-truck" name="Truck" type="unit">
      <infoLinks><infoLink id="i13" targetId="r-fast" type="rule"/>
        <infoLink id="i14" targetId="r-open" type="rule"/></infoLinks>
      <profiles><profile id="p-truck" name="Truck" typeName="Transport"><characteristics>
        <characteristic name="Front Armor">10</characteristic><characteristic name="Side Armor">10</characteristic>
        <characteristic name="Rear Armor">10</characteristic><characteristic name="BS">3</characteristic>
        <characteristic name="Capacity">10 guards</characteristic></characteristics></profile></profiles>
      <costs><cost name="pts" typeId="pts" value="35"/></costs>
    </selectionEntry>
    <selectionEntry id="e-loop" name="Endless" type="unit">
      <profiles>{unit_profile("p-loop", "Endless", "3 3 3 3 1 3 1 7 -")}</profiles>
      <entryLinks><entryLink id="l-loop2" name="Endless" targetId="e-loop" type="selectionEntry"><constraints>
        <constraint id="k10" type="min" field="selections" scope="parent" value="2"/></constraints>
        </entryLink></entryLinks>
      <costs><cost name="pts" typeId="pts" value="5"/></costs>
    </selectionEntry>
    <selectionEntry id="e-set" name="Game length" type="upgrade"/>
  </sharedSelectionEntries>
  <sharedProfiles>
    {unit_profile("p-man", "Guard", "3 3 3 3 1 3 1 7 5+")}
    {unit_profile("p-serg", "Sergeant", "4 4 3 3 1 3 2 8 5+")}
  </sharedProfiles>
</catalogue>
"""


def write_catalogue(folder: Path) -> list[Path]:
    """Write catalogue and game system into a folder; returns their paths."""
    paths = [folder / "grey-guard.cat", folder / "small-war.gst"]
    for path, text in zip(paths, (CATALOGUE, SYSTEM), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def _costs(points: int) -> str:
    return f'<costs><cost name="pts" typeId="pts" value="{points}.0"/></costs>'


def _weapon(name: str, reach: str, strength: str, ap: str, kind: str) -> str:
    pairs = zip(("Range", "S", "AP", "Type", "Abilities"), (reach, strength, ap, kind, ""), strict=True)
    inner = "".join(f'<characteristic name="{key}">{value}</characteristic>' for key, value in pairs)
    return f'<profile name="{name}" typeName="Weapon"><characteristics>{inner}</characteristics></profile>'


ROSTER = f"""\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<roster id="r" name="Grey Patrol" battleScribeVersion="2.03" gameSystemId="sys" gameSystemName="Small War 3rd Edition"
    xmlns="http://www.battlescribe.net/schema/rosterSchema">
  <costs><cost name="pts" typeId="pts" value="262.0"/></costs>
  <forces><force name="Standard" catalogueName="Grey Guard (1999)">
    <selections>
      <selection name="Game length" type="upgrade" number="1"/>
      <selection name="Captain" type="model" number="1">
        <rules><rule name="Independent Character"><description>SECRET TEXT</description></rule></rules>
        <profiles>{unit_profile("x1", "Captain", "5 5 4 4 3 5 3 10 3+")}
          {_weapon("Close Combat Weapon", "Melee", "User", "-", "Melee")}</profiles>
        {_costs(60)}
        <categories><category name="HQ" primary="true"/></categories>
      </selection>
      <selection name="Line Squad" type="unit" number="1">
        <rules><rule name="Brave"/></rules>
        <selections>
          <selection name="Guard" type="model" number="8">
            <profiles>{unit_profile("x2", "Guard", "3 3 3 3 1 3 1 7 5+")}
              {_weapon("Rifle", '24"', "4", "5", "Rapid Fire")}</profiles>{_costs(80)}
          </selection>
          <selection name="Sergeant Upgrade" type="upgrade" number="1">
            <profiles>{unit_profile("x3", "Sergeant", "4 4 3 3 1 3 2 8 5+")}</profiles>{_costs(12)}
          </selection>
          <selection name="Meltagun" type="upgrade" number="2">
            <profiles>{_weapon("Meltagun", '12"', "8", "1", "Assault 1, Melta")}</profiles>{_costs(20)}
          </selection>
          <selection name="Truck" type="upgrade" number="1">
            <profiles><profile name="Truck" typeName="Vehicle"><characteristics>
              <characteristic name="Front">11</characteristic><characteristic name="Side">11</characteristic>
              <characteristic name="Rear">10</characteristic><characteristic name="BS">3</characteristic>
              <characteristic name="Type">Tank, Open-topped</characteristic></characteristics></profile></profiles>
            {_costs(35)}
          </selection>
        </selections>
        <categories><category name="Troops" primary="true"/></categories>
      </selection>
      <selection name="Cannon" type="unit" number="1">
        <profiles>{unit_profile("x4", "Gunner", "3 3 3 3 1 3 1 7 5+")}</profiles>{_costs(15)}
        <selections>
          <selection name="Gunner" type="upgrade" number="3">{_costs(0)}</selection>
          <selection name="Howitzer" type="upgrade" number="1">
            <profiles>{_weapon("Howitzer", 'G12-48"', "6", "4", "Ordinance 1/Blast")}</profiles>{_costs(40)}</selection>
        </selections>
        <categories><category name="Heavy Support" primary="true"/></categories>
      </selection>
    </selections>
  </force></forces>
</roster>
"""
