/** Measuring for the eye: the tape, the links of a unit, what a pointer hits. The server alone decides what is legal. */

import type { BaseShape } from "../lib/messages";
import { MM, type Point, type Pose } from "./field";

const AROUND = 32;

/** The radius of the circle about a base, in inches. */
export function reachOf(base: BaseShape): number {
  if (base.kind !== "hull") return base.length / MM / 2;
  return Math.max(...base.outline.map(([x, y]) => Math.hypot(x, y)), 0.1) / MM;
}

/** The corners of a base in its place; round ones have 32. */
export function outlineOf(base: BaseShape, pose: Pose): Point[] {
  const angle = (pose.facing * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const corners: Point[] =
    base.kind === "hull"
      ? base.outline.map(([x, y]) => [x / MM, y / MM])
      : Array.from({ length: AROUND }, (_, i) => {
          const turn = (2 * Math.PI * i) / AROUND;
          return [(Math.cos(turn) * base.length) / MM / 2, (Math.sin(turn) * base.width) / MM / 2];
        });
  return corners.map(([x, y]) => [pose.x + x * cos - y * sin, pose.y + x * sin + y * cos]);
}

/** What lies within a distance of a base, in inches: its outline, as fine as an eye needs it. */
export function around(base: BaseShape, pose: Pose, inches: number): Point[] {
  if (base.kind !== "hull") {
    const wider = { ...base, length: base.length + 2 * inches * MM, width: base.width + 2 * inches * MM };
    return outlineOf(wider, pose);
  }
  const points = outlineOf(base, pose).flatMap(([x, y]) =>
    Array.from({ length: AROUND }, (_, i): Point => {
      const turn = (2 * Math.PI * i) / AROUND;
      return [x + Math.cos(turn) * inches, y + Math.sin(turn) * inches];
    }),
  );
  return convex(points);
}

/** The outline about points, counter-clockwise. */
function convex(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (some: readonly Point[]): Point[] => {
    const found: Point[] = [];
    for (const point of some) {
      while (found.length > 1) {
        const [a, b] = [found.at(-2)!, found.at(-1)!];
        if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        found.pop();
      }
      found.push(point);
    }
    return found.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

export interface Gap {
  inches: number;
  from: Point;
  to: Point;
}

/** The distance between two bases, edge to edge, and the points between which it was taken; 0 where they overlap. */
export function gapOf(one: BaseShape, at: Pose, other: BaseShape, there: Pose): Gap {
  if (one.kind === "round" && other.kind === "round") {
    const dx = there.x - at.x;
    const dy = there.y - at.y;
    const apart = Math.hypot(dx, dy) || 1e-9;
    const a = one.length / MM / 2;
    const b = other.length / MM / 2;
    return {
      inches: Math.max(0, apart - a - b),
      from: [at.x + (dx / apart) * a, at.y + (dy / apart) * a],
      to: [there.x - (dx / apart) * b, there.y - (dy / apart) * b],
    };
  }
  const mine = outlineOf(one, at);
  const theirs = outlineOf(other, there);
  let best: Gap = { inches: Infinity, from: [at.x, at.y], to: [there.x, there.y] };
  for (const [points, edges, swap] of [
    [mine, theirs, false],
    [theirs, mine, true],
  ] as const) {
    for (const point of points) {
      for (let i = 0; i < edges.length; i++) {
        const near = nearest(point, edges[i]!, edges[(i + 1) % edges.length]!);
        const inches = Math.hypot(near[0] - point[0], near[1] - point[1]);
        if (inches < best.inches) best = swap ? { inches, from: near, to: point } : { inches, from: point, to: near };
      }
    }
  }
  if (within([at.x, at.y], theirs) || within([there.x, there.y], mine)) best.inches = 0;
  return best;
}

function nearest(point: Point, a: Point, b: Point): Point {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.min(1, Math.max(0, along));
  return [a[0] + t * dx, a[1] + t * dy];
}

export function within(point: Point, outline: readonly Point[]): boolean {
  let inside = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [xi, yi] = outline[i]!;
    const [xj, yj] = outline[j]!;
    if (yi > point[1] !== yj > point[1] && point[0] < ((xj - xi) * (point[1] - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/** The lines that link models to each other, the shortest that reach them all: where a unit would come apart. */
export function links(bases: readonly BaseShape[], poses: readonly Pose[]): (Gap & { a: number; b: number })[] {
  const found: (Gap & { a: number; b: number })[] = [];
  if (poses.length < 2) return found;
  const joined = new Set([0]);
  const nearestTo: (Gap & { a: number; b: number })[] = poses.map((pose, i) => ({
    ...gapOf(bases[0]!, poses[0]!, bases[i]!, pose),
    a: 0,
    b: i,
  }));
  while (joined.size < poses.length) {
    let next = -1;
    for (let i = 0; i < poses.length; i++)
      if (!joined.has(i) && (next < 0 || nearestTo[i]!.inches < nearestTo[next]!.inches)) next = i;
    joined.add(next);
    found.push(nearestTo[next]!);
    for (let i = 0; i < poses.length; i++) {
      if (joined.has(i)) continue;
      const gap = gapOf(bases[next]!, poses[next]!, bases[i]!, poses[i]!);
      if (gap.inches < nearestTo[i]!.inches) nearestTo[i] = { ...gap, a: next, b: i };
    }
  }
  return found;
}
