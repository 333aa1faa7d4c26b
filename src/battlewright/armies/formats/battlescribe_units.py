"""From a selection of a classic list to units: who its models are, what each carries, what keywords it has.

Such lists tell no more than which profile hangs on which selection, and every author has a way of his own:

* a selection that is a model, or has a model's profile, tells of models; without a profile of its own it takes that
  of the selection above it;
* one whose name says that it is an upgrade promotes a model that is there already;
* the selection on top is a model itself when no other needs its profile; models bought under it are its retinue;
* a vehicle bought under living models is a transport: a unit of its own, which they start in.

What is bought for the unit as a whole goes to its models: weapons on the unit's own line to everybody who has none,
other weapons to so many of its ordinary models as were bought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from battlewright.armies.assumed import assumptions
from battlewright.armies.formats.battlescribe_profiles import (
    capacity_of,
    is_model,
    is_vehicle,
    is_weapon,
    model_values,
    type_words,
    weapon_profile,
)
from battlewright.armies.formats.battlescribe_selection import Printed, Selection
from battlewright.armies.names import loose_key, name_key
from battlewright.armies.parsed import MAX_MODELS
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Ability, AbilitySource, Component, Model, Role, Unit, Weapon, WeaponProfile

__all__ = ["Built", "has_models", "units_of"]

_SLOTS = ("HQ", "ELITES", "TROOPS", "FAST ATTACK", "HEAVY SUPPORT")
_WORDS: dict[str, tuple[str, ...]] = {
    "infantry": ("INFANTRY",),
    "jetbike": ("JETBIKE",), "jetbikes": ("JETBIKE",),
    "bike": ("BIKE",), "bikes": ("BIKE",),
    "cavalry": ("CAVALRY",), "beast": ("BEAST",), "beasts": ("BEAST",),
    "jump packs": ("JUMP TROOPS",), "jump pack": ("JUMP TROOPS",), "jump infantry": ("JUMP TROOPS",),
    "jump troops": ("JUMP TROOPS",), "swooping hawk wings": ("JUMP TROOPS",), "winged": ("JUMP TROOPS",),
    "jet pack infantry": ("JUMP TROOPS", "JET PACK"), "jetpack infantry": ("JUMP TROOPS", "JET PACK"),
    "monstorous creature": ("MONSTROUS CREATURE",), "monstrous creatures": ("MONSTROUS CREATURE",),
    "monstrous creature": ("MONSTROUS CREATURE",), "tyranid monstrous creatures": ("MONSTROUS CREATURE",),
    "swarm": ("INFANTRY", "SWARM"), "swarms": ("INFANTRY", "SWARM"), "artillery": ("ARTILLERY",),
    "psyker": ("PSYKER",), "fast": ("FAST",), "skimmer": ("SKIMMER",), "tank": ("TANK",), "walker": ("WALKER",),
    "open-topped": ("OPEN-TOPPED",), "open topped": ("OPEN-TOPPED",), "immobile": ("IMMOBILE",),
    "space marine bike": ("BIKE",), "eldar jetbike": ("JETBIKE",), "warbike": ("BIKE",),
    "independent character": ("INDEPENDENT CHARACTER",),
}  # fmt: skip
"""Words of unit types, names of rules and categories, and the keywords that they are."""
_KINDS = (
    "JETBIKE", "BIKE", "CAVALRY", "BEAST", "MONSTROUS CREATURE", "ARTILLERY", "JUMP TROOPS", "INFANTRY",
)  # fmt: skip
_VEHICLE_WORDS = frozenset({"FAST", "SKIMMER", "TANK", "WALKER", "OPEN-TOPPED", "IMMOBILE"})
_COPIES = re.compile(r"(\d{1,2})\s?x\s+(\S.*)", re.IGNORECASE)
_MONSTROUS_TOUGHNESS, _MONSTROUS_WOUNDS = 6, 3
_PROMOTION = re.compile(r"\bupgrade\b", re.IGNORECASE)
_FOR_EVERYBODY = re.compile(r"grenade|bomb|stikk|limpet", re.IGNORECASE)
_TWIN = "twin linked"


@dataclass(slots=True)
class _Group:
    """Models of one kind that a list tells together."""

    selection: Selection
    printed: Printed
    count: int
    weapons: list[list[Weapon]] = field(default_factory=list)
    abilities: list[Ability] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    is_leader: bool = False
    promoted_from: _Group | None = None

    @property
    def has_weapons(self) -> bool:
        return any(self.weapons)


@dataclass(frozen=True, slots=True)
class Built:
    """A unit made of a selection.

    Attributes:
        line: where the selection stands.
        notes: what of it could not be read, as sentences.
        bought: copies of each weapon that the selection counts, by the weapon's name.
    """

    unit: Unit
    line: int | None
    notes: tuple[str, ...]
    bought: dict[str, int]


def has_models(selection: Selection) -> bool:
    """Whether the selection, or one under it, is a model."""
    return any(each.kind == "model" or any(map(is_model, each.profiles)) for each in selection.walk())


def units_of(selection: Selection, where: str = "") -> tuple[Built, ...]:
    """The unit that a selection is, and after it the transports that were bought with it.

    Raises:
        ArmyError: it holds no model with a profile, or more models than a unit may have.
    """
    return tuple(_Muster(selection, where).built())


def _transport(selection: Selection, where: str) -> Iterator[Built]:
    """The unit of a selection that is there to carry others."""
    for built in units_of(selection, where):
        models = tuple(
            replace(model, keywords=tuple(dict.fromkeys((*model.keywords, "TRANSPORT")))) for model in built.unit.models
        )
        yield replace(built, unit=replace(built.unit, models=models))


class _Muster:
    def __init__(self, top: Selection, where: str) -> None:
        self._top, self._where = top, where
        self._groups: list[_Group] = []
        self._loose: list[Selection] = []
        self._promotions: list[tuple[Selection, Printed]] = []
        self._transports: list[Selection] = []
        self._notes: list[str] = []
        self._bought: dict[str, int] = {}
        self._top_printed = next((each for each in top.profiles if is_model(each)), None)

    def built(self) -> Iterator[Built]:
        """The unit, then its transports."""
        self._gather(self._top, [self._top])
        if self._is_own_model():
            assert self._top_printed is not None
            self._groups.insert(0, _Group(self._top, self._top_printed, self._top.number, is_leader=True))
        if not self._groups:
            raise ArmyError(f'"{self._top.name}" has no model with a profile', where=self._where)
        if sum(group.count for group in self._groups) > MAX_MODELS:
            raise ArmyError(f'"{self._top.name}" has more than {MAX_MODELS} models', where=self._where)
        for selection, printed in self._promotions:
            self._promote(selection, printed)
        for group in self._groups:
            self._arm(group)
        self._arm_unit()
        transports = [built for each in self._transports for built in _transport(each, self._where)]
        unit = self._unit(transports[0].unit.name if transports else None)
        yield Built(unit, self._top.line, tuple(dict.fromkeys(self._notes)), self._bought)
        yield from transports

    # Who the models are

    def _gather(self, node: Selection, above: list[Selection], *, within: bool = False) -> None:
        """Sort everything below a selection; ``within``: below one that tells of models, to whom the rest belongs."""
        for child in node.children:
            printed = next((each for each in child.profiles if is_model(each)), None)
            if printed is not None and is_vehicle(printed) and self._is_transport(child, printed):
                self._transports.append(child)
            elif printed is not None and child.kind == "upgrade" and _PROMOTION.search(child.name):
                self._promotions.append((child, printed))
            elif (printed is not None and not _is_squad(child)) or self._tells_of_models(child, above):
                self._group(child, printed, above)
                self._gather(child, [*above, child], within=True)
            else:
                if not within and not has_models_below(child):
                    self._loose.append(child)
                self._gather(child, [*above, child], within=within)

    @staticmethod
    def _tells_of_models(child: Selection, above: list[Selection]) -> bool:
        """Whether a selection without a profile is a model: by its kind, or as it is called like a profile above."""
        if has_models_below(child):
            return False
        known = (loose_key(each.name) for node in above for each in node.profiles if is_model(each))
        return child.kind == "model" or loose_key(child.name) in known

    def _is_transport(self, child: Selection, printed: Printed) -> bool:
        """Whether a vehicle under something else is a unit of its own: that has living models, or is a vehicle."""
        if self._top_printed is not None:
            return True
        return any(
            is_model(each) and not is_vehicle(each)
            for other in self._top.walk()
            if other is not child
            for each in other.profiles
        )

    def _group(self, child: Selection, printed: Printed | None, above: list[Selection]) -> None:
        if printed is None:
            known = [each for node in reversed(above) for each in node.profiles if is_model(each)]
            same = [each for each in known if loose_key(each.name) == loose_key(child.name)]
            if not known:
                self._notes.append(f'{self._top.name}: the model "{child.name}" has no profile')
                return
            printed = (same or known)[0]
        self._groups.append(_Group(child, printed, child.number))

    def _is_own_model(self) -> bool:
        """Whether the selection on top is a model itself: it has a profile, and no other selection needs it."""
        if self._top_printed is None or any(group.printed is self._top_printed for group in self._groups):
            return False
        mine, called = loose_key(self._top_printed.name), loose_key(self._top.name)
        return not self._groups or mine in called or called in mine

    def _promote(self, selection: Selection, printed: Printed) -> None:
        ranks = [group for group in self._groups if group.count > 1 and not group.is_leader] or self._groups
        rank = max(ranks, key=lambda group: group.count)
        number = min(selection.number, rank.count)
        promoted = _Group(selection, printed, number, promoted_from=rank)
        rank.count -= number
        self._groups.insert(self._groups.index(rank) + (rank.count > 0), promoted)
        if rank.count == 0:
            self._groups.remove(rank)

    # What they carry

    def _arm(self, group: _Group) -> None:
        """Give the models of a group what hangs on their own selection."""
        group.weapons = [[] for _ in range(group.count)]
        node = group.selection
        items = [node, *(each for child in node.children if self._is_item(child) for each in child.walk())]
        if group.promoted_from is not None:
            items = [group.promoted_from.selection, *items]
        for item in items:
            is_own = item is node or group.promoted_from is not None
            self._give(group, item, group.count if is_own else item.number)
            self._describe(group, item)

    def _is_item(self, child: Selection) -> bool:
        own = {id(group.selection) for group in self._groups} | {id(each) for each in self._transports}
        own |= {id(each) for each, _ in self._promotions}
        return not any(id(each) in own for each in child.walk())

    def _arm_unit(self) -> None:
        """Give out what was bought for the unit as a whole."""
        if self._groups[0].is_leader and self._groups[0].selection is self._top:
            return
        armed = {id(group) for group in self._groups if group.has_weapons}
        for group in self._groups:
            self._describe(group, self._top)
            if id(group.promoted_from or group) not in armed:
                self._give(group, self._top, group.count)
        ranks = max(self._groups, key=lambda group: group.count)
        bare = not ranks.has_weapons
        for item in self._loose:
            for group in self._groups:
                self._describe(group, item)
            for weapon in self._weapons(item, ranks):
                if item.number == 1 and _FOR_EVERYBODY.search(weapon.name):
                    continue
                number = ranks.count if self._is_for_all(item, weapon, bare) else item.number
                self._count(weapon.name, number)
                # Ordinary models take it from the last one on, as those who lead stand first, one weapon each.
                for _ in range(number):
                    bearer = min(range(ranks.count), key=lambda index: (len(ranks.weapons[index]), -index))
                    ranks.weapons[bearer].append(weapon)

    def _is_for_all(self, item: Selection, weapon: Weapon, bare: bool) -> bool:
        """Whether what was bought once is for every model of a unit.

        So it is where the list says so, or where nobody has a weapon and its cost is for each of them; a heavy weapon
        has one bearer.
        """
        if item.for_all is not None or item.number != 1:
            return bool(item.for_all)
        heavy = any(each.startswith("HEAVY") for profile in weapon.profiles for each in profile.abilities)
        count = sum(group.count for group in self._groups)
        return bare and not heavy and item.points % count == 0

    def _give(self, group: _Group, item: Selection, number: int) -> None:
        for weapon in self._weapons(item, group):
            if item.kind == "upgrade" and item is not group.selection and _FOR_EVERYBODY.search(weapon.name):
                continue
            self._count(weapon.name, number)
            for copy in range(number):
                group.weapons[copy % group.count].append(weapon)

    def _count(self, name: str, number: int) -> None:
        self._bought[name] = self._bought.get(name, 0) + number

    def _weapons(self, item: Selection, group: _Group) -> list[Weapon]:
        """The weapons that hang on a selection; profiles named ``"Launcher (krak)"`` and so on are one weapon."""
        user = model_values(group.printed)
        printed = [each for each in item.profiles if is_weapon(each)]
        twin = any(name_key(rule) == _TWIN for rule in item.rules)
        named = any(name_key(each.name).startswith(_TWIN) for each in printed)
        found: dict[str, Weapon] = {}
        times: dict[str, int] = {}
        for each in printed:
            profile = weapon_profile(each, user)
            if twin and not named and not profile.melee and "PISTOL" not in profile.abilities:
                profile = weapon_profile(each, user, ("TWIN-LINKED",))
            name, way = _split_name(each.name)
            if copies := _COPIES.fullmatch(name):
                name, times[copies[2]] = copies[2], int(copies[1])
            if name not in found:
                found[name] = Weapon(name, (replace(profile, name=way),))
            elif any(replace(profile, name=other.name) == other for other in found[name].profiles):
                times[name] = times.get(name, 1) + 1
            else:
                found[name] = _with_profile(found[name], replace(profile, name=way))
        return [_tidied(weapon) for name, weapon in found.items() for _ in range(times.get(name, 1))]

    def _describe(self, group: _Group, item: Selection) -> None:
        """Take the rules, wargear and categories of a selection for a group."""
        words = [word for each in item.profiles for word in type_words(each)] if item is group.selection else []
        group.words += [*words, *(rule.lower() for rule in item.rules), *(each.lower() for each in item.categories)]
        wargear = (each.name.lower() for each in item.profiles if not is_model(each))
        group.words += [name for name in wargear if name in _WORDS]
        group.categories += item.categories
        for rule in item.rules:
            if rule.lower() not in _WORDS and name_key(rule) != _TWIN:
                group.abilities.append(Ability(rule))
        for printed in item.profiles:
            if is_model(printed):
                if (capacity := capacity_of(printed)) is not None:
                    group.abilities.append(Ability(f"Transport Capacity {capacity}"))
            elif (capacity := capacity_of(printed)) is not None:
                group.abilities.append(Ability(f"Transport Capacity {capacity}"))
            elif not is_weapon(printed) or _FOR_EVERYBODY.search(printed.name):
                group.abilities.append(Ability(printed.name, AbilitySource.WARGEAR))

    # The unit

    def _unit(self, transport: str | None) -> Unit:
        leads = self._groups[0].is_leader and len(self._groups) > 1
        inside = [*self._transports, *(group.selection for group in self._groups if not group.is_leader and leads)]
        own = _points_without(self._top, inside)
        names = [self._top.name]
        components = [Component(self._top.name, Role.UNIT, round(own), embarked_in=transport)]
        if leads:
            others = sum(_points_without(each, self._transports) for each in inside if each not in self._transports)
            squads = [each for each in self._top.walk() if each is not self._top and each.kind == "unit"]
            squads = [each for each in squads if all(each is not other for other in self._transports)]
            retinue = squads[0].name if len(squads) == 1 else f"Retinue of {self._top.name}"
            leader = Component(self._top.name, Role.LEADER, round(own), embarked_in=transport)
            components = [Component(retinue, Role.UNIT, round(others), embarked_in=transport), leader]
            names = [retinue, self._top.name]
        groups = [*self._groups[1:], self._groups[0]] if leads else self._groups
        models = tuple(
            model
            for group in groups
            for model in self._models(group, component=int(leads and group.is_leader), leads=leads)
        )
        return Unit("a.1", " + ".join(names), tuple(components), models)

    def _models(self, group: _Group, *, component: int, leads: bool) -> Iterator[Model]:
        keywords = self._keywords(group, leads=leads)
        name = group.selection.name if group.promoted_from is None else group.printed.name
        names = [group.printed.name, name] + ([self._top.name] if group.is_leader or not leads else [])
        base = assumptions().classic_base(names, keywords)
        height = assumptions().classic_height(names, base, keywords)
        characteristics = model_values(group.printed)
        for key, value in characteristics.items():
            if key not in ("T", "AV", "Sv", "InSv") and not re.fullmatch(r"10|\d|-", value):
                self._notes.append(f'{self._top.name}: {key} of {group.printed.name} is "{value}", no plain number')
        abilities = tuple(dict.fromkeys(group.abilities))
        made: dict[tuple[int, ...], Model] = {}
        for weapons in group.weapons:
            alike = tuple(map(id, weapons))
            if alike not in made:
                made[alike] = Model(
                    name=name,
                    base=base,
                    height=height,
                    characteristics=characteristics,
                    keywords=keywords,
                    weapons=tuple(weapons),
                    abilities=abilities,
                    component=component,
                    assumed=("base", "height"),
                )
            yield made[alike]

    def _keywords(self, group: _Group, *, leads: bool) -> tuple[str, ...]:
        found = [keyword for word in group.words for keyword in _WORDS.get(word, ())]
        if is_vehicle(group.printed):
            found = ["VEHICLE", *(each for each in found if each not in _KINDS)]
            if "WS" in model_values(group.printed):
                found.append("WALKER")
            if any(ability.name.startswith("Transport Capacity") for ability in group.abilities):
                found.append("TRANSPORT")
        else:
            found = [each for each in found if each not in _VEHICLE_WORDS]
            if not set(found) & set(_KINDS):
                found = [_guessed_kind(group.printed), *found]
        alone = len(self._groups) == 1
        if "character" in type_words(group.printed):
            found.append("INDEPENDENT CHARACTER" if alone or group.is_leader else "CHARACTER")
        if leads and group.is_leader and "INDEPENDENT CHARACTER" in found:
            found = [each for each in found if each != "INDEPENDENT CHARACTER"] + ["INDEPENDENT WITHOUT RETINUE"]
        elif not alone and group.count == 1 and not is_vehicle(group.printed) and self._stands_out(group):
            found.append("CHARACTER")
        slots = [slot for each in (*group.categories, *self._top.categories) if (slot := each.upper()) in _SLOTS]
        if "terminator" in name_key(f"{group.printed.name} {group.selection.name}"):
            found.append("TERMINATOR")
        return tuple(dict.fromkeys([*found, *slots[:1], self._top.name.upper()]))

    def _stands_out(self, group: _Group) -> bool:
        """Whether the one model of a group has a profile of its own among the unit's."""
        mine = model_values(group.printed)
        return all(model_values(other.printed) != mine for other in self._groups if other is not group)


def _guessed_kind(printed: Printed) -> str:
    """The kind of a living model that nothing names: by its profile's name, or by a Toughness such as 4(5)."""
    name = name_key(printed.name)
    if "jetbike" in name:
        return "JETBIKE"
    values = model_values(printed)
    if "bike" in name or "(" in values.get("T", ""):
        return "BIKE"
    # No living model of these editions is that tough and takes that many wounds but the monstrous creatures.
    tough = values.get("T", "").isdecimal() and int(values["T"]) >= _MONSTROUS_TOUGHNESS
    return (
        "MONSTROUS CREATURE"
        if tough and int(values.get("W", "-").replace("-", "0")) >= _MONSTROUS_WOUNDS
        else "INFANTRY"
    )


def _is_squad(selection: Selection) -> bool:
    """Whether it is a unit whose models are told of below it."""
    return selection.kind == "unit" and has_models_below(selection)


def has_models_below(selection: Selection) -> bool:
    """Whether a selection under this one is a model."""
    return any(has_models(child) for child in selection.children)


def _points_without(selection: Selection, inside: list[Selection]) -> float:
    """The points of a selection and all below it, without those of the selections ``inside``."""
    children = [child for child in selection.children if not any(child is each for each in inside)]
    return selection.points + sum(_points_without(child, inside) for child in children)


def _with_profile(weapon: Weapon, profile: WeaponProfile) -> Weapon:
    """The weapon with another way of using it; each has a name of its own."""
    ways: dict[str, WeaponProfile] = {}
    for each in (*weapon.profiles, profile):
        name = each.name or ("Melee" if each.melee else "Ranged")
        while name in ways:
            name += "'"
        ways[name] = replace(each, name=name)
    return Weapon(weapon.name, tuple(ways.values()))


def _split_name(name: str) -> tuple[str, str]:
    """A weapon's name and the way of using it that stands behind in brackets."""
    found = re.fullmatch(r"(.+?)\s*\(([^()]{1,30})\)", name.strip())
    return (found[1], found[2].capitalize()) if found else (name.strip(), "")


def _tidied(weapon: Weapon) -> Weapon:
    """A single profile needs no name; the name in brackets goes back to the weapon's."""
    if len(weapon.profiles) != 1 or not weapon.profiles[0].name:
        return weapon
    only = weapon.profiles[0]
    return Weapon(f"{weapon.name} ({only.name.lower()})", (replace(only, name=""),))
