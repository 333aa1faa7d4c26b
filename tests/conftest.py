"""What every test shares."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

pytest_plugins = ["support.rule_coverage", "pytester"]

# The test run looks at the same examples every time, however slow the machine; `make fuzz` looks elsewhere.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.load_profile("repeatable")
