"""What single rolls are called and what comes of them, by their purpose.

A roll of an attack is told by its stage. These are all the others: before the battle, for moves, for terrain, for what
happens to a unit. Where an event of its own tells what came of a roll, the roll itself is told at the fullest level
alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from battlewright.core.events import Rolled

__all__ = ["is_told_by_what_follows", "rolled_for", "what_came"]


@dataclass(frozen=True, slots=True)
class _Words:
    """How a roll of one purpose is told.

    Attributes:
        name: what is rolled for, as a player calls it.
        yes: what happens when a die succeeds; with ``{}`` for how many of several do.
        no: what happens when none does.
        amount: what the result of the dice is, with ``{}`` for the number.
    """

    name: str
    yes: str = ""
    no: str = ""
    amount: str = ""


_FOLLOWED = frozenset(
    (
        "crusade",
        "escape",
        "fall-back",
        "game-length",
        "mysterious-objective",
        "sweeping advance",
        "terrain-accident",
        "terrain-test",
        "warlord-trait",
    )
)
_INCHES = 'up to {}"'
_WORDS = {
    "advance": _Words("advance roll", amount='+{}"'),
    "artillery-hits": _Words("guns or crew hit"),
    "assaulted while falling back": _Words("test to stand when assaulted"),
    "blind": _Words("Initiative test against blindness", yes="passed", no="blinded"),
    "break-off": _Words("roll to break off", amount=_INCHES),
    "charge": _Words("charge roll", amount=_INCHES),
    "consolidation": _Words("consolidation roll", amount=_INCHES),
    "crushing-impact": _Words("Crushing Impact", yes="{} of them hurt the enemy", no="the enemy is not hurt"),
    "deadly-demise": _Words("Deadly Demise", yes="it strikes everybody near", no="it harms nobody"),
    "deadly-demise-wounds": _Words("Deadly Demise, mortal wounds", amount="{}"),
    "deny-the-witch": _Words("Deny the Witch", yes="the power is denied", no="the power is not denied"),
    "dusk-and-dawn": _Words("roll for night", yes="it is night in the first turn", no="night falls late"),
    "explosion": _Words("reach of the explosion", amount='{}"'),
    "explosives": _Words("Explosives", yes="{} mortal wounds", no="no mortal wounds"),
    "feel-no-pain": _Words("Feel No Pain", yes="{} kept", no="none kept"),
    "fleet": _Words("fleet roll", amount=_INCHES),
    "gets-hot": _Words("roll for a weapon that gets hot", yes="it fires", no="it gets hot and does not fire"),
    "gets-hot-save": _Words("save against the heat of its own weapon", yes="saved", no="failed"),
    "grounding": _Words("grounding test", yes="stays aloft", no="falls to the ground"),
    "hazard": _Words("hazard roll", amount="{} mortal wounds"),
    "hit": _Words("roll to hit with a blast", yes="hit", no="miss"),
    "hit-reroll": _Words("roll to hit with a blast, again", yes="hit", no="miss"),
    "initiative": _Words("Initiative test to break off"),
    "intervention": _Words("Initiative test to take over the challenge", yes="takes it over", no="does not"),
    "invulnerable-save": _Words("invulnerable save", yes="{} saved", no="none saved"),
    "it-will-not-die": _Words("It Will Not Die", yes="a wound regained", no="nothing regained"),
    "look-out-sir": _Words("Look Out, Sir", yes="a comrade takes the wound", no="he takes the wound himself"),
    "mines": _Words("roll for mines", yes="{} set off", no="none set off"),
    "mishap": _Words("mishap table"),
    "night": _Words("roll for sight at night"),
    "night-falls": _Words("roll for night", yes="it is night", no="it is not night"),
    "objectives": _Words("roll for the number of objectives", amount="{} objectives"),
    "nearest": _Words("which of the nearest models"),
    "outflank": _Words("roll for the flank"),
    "partly-covered": _Words("models half under the marker", yes="{} hit", no="none hit"),
    "perils": _Words("Perils of the Warp", yes="wounded", no="unharmed"),
    "reserves": _Words("reserves roll", yes="arrives", no="does not arrive yet"),
    "return": _Words("roll to return", yes="comes back", no="does not come back"),
    "run": _Words("run roll", amount=_INCHES),
    "sabotage": _Words("roll for the sabotaged objective", yes="nothing happens", no="it explodes"),
    "save": _Words("save", yes="{} saved", no="failed"),
    "seize": _Words("roll to seize the initiative", yes="seized", no="not seized"),
    "soul-blaze": _Words("roll for soul blaze", yes="burns on", no="goes out"),
    "super-heavy-walker": _Words("roll for moving over terrain", yes="no harm", no="battle-shocked"),
    "sweep": _Words("sweep roll", amount=_INCHES),
    "terrain": _Words("roll for charging through difficult terrain"),
    "vehicle-terrain": _Words("test for difficult terrain", yes="passed", no="failed"),
}
_SUMS = frozenset(
    ("advance", "break-off", "consolidation", "deadly-demise-wounds", "explosion", "fleet", "run", "sweep")
)
"""Rolls whose dice are simply added up."""


def is_told_by_what_follows(purpose: str) -> bool:
    """Whether an event of its own tells what came of such a roll, with its dice."""
    return purpose in _FOLLOWED


def rolled_for(purpose: str) -> str:
    """What is rolled for, as a player calls it.

    >>> rolled_for("seize"), rolled_for("hammer-of-wrath")
    ('roll to seize the initiative', 'hammer of wrath roll')
    """
    return _WORDS[purpose].name if purpose in _WORDS else f"{purpose.replace('-', ' ')} roll"


def what_came(event: Rolled) -> str:
    """What was needed and what came of it; empty where that is told elsewhere or by the dice themselves."""
    purpose, shown = event.roll.purpose, event.roll.unmodified
    words = _WORDS.get(purpose)
    if event.needed:
        succeeded = sum(face >= event.needed for face in shown)
        needed = f"{event.needed}+ needed" if event.needed <= event.roll.sides else "none can succeed"
        each = " each" if len(shown) > 1 and event.needed <= event.roll.sides else ""
        return f"{needed}{each}, {_success(words, succeeded, len(shown))}"
    if words is None:
        return ""
    if words.amount and purpose in _SUMS and event.result is None:
        return words.amount.format(event.roll.total)
    if event.result is None:
        return ""
    if words.amount:
        return _one(words.amount.format(event.result), event.result)
    return words.yes if event.result else words.no


def _success(words: _Words | None, succeeded: int, of: int) -> str:
    if words is None or not words.yes:
        if of == 1:
            return "succeeds" if succeeded else "fails"
        return f"{succeeded} succeed" if succeeded != 1 else "1 succeeds"
    if not succeeded or ("{}" not in words.yes and succeeded < of):
        return words.no
    if "{}" not in words.yes:
        return words.yes
    return "saved" if of == 1 and words.yes == "{} saved" else _one(words.yes.format(succeeded), succeeded)


def _one(text: str, count: int) -> str:
    """A counted noun in the singular where there is one of it."""
    return text.removesuffix("s") if count == 1 and text.endswith("s") else text
