/** Dice as the events tell of them: raw faces, what was thrown again, what was added. */

import type { EventItem } from "../lib/messages";

export interface Die {
  face: number;
  /** What it showed before it was thrown again. */
  was?: number;
  /** Whether it was enough, where that is known. */
  good?: boolean;
}

export interface Throw {
  n: number;
  title: string;
  sides: number;
  dice: Die[];
  modifiers: { amount: number; rule: string }[];
  needed?: number;
  rules: string[];
  side: 0 | 1 | null;
}

/** The throw that an event tells of, if it tells of one. */
export function throwOf(item: EventItem): Throw | null {
  const event = item.event;
  const roll = isRecord(event.roll) ? event.roll : event;
  const faces = flat(roll.faces ?? (typeof roll.face === "number" ? [roll.face] : []));
  if (!faces.length) return null;
  const needed = typeof event.needed === "number" ? event.needed : undefined;
  const sums = Array.isArray(event.outcomes) && event.outcomes.some((each) => Array.isArray(each) && each[0] === "sum");
  const dice: Die[] = faces.map((face) => ({ face }));
  for (const again of Array.isArray(roll.rerolls) ? roll.rerolls : []) {
    const [index, was, now] = Array.isArray(again) ? again : isRecord(again) ? [again.index, again.was, again.now] : [];
    const die = typeof index === "number" ? dice[index] : undefined;
    if (die && typeof was === "number" && typeof now === "number") {
      die.was = was;
      die.face = now;
    }
  }
  if (needed !== undefined && needed <= 6 && !sums) for (const die of dice) die.good = die.face >= needed;
  const modifiers = (Array.isArray(roll.modifiers) ? roll.modifiers : []).flatMap((each) => {
    const [rule, amount] = Array.isArray(each) ? each : isRecord(each) ? [each.rule, each.amount] : [];
    return typeof rule === "string" && typeof amount === "number" ? [{ rule, amount }] : [];
  });
  const line = item.lines[0];
  return {
    n: item.n,
    title: line?.text ?? String(event.kind ?? "roll"),
    sides: typeof roll.sides === "number" ? roll.sides : 6,
    dice,
    modifiers,
    ...(needed === undefined || sums ? {} : { needed }),
    rules: line?.rules ?? [],
    side: line?.side ?? null,
  };
}

function flat(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return Array.isArray(value) ? value.flatMap(flat) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
