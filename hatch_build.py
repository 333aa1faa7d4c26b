"""What a build makes before it packs: the rulebook's JSON, which wheels ship instead of the YAML, and the page."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BattlewrightBuildHook(BuildHookInterface[Any]):
    """Builds the generated files of the package.

    An editable install gets the rulebook only: there ``make`` builds the page when it is older than its source.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build where there is something to build from; an unpacked wheel has neither YAML nor ``web/``."""
        root = Path(self.root)
        package = root / "src" / "battlewright"
        source = _load(package / "core" / "rulebook_source.py")
        if source.source_files(package / "rulebook"):
            source.build(package / "rulebook")
        if version != "editable":
            web = _load(root / "tools" / "build_web.py")
            if not web.is_current():
                web.install()
                web.build()

    def dependencies(self) -> list[str]:
        """Node, as a package, where the machine has none that could build the page."""
        web = _load(Path(self.root) / "tools" / "build_web.py")
        return [] if web.is_current() or web.has_node() else [web.FALLBACK]


def _load(path: Path) -> Any:
    """A module by its path, so that the build needs none of the package's dependencies."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
