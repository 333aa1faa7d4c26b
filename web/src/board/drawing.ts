/** How points of a table become points of a drawing, and back; inches on both sides. */

import type { Point, Pose } from "./field";

export class Drawing {
  /** `turned`: the table is shown a quarter turned, clockwise. */
  constructor(
    readonly width: number,
    readonly height: number,
    readonly turned: boolean,
  ) {}

  /** Width and height of the drawing. */
  get size(): Point {
    return this.turned ? [this.height, this.width] : [this.width, this.height];
  }

  at(x: number, y: number): Point {
    return this.turned ? [y, x] : [x, this.height - y];
  }

  /** The point of the table that is drawn at a place. */
  back(x: number, y: number): Point {
    return this.turned ? [y, x] : [x, this.height - y];
  }

  /** The transform that puts something drawn about 0,0, its front along +x and its left along +y, in its place. */
  placing(pose: Pose): string {
    return this.matrix(pose.facing, ...this.at(pose.x, pose.y));
  }

  /** The transform that only turns something drawn about 0,0 as `placing` does. */
  turning(facing: number): string {
    return this.matrix(facing, 0, 0);
  }

  private matrix(facing: number, x: number, y: number): string {
    const angle = (facing * Math.PI) / 180;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const turn = this.turned ? [sin, cos, cos, -sin] : [cos, -sin, -sin, -cos];
    return `matrix(${[...turn, x, y].map(short).join(" ")})`;
  }

  /** The corners of an outline, as SVG wants them. */
  points(outline: readonly Point[]): string {
    return outline.map(([x, y]) => this.at(x, y).map(short).join(",")).join(" ");
  }

  /** A path through points of the table. */
  path(points: readonly Point[], closed = false): string {
    return points.map(([x, y], i) => (i ? "L" : "M") + this.at(x, y).map(short).join(" ")).join("") + (closed ? "Z" : "");
  }
}

export function short(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** The middle of what an outline spans. */
export function middle(outline: readonly Point[]): Point {
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}
