"""Two armies as small as a battle needs them, in the project's own format; one name is made to cause trouble."""

from __future__ import annotations

from pathlib import Path

GREEN = """\
edition: "11"
name: Green <i>tide</i> [bold]
faction: "Orks & [red]friends[/red]"
points: 160
units:
  - name: Boyz
    points: 80
    stats: M6" T5 Sv5+ W1 Ld7+ OC2
    base: 32mm
    height: 1.5
    keywords: [INFANTRY]
    weapons:
      Shoota: 18" A2 BS5+ S4 AP0 D1 [RAPID FIRE 1]
      Choppa: Melee A3 WS3+ S4 AP-1 D1
    models:
      - {count: 5, weapons: [Shoota, Choppa]}
  - name: Warboss <b>Gork</b>
    points: 80
    stats: M6" T5 Sv4+ W6 Ld6+ OC1
    base: 60x35mm
    height: 2
    keywords: [INFANTRY, CHARACTER]
    weapons:
      Big choppa: Melee A5 WS2+ S8 AP-1 D2
    models:
      - {weapons: [Big choppa]}
"""

GOLD = """\
edition: "11"
name: Shield host
faction: Adeptus Custodes
points: 150
units:
  - name: Custodian Guard
    points: 150
    stats: M6" T6 Sv2+ InSv4+ W3 Ld6+ OC2
    base: 40mm
    height: 2
    keywords: [INFANTRY]
    weapons:
      Guardian spear: {shot: 24" A2 BS2+ S4 AP-1 D2, blade: Melee A5 WS2+ S7 AP-2 D2}
    models:
      - {count: 4, weapons: [Guardian spear]}
"""


def write_armies(folder: Path) -> tuple[str, str]:
    """Write both armies into a folder; returns their paths."""
    green, gold = folder / "green.yaml", folder / "gold.yaml"
    green.write_text(GREEN, encoding="utf-8")
    gold.write_text(GOLD, encoding="utf-8")
    return str(green), str(gold)
