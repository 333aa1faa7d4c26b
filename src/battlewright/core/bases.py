"""Bases and poses: the small values that measuring works on. Import them from ``shapes``.

Frame: x and y lie in the table, in inches, x to the right and y up; z is the height of the surface a model stands on.
Facings are degrees, counter-clockwise from the x axis, so 0 looks along +x and 90 along +y. The long axis of an
oval, and the x axis of a hull's outline, lie along the facing.

State keeps positions as int32 rows ``(x, y, z, facing)`` in thousandths of an inch and of a degree. Measuring
takes inches and degrees: :meth:`Pose.from_row` and :func:`to_inches` convert.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from battlewright.core.errors import BadInput

__all__ = [
    "MM_PER_INCH",
    "TOLERANCE",
    "Base",
    "BaseKind",
    "Point",
    "Polygon",
    "Pose",
    "holds_point",
    "snap",
    "snap_facing",
    "to_inches",
]

TOLERANCE: Final = 0.001
"""The one tolerance of every comparison of lengths, in inches."""

MM_PER_INCH: Final = 25.4

Point = tuple[float, float]
Polygon = tuple[Point, ...]
"""The corners of a simple polygon in order, either way round, the first not repeated; inches."""


def snap(inches: float) -> int:
    """The length in whole thousandths of an inch; halves go up, so that a shift of the table changes nothing.

    >>> snap(1.2345), snap(-0.0005), snap(0.0)
    (1235, 0, 0)
    """
    return math.floor(inches * 1000 + 0.5)


def snap_facing(degrees: float) -> int:
    """The angle in whole thousandths of a degree, in [0, 360000).

    >>> snap_facing(-90), snap_facing(359.9999)
    (270000, 0)
    """
    return math.floor(degrees * 1000 + 0.5) % 360_000


class Pose(NamedTuple):
    """Where a model stands: the centre of its base in inches, the height of its surface, its facing in degrees."""

    x: float
    y: float
    z: float = 0.0
    facing: float = 0.0

    @classmethod
    def from_row(cls, row: Sequence[int] | NDArray[np.int32]) -> Pose:
        """The pose of a state row ``(x, y, z, facing)`` in thousandths."""
        return cls(float(row[0]) / 1000, float(row[1]) / 1000, float(row[2]) / 1000, float(row[3]) / 1000)

    def to_row(self) -> tuple[int, int, int, int]:
        """The state row of this pose, snapped to thousandths."""
        return snap(self.x), snap(self.y), snap(self.z), snap_facing(self.facing)

    def snapped(self) -> Pose:
        """This pose as the state would keep it."""
        return Pose.from_row(self.to_row())


def to_inches(rows: NDArray[np.int32]) -> NDArray[np.float64]:
    """State rows ``(n, 4)`` in thousandths as poses ``(n, 4)`` in inches and degrees; an empty array stays empty."""
    return np.asarray(rows / 1000.0, dtype=np.float64)


class BaseKind(StrEnum):
    """The kinds of footprint a model can have."""

    ROUND = "round"
    OVAL = "oval"
    HULL = "hull"


_SIZE = r"(\d+(?:\.\d+)?)"
_ROUND_TEXT = re.compile(rf"{_SIZE}\s*mm", re.IGNORECASE)
_OVAL_TEXT = re.compile(rf"{_SIZE}\s*(?:mm)?\s*[x×]\s*{_SIZE}\s*mm", re.IGNORECASE)
_RECTANGLE_TEXT = re.compile(rf"hull\s+{_SIZE}\s*[x×]\s*{_SIZE}\s*in", re.IGNORECASE)
_OUTLINE_TEXT = re.compile(r"hull((?:\s+-?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?){3,})\s*in", re.IGNORECASE)
_EXPECTED = 'a base such as "32mm", "60x35mm", "hull 6.2x4.1in", with " flying" after it for a flying base'


@dataclass(frozen=True, slots=True)
class Base:
    """The footprint of a model. Build it with :meth:`round`, :meth:`oval`, :meth:`rectangle`, :meth:`hull` or
    :meth:`parse`; ``str(base)`` parses back to an equal base.

    Attributes:
        kind: round, oval (an ellipse) or hull (a convex outline).
        length: extent along the facing, in inches; of a round base its diameter.
        width: extent across the facing, in inches.
        outline: the corners of a hull about the model's centre, counter-clockwise, in inches, x along the facing;
            empty for round and oval bases.
        flying: a flying base, whose model is measured as its edition says.
    """

    kind: BaseKind
    length: float
    width: float
    outline: Polygon = ()
    flying: bool = False

    @classmethod
    def round(cls, diameter_mm: float, *, flying: bool = False) -> Base:
        """A round base of this diameter in millimetres. Raises BadInput unless it is positive."""
        _check_size(diameter_mm)
        diameter = _tidy(diameter_mm) / MM_PER_INCH
        return cls(BaseKind.ROUND, diameter, diameter, (), flying)

    @classmethod
    def oval(cls, length_mm: float, width_mm: float, *, flying: bool = False) -> Base:
        """An oval base in millimetres, its length along the facing; one of equal sides is round."""
        _check_size(length_mm, width_mm)
        if length_mm == width_mm:
            return cls.round(length_mm, flying=flying)
        return cls(BaseKind.OVAL, _tidy(length_mm) / MM_PER_INCH, _tidy(width_mm) / MM_PER_INCH, (), flying)

    @classmethod
    def rectangle(cls, length: float, width: float, *, flying: bool = False) -> Base:
        """A rectangular hull in inches about its centre, its length along the facing."""
        _check_size(length, width)
        x, y = _tidy(length) / 2, _tidy(width) / 2
        return cls(BaseKind.HULL, 2 * x, 2 * y, ((x, y), (-x, y), (-x, -y), (x, -y)), flying)

    @classmethod
    def hull(cls, outline: Sequence[Point], *, flying: bool = False) -> Base:
        """A hull by its corners in inches about the model's centre, x along the facing.

        Raises:
            BadInput: the outline has fewer than three corners, is not convex, or does not hold its centre inside.
        """
        corners = tuple((round(float(x), 9), round(float(y), 9)) for x, y in outline)
        if not all(math.isfinite(x) and math.isfinite(y) for x, y in corners) or len(corners) < 3:
            raise BadInput("a hull needs at least three corners with finite numbers", expected=_EXPECTED)
        if len(corners) > 64:
            raise BadInput("a hull has at most 64 corners")
        if sum(_cross(p, q) for p, q in _edges(corners)) < 0:
            corners = corners[::-1]
        for (p, q), (_, r) in zip(_edges(corners), _edges(corners[1:] + corners[:1]), strict=True):
            if _cross((q[0] - p[0], q[1] - p[1]), (r[0] - q[0], r[1] - q[1])) <= 0:
                raise BadInput("the outline of a hull is not convex", expected="corners in order, each a true corner")
            if _cross(p, q) <= 0:
                raise BadInput("the centre of a hull, 0,0, lies outside its outline")
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return cls(BaseKind.HULL, max(xs) - min(xs), max(ys) - min(ys), corners, flying)

    @classmethod
    def parse(cls, text: str) -> Base:
        """The base that a short text names: the inverse of ``str``.

        >>> Base.parse("32mm") == Base.round(32), Base.parse("60 x 35 mm flying")
        (True, Base.parse('60x35mm flying'))

        Raises:
            BadInput: the text is none of the forms.
        """
        words = text.strip()
        flying = words.lower().endswith("flying")
        if flying:
            words = words[: -len("flying")].rstrip()
        if match := _ROUND_TEXT.fullmatch(words):
            return cls.round(float(match[1]), flying=flying)
        if match := _OVAL_TEXT.fullmatch(words):
            return cls.oval(float(match[1]), float(match[2]), flying=flying)
        if match := _RECTANGLE_TEXT.fullmatch(words):
            return cls.rectangle(float(match[1]), float(match[2]), flying=flying)
        if match := _OUTLINE_TEXT.fullmatch(words):
            pairs = [pair.split(",") for pair in match[1].split()]
            return cls.hull([(float(x), float(y)) for x, y in pairs], flying=flying)
        raise BadInput(f'"{text}" is not a base', expected=_EXPECTED)

    def __str__(self) -> str:
        length, width = _tidy(self.length * MM_PER_INCH), _tidy(self.width * MM_PER_INCH)
        if self.kind is BaseKind.ROUND:
            text = f"{_number(length)}mm"
        elif self.kind is BaseKind.OVAL:
            text = f"{_number(length)}x{_number(width)}mm"
        elif self.outline == Base.rectangle(self.length, self.width).outline:
            text = f"hull {_number(self.length)}x{_number(self.width)}in"
        else:
            text = "hull " + " ".join(f"{_number(x)},{_number(y)}" for x, y in self.outline) + "in"
        return text + " flying" * self.flying

    def __repr__(self) -> str:
        return f"Base.parse({str(self)!r})"

    def to_json(self) -> dict[str, Any]:
        """The base as JSON: ``kind``, then ``size`` in millimetres or ``outline`` in inches, and ``flying``."""
        value: dict[str, Any] = {"kind": self.kind.value}
        if self.kind is BaseKind.HULL:
            value["outline"] = [list(corner) for corner in self.outline]
        else:
            value["size"] = [_tidy(self.length * MM_PER_INCH), _tidy(self.width * MM_PER_INCH)]
        if self.flying:
            value["flying"] = True
        return value

    @classmethod
    def from_json(cls, value: Any) -> Base:
        """The base of :meth:`to_json`, or of its short text. Raises BadInput for anything else."""
        if isinstance(value, str):
            return cls.parse(value)
        try:
            kind, flying = BaseKind(value["kind"]), bool(value.get("flying", False))
            if kind is BaseKind.HULL:
                return cls.hull([(float(x), float(y)) for x, y in value["outline"]], flying=flying)
            length, width = (float(side) for side in value["size"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"{value!r} is not a base", expected=_EXPECTED) from error
        return cls.oval(length, width, flying=flying)

    @property
    def is_round(self) -> bool:
        """Whether the footprint is a circle, so that its facing changes no distance."""
        return self.kind is BaseKind.ROUND

    @property
    def reach(self) -> float:
        """The radius, in inches, of the smallest circle about the model's centre that holds the base."""
        if self.kind is BaseKind.HULL:
            return max(math.hypot(x, y) for x, y in self.outline)
        return max(self.length, self.width) / 2

    @property
    def core_radius(self) -> float:
        """The radius, in inches, of the largest circle about the model's centre that lies in the base."""
        if self.kind is BaseKind.HULL:
            return min(_cross(p, q) / math.dist(p, q) for p, q in _edges(self.outline))
        return min(self.length, self.width) / 2


def holds_point(polygon: Polygon, point: Point) -> bool:
    """Whether a point lies in a polygon, by the crossings of a ray along x.

    On its boundary either answer may come. Nothing lies in an empty polygon.

    >>> holds_point(((0, 0), (4, 0), (4, 4)), (3, 1)), holds_point((), (3, 1))
    (True, False)
    """
    if not polygon:
        return False
    inside, (x, y), (px, py) = False, point, polygon[-1]
    for qx, qy in polygon:
        if (qy > y) != (py > y) and x < qx + (y - qy) / (py - qy) * (px - qx):
            inside = not inside
        px, py = qx, qy
    return inside


def _check_size(*sizes: float) -> None:
    for size in sizes:
        if not (math.isfinite(size) and 0 < size < 10_000):
            raise BadInput(f"{size} is not the size of a base", expected=_EXPECTED)


def _edges(polygon: Polygon) -> zip[tuple[Point, Point]]:
    return zip(polygon, polygon[1:] + polygon[:1], strict=True)


def _cross(p: Point, q: Point) -> float:
    return p[0] * q[1] - p[1] * q[0]


def _tidy(value: float) -> float:
    return round(value, 6)


def _number(value: float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".")
