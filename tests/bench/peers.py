"""Ten questions of odds, and how other calculators are asked them.

``crunch`` of wh40kdc is a closed form of averages. ``warhammer-stats`` knows an older edition: where it has no such
ability it is asked the nearest that it has. For ``icepool``, a general library, the attack is written as one who knows
it would: one die for what an attack comes to, and a die for what is lost after each packet of damage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from battlewright.attacks.description import Policy, Volley
from battlewright.editions.edition import find_edition
from battlewright.odds import Answer, volley

__all__ = ["QUESTIONS", "Asked", "as_crunch", "as_icepool", "as_volleys", "as_warhammer_stats"]


@dataclass(frozen=True)
class Asked:
    """A question in numbers; ``attacks`` and ``damage`` are numbers or dice."""

    attacks: str
    skill: int
    strength: int
    ap: int
    damage: str
    toughness: int
    save: int
    wounds: int
    models: int
    weapons: int = 1
    fnp: int | None = None
    invulnerable: int | None = None
    lethal: bool = False
    sustained: int = 0
    devastating: bool = False
    twin_linked: bool = False
    blast: bool = False
    anti: int | None = None
    reroll_ones: bool = False

    @property
    def attack_text(self) -> str:
        """The attacker as Battlewright reads it."""
        abilities = [
            *(["LETHAL HITS"] if self.lethal else []),
            *([f"SUSTAINED HITS {self.sustained}"] if self.sustained else []),
            *(["DEVASTATING WOUNDS"] if self.devastating else []),
            *(["TWIN-LINKED"] if self.twin_linked else []),
            *(["BLAST"] if self.blast else []),
            *([f"ANTI-INFANTRY {self.anti}+"] if self.anti else []),
        ]
        row = f"A{self.attacks} BS{self.skill}+ S{self.strength} AP{-self.ap} D{self.damage} x{self.weapons}"
        return f"{row} [{', '.join(abilities)}]" if abilities else row

    @property
    def target_text(self) -> str:
        """The target as Battlewright reads it."""
        invulnerable = f" InSv{self.invulnerable}+" if self.invulnerable else ""
        fnp = f" FNP{self.fnp}+" if self.fnp else ""
        return f"T{self.toughness} Sv{self.save}+{invulnerable} W{self.wounds}{fnp} x{self.models} {{INFANTRY}}"

    @property
    def settings(self) -> dict[str, Any]:
        """LETHAL HITS is taken, as in the other calculators."""
        return ({"lethal": "take"} if self.lethal else {}) | ({"reroll_hits": "ones"} if self.reroll_ones else {})

    def answer(self) -> Answer:
        """The answer in full, from the texts on."""
        return volley(self.attack_text, self.target_text, **self.settings)


QUESTIONS: dict[str, Asked] = {
    "ten attacks": Asked("10", 3, 4, 1, "1", 4, 3, 2, 10),
    "lethal hits": Asked("20", 3, 4, 1, "1", 5, 3, 2, 10, lethal=True),
    "sustained hits": Asked("20", 3, 4, 1, "1", 4, 3, 2, 10, sustained=1),
    "devastating wounds": Asked("16", 3, 5, 1, "2", 4, 3, 3, 5, devastating=True),
    "lethal, sustained, re-rolls": Asked("20", 3, 4, 0, "1", 5, 5, 1, 20, lethal=True, sustained=1, reroll_ones=True),
    "D6 damage": Asked("6", 3, 9, 3, "D6", 10, 3, 12, 1),
    "blast of D6": Asked("D6", 3, 5, 1, "1", 3, 5, 1, 10, weapons=3, blast=True),
    "feel no pain": Asked("12", 3, 6, 2, "2", 5, 3, 3, 6, fnp=5),
    "twin-linked, anti": Asked("8", 3, 4, 2, "1", 5, 3, 2, 10, invulnerable=5, twin_linked=True, anti=4),
    "120 attacks": Asked("120", 4, 4, 0, "1", 4, 4, 2, 20, fnp=5, devastating=True),
}


def as_volleys(asked: Asked) -> tuple[tuple[Volley, ...], Policy]:
    """The question as the exact reader takes it."""
    return find_edition("11").questions().volleys(asked.attack_text, asked.target_text, settings=asked.settings)


# --- wh40kdc ---------------------------------------------------------------------------------------------------


def as_crunch(asked: Asked, *more: dict[str, Any], **printed: str) -> Callable[[], list[dict[str, Any]]]:
    """The question for ``crunch``; its stages are named.

    Args:
        more: contributions of other rules, as it has them.
        printed: characteristics of the weapon in place of the question's.
    """
    from wh40kdc.cruncher import crunch
    from wh40kdc.data.dataset import Dataset

    data = _data(Dataset)
    keywords: list[dict[str, Any]] = []
    if asked.lethal:
        keywords.append({"keyword_id": "lethal-hits"})
    if asked.sustained:
        keywords.append({"keyword_id": "sustained-hits", "parameters": {"value": asked.sustained}})
    if asked.devastating:
        keywords.append({"keyword_id": "devastating-wounds"})
    if asked.twin_linked:
        keywords.append({"keyword_id": "twin-linked"})
    if asked.blast:
        keywords.append({"keyword_id": "blast", "parameters": {"value": 1}})
    if asked.anti:
        parameters = {"target_keyword": "infantry", "threshold": asked.anti}
        keywords.append({"keyword_id": "anti", "parameters": parameters})
    stats = {"A": asked.attacks, "BS": asked.skill, "S": asked.strength, "AP": -asked.ap, "D": asked.damage} | printed
    profile: dict[str, Any] = {"T": asked.toughness, "Sv": asked.save, "W": asked.wounds}
    if asked.invulnerable:
        profile["invuln_sv"] = asked.invulnerable
    manual = {"kind": "manual"}
    buffs = [{"source": manual, "contribution": each} for each in more]
    if asked.fnp:
        buffs.append({"source": manual, "contribution": {"type": "feel-no-pain", "threshold": asked.fnp}})
    if asked.reroll_ones:
        buffs.append({"source": manual, "contribution": {"type": "reroll", "roll": "hit", "subset": "ones"}})
    question = {
        "attacker": {
            "weapon": {"id": "w", "profiles": [{"range": 24, "stats": stats, "keywords": keywords}]},
            "profileIndex": 0,
        },
        "target": {
            "unit": {"id": "u", "profiles": [profile], "keywords": ["Infantry"]},
            "profileIndex": 0,
            "modelCount": asked.models,
        },
        "modelsFiring": asked.weapons,
        "buffs": buffs,
        "context": {},
    }

    def ask() -> list[dict[str, Any]]:
        stages: list[dict[str, Any]] = crunch(question, data)["stages"]
        return stages

    return ask


_DATA: dict[str, Any] = {}


def _data(kind: Any) -> Any:
    if "data" not in _DATA:
        _DATA["data"] = kind.embedded()
    return _DATA["data"]


# --- warhammer-stats -------------------------------------------------------------------------------------------


def as_warhammer_stats(asked: Asked) -> Callable[[], Any]:
    """The question for ``warhammer-stats``; it keeps what it has worked out, which is emptied first."""
    from warhammer_stats import PMF, Attack, ModifierCollection, PMFCollection, Target, Weapon
    from warhammer_stats.attack.phases import kill_phase
    from warhammer_stats.modifiers import generator_modifiers as generators
    from warhammer_stats.modifiers import reroll_modifiers as rerolls

    hit_mods: list[Any] = []
    wound_mods: list[Any] = []
    if asked.sustained:
        hit_mods.append(generators.GenerateExtraAutomaticHitsUnmodifiable(6, asked.sustained))
    if asked.lethal:
        hit_mods.append(generators.GenerateExtraAutomaticWoundsUnmodifiable(6, 1))
    if asked.reroll_ones:
        hit_mods.append(rerolls.ReRollOnes())
    if asked.devastating:
        wound_mods.append(generators.EndAttackAndGenrateMortalWoundsUnmodifiable(6, int(asked.damage)))
    if asked.twin_linked:
        wound_mods.append(rerolls.ReRollFailed())

    def dice(text: str, times: int = 1) -> Any:
        return PMFCollection.mdn(times, 6) if text == "D6" else PMFCollection([PMF.static(int(text))] * times)

    shots = dice(asked.attacks, asked.weapons)
    if asked.blast:
        shots = PMFCollection([*shots.pmfs, PMF.static(asked.weapons * (asked.models // 5))])

    def ask() -> Any:
        for known in (
            kill_phase.generate_kill_tree,
            kill_phase.generate_mortal_kill_tree,
            kill_phase.generate_one_kill_tree,
            kill_phase.calculate_kills,
        ):
            known.cache_clear()
        weapon = Weapon(
            asked.skill,
            shots,
            asked.strength,
            asked.ap,
            dice(asked.damage),
            ModifierCollection(hit_mods=hit_mods, wound_mods=wound_mods),
        )
        target = Target(asked.toughness, asked.save, asked.invulnerable or 7, asked.fnp or 7, asked.wounds)
        return Attack(weapon, target).run()

    return ask


# --- icepool ---------------------------------------------------------------------------------------------------


def as_icepool(asked: Asked) -> Callable[[], Any]:
    """The question for ``icepool``: a die of the wounds removed."""
    import icepool

    d6 = icepool.d6

    def dice(text: str) -> Any:
        return d6 if text == "D6" else icepool.Die([int(text)])

    def ask() -> Any:
        save_needed = min(asked.save + asked.ap, asked.invulnerable or 7)
        unsaved = d6.map(lambda face: int(face == 1 or face < save_needed))
        wound_needed = _wound_on(asked.strength, asked.toughness)
        critical = asked.anti or 6
        rolled = d6
        if asked.twin_linked:
            rolled = d6.reroll(lambda face: face == 1 or (face < wound_needed and face < critical), depth=1)

        def wounding(face: int) -> Any:
            if face >= critical:
                return 1 if asked.devastating else unsaved
            return unsaved if face != 1 and face >= wound_needed else 0

        wound = rolled.map(wounding)

        def hitting(face: int) -> Any:
            if face == 6:
                return (unsaved if asked.lethal else wound) + (asked.sustained @ wound if asked.sustained else 0)
            return wound if face != 1 and face >= asked.skill else 0

        hit = d6.reroll([1], depth=1) if asked.reroll_ones else d6
        attacks = asked.weapons @ dice(asked.attacks)
        if asked.blast:
            attacks += asked.weapons * (asked.models // 5)
        packets = attacks @ hit.map(hitting)
        damage = dice(asked.damage)
        if asked.fnp:
            kept = d6.map(lambda face: int(face < (asked.fnp or 7)))
            damage = damage.map(lambda points: points @ kept)
        whole = asked.wounds * asked.models

        def struck(removed: int, points: int) -> int:
            return removed + min(points, asked.wounds - removed % asked.wounds) if removed < whole else removed

        after = [icepool.Die([0])]
        while len(after) <= packets.max_outcome():
            if not asked.fnp and len(after) > whole:
                after.append(after[-1])
            else:
                after.append(icepool.map(struck, after[-1], damage))
        return packets.map(lambda count: after[count])

    return ask


def _wound_on(strength: int, toughness: int) -> int:
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5
