"""Play whole battles in search of failures: ``python tools/fuzz_battles.py [--battles N] [--edition E] ...``.

Every battle is checked as the tests check theirs: what must always hold, after each answer; the same checksums in a
replay; and copies made at a sample of decisions that go on alike. A failure prints the command that repeats it.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

from joblib import Parallel, delayed

Where = tuple[str, str, tuple[tuple[str, str], ...]]
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))


def one(edition: str, seed: int, paths: tuple[str, str], where: Where, players: str) -> tuple[int, float, str]:
    """Play one battle on a mission and layout with switches; returns decisions, seconds, and the failure or ""."""
    import importlib

    from battlewright.armies import load_army
    from battlewright.players import make_player
    from battlewright.start import Battle
    from support.play import check_forks, check_replay, play

    names = {"3": "third", "4": "third", "6": "third", "11": "eleventh"}
    invariants = importlib.import_module(f"support.{names[edition]}_invariants").invariants
    a, b = (load_army(Path(path)) for path in paths)

    def start() -> Battle:
        mission, layout, switches = where
        return Battle.start((a, b), edition, seed=seed, mission=mission, layout=layout, options=dict(switches))

    begun = time.perf_counter()
    decisions = 0
    try:
        battle = start()
        sides = [make_player(name, edition, seed=2 * seed + side) for side, name in enumerate(players.split(","))]
        play(battle, sides, invariants)
        decisions = len(battle.record)
        seconds = time.perf_counter() - begun
        check_replay(battle, start())
        check_forks(battle, start(), to_the_end=1, every=37)
    except Exception:
        return decisions, time.perf_counter() - begun, traceback.format_exc(limit=-6)
    return decisions, seconds, ""


def mixed_players(edition: str) -> list[str]:
    """Players in turn: of seven battles four are played at random, which goes furthest astray.

    Seven has no factor in common with the numbers of armies and missions, so that all of them meet.
    """
    from battlewright.players import best_player

    best = best_player(edition)
    mixed = [f"{best},random", f"{best},{best}", f"random,{best}"]
    return ["random,random", *(each for pair in mixed for each in (pair, "random,random"))]


def main(arguments: list[str]) -> int:
    from battlewright.armies import sample_armies
    from battlewright.editions.edition import find_edition

    parser = argparse.ArgumentParser(description="Play whole battles in search of failures.")
    parser.add_argument("--battles", type=int, default=200)
    parser.add_argument("--edition", default="11")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--players", default="mixed", help='two names with a comma, or "mixed" for all sorts in turn')
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--armies", nargs="*", help="list files to draw from; the bundled ones when none is named")
    parser.add_argument("--mission", default="each", help='the name of a mission, or "each" for all of them in turn')
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help="a switch of the edition")
    options = parser.parse_args(arguments)
    files = options.armies or [str(path) for path in sample_armies(options.edition).values()]
    pairs = mixed_players(options.edition) if options.players == "mixed" else [options.players]
    board = find_edition(options.edition).switchboard()
    missions = list(board.missions()) if options.mission == "each" else [options.mission]
    switches = tuple((name, value) for name, _, value in (each.partition("=") for each in options.option))

    def job(seed: int) -> tuple[str, int, tuple[str, str], Where, str]:
        pair = files[seed % len(files)], files[(seed // len(files) + 1) % len(files)]
        mission = missions[seed % len(missions)]
        layouts = board.layouts(mission)
        where = mission, layouts[seed // len(missions) % len(layouts)], switches
        return options.edition, seed, pair, where, pairs[seed % len(pairs)]

    jobs = [job(seed) for seed in range(options.first_seed, options.first_seed + options.battles)]
    begun = time.perf_counter()
    failures = decisions = 0
    longest = 0.0
    again = "".join(f" --option {each}" for each in options.option)
    again += f" --mission {options.mission}"
    again += f" --armies {' '.join(options.armies)}" if options.armies else ""
    for (edition, seed, pair, where, players), (count, seconds, failure) in zip(
        jobs, Parallel(n_jobs=options.jobs, return_as="generator")(delayed(one)(*each) for each in jobs), strict=True
    ):
        decisions += count
        longest = max(longest, seconds)
        if failure:
            failures += 1
            print(
                f"seed {seed}, {where[0]}, {where[1]}, {' against '.join(Path(path).name for path in pair)}:\n{failure}"
            )
            print(
                f"repeat: python tools/fuzz_battles.py --edition {edition} --battles 1 --first-seed {seed} "
                f"--players {players}{again}\n"
            )
    print(
        f"{len(jobs)} battles, {failures} failed, {decisions} decisions, longest {longest:.1f} s, "
        f"{time.perf_counter() - begun:.0f} s in all"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
