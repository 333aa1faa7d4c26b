"""``/api/replay``: a saved battle played again, every checksum compared, as a film to step through."""

from __future__ import annotations

import json

from fastapi import APIRouter, Request, Response

from battlewright.core.errors import SaveError
from battlewright.core.record import record_of_bytes
from battlewright.report.film import Film
from battlewright.report.page import film_data, laid_out
from battlewright.server.api.aside import Aside
from battlewright.server.api.refusals import REFUSALS, TooLarge
from battlewright.server.forms import MAX_SAVE, ReplayForm, ReplayTold
from battlewright.server.scenes import make_scene
from battlewright.start import replay

__all__ = ["router"]

router = APIRouter(prefix="/api/replay", tags=["replay"], responses=REFUSALS)

_MOST_ANSWERS = 20_000
_MOST_MODELS = 2_000


@router.post("", response_model=ReplayTold)
async def play_again(form: ReplayForm, request: Request) -> Response:
    """Play a saved battle again; the answer holds the table, the units, and the battle after every answer."""
    data = form.text.encode("utf-8", "replace")
    if len(data) > MAX_SAVE:
        raise TooLarge(f"the saved battle is larger than {MAX_SAVE // 1_000_000} MB")
    aside: Aside = request.app.state.aside
    return Response(await aside.run(film_of, data), media_type="application/json")


def film_of(data: bytes) -> bytes:
    """The film of a saved battle, as JSON.

    Raises:
        SaveError: when it cannot be read, is too large a battle, or was made by another version.
        ReplayMismatch: at the first answer whose result differs.
    """
    header, records = record_of_bytes(data)
    models = sum(len(unit.models) for army in header.armies for unit in army.units)
    if len(records) > _MOST_ANSWERS or models > _MOST_MODELS:
        raise SaveError(f"the battle has {len(records)} answers and {models} models, which is too many")
    film = Film()
    battle = replay(header, records, watch=film)
    scene = make_scene(header).model_dump(mode="json")
    scene["battlefield"] = laid_out(header, battle.events).to_json()
    told = {**film_data(film, battle.result), "answers": len(records)}
    told |= {"checksum": battle.checksum(), "scene": scene}
    return json.dumps(told, ensure_ascii=True, separators=(",", ":")).encode()
