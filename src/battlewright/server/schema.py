"""The JSON schema of everything that is said over the WebSocket and over HTTP."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from battlewright.server import forms
from battlewright.server.messages import PROTOCOL, ClientMessage, ServerMessage

__all__ = ["protocol_schema", "schema_text"]

_REF = "#/$defs/{model}"
_ASKED = {"ArmyForm", "ArmyRef", "BattleForm", "OddsForm", "ReplayForm"}
"""The forms that are sent to the server; all others come from it."""


def protocol_schema() -> dict[str, Any]:
    """One schema: ``$defs`` holds every model, ``ClientMessage`` and ``ServerMessage`` the two unions.

    What the server says always has all of its fields; what it is told may leave out those with a default.
    """
    found: dict[str, Any] = {}
    asked = [form for form in vars(forms).values() if _is_form(form)]
    pairs: list[tuple[Any, Literal["validation", "serialization"]]] = [
        (form, "validation" if form.__name__ in _ASKED else "serialization") for form in asked
    ]
    found |= models_json_schema(pairs, ref_template=_REF)[1].get("$defs", {})
    found |= _union("ServerMessage", TypeAdapter(ServerMessage), "serialization")
    found |= _union("ClientMessage", TypeAdapter(ClientMessage), "validation")
    for schema in found.values():
        tags = [name for name, each in schema.get("properties", {}).items() if "const" in each]
        if tags:
            schema["required"] = sorted({*schema.get("required", ()), *tags})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Battlewright protocol",
        "version": PROTOCOL,
        "$defs": dict(sorted(found.items())),
    }


def _is_form(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseModel) and value.__name__ in forms.__all__


def _union(name: str, adapter: TypeAdapter[Any], mode: Literal["validation", "serialization"]) -> dict[str, Any]:
    schema = adapter.json_schema(mode=mode, ref_template=_REF)
    return {**schema.pop("$defs"), name: schema}


def schema_text() -> str:
    """The schema as it is published in ``docs/protocol.schema.json``."""
    return json.dumps(protocol_schema(), indent=1, ensure_ascii=False) + "\n"
