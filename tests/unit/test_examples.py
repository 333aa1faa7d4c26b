"""Every example in a docstring of the package and in the README runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import battlewright

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(battlewright.__path__, "battlewright.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
