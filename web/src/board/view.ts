/** Pan and zoom of the board, without the DOM: where the drawing lies in the window, in pixels. */

import type { Point } from "./field";

/** The rim about the table that the drawing shows as well, in inches. */
export const RIM = 1;
const LEAST = 0.7;
const MOST = 14;

export class Camera {
  x = 0;
  y = 0;
  /** Pixels to the inch. */
  zoom = 10;
  /** Whether somebody has moved it, so that a change of the window leaves it alone. */
  touched = false;
  /** Whether the room that is left free for tools lies below the whole table, and not to its right. */
  isBelow = false;
  private fitted = 10;

  /** `spare`: pixels left free for tools when the whole table is shown. */
  constructor(
    private size: Point,
    private window: Point,
    private readonly spare = 0,
  ) {
    this.fit();
  }

  resize(size: Point, window: Point): void {
    const turned = size[0] !== this.size[0] || size[1] !== this.size[1];
    this.size = size;
    this.window = window;
    if (!this.touched || turned) this.fit();
    else this.hold();
  }

  /** Show the whole table. */
  fit(): void {
    const [wide, high] = [this.size[0] + 2 * RIM, this.size[1] + 2 * RIM];
    const [across, down] = this.window;
    const beside = Math.min((across - this.spare) / wide, down / high);
    const above = Math.min(across / wide, (down - this.spare) / high);
    this.isBelow = above >= beside;
    this.zoom = this.fitted = Math.max(1, above, beside);
    this.x = (across - (this.isBelow ? 0 : this.spare) - wide * this.zoom) / 2;
    this.y = (down - (this.isBelow ? this.spare : 0) - high * this.zoom) / 2;
    this.touched = false;
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.touched = true;
    this.hold();
  }

  /** Zoom by a factor about a point of the window. */
  zoomBy(factor: number, px: number, py: number): void {
    const zoom = Math.min(this.fitted * MOST, Math.max(this.fitted * LEAST, this.zoom * factor));
    this.x = px - ((px - this.x) * zoom) / this.zoom;
    this.y = py - ((py - this.y) * zoom) / this.zoom;
    this.zoom = zoom;
    this.touched = true;
    this.hold();
  }

  /** Bring a box of the drawing into the window, at most so much magnified. */
  show(left: number, top: number, right: number, bottom: number): void {
    const wide = Math.max(right - left, 8);
    const high = Math.max(bottom - top, 8);
    const zoom = Math.min(this.window[0] / (wide + 4), this.window[1] / (high + 4), this.fitted * 5);
    this.zoom = Math.max(zoom, this.fitted);
    this.x = this.window[0] / 2 - ((left + right) / 2 + RIM) * this.zoom;
    this.y = this.window[1] / 2 - ((top + bottom) / 2 + RIM) * this.zoom;
    this.touched = true;
    this.hold();
  }

  /** The place of the drawing under a point of the window. */
  at(px: number, py: number): Point {
    return [(px - this.x) / this.zoom - RIM, (py - this.y) / this.zoom - RIM];
  }

  /** Where in the window a place of the drawing is. */
  place(x: number, y: number): Point {
    return [(x + RIM) * this.zoom + this.x, (y + RIM) * this.zoom + this.y];
  }

  private hold(): void {
    const [wide, high] = [(this.size[0] + 2 * RIM) * this.zoom, (this.size[1] + 2 * RIM) * this.zoom];
    const rest = 0.35;
    this.x = Math.min(this.window[0] * (1 - rest), Math.max(this.window[0] * rest - wide, this.x));
    this.y = Math.min(this.window[1] * (1 - rest), Math.max(this.window[1] * rest - high, this.y));
  }
}
