/** A choice among options that is being made: what each means on the table, and what is known of the one looked at. */

import type { Point } from "../board/field";
import type { Answered, Decision, OddsOfTarget } from "../lib/messages";
import type { Battle, Side } from "./battle.svelte";
import { aimOf, markerOf, optionsOf, type Aim, type Option } from "./choices";
import { within } from "../board/geometry";
import { lookAt } from "./declaring.svelte";

export class Choosing {
  readonly options: Option[];
  readonly aims: ReadonlyMap<string, Aim>;
  /** Units and models that options point at, with the options that do. */
  readonly byUnit: ReadonlyMap<string, Option[]>;
  readonly byModel: ReadonlyMap<number, Option>;
  readonly spots: { key: string; point: Point; number: number }[];
  /** Deployment zones that options are, by name. */
  readonly byZone: ReadonlyMap<string, Option>;
  readonly marker: number | null;
  /** The unit that it is all about, where one is aimed at already. */
  readonly target: string | null;
  all = $state(false);
  looked = $state<string | null>(null);
  hovered = $state<string | null>(null);
  /** The unit whose several options are to be chosen from, after a tap on it. */
  narrowed = $state<string | null>(null);
  sight = $state.raw<Answered["sight"]>(null);
  range = $state<number | null>(null);
  odds = $state.raw<OddsOfTarget | null>(null);
  private ranges = $state.raw<ReadonlyMap<string, number>>(new Map());

  constructor(
    readonly battle: Battle,
    readonly decision: Decision,
  ) {
    this.options = optionsOf(decision) ?? [];
    const zones = battle.field?.zones.map((zone) => zone.name) ?? [];
    this.aims = new Map(this.options.map((option) => [option.key, aimOf(option, zones)]));
    this.byZone = new Map(this.options.flatMap((option) => (this.aims.get(option.key)?.zone ? [[option.key, option] as const] : [])));
    this.marker = markerOf(decision);
    this.target = decision.target;
    const byUnit = new Map<string, Option[]>();
    const byModel = new Map<number, Option>();
    this.spots = [];
    for (const [i, option] of this.options.entries()) {
      const aim = this.aims.get(option.key)!;
      if (aim.unit !== undefined) byUnit.set(aim.unit, [...(byUnit.get(aim.unit) ?? []), option]);
      if (aim.model !== undefined) byModel.set(aim.model, option);
      const objective = aim.objective === undefined ? undefined : this.objective(aim.objective);
      const point = aim.point ?? objective;
      if (point) this.spots.push({ key: option.key, point, number: i + 1 });
    }
    this.byUnit = byUnit;
    this.byModel = byModel;
    void this.measure();
  }

  /** The options to be listed: all, or after a tap those of one unit. */
  readonly listed = $derived(this.narrowed === null ? this.every() : (this.ofUnit(this.narrowed) ?? this.every()));

  private every(): Option[] {
    return this.options;
  }

  private ofUnit(unit: string): Option[] | undefined {
    return this.byUnit.get(unit);
  }

  clear(): void {
    this.looked = null;
    this.narrowed = null;
    this.sight = null;
  }

  private objective(id: string): Point | undefined {
    return this.battle.field?.objectives.find((objective) => objective.id === id)?.point;
  }

  isEnemy(unit: string): boolean {
    return this.side(unit) !== this.decision.side;
  }

  private side(unit: string): Side {
    return unit.startsWith("b") ? 1 : 0;
  }

  nameOf(option: Option): string {
    const unit = this.aims.get(option.key)?.unit;
    return unit ? (this.battle.unitNames.get(unit) ?? option.label) : option.label;
  }

  /** Whether an option is looked at before it is taken: enemies, where distance, sight and odds are worth a look. */
  asksTwice(option: Option): boolean {
    if (this.target !== null && option.weapons?.length) return false;
    const unit = this.aims.get(option.key)?.unit;
    return unit !== undefined && this.isEnemy(unit);
  }

  /** How far an enemy unit is, where the edition lets one know. */
  far(unit: string): string {
    const inches = this.ranges.get(unit);
    return inches === undefined ? "" : `${inches.toFixed(1)}"`;
  }

  private async measure(): Promise<void> {
    const subject = this.decision.subject;
    if (!subject || !this.battle.scene?.may_measure) return;
    const enemies = [...this.byUnit.keys()].filter((unit) => this.isEnemy(unit)).slice(0, 20);
    const found = new Map<string, number>();
    for (const unit of enemies) {
      try {
        const { range } = await this.battle.ask({ kind: "range", unit: subject, target: unit });
        if (range !== null) found.set(unit, range);
      } catch {
        return;
      }
    }
    this.ranges = found;
  }

  hover(option: Option | null): void {
    this.hovered = option?.key ?? null;
    if (option && (this.asksTwice(option) || option.weapons?.length)) void this.look(option);
  }

  /** A click on an option: taken at once, or looked at first where that is worth it. */
  choose(option: Option): void {
    if (!this.asksTwice(option) || this.looked === option.key) this.take(option);
    else void this.look(option);
  }

  take(option: Option): void {
    this.battle.pick(option.key);
  }

  async look(option: Option): Promise<void> {
    if (this.looked === option.key) return;
    this.looked = option.key;
    this.sight = null;
    this.range = null;
    this.odds = null;
    const subject = this.decision.subject;
    const target = this.aims.get(option.key)?.unit ?? this.target;
    if (!subject || !target) return;
    const seen = await lookAt(this.battle, subject, target);
    if (this.looked !== option.key) return;
    this.sight = seen.sight;
    this.range = seen.range;
    try {
      const { odds } = await this.battle.ask({ kind: "odds", unit: subject, target, option: option.weapons?.length ? option.key : null, melee: null });
      if (this.looked === option.key) this.odds = odds?.[0] ?? null;
    } catch {
      this.odds = null;
    }
  }

  /** A tap on the table: whether it meant one of the options. */
  tap(row: number | null, point: Point, slop: number): boolean {
    if (row !== null) {
      const model = this.byModel.get(row);
      if (model) {
        this.take(model);
        return true;
      }
      const unit = this.battle.pieces[row]?.unit;
      const options = unit ? this.byUnit.get(unit) : undefined;
      if (options?.length === 1) {
        this.choose(options[0]!);
        return true;
      }
      if (options && unit) {
        this.narrowed = unit;
        return true;
      }
    }
    const zone = this.battle.field?.zones.find((each) => this.byZone.has(each.name) && within(point, each.outline));
    if (zone) {
      this.take(this.byZone.get(zone.name)!);
      return true;
    }
    const spot = this.spotNear(point, slop);
    if (spot === null) return false;
    this.battle.pick(spot);
    return true;
  }

  /** The key of the option whose place is nearest to a point, no more than `slop` inches away. */
  spotNear(point: Point, slop: number): string | null {
    let best: { key: string; apart: number } | null = null;
    for (const spot of this.spots) {
      const apart = Math.hypot(spot.point[0] - point[0], spot.point[1] - point[1]);
      if (apart <= slop && (!best || apart < best.apart)) best = { key: spot.key, apart };
    }
    return best?.key ?? null;
  }
}
