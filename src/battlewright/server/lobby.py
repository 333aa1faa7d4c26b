"""``/api/battles``: setting battles up, joining them, taking them home; and ``/api/health``."""

from __future__ import annotations

import json
import secrets
import time
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response

import battlewright
from battlewright.armies import army_to_json
from battlewright.core.errors import BadInput
from battlewright.server.api.armies import shelf_of
from battlewright.server.api.refusals import BUSY, REFUSALS
from battlewright.server.desk import SettingUp
from battlewright.server.forms import (
    ArmyRef,
    BattleForm,
    BattleMade,
    Health,
    JoinMade,
    OpenBattle,
    Refusal,
)
from battlewright.server.hall import Hall, token_hash
from battlewright.server.storage import BattleRow

__all__ = ["router"]

_OTHERS: dict[int | str, dict[str, Any]] = {
    403: {"description": "Not from here, or not yet", "model": Refusal},
    409: {"description": "Taken", "model": Refusal},
}

router = APIRouter(prefix="/api", tags=["battles"], responses={**REFUSALS, **_OTHERS, **BUSY})

BattleId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{4,32}$")]


def _hall(request: Request) -> Hall:
    return cast(Hall, request.app.state.hall)


InHall = Annotated[Hall, Depends(_hall)]


def _refused(status: int, text: str) -> HTTPException:
    return HTTPException(status, text)


def _counted(request: Request) -> None:
    """Refuse one who makes too much in a minute."""
    if not request.app.state.made.take(request.client.host if request.client else ""):
        raise _refused(429, "that is too much in a minute")


@router.get("/health")
async def health(hall: InHall) -> Health:
    """Whether the server is there."""
    battles = sum(bool(room.connections) for room in hall.rooms.values())
    return Health(version=battlewright.__version__, battles=battles, connections=hall.connections)


@router.post("/battles", dependencies=[Depends(_counted)])
async def make_battle(form: BattleForm, hall: InHall, request: Request) -> BattleMade:
    """Set a battle up; the links are told once and kept nowhere."""
    if await hall.storage.count(("open", "playing")) >= hall.limits.battles:
        raise _refused(429, "too many battles are going on")
    if form.hot_seat and form.seats != ("person", "person"):
        raise BadInput("a hot seat is for two persons", expected='seats: ["person", "person"]')
    seed = secrets.randbits(256) if form.seed is None else int(form.seed)
    if seed >= 2**256:
        raise BadInput("the seed is out of bounds", expected="a whole number from 0 to 2**256 - 1")
    first, second = [await _army_of(each, form.edition, request) for each in form.armies]
    wanted = SettingUp(form.edition, form.mission, form.layout, form.options, (first, second), form.players, seed)
    header, about = await hall.pool.at_the_desk("set_up", wanted)
    tokens = {role: secrets.token_urlsafe(24) for role in _roles(form)}
    id_, now = secrets.token_urlsafe(9), time.time()
    row = BattleRow(
        id=id_,
        created=now,
        touched=now,
        status="open" if "open" in form.seats else "playing",
        title=form.title,
        header=header,
        about=json.dumps(about),
        seats=json.dumps({"kinds": form.seats, "hot": form.hot_seat}),
        secret=secrets.token_hex(32),
        era=0,
        given=form.seed is not None,
    )
    await hall.storage.add_battle(row, {token_hash(token): role for role, token in tokens.items()})
    links = {role: _link(id_, token) for role, token in tokens.items()}
    return BattleMade(battle=id_, links=cast(Any, links), tokens=cast(Any, tokens))


async def _army_of(ref: ArmyRef, edition: str, request: Request) -> tuple[dict[str, Any], bool]:
    name = ref.id or ref.bundled
    if name is None or (ref.id is not None and ref.bundled is not None):
        raise BadInput("an army is one that was read, or a bundled one", expected="id or bundled")
    return army_to_json(await shelf_of(request).army(name, edition)), ref.as_is


def _roles(form: BattleForm) -> list[str]:
    if form.hot_seat:
        return ["both", "watch"]
    return [*(role for role, kind in zip("ab", form.seats, strict=True) if kind == "person"), "watch"]


def _link(battle: str, token: str) -> str:
    return f"/play/{battle}#{token}"


@router.get("/battles")
async def open_battles(hall: InHall) -> list[OpenBattle]:
    """The battles that wait for somebody."""
    return [_open_battle(row) for row in await hall.storage.battles(("open",), 100)]


def _open_battle(row: BattleRow) -> OpenBattle:
    about, kinds = json.loads(row.about), json.loads(row.seats)["kinds"]
    return OpenBattle(
        battle=row.id,
        title=row.title,
        edition=about["edition"],
        mission=about["mission"],
        armies=(about["armies"][0], about["armies"][1]),
        points=(about["points"][0], about["points"][1]),
        open=[1 if side else 0 for side, kind in enumerate(kinds) if kind == "open"],
        since=row.created,
    )


@router.post("/battles/{battle}/join", dependencies=[Depends(_counted)])
async def join(battle: BattleId, hall: InHall) -> JoinMade:
    """Take an open seat of a battle."""
    row = await hall.storage.battle(battle)
    if row is None:
        raise _refused(404, "there is no such battle")
    seats = json.loads(row.seats)
    side = next((side for side, kind in enumerate(seats["kinds"]) if kind == "open"), None)
    if side is None:
        raise _refused(409, "every seat is taken")
    seats["kinds"][side] = "person"
    token = secrets.token_urlsafe(24)
    status = "open" if "open" in seats["kinds"] else "playing"
    taken = await hall.storage.take_seat(battle, row.seats, json.dumps(seats), status, token_hash(token), "ab"[side])
    if not taken:
        raise _refused(409, "somebody was faster")
    if battle in hall.rooms:
        hall.rooms[battle].reseat(seats)
    return JoinMade(battle=battle, side=1 if side else 0, link=_link(battle, token), token=token)


@router.get(
    "/battles/{battle}/save",
    response_class=PlainTextResponse,
    responses={200: {"content": {"application/x-ndjson": {}}}},
)
async def save(battle: BattleId, hall: InHall, seat: Annotated[str, Query(max_length=64)]) -> Response:
    """The battle as a file for ``battlewright replay``: to any of its links once it is over, to a hot seat always."""
    found = await hall.storage.seat(token_hash(seat))
    row = await hall.storage.battle(battle)
    if found is None or row is None or found[0] != battle:
        raise _refused(404, "there is no such battle, or the link is not one of it")
    if row.status != "ended" and found[1] != "both":
        raise _refused(403, "the file holds the seed of the dice; it can be had when the battle is over")
    lines = [row.header]
    for n, data in enumerate(await hall.storage.answers(battle), 1):
        lines.append(f'{{"n":{n},{data[1:]}')
    headers = {"Content-Disposition": f'attachment; filename="battlewright-{battle}.jsonl"'}
    return Response("\n".join(lines) + "\n", media_type="application/x-ndjson", headers=headers)
