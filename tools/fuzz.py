"""Search for failures with far more examples than the test run: ``python tools/fuzz.py [--examples N] [PYTEST...]``.

Every property test is run with N examples per property (2000) instead of Hypothesis' hundred, and without its memory
of earlier failures, so that each run looks elsewhere. What fails is printed with the example that repeats it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent


class MoreExamples:
    """A pytest plugin that raises the number of examples of every property."""

    def __init__(self, examples: int) -> None:
        self.examples = examples

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            test = getattr(item, "obj", None)
            if getattr(test, "is_hypothesis_test", False):
                function = getattr(test, "__func__", test)
                own = getattr(function, "_hypothesis_internal_use_settings", settings())
                function._hypothesis_internal_use_settings = settings(
                    own,
                    max_examples=max(self.examples, own.max_examples),
                    deadline=None,
                    derandomize=False,
                    suppress_health_check=list(HealthCheck),
                )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Run every property test with many more examples.")
    parser.add_argument("--examples", type=int, default=2000, help="examples per property")
    options, rest = parser.parse_known_args(arguments)
    selected = rest or [str(ROOT / "tests" / "property")]
    return int(pytest.main(["-p", "no:cacheprovider", *selected], plugins=[MoreExamples(options.examples)]))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
