"""What every test shares."""

from __future__ import annotations

pytest_plugins = ["support.rule_coverage", "pytester"]
