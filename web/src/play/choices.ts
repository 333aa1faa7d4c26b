/** What a decision leaves open, as the page reads it: options, a placement, or a declaration of attacks. */

import type { Point } from "../board/field";
import type { Decision } from "../lib/messages";

export interface Option {
  key: string;
  label: string;
}

export interface PlaceSpace {
  place: string;
  unit: string;
  models: { model: number; from?: [number, number, number, number]; most?: number }[];
  region?: [number, number, number, number];
}

export interface Use {
  model: number;
  weapon: number;
  profile: number;
  name: string;
  attacks: string;
  targets: string[];
}

export interface DeclareSpace {
  space: "declare";
  attack: string;
  unit: string;
  uses: Use[];
}

export function optionsOf(decision: Decision | null): Option[] | null {
  const options = decision?.choices.options;
  return Array.isArray(options) ? (options as Option[]) : null;
}

export function placeOf(decision: Decision | null): PlaceSpace | null {
  const choices = decision?.choices;
  return choices && typeof choices.place === "string" && Array.isArray(choices.models)
    ? (choices as unknown as PlaceSpace)
    : null;
}

export function declareOf(decision: Decision | null): DeclareSpace | null {
  const choices = decision?.choices;
  return choices && choices.space === "declare" && Array.isArray(choices.uses)
    ? (choices as unknown as DeclareSpace)
    : null;
}

/** What an option's key points at on the table. */
export interface Aim {
  unit?: string;
  model?: number;
  objective?: string;
  point?: Point;
}

/** Keys name a unit (`a.3`, `a.3:reserve`, `explosives:b.3`), a model, an objective or a point; labels may name a point. */
export function aimOf(option: Option): Aim {
  const model = /^model:(\d+)/.exec(option.key);
  if (model) return { model: Number(model[1]) };
  const at = /^at:(-?[\d.]+),(-?[\d.]+)/.exec(option.key) ?? /\bat (-?\d+(?:\.\d+)?), (-?\d+(?:\.\d+)?)/.exec(option.label);
  if (at) return { point: [Number(at[1]), Number(at[2])] };
  const objective = /^objective:(.+)$/.exec(option.key);
  if (objective) return { objective: objective[1] };
  const unit = /(?:^|:)([ab]\.\d+)(?=:|$)/.exec(option.key);
  return unit ? { unit: unit[1] } : {};
}

/** Options of which one is as good as another for a list: models of the same name are shown once, with their number. */
export function grouped(options: readonly Option[]): { option: Option; same: Option[] }[] {
  const found = new Map<string, { option: Option; same: Option[] }>();
  for (const option of options) {
    const alike = option.key.startsWith("model:") ? `model ${option.label}` : option.key;
    const group = found.get(alike);
    if (group) group.same.push(option);
    else found.set(alike, { option, same: [option] });
  }
  return [...found.values()];
}

/** Models that a sentence of the rules names. */
export function modelsIn(text: string): number[] {
  return [...text.matchAll(/\bmodel (\d+)/g)].map((match) => Number(match[1]));
}
