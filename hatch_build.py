"""What a build makes before it packs: the rulebook's JSON, which wheels ship instead of the YAML."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BattlewrightBuildHook(BuildHookInterface[Any]):
    """Builds the generated files of the package, also for an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the JSON where there is YAML to build it from; an unpacked wheel has none."""
        package = Path(self.root) / "src" / "battlewright"
        source = _load(package / "core" / "rulebook_source.py")
        if source.source_files(package / "rulebook"):
            source.build(package / "rulebook")


def _load(path: Path) -> Any:
    """A module by its path, so that the build needs none of the package's dependencies."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
