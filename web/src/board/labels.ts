/** Names of units: where each is written, so that names lie neither over each other nor, where it can be helped, over models. */

import type { Label, Point } from "./field";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A unit that is to be named: what is written, and where its models are, in drawing inches. */
export interface Named {
  unit: string;
  side: 0 | 1;
  text: string;
  models: readonly Box[];
}

const LETTER = 0.62;
const PADDING = 0.45;
const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null | undefined;

/** How wide a text is written, in parts of its height. */
export function widthOf(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (pen === undefined) {
    pen = document.createElement("canvas").getContext("2d");
    if (pen) pen.font = `600 100px ${getComputedStyle(document.body).fontFamily}`;
  }
  const width = pen ? pen.measureText(text).width / 100 : text.length * LETTER;
  widths.set(text, width);
  return width;
}

/**
 * Places for the names: each by its unit, where it covers least of the models. One that finds no place clear of other names is
 * left out, and one that would cover models by more than a part of itself.
 */
export function placesFor(units: readonly Named[], line: number, size: readonly [number, number], rim: number, part: number): Label[] {
  const placed: (Label & { box: Box })[] = [];
  for (const unit of units) {
    const wide = (widthOf(unit.text) + 2 * PADDING) * line;
    const high = line * 1.3;
    let best: Box | null = null;
    let least = Infinity;
    for (const [i, [x, y]] of places(around(unit.models.flatMap(corners)), wide, high).entries()) {
      const box = inside({ left: x - wide / 2, top: y - high / 2, right: x + wide / 2, bottom: y + high / 2 }, size, rim);
      if (placed.some((other) => shared(other.box, box) > 0)) continue;
      const covered = units.reduce((sum, other) => sum + other.models.reduce((part, model) => part + shared(model, box), 0), 0);
      const cost = covered + 0.03 * i * high * high;
      if (cost < least && covered <= part * wide * high) [best, least] = [box, cost];
    }
    if (best) {
      const { left, top, right, bottom } = best;
      placed.push({ unit: unit.unit, side: unit.side, text: unit.text, x: (left + right) / 2, y: (top + bottom) / 2, wide, high, box: best });
    }
  }
  return placed.map(({ box: _, ...label }) => label);
}

/** Middles of the places by a unit where its name may be, the best first. */
function places(unit: Box, wide: number, high: number): [number, number][] {
  const [x, y] = [(unit.left + unit.right) / 2, (unit.top + unit.bottom) / 2];
  const gap = high * 0.12;
  const above = unit.top - high / 2 - gap;
  const below = unit.bottom + high / 2 + gap;
  const left = unit.left - wide / 2 - gap;
  const right = unit.right + wide / 2 + gap;
  return [
    [x, above],
    [x, below],
    [right, y],
    [left, y],
    [unit.left + wide / 2, above],
    [unit.right - wide / 2, above],
    [unit.left + wide / 2, below],
    [unit.right - wide / 2, below],
    [right, unit.top + high / 2],
    [left, unit.top + high / 2],
    [right, unit.bottom - high / 2],
    [left, unit.bottom - high / 2],
    [x, y],
    [x, above - high],
    [x, below + high],
  ];
}

/** The box about points. */
export function around(points: readonly Point[]): Box {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

function corners({ left, top, right, bottom }: Box): Point[] {
  return [
    [left, top],
    [right, bottom],
  ];
}

/** A box, shifted onto the table and its rim. */
function inside(box: Box, [wide, high]: readonly [number, number], rim: number): Box {
  const dx = Math.max(0, -rim - box.left) - Math.max(0, box.right - wide - rim);
  const dy = Math.max(0, -rim - box.top) - Math.max(0, box.bottom - high - rim);
  return { left: box.left + dx, top: box.top + dy, right: box.right + dx, bottom: box.bottom + dy };
}

/** The area that two boxes share. */
function shared(one: Box, other: Box): number {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** A name short enough for the table. */
export function shortName(name: string, most = 22): string {
  const number = / \d+$/.exec(name)?.[0] ?? "";
  const [first = name, ...attached] = name.slice(0, name.length - number.length).split(" + ");
  const room = most - number.length;
  const cut = (first.length <= room ? first : `${first.slice(0, room - 1).trimEnd()}…`) + number;
  return attached.length ? `${cut} +${attached.length}` : cut;
}
