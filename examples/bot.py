"""A bot that plays one seat of a battle: ``python examples/bot.py http://localhost:8411 [BATTLE TOKEN]``.

Without battle and token it sets up a battle of its own against the computer. It picks the first of what is listed, and
where nothing is, what the server proposes; put your own idea into :func:`choose`. The protocol: docs/protocol.md.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from typing import Any

from websockets.sync.client import ClientConnection, connect


def choose(socket: ClientConnection, decision: dict[str, Any]) -> dict[str, Any]:
    """The answer to a decision: the first listed option, or what the server proposes (moves, attacks)."""
    if options := decision["choices"].get("options"):
        return {"kind": "pick", "option": options[0]["key"]}
    say(socket, type="ask", ref="1", question={"kind": "default"})
    while (told := json.loads(socket.recv()))["type"] != "answered":
        pass
    return dict(told["answer"])


def say(socket: ClientConnection, **message: Any) -> None:
    """Send a message."""
    socket.send(json.dumps(message))


def play(server: str, battle: str, token: str) -> dict[str, Any]:
    """Play to the end; returns the last message, with the result and the proof of the dice."""
    with connect(f"{server.replace('http', 'ws', 1)}/ws/{battle}?seat={token}", max_size=2**24) as socket:
        say(socket, type="hello", protocol=1)
        while (told := json.loads(socket.recv()))["type"] != "ended":
            if told["type"] == "decision" and told["yours"]:
                say(socket, type="answer", decision=told["decision"], answer=choose(socket, told))
            elif told["type"] in ("refused", "fault"):
                raise SystemExit(f"the server refuses: {told}")
        return dict(told)


def set_up(server: str) -> tuple[str, str]:
    """A battle of two bundled armies, against the computer."""
    wanted = {"edition": "3", "armies": [{"bundled": "third-orks-500"}, {"bundled": "third-marines-500"}]}
    request = urllib.request.Request(
        f"{server}/api/battles", json.dumps(wanted).encode(), {"Content-Type": "application/json"}
    )
    made = json.load(urllib.request.urlopen(request))
    return made["battle"], made["tokens"]["a"]


if __name__ == "__main__":
    address, *rest = sys.argv[1:]
    print(play(address, *(rest or set_up(address))))
