/** The measuring tape: from a model or a point to another, where the edition lets one measure. */

import type { Point } from "../board/field";
import { gapOf, type Gap } from "../board/geometry";
import type { BaseShape } from "../lib/messages";
import type { Battle } from "./battle.svelte";

const DOT: BaseShape = { text: "", kind: "round", length: 0, width: 0, outline: [], flying: false };

export class Tape {
  measuring = $state(false);
  line = $state.raw<Gap | null>(null);
  private from: { row: number | null; point: Point } | null = null;

  constructor(private readonly battle: Battle) {}

  get allowed(): boolean {
    return this.battle.scene?.may_measure ?? true;
  }

  toggle(): void {
    this.measuring = this.allowed && !this.measuring;
    this.clear();
  }

  clear(): void {
    this.from = null;
    this.line = null;
  }

  begin(row: number | null, point: Point): void {
    this.from = { row, point };
    this.line = null;
  }

  stretch(point: Point): void {
    if (!this.from) return;
    const row = this.near(point);
    const a = this.from.row === null ? null : this.battle.pieces[this.from.row];
    const b = row === null ? null : this.battle.pieces[row];
    if (a && b && a !== b) {
      this.line = gapOf(a.base, a, b.base, b);
      return;
    }
    const to = { x: point[0], y: point[1], z: 0, facing: 0 };
    const start = this.from.point;
    this.line = a ? gapOf(a.base, a, DOT, to) : { from: start, to: point, inches: Math.hypot(point[0] - start[0], point[1] - start[1]) };
  }

  private near(point: Point): number | null {
    const piece = this.battle.pieces.find((each) => each.here && Math.hypot(each.x - point[0], each.y - point[1]) < each.base.length / 50.8);
    return piece?.row ?? null;
  }
}
