"""The table as a drawing: SVG to scale, in inches, with terrain, zones, objectives and the models' true bases.

A table that is higher than wide is turned a quarter clockwise, so that it fits a screen. Text from army lists and
layouts is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from battlewright.core.bases import Base, BaseKind, Point, Polygon
from battlewright.core.roster import Army, Role
from battlewright.core.table import Battlefield, TerrainArea

__all__ = ["BOARD_STYLE", "Drawing", "Placed", "board_svg", "draw_model", "models_of"]

_MARGIN = 1.2

BOARD_STYLE = """
.board{font:600 1px system-ui,sans-serif}
.ground{fill:#3c463d}.inch{stroke:#fff;stroke-opacity:.07;stroke-width:.04}
.zone{fill:#fff;fill-opacity:.045;stroke:#fff;stroke-opacity:.35;stroke-width:.08;stroke-dasharray:.5 .35}
.zone-name{fill:#fff;fill-opacity:.4;font-size:1px}
.area{stroke:#d9d2bd;stroke-opacity:.55;stroke-width:.06}
.area.exposed{fill:#59604f}.area.light{fill:#66664f}.area.dense{fill:#6d6350}
.feature{stroke:#14120d;stroke-width:.05}
.feature.exposed{fill:#857d66}.feature.light{fill:#a3967a}.feature.dense{fill:#c2b594}
.floor{fill:#2c281f;fill-opacity:.22;stroke:none}
.objective .marker{fill:#f4efe2;fill-opacity:.16;stroke:#f4efe2;stroke-width:.09}
.objective .hold{fill:none;stroke:none;stroke-width:.28}
.objective.a .hold{stroke:#58b4e5}.objective.b .hold{stroke:#f0774f}
.model .base{stroke:#10130f;stroke-width:.07}
.model.a .base{fill:#58b4e5}.model.b .base{fill:#f0774f}
.model .front{stroke:#10130f;stroke-opacity:.65;stroke-width:.09}
.model .mark{fill:#fff;stroke:#10130f;stroke-width:.05}
.unit-name{fill:#fff;stroke:#10130f;stroke-width:.22;stroke-linejoin:round;paint-order:stroke;font-size:.85px;
text-anchor:middle;pointer-events:none}
"""


@dataclass(frozen=True, slots=True)
class Placed:
    """A model on the table: its row, side and base, where it stands, and whether it is a character.

    ``x``, ``y`` are inches and ``facing`` degrees, as in :class:`~battlewright.core.bases.Pose`.
    """

    row: int
    side: int
    base: Base
    x: float
    y: float
    facing: float
    title: str = ""
    is_character: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """How points of a table become points of a drawing.

    Attributes:
        width: of the table, inches.
        height: of the table, inches.
    """

    width: float
    height: float

    @property
    def turned(self) -> bool:
        """Whether the table is shown a quarter turned, clockwise."""
        return self.height > self.width

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the drawing without its margin."""
        return (self.height, self.width) if self.turned else (self.width, self.height)

    @property
    def view_box(self) -> str:
        """The SVG's viewBox, margin included."""
        width, height = self.size
        return f"{-_MARGIN:g} {-_MARGIN:g} {width + 2 * _MARGIN:g} {height + 2 * _MARGIN:g}"

    def at(self, x: float, y: float) -> Point:
        """Where a point of the table is drawn."""
        return (y, x) if self.turned else (x, self.height - y)

    def placing(self, x: float, y: float, facing: float) -> str:
        """The transform that puts something drawn about 0,0, its front along +x and its left along +y, in its place."""
        cos, sin = math.cos(math.radians(facing)), math.sin(math.radians(facing))
        turn = (sin, cos, cos, -sin) if self.turned else (cos, -sin, -sin, -cos)
        return "matrix(" + " ".join(_number(value) for value in (*turn, *self.at(x, y))) + ")"

    def points(self, polygon: Polygon) -> str:
        """The corners of a polygon, as SVG wants them."""
        return " ".join(",".join(_number(value) for value in self.at(*corner)) for corner in polygon)


def board_svg(
    battlefield: Battlefield,
    models: Iterable[Placed] = (),
    *,
    names: Sequence[tuple[str, float, float]] = (),
    held: Sequence[tuple[str, int]] = (),
    styled: bool = True,
    title: str = "",
) -> str:
    """The whole table as one ``<svg>`` element.

    Args:
        models: those that stand on it.
        names: texts to write, with the places of the drawing at which their middle stands: names of units.
        held: objectives' ids with the side that controls each.
        styled: whether the style goes into the drawing; a page that holds the style itself leaves it out.
        title: what the drawing is called, for people who cannot see it.
    """
    drawing = Drawing(battlefield.width, battlefield.height)
    controlled = {objective: "ab"[side] for objective, side in held}
    width, height = drawing.size
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{drawing.view_box}" role="img"'
        f' aria-label="{escape(title or battlefield.name)}">',
        f"<style>{BOARD_STYLE}</style>" if styled else "",
        f'<rect class="ground" x="0" y="0" width="{width:g}" height="{height:g}" rx=".4"/>',
        *_grid(width, height),
        *_zones(battlefield, drawing),
        *(part for area in battlefield.areas for part in _area(area, drawing)),
        *_zone_names(battlefield, drawing),
        *_objectives(battlefield, drawing, controlled),
        '<g class="trails"></g><g class="models">',
        *(draw_model(model, drawing) for model in models),
        '</g><g class="shots"></g><g class="names">',
        *(f'<text class="unit-name" x="{_number(x)}" y="{_number(y)}">{escape(name)}</text>' for name, x, y in names),
        "</g></svg>",
    ]
    return "\n".join(part for part in parts if part)


def _grid(width: float, height: float) -> Iterable[str]:
    for x in range(6, math.ceil(width), 6):
        yield f'<path class="inch" d="M{x} 0V{height:g}"/>'
    for y in range(6, math.ceil(height), 6):
        yield f'<path class="inch" d="M0 {y}H{width:g}"/>'


def _zones(battlefield: Battlefield, drawing: Drawing) -> Iterable[str]:
    for zone in battlefield.zones:
        yield f'<polygon class="zone" points="{drawing.points(zone.polygon)}"/>'


def _zone_names(battlefield: Battlefield, drawing: Drawing) -> Iterable[str]:
    for zone in battlefield.zones:
        x, y = drawing.at(*_middle(zone.polygon))
        yield (
            f'<text class="zone-name" text-anchor="middle" transform="translate({_number(x)} {_number(y)})'
            f'{" rotate(-90)" if drawing.turned else ""}">{escape(zone.name)}</text>'
        )


def _middle(polygon: Polygon) -> Point:
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _area(area: TerrainArea, drawing: Drawing) -> Iterable[str]:
    yield (
        f'<polygon class="area {area.category}" data-area="{escape(area.id)}" points="{drawing.points(area.polygon)}">'
        f"<title>area {escape(area.id)}, {area.category}</title></polygon>"
    )
    for feature in area.features:
        for floor in feature.floors:
            yield f'<polygon class="floor" points="{drawing.points(floor.polygon)}"/>'
        yield (
            f'<polygon class="feature {feature.category}" points="{drawing.points(feature.polygon)}">'
            f"<title>{escape(', '.join(sorted(feature.tags)) or str(feature.category))}, "
            f"{feature.height:g}&quot; high</title></polygon>"
        )


def _objectives(battlefield: Battlefield, drawing: Drawing, controlled: dict[str, str]) -> Iterable[str]:
    for objective in battlefield.objectives:
        x, y = (_number(value) for value in drawing.at(*objective.point))
        side = controlled.get(objective.id, "")
        yield (
            f'<g class="objective {side}" data-objective="{escape(objective.id)}">'
            f'<circle class="hold" cx="{x}" cy="{y}" r="{objective.radius + 0.35:.3f}"/>'
            f'<circle class="marker" cx="{x}" cy="{y}" r="{objective.radius:.3f}"/>'
            f"<title>objective {escape(objective.id)}</title></g>"
        )


def draw_model(model: Placed, drawing: Drawing) -> str:
    """A model's base where it stands, with a stroke to its front where that matters."""
    base, side = model.base, "ab"[model.side]
    parts = [_shape(base)]
    if not base.is_round:
        parts.append(f'<path class="front" d="M{base.length * 0.22:.3f} 0H{base.length * 0.44:.3f}"/>')
    if model.is_character:
        parts.append(f'<circle class="mark" r="{max(base.core_radius * 0.35, 0.14):.3f}"/>')
    if model.title:
        parts.append(f"<title>{escape(model.title)}</title>")
    place = drawing.placing(model.x, model.y, model.facing)
    return f'<g class="model {side}" data-row="{model.row}" transform="{place}">{"".join(parts)}</g>'


def _shape(base: Base) -> str:
    match base.kind:
        case BaseKind.ROUND:
            return f'<circle class="base" r="{base.length / 2:.4f}"/>'
        case BaseKind.OVAL:
            return f'<ellipse class="base" rx="{base.length / 2:.4f}" ry="{base.width / 2:.4f}"/>'
        case BaseKind.HULL:
            corners = " ".join(f"{x:.4f},{y:.4f}" for x, y in base.outline)
            return f'<polygon class="base" points="{corners}"/>'


def models_of(armies: Sequence[Army]) -> list[Placed]:
    """Every model of both armies, by row, not yet on the table."""
    placed: list[Placed] = []
    for side, army in enumerate(armies):
        for unit, model in army.models():
            leads = unit.components[model.component].role is not Role.UNIT or "CHARACTER" in model.keywords
            title = unit.name if model.name == unit.name else f"{model.name}, {unit.name}"
            placed.append(Placed(len(placed), side, Base.parse(model.base), 0.0, 0.0, 0.0, title, leads))
    return placed


def _number(value: float) -> str:
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
