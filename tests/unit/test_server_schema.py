"""The published schema of the protocol is that of the code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from battlewright.server.messages import CLIENT_MESSAGE
from battlewright.server.schema import protocol_schema, schema_text

PUBLISHED = Path(__file__).resolve().parents[2] / "docs" / "protocol.schema.json"


def test_the_published_schema_is_current() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), (
        "battlewright serve --schema > docs/protocol.schema.json"
    )


def test_the_command_prints_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "battlewright", "serve", "--schema"], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == protocol_schema()


@pytest.mark.parametrize(
    ("message", "is_valid"),
    [
        ({"type": "hello"}, True),
        ({"type": "answer", "decision": "x", "answer": {"kind": "pick", "option": "pass"}}, True),
        ({"type": "answer", "decision": "x", "answer": {"kind": "pick"}}, False),
        ({"type": "rewind", "to": -1}, False),
        ({"type": "nothing"}, False),
        ({"type": "ping", "more": 1}, False),
    ],
)
def test_schema_and_code_judge_a_message_alike(message: dict[str, object], is_valid: bool) -> None:
    whole = protocol_schema()
    schema = {"$ref": "#/$defs/ClientMessage", "$defs": whole["$defs"]}
    assert jsonschema.Draft202012Validator(schema).is_valid(message) is is_valid
    if is_valid:
        assert CLIENT_MESSAGE.validate_python(message).type == message["type"]
    else:
        with pytest.raises(ValueError, match="validation error"):
            CLIENT_MESSAGE.validate_python(message)
