"""What the events of the classic editions say. Importing this module registers the formatters."""

from __future__ import annotations

from battlewright.editions.classic import events as kinds
from battlewright.editions.classic.procedures import events as third
from battlewright.report.narrate import Level, Names, Told, counted, dice, inches, tells

__all__: list[str] = []


@tells(kinds.LeadershipTested)
def _leadership(event: kinds.LeadershipTested, names: Names) -> Told:
    outcome = "passed" if event.passed else "failed"
    why = {"losses": "casualties"}.get(event.why, event.why)
    rolled = f"{dice(event.faces)} rolled, {event.needed} or less needed"
    text = f"{names.unit(event.unit)}: Leadership test ({why}) {outcome}, {rolled}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.FellBack)
def _fell_back(event: kinds.FellBack, names: Names) -> Told:
    far = f'{event.inches:g}"'
    end = "" if event.outcome == "falls back" else f"; {event.outcome}"
    text = f"{names.unit(event.unit)}: falls back {far}, {event.total} rolled{end}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.Rallied)
def _rallied(event: kinds.Rallied, names: Names) -> Told:
    return Told(f"{names.unit(event.unit)}: rallied without a test", Level.BRIEF, names.side_of(event.unit))


@tells(kinds.MarkerLaid)
def _marker(event: kinds.MarkerLaid, names: Names) -> Told:
    at = f"{inches(event.centre[0])}, {inches(event.centre[1])}"
    if event.weapon:
        why = "" if event.why == "fired" else f", {event.why}"
        text = f'{event.weapon} of {names.unit(event.unit)}: {event.diameter:g}" marker at {at}{why}'
    else:
        text = f"{names.unit(event.unit)}: {event.why} at {at}"
    hits = f", {counted(event.hits, 'hit')}" if event.hits else ""
    return Told(text + hits, Level.ROLLS, names.side_of(event.unit))


@tells(kinds.VehicleDamaged)
def _vehicle(event: kinds.VehicleDamaged, names: Names) -> Told:
    weapon = f" ({event.weapon})" if event.weapon else ""
    instead = f", that is: {event.comes_to}" if event.comes_to else ""
    result = {"hull point lost": "loses a hull point"}.get(event.result, event.result.removeprefix("vehicle "))
    text = f"{names.model_of(event.model, event.unit)}: {result}{instead}{weapon}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.VehicleLeftBehind)
def _left_behind(event: kinds.VehicleLeftBehind, names: Names) -> Told:
    text = f"{names.unit(event.left)} leaves {names.unit(event.unit)} behind, which is a unit of its own from now on"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.CombatResolved)
def _combat(event: kinds.CombatResolved, names: Names) -> Told:
    who = ", ".join(names.unit(unit) for unit in event.units)
    result = "drawn" if event.winner is None else f"won by {names.side(event.winner)}"
    tied = f"tied, then {event.tie[0]} against {event.tie[1]}, " if any(event.tie) else ""
    wounds = f"{counted(event.wounds[0], 'wound')} to {event.wounds[1]}"
    return Told(f"Combat of {who}: {wounds}, {tied}{result}", Level.BRIEF, event.winner)


@tells(kinds.Pursued)
def _pursued(event: kinds.Pursued, names: Names) -> Told:
    runs, hunts = event.initiative
    text = (
        f"{names.unit(event.by)} goes after {names.unit(event.unit)}: {event.sweep} and Initiative {hunts} "
        f"against {event.escape} and {runs}, {'caught' if event.caught else 'not caught'}"
    )
    return Told(text, Level.BRIEF, names.side_of(event.by))


@tells(kinds.HeldFast)
def _held_fast(event: kinds.HeldFast, names: Names) -> Told:
    by = " and ".join(names.unit(unit) for unit in event.by)
    return Told(f"{names.unit(event.unit)}: caught by {by}, fights on", Level.BRIEF, names.side_of(event.unit))


@tells(kinds.ModelNamed)
def _named(event: kinds.ModelNamed, names: Names) -> Told:
    text = (
        f"Torrent of fire by {names.unit(event.unit)}: {names.model_of(event.model, event.target)} "
        f"{'saves' if event.saved else 'does not save'} against {event.wound}"
    )
    return Told(text, Level.ROLLS, names.side_of(event.unit))


@tells(kinds.SmokeLaunched)
def _smoke(event: kinds.SmokeLaunched, names: Names) -> Told:
    return Told(
        f"{names.unit(event.unit)} uses its smoke launchers and fires nothing this turn",
        Level.BRIEF,
        names.side_of(event.unit),
    )


@tells(kinds.LitUp)
def _lit(event: kinds.LitUp, names: Names) -> Told:
    text = f"{names.unit(event.unit)} turns its searchlight on {names.unit(event.target)}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.WoundIgnored)
def _ignored(event: kinds.WoundIgnored, names: Names) -> Told:
    outcome = "ignores the wound" if event.ignored else "suffers the wound"
    needed = f"{dice((event.face,))}, {event.needed}+ needed"
    text = f"{names.model_of(event.model, event.unit)} {outcome}: {needed}"
    return Told(text, Level.ROLLS, names.side_of(event.unit))


@tells(kinds.PowerUsed)
def _power(event: kinds.PowerUsed, names: Names) -> Told:
    on = f" on {names.unit(event.on)}" if event.on else ""
    outcome = "it works" if event.works else "it fails"
    warp = ", and the warp strikes" if event.perils else ""
    rolled = f" {dice(event.faces)} against {event.needed}:" if event.faces else ""
    text = f"{names.model_of(event.model, event.unit)} uses {event.power}{on}:{rolled} {outcome}{warp}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.PowerUndone)
def _undone(event: kinds.PowerUndone, names: Names) -> Told:
    text = f"{event.power} of {names.model_of(event.model, event.unit)} comes to nothing: the enemy undoes it"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.WarlordNamed)
def _warlord(event: kinds.WarlordNamed, names: Names) -> Told:
    trait = f", {event.trait}" if event.trait else ""
    text = f"{names.model_of(event.model, event.unit)} is the warlord{trait}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.PowersKnown)
def _known(event: kinds.PowersKnown, names: Names) -> Told:
    text = f"{names.model_of(event.model, event.unit)} knows {', '.join(event.powers) or 'no power'}"
    return Told(text, Level.ROLLS, names.side_of(event.unit))


@tells(kinds.NightChanged)
def _night(event: kinds.NightChanged, names: Names) -> Told:
    return Told("Night falls" if event.dark else "Day breaks", Level.BRIEF, None)


@tells(kinds.BattleGoesOn)
def _goes_on(event: kinds.BattleGoesOn, names: Names) -> Told:
    outcome = "goes on" if event.goes_on else "is over"
    return Told(f"Roll for the length of the battle, {dice((event.face,))}: it {outcome}", Level.BRIEF, None)


@tells(kinds.ObjectiveLaid)
def _laid(event: kinds.ObjectiveLaid, names: Names) -> Told:
    at = ", ".join(f'{round(value, 1):g}"' for value in event.point)
    whose = "" if event.side is None else f"{names.side(event.side)}: "
    return Told(f"{whose}objective at {at}", Level.ROLLS, event.side)


@tells(kinds.ObjectiveIdentified)
def _identified(event: kinds.ObjectiveIdentified, names: Names) -> Told:
    at = f"{inches(event.point[0])}, {inches(event.point[1])}"
    text = f"{names.unit(event.unit)} identifies the objective at {at}: {dice((event.face,))}, {event.what}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.ObjectiveExploded)
def _exploded(event: kinds.ObjectiveExploded, names: Names) -> Told:
    at = f"{inches(event.point[0])}, {inches(event.point[1])}"
    return Told(f"The objective at {at} explodes, {counted(event.hits, 'model')} hit", Level.BRIEF, None)


@tells(third.ForceChecked)
def _force(event: third.ForceChecked, names: Names) -> Told:
    faults = "; ".join(event.faults) or "the army keeps to its force chart"
    return Told(f"{names.side(event.side)}: {faults}", Level.ROLLS, event.side)


@tells(third.AssaultFellShort)
def _fell_short(event: third.AssaultFellShort, names: Names) -> Told:
    whom = " and ".join(names.unit(target) for target in event.targets)
    text = f"{names.unit(event.unit)}: {'does not get to' if event.moved else 'too far away to assault'} {whom}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(third.TerrainTested)
def _terrain(event: third.TerrainTested, names: Names) -> Told:
    entering = f", {counted(len(event.entering), 'model')} entering" if event.entering else ""
    text = f'{names.unit(event.unit)}: difficult terrain, {dice(event.faces)}, moves up to {event.allowed}"{entering}'
    return Told(text, Level.ROLLS, names.side_of(event.unit))


@tells(third.TerrainDared)
def _dared(event: third.TerrainDared, names: Names) -> Told:
    thrown = dice(tuple(face for _, faces in event.dice for face in faces))
    lost = f"{counted(len(event.lost), 'model')} lost" if event.lost else "nobody lost"
    text = f"{names.unit(event.unit)}: dangerous terrain, {thrown}, 1s are hit, {lost}"
    return Told(text, Level.BRIEF if event.lost else Level.ROLLS, names.side_of(event.unit))


@tells(third.CharacterJoined)
def _joined(event: third.CharacterJoined, names: Names) -> Told:
    return Told(f"{names.unit(event.unit)} joins {names.unit(event.joined)}", Level.BRIEF, names.side_of(event.unit))


@tells(third.CharacterLeft)
def _left(event: third.CharacterLeft, names: Names) -> Told:
    return Told(f"{names.unit(event.unit)} leaves {names.unit(event.left)}", Level.BRIEF, names.side_of(event.unit))
