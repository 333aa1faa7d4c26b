/** Attacks that are being declared: every weapon with its target, and what that would do. */

import type { Answered, AttackUse, Decision, Fault, OddsOfTarget } from "../lib/messages";
import type { Answer, Battle } from "./battle.svelte";
import { declareOf, type DeclareSpace, type Use } from "./choices";

/** Uses that differ only in who makes them. */
export interface UseGroup {
  key: string;
  name: string;
  /** Who uses it, where others have the same. */
  by: string;
  attacks: string;
  uses: number[];
  targets: string[];
}

export class Declaring {
  readonly space: DeclareSpace;
  readonly groups: UseGroup[];
  /** For each use the unit it is aimed at; null holds its fire. */
  aimed = $state.raw<readonly (string | null)[]>([]);
  /** For each use whose attacks are divided how many go where; null for those that are aimed as a whole. */
  shares = $state.raw<readonly (Readonly<Record<string, number>> | null)[]>([]);
  faults = $state.raw<Fault[]>([]);
  checked = $state(false);
  odds = $state.raw<OddsOfTarget[]>([]);
  /** The enemy unit that is looked at: what is seen of it, how far it is. */
  looked = $state<string | null>(null);
  sight = $state.raw<Answered["sight"]>(null);
  range = $state<number | null>(null);

  private asking = false;
  private again = false;

  constructor(
    private readonly battle: Battle,
    readonly decision: Decision,
  ) {
    const space = declareOf(decision);
    if (!space) throw new Error("no attacks are asked for");
    this.space = space;
    const found = new Map<string, UseGroup>();
    space.uses.forEach((use, i) => {
      const key = `${use.name}|${use.attacks}|${battle.models[use.model]?.name ?? ""}`;
      const group = found.get(key);
      if (group) {
        group.uses.push(i);
        for (const target of use.targets) if (!group.targets.includes(target)) group.targets.push(target);
      } else found.set(key, { key, name: use.name, by: battle.models[use.model]?.name ?? "", attacks: use.attacks, uses: [i], targets: [...use.targets] });
    });
    const all = [...found.values()];
    const isShared = (group: UseGroup): boolean => all.some((other) => other !== group && other.name === group.name);
    this.groups = all.map((group) => ({ ...group, by: isShared(group) ? group.by : "" }));
    this.aimed = space.uses.map(() => null);
    this.shares = this.aimed.map(() => null);
    void this.suggest();
  }

  readonly targets = $derived([...new Set(this.uses().flatMap((use) => use.targets))]);
  readonly chosen = $derived([
    ...new Set([...this.aimed.filter((target) => target !== null), ...this.shares.flatMap((share) => Object.keys(share ?? {}))]),
  ]);

  private uses(): Use[] {
    return this.space.uses;
  }

  use(index: number): Use {
    return this.space.uses[index]!;
  }

  /** Where a group aims, when all of it aims at one unit; `undefined` when it is split. */
  targetOf(group: UseGroup): string | null | undefined {
    const first = this.aimed[group.uses[0]!] ?? null;
    if (group.uses.some((i) => this.shares[i])) return undefined;
    return group.uses.every((i) => (this.aimed[i] ?? null) === first || !this.canAim(i, first)) ? first : undefined;
  }

  private canAim(index: number, target: string | null): boolean {
    return target === null || this.use(index).targets.includes(target);
  }

  aimGroup(group: UseGroup, target: string | null): void {
    this.aim(group.uses, target);
  }

  aimOne(index: number, target: string | null): void {
    this.aim([index], target);
  }

  /** Aim at a unit with everything that can: with what is in use now, or else with what would be suggested. */
  aimAll(target: string): void {
    const inUse = this.space.uses.flatMap((_, i) => (this.aimed[i] === null ? [] : [i]));
    const every = this.space.uses.map((_, i) => i);
    this.aim(inUse.some((i) => this.canAim(i, target)) ? inUse : every, target);
  }

  private aim(indices: readonly number[], target: string | null): void {
    const next = [...this.aimed];
    const shares = [...this.shares];
    for (const i of indices) {
      if (!this.canAim(i, target)) continue;
      next[i] = target;
      shares[i] = null;
      if (target === null) continue;
      // one profile of a weapon at a time
      const { model, weapon } = this.use(i);
      this.space.uses.forEach((other, j) => {
        if (j !== i && other.model === model && other.weapon === weapon) next[j] = shares[j] = null;
      });
    }
    this.set(next, shares);
  }

  none(): void {
    this.set(this.space.uses.map(() => null));
  }

  // --- dividing -------------------------------------------------------------------------------------------------------

  /** How many attacks of a group can be divided between targets: none, where it has one target or may not be. */
  dividable(group: UseGroup): number {
    if (group.targets.length < 2) return 0;
    return group.uses.reduce((sum, i) => sum + (this.use(i).divides ?? 0), 0);
  }

  /** How many attacks of a group go to each of its targets. */
  attacksAt(group: UseGroup): Map<string, number> {
    const found = new Map(group.targets.map((target) => [target, 0]));
    for (const i of group.uses)
      for (const [target, count] of Object.entries(this.sharesOf(i))) found.set(target, (found.get(target) ?? 0) + count);
    return found;
  }

  private sharesOf(index: number): Readonly<Record<string, number>> {
    const target = this.aimed[index];
    return this.shares[index] ?? (target ? { [target]: this.use(index).divides ?? 0 } : {});
  }

  /** Whether one attack more could go to a target, taken from where most go. */
  canShift(group: UseGroup, target: string, by: 1 | -1): boolean {
    return this.donor(group, target, by) !== null;
  }

  /** Let one attack more (or less) of a group go to a target: another target gives it, or gets it. */
  shift(group: UseGroup, target: string, by: 1 | -1): void {
    const found = this.donor(group, target, by);
    if (!found) return;
    const share: Record<string, number> = { ...this.sharesOf(found.index) };
    share[found.from] = (share[found.from] ?? 0) - 1;
    share[found.to] = (share[found.to] ?? 0) + 1;
    const left = Object.entries(share).filter(([, count]) => count > 0);
    const aimed = [...this.aimed];
    const shares = [...this.shares];
    aimed[found.index] = left[0]![0];
    shares[found.index] = left.length > 1 ? Object.fromEntries(left) : null;
    this.set(aimed, shares);
  }

  /** Whose attack goes over from which target to which: the one that most go to gives, the one that fewest go to gets. */
  private donor(group: UseGroup, target: string, by: 1 | -1): { index: number; from: string; to: string } | null {
    const now = [...this.attacksAt(group)].filter(([other]) => other !== target);
    now.sort((a, b) => (b[1] - a[1]) * by);
    for (const [other] of now) {
      const [from, to] = by > 0 ? [other, target] : [target, other];
      const index = group.uses.find((i) => (this.sharesOf(i)[from] ?? 0) > 0 && this.canAim(i, to));
      if (index !== undefined) return { index, from, to };
    }
    return null;
  }

  async suggest(): Promise<void> {
    const answer = await this.battle.suggestion();
    if (answer?.kind !== "declare") return;
    const mine = this.space.uses.map((use) =>
      answer.attacks.filter((attack) => attack.model === use.model && attack.weapon === use.weapon && attack.profile === use.profile),
    );
    this.set(
      mine.map((attacks) => attacks[0]?.target ?? null),
      mine.map((attacks) => (attacks.length > 1 ? Object.fromEntries(attacks.map((each) => [each.target, each.count ?? 0])) : null)),
    );
    if (this.looked === null && this.chosen.length === 1) void this.look(this.chosen[0]!);
  }

  private set(aimed: readonly (string | null)[], shares = aimed.map((): Readonly<Record<string, number>> | null => null)): void {
    this.aimed = aimed;
    this.shares = shares;
    void this.check();
  }

  answer(): Extract<Answer, { kind: "declare" }> {
    const attacks = this.space.uses.flatMap((use, i): AttackUse[] => {
      const target = this.aimed[i];
      const attack = { model: use.model, weapon: use.weapon, profile: use.profile };
      const share = this.shares[i];
      if (share) return Object.entries(share).map(([at, count]) => ({ ...attack, target: at, count }));
      return target ? [{ ...attack, target, count: null }] : [];
    });
    return { kind: "declare", attacks };
  }

  private async check(): Promise<void> {
    this.checked = false;
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    try {
      const answer = this.answer();
      const faults = await this.battle.check(answer);
      const odds = faults.length || !answer.attacks.length ? [] : ((await this.battle.ask({ kind: "odds", answer })).odds ?? []);
      if (!this.again) {
        this.faults = faults;
        this.odds = odds;
        this.checked = true;
      }
    } catch {
      this.odds = [];
    } finally {
      this.asking = false;
      if (this.again) {
        this.again = false;
        void this.check();
      }
    }
  }

  /** Look at an enemy unit: sight lines and range. */
  async look(target: string | null): Promise<void> {
    if (target === this.looked) return;
    this.looked = target;
    this.sight = null;
    this.range = null;
    if (!target) return;
    const { sight, range } = await lookAt(this.battle, this.space.unit, target);
    if (this.looked !== target) return;
    this.sight = sight;
    this.range = range;
  }

  confirm(): void {
    this.battle.answer(this.answer());
  }
}

/** What a unit sees of another and how far it is, as far as the server tells. */
export async function lookAt(
  battle: Battle,
  unit: string,
  target: string,
): Promise<{ sight: Answered["sight"]; range: number | null }> {
  try {
    const [sight, range] = await Promise.all([
      battle.ask({ kind: "sight", unit, target }),
      battle.ask({ kind: "range", unit, target }),
    ]);
    return { sight: sight.sight ?? null, range: range.range ?? null };
  } catch {
    return { sight: null, range: null };
  }
}
