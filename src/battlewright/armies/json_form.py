"""An army as JSON, for the header of a saved battle; there and back it is the same army."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

from battlewright.core.errors import SaveError
from battlewright.core.roster import Army

__all__ = ["army_from_json", "army_to_json"]


def army_to_json(army: Army) -> dict[str, Any]:
    """The army in JSON's own types; :func:`army_from_json` gives an equal army back.

    Equal models of a unit are told once, with ``count``.
    """
    document = asdict(army)
    for unit, told in zip(army.units, document["units"], strict=True):
        runs: list[dict[str, Any]] = []
        before = None
        for model, each in zip(unit.models, told["models"], strict=True):
            if runs and model == before:
                runs[-1]["count"] += 1
            else:
                runs.append({**each, "count": 1})
            before = model
        told["models"] = runs
    return document


def army_from_json(document: Any) -> Army:
    """The army that :func:`army_to_json` told of.

    Raises:
        SaveError: the document is not of that form.
    """
    from pydantic import ValidationError

    try:
        return _adapter().validate_python(_spread(document))  # type: ignore[no-any-return]
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise SaveError(f"the army in the save is broken at {place}: {first['msg']}") from None
    except (TypeError, KeyError, AttributeError, ValueError) as fault:
        raise SaveError(f"the army in the save is broken: {fault}") from None


_MAX_MODELS = 2_000


def _spread(document: Any) -> dict[str, Any]:
    units = []
    for unit in document["units"]:
        models: list[Any] = []
        for each in unit["models"]:
            count = each.get("count", 1)
            if not isinstance(count, int) or not 1 <= count <= _MAX_MODELS - len(models):
                raise ValueError(f"{count} models in one unit")
            models += [{key: value for key, value in each.items() if key != "count"}] * count
        units.append({**unit, "models": models})
    return {**document, "units": units}


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(Army)
