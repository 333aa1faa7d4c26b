"""Scenarios: positions written down, with scripted dice, answers and what is expected to follow."""

from battlewright.scenarios.format import Scenario, read_scenario, scenario_schema
from battlewright.scenarios.run import Report, run_scenario

__all__ = ["Report", "Scenario", "read_scenario", "run_scenario", "scenario_schema"]
