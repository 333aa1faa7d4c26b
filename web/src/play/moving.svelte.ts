/** A move or set-up that is being made: ghosts beside the models that still stand where they stood. */

import { poseOf, rowOf, type Point, type Pose } from "../board/field";
import { around, gapOf, links, reachOf } from "../board/geometry";
import type { Decision, Fault, ModelCard, ReachOfModel } from "../lib/messages";
import type { Answer, Battle } from "./battle.svelte";
import { modelsIn, placeOf, placesIn, type PlaceSpace } from "./choices";

interface Mover {
  row: number;
  card: ModelCard;
  /** Where it stands; null for one that is set up. */
  from: Pose | null;
  /** How far it may go, in inches; null where the server names no limit. */
  most: number | null;
}

/** Short of the full distance by less than the tolerance, so that rounding never makes a move too long. */
const SLACK = 0.0015;
/** What is lower than this, in inches, is nothing to stand on. */
const LOW = 2;
/** How near, in inches, an enemy's engagement range has to be to be drawn. */
const NEARBY = 5;

export class Moving {
  readonly space: PlaceSpace;
  readonly movers: Mover[];
  poses = $state.raw<ReadonlyMap<number, Pose>>(new Map());
  corners = $state.raw<ReadonlyMap<number, readonly Pose[]>>(new Map());
  /** The single model that is being moved; null for the whole unit. */
  chosen = $state<number | null>(null);
  faults = $state.raw<Fault[]>([]);
  /** What the move risks as it is: dice for terrain on its way. */
  warnings = $state.raw<Fault[]>([]);
  /** Whether the server has said what it thinks of the placement as it is now. */
  checked = $state(false);
  reach = $state.raw<ReachOfModel[]>([]);
  suggesting = $state(false);
  /** Whether the unit may not stay where it is, so that the table has proposed a move. */
  proposed = $state(false);

  private asking = false;
  private again = false;
  private grabbed: { point: Point; poses: ReadonlyMap<number, Pose> } | null = null;

  constructor(
    private readonly battle: Battle,
    readonly decision: Decision,
  ) {
    const space = placeOf(decision);
    if (!space) throw new Error("no placement is asked for");
    this.space = space;
    this.movers = space.models.flatMap(({ model, from, most }) => {
      const card = battle.models[model];
      return card ? [{ row: model, card, from: from ? poseOf(from) : null, most: most === undefined ? null : most / 1000 }] : [];
    });
    if (this.isSetUp) void this.suggest();
    else {
      this.reset();
      void this.askReach();
    }
  }

  get isSetUp(): boolean {
    return this.movers.every((mover) => mover.from === null);
  }

  readonly rows = $derived(new Set(this.moversOf().map((mover) => mover.row)));
  readonly faulty = $derived(new Set(this.faults.flatMap((fault) => modelsIn(fault.text))));
  /** Places that the reasons for a refusal name, in inches. */
  readonly named = $derived(this.faults.flatMap((fault) => placesIn(fault.text)));
  readonly moved = $derived(this.moversOf().some((mover) => this.hasMoved(mover)));
  /** How far the model that goes furthest goes, and the least that any may go. */
  readonly longest = $derived(Math.max(0, ...this.moversOf().map((mover) => this.length(mover))));
  readonly most = $derived(Math.max(0, ...this.moversOf().map((mover) => mover.most ?? 0)));
  readonly links = $derived(this.linksNow());
  /** Enemies near the unit, each with what lies within engagement range of it, where the edition has one. */
  readonly rings = $derived(this.ringsNow());
  readonly nearestEnemy = $derived(this.nearest());

  private moversOf(): Mover[] {
    return this.movers ?? [];
  }

  private active(): Mover[] {
    const one = this.movers.filter((mover) => mover.row === this.chosen);
    return one.length ? one : this.movers;
  }

  // --- where they are -------------------------------------------------------------------------------------------------

  private hasMoved(mover: Mover): boolean {
    const pose = this.poses.get(mover.row);
    if (!pose) return false;
    if (!mover.from || this.corners.get(mover.row)?.length) return true;
    return rowOf(pose).some((value, i) => value !== rowOf(mover.from!)[i]);
  }

  /** How far a model goes on its way, in inches. */
  length(mover: Mover): number {
    const way = this.way(mover.row);
    let total = 0;
    for (let i = 1; i < way.length; i++) {
      const [a, b] = [way[i - 1]!, way[i]!];
      total += Math.hypot(b.x - a.x, b.y - a.y, b.z - a.z);
    }
    return total;
  }

  /** The places a model passes, the one it leaves first. */
  way(row: number): Pose[] {
    const mover = this.movers.find((each) => each.row === row);
    const pose = this.poses.get(row);
    return [...(mover?.from ? [mover.from] : []), ...(this.corners.get(row) ?? []), ...(pose ? [pose] : [])];
  }

  /** From where a model's present stretch begins, and how much of its distance is left for it. */
  private stretch(mover: Mover): { start: Pose; left: number } | null {
    const corners = this.corners.get(mover.row) ?? [];
    const start = corners.at(-1) ?? mover.from;
    if (!start || mover.most === null) return null;
    const before = [mover.from!, ...corners];
    let used = 0;
    for (let i = 1; i < before.length; i++)
      used += Math.hypot(before[i]!.x - before[i - 1]!.x, before[i]!.y - before[i - 1]!.y, before[i]!.z - before[i - 1]!.z);
    return { start, left: Math.max(0, mover.most - used) };
  }

  // --- gestures -------------------------------------------------------------------------------------------------------

  /** A pointer takes hold of a model of the unit: whether there is something to be moved. */
  grab(row: number | null, point: Point, alone: boolean): boolean {
    if (row === null || !this.rows.has(row)) return false;
    if (alone || this.chosen !== null) this.chosen = row;
    this.grabbed = { point, poses: this.poses };
    return true;
  }

  drag(point: Point): void {
    const held = this.grabbed;
    if (!held) return;
    this.shift(point[0] - held.point[0], point[1] - held.point[1], held.poses);
  }

  drop(kept: boolean): void {
    const held = this.grabbed;
    this.grabbed = null;
    if (held && !kept) this.set(held.poses);
  }

  /** Move what is active by a step from the poses given, no further than it may go. */
  shift(dx: number, dy: number, from: ReadonlyMap<number, Pose> = this.poses): void {
    const active = this.active();
    let part = 1;
    for (const mover of active) part = Math.min(part, this.share(mover, from.get(mover.row), dx, dy));
    const next = new Map(this.poses);
    for (const mover of active) {
      const pose = from.get(mover.row);
      if (pose) next.set(mover.row, { ...pose, x: pose.x + dx * part, y: pose.y + dy * part });
    }
    this.set(next);
  }

  /** How much of a step a model can take before its distance is used up, 0 to 1. */
  private share(mover: Mover, pose: Pose | undefined, dx: number, dy: number): number {
    const stretch = this.stretch(mover);
    if (!pose || !stretch) return 1;
    const { start, left } = stretch;
    const flat = Math.sqrt(Math.max(0, (left - SLACK) ** 2 - (pose.z - start.z) ** 2));
    const [px, py] = [pose.x - start.x, pose.y - start.y];
    if (Math.hypot(px + dx, py + dy) <= flat) return 1;
    const a = dx * dx + dy * dy;
    if (a === 0) return 1;
    const b = px * dx + py * dy;
    const c = px * px + py * py - flat * flat;
    const root = b * b - a * c;
    if (root < 0) return 0;
    return Math.max(0, Math.min(1, (-b + Math.sqrt(root)) / a));
  }

  /** Turn each active model about itself, or the formation about its middle; degrees. */
  turn(degrees: number, wheel = false): void {
    const active = this.active();
    const next = new Map(this.poses);
    const poses = active.flatMap((mover) => this.poses.get(mover.row) ?? []);
    if (!poses.length) return;
    const mx = poses.reduce((sum, pose) => sum + pose.x, 0) / poses.length;
    const my = poses.reduce((sum, pose) => sum + pose.y, 0) / poses.length;
    const angle = (degrees * Math.PI) / 180;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    for (const mover of active) {
      const pose = this.poses.get(mover.row);
      if (!pose) continue;
      const [dx, dy] = [pose.x - mx, pose.y - my];
      const place = wheel ? { x: mx + dx * cos - dy * sin, y: my + dx * sin + dy * cos } : {};
      next.set(mover.row, { ...pose, ...place, facing: (pose.facing + degrees + 360) % 360 });
    }
    this.set(next);
  }

  /** Line a unit that is set up in ranks about where it stands. */
  rank(ranks: number): void {
    const poses = this.movers.flatMap((mover) => this.poses.get(mover.row) ?? []);
    if (!poses.length) return;
    const step = 2 * Math.max(...this.movers.map((mover) => reachOf(mover.card.base))) + 0.1;
    const files = Math.ceil(this.movers.length / ranks);
    const mx = poses.reduce((sum, pose) => sum + pose.x, 0) / poses.length;
    const my = poses.reduce((sum, pose) => sum + pose.y, 0) / poses.length;
    const next = new Map<number, Pose>();
    this.movers.forEach((mover, i) => {
      const pose = this.poses.get(mover.row) ?? poses[0]!;
      const file = (i % files) - (Math.min(files, this.movers.length - Math.floor(i / files) * files) - 1) / 2;
      const rank = Math.floor(i / files) - (ranks - 1) / 2;
      next.set(mover.row, { ...pose, x: mx + file * step, y: my + rank * step });
    });
    this.set(next);
  }

  /** Keep where the active models are now as a corner of their way. */
  corner(): void {
    const next = new Map(this.corners);
    for (const mover of this.active()) {
      const pose = this.poses.get(mover.row);
      const corners = this.corners.get(mover.row) ?? [];
      const last = corners.at(-1) ?? mover.from;
      if (pose && last && Math.hypot(pose.x - last.x, pose.y - last.y, pose.z - last.z) > 0.01)
        next.set(mover.row, [...corners, pose]);
    }
    this.corners = next;
    if (this.grabbed) this.grabbed = null;
  }

  /** Whether there is anything on the table that stands above the ground and could be stood on, or somebody is up already. */
  readonly mayClimb = $derived(this.isHigh());

  private isHigh(): boolean {
    const areas = this.battle?.field?.areas ?? [];
    if (areas.some((area) => area.features.some((feature) => feature.height >= LOW || feature.floors.length))) return true;
    return [...(this.poses?.values() ?? [])].some((pose) => pose.z > 0);
  }

  /** Put active models on another level: up or down by so many inches. */
  climb(inches: number): void {
    const next = new Map(this.poses);
    for (const mover of this.active()) {
      const pose = this.poses.get(mover.row);
      if (pose) next.set(mover.row, { ...pose, z: Math.max(0, pose.z + inches) });
    }
    this.set(next);
  }

  /** Choose the next model, or the one before; after the last comes the whole unit. */
  choose(step: number): void {
    const rows = this.movers.map((mover) => mover.row);
    const at = this.chosen === null ? (step > 0 ? -1 : rows.length) : rows.indexOf(this.chosen);
    this.chosen = rows[at + step] ?? null;
  }

  reset(): void {
    this.corners = new Map();
    this.set(new Map(this.movers.flatMap((mover) => (mover.from ? [[mover.row, mover.from] as const] : []))));
  }

  /** What the game would go on with, as ghosts. */
  async suggest(): Promise<void> {
    this.suggesting = true;
    for (let tries = 0; tries < 3 && this.battle.decision === this.decision; tries++) {
      const answer = await this.battle.suggestion();
      if (this.proposed && this.moved) break; // somebody has begun meanwhile
      if (answer) {
        this.take(answer);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    this.suggesting = false;
  }

  /** Let the table find a legal place for the unit near a point; where it finds none there, `orElse` what it suggests. */
  async towards(point: Point, orElse = false): Promise<void> {
    this.suggesting = true;
    this.battle.notice = "";
    try {
      const told = await this.battle.ask({ kind: "towards", point: [Math.round(point[0] * 1000), Math.round(point[1] * 1000)] });
      const answer = told.answer ?? (orElse ? await this.battle.suggestion() : null);
      if (answer) this.take(answer);
      else this.battle.notice = told.fault;
    } catch {
      // the connection was lost
    } finally {
      this.suggesting = false;
    }
  }

  /** Let the table put right what is wrong: the unit as near to where it is now as it legally can be. */
  arrange(): Promise<void> {
    const poses = this.movers.flatMap((mover) => this.poses.get(mover.row) ?? []);
    const x = poses.reduce((sum, pose) => sum + pose.x, 0) / Math.max(1, poses.length);
    const y = poses.reduce((sum, pose) => sum + pose.y, 0) / Math.max(1, poses.length);
    return this.towards([x, y], true);
  }

  /** Show an answer as ghosts. */
  take(answer: Answer): void {
    if (answer.kind !== "place") return;
    const poses = new Map<number, Pose>();
    const corners = new Map<number, Pose[]>();
    for (const mover of this.movers) if (mover.from) poses.set(mover.row, mover.from);
    for (const { model, path } of answer.moves) {
      const way = path.map((point) => poseOf(point));
      const last = way.pop();
      if (last) poses.set(model, last);
      else poses.delete(model);
      if (way.length) corners.set(model, way);
    }
    this.corners = corners;
    this.set(poses);
  }

  private set(poses: ReadonlyMap<number, Pose>): void {
    this.poses = poses;
    void this.check();
  }

  // --- what the server is told and asked ------------------------------------------------------------------------------

  /** The placement as an answer: whoever is in front goes first, so that nobody walks through a comrade. */
  answer(): Answer {
    const moves = this.movers.flatMap((mover) => {
      const pose = this.poses.get(mover.row);
      if (!pose) return mover.from ? [] : [{ mover, path: [], ahead: 0 }];
      if (!this.hasMoved(mover)) return [];
      const path = [...(this.corners.get(mover.row) ?? []), pose].map(rowOf);
      return [{ mover, path, ahead: 0 }];
    });
    let [dx, dy] = [0, 0];
    for (const { mover } of moves) {
      const pose = this.poses.get(mover.row);
      if (!pose || !mover.from) continue;
      dx += pose.x - mover.from.x;
      dy += pose.y - mover.from.y;
    }
    for (const move of moves) if (move.mover.from) move.ahead = move.mover.from.x * dx + move.mover.from.y * dy;
    moves.sort((a, b) => b.ahead - a.ahead);
    return { kind: "place", moves: moves.map(({ mover, path }) => ({ model: mover.row, path })) };
  }

  /** Ask what is wrong with it; while one question is under way, only the latest placement waits. */
  private async check(): Promise<void> {
    this.checked = false;
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    const begun = performance.now();
    try {
      const { violations: faults, warnings } = await this.battle.foresee(this.answer());
      performance.measure("check", { start: begun });
      if (!this.again) {
        this.faults = faults;
        this.warnings = warnings;
        this.checked = true;
        if (faults.length && !this.moved && !this.isSetUp && !this.proposed) {
          // the unit may not stay: show where it could go, to be changed or taken
          this.proposed = true;
          void this.suggest();
        }
      } else {
        if (faults.length !== this.faults.length) this.faults = faults;
        if (warnings.length !== this.warnings.length) this.warnings = warnings;
      }
    } catch {
      // the connection was lost; the answer itself will be judged when it is back
    } finally {
      this.asking = false;
      if (this.again) {
        this.again = false;
        void this.check();
      }
    }
  }

  private async askReach(): Promise<void> {
    try {
      this.reach = (await this.battle.ask({ kind: "reach" })).reach ?? [];
    } catch {
      this.reach = [];
    }
  }

  confirm(): void {
    this.battle.answer(this.answer());
  }

  // --- what is drawn beside them --------------------------------------------------------------------------------------

  private linksNow(): ReturnType<typeof links> {
    const placed = this.moversOf().filter((mover) => this.poses.has(mover.row));
    if (placed.length > 40) return [];
    return links(
      placed.map((mover) => mover.card.base),
      placed.map((mover) => this.poses.get(mover.row)!),
    );
  }

  private ringsNow(): { row: number; points: Point[] }[] {
    const range = this.battle?.scene?.engagement ?? null;
    if (range === null) return [];
    const poses = this.moversOf().flatMap((mover) => this.poses.get(mover.row) ?? []);
    const side = this.movers[0]?.card.unit.startsWith("b") ? 1 : 0;
    return this.battle.pieces
      .filter((piece) => piece.here && piece.side !== side)
      .filter((piece) => poses.some((pose) => Math.hypot(pose.x - piece.x, pose.y - piece.y) < reachOf(piece.base) + range + NEARBY))
      .map((piece) => ({ row: piece.row, points: around(piece.base, piece, range) }));
  }

  /** The enemy model nearest to the unit (to the chosen model), where the edition allows measuring. */
  private nearest(): ReturnType<typeof gapOf> | null {
    if (!this.battle?.scene?.may_measure) return null;
    const side = this.movers[0] ? (this.movers[0].card.unit.startsWith("b") ? 1 : 0) : 0;
    let best: ReturnType<typeof gapOf> | null = null;
    for (const mover of this.active()) {
      const pose = this.poses.get(mover.row);
      if (!pose) continue;
      for (const piece of this.battle.pieces) {
        if (!piece.here || piece.side === side) continue;
        const about = Math.hypot(piece.x - pose.x, piece.y - pose.y) - reachOf(piece.base) - reachOf(mover.card.base);
        if (best && about >= best.inches) continue;
        const gap = gapOf(mover.card.base, pose, piece.base, piece);
        if (!best || gap.inches < best.inches) best = gap;
      }
    }
    return best;
  }
}
