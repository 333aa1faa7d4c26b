/** What a decision leaves open, as the page reads it: options, a placement, or a declaration of attacks. */

import type { Point } from "../board/field";
import type { Decision } from "../lib/messages";

export interface Option {
  key: string;
  label: string;
  /** Where it lies on the table, in thousandths of an inch. */
  point?: [number, number];
  /** Names of the weapons that it would use. */
  weapons?: string[];
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
  /** How many attacks there are to be divided between targets; 0 where they cannot be. */
  divides?: number;
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
  zone?: string;
}

/** Keys name a unit (`a.3`, `a.3:reserve`, `explosives:b.3`), a model, an objective or a point; labels may name a point. */
export function aimOf(option: Option, zones: readonly string[] = []): Aim {
  if (option.point) return { point: [option.point[0] / 1000, option.point[1] / 1000] };
  if (zones.includes(option.key)) return { zone: option.key };
  const model = /^model:(\d+)/.exec(option.key);
  if (model) return { model: Number(model[1]) };
  const at = /^at:(-?[\d.]+),(-?[\d.]+)/.exec(option.key) ?? /\bat (-?\d+(?:\.\d+)?), (-?\d+(?:\.\d+)?)/.exec(option.label);
  if (at) return { point: [Number(at[1]), Number(at[2])] };
  const objective = /^objective:(.+)$/.exec(option.key);
  if (objective) return { objective: objective[1] };
  const unit = /(?:^|:)([ab](?:\.\d+)+)(?=:|$)/.exec(option.key);
  return unit ? { unit: unit[1] } : {};
}

/** The diameter in inches of the marker that lies at the point of an option; null where none is laid. */
export function markerOf(decision: Decision | null): number | null {
  const marker = decision?.choices.marker;
  return typeof marker === "number" ? marker / 1000 : null;
}

/** A label without the place that is shown on the table, unless it says nothing else. */
export function withoutPlace(label: string): string {
  const rest = label.replace(/,? ?\bat -?\d+(?:\.\d+)?, -?\d+(?:\.\d+)?/, "").trim();
  return rest || label.replace(/(-?\d+(?:\.\d+)?), (-?\d+(?:\.\d+)?)/, '$1", $2"');
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

const PLACE = /,? at (-?\d+\.\d+), (-?\d+\.\d+)/g;

/** Places on the table that a sentence of the rules names, in inches. */
export function placesIn(text: string): Point[] {
  return [...text.matchAll(PLACE)].map((match): Point => [Number(match[1]), Number(match[2])]);
}

/** A sentence of the rules, its places shown on the table and not in numbers. */
export function withoutPlaces(text: string): string {
  return text.replace(PLACE, " at the place marked on the table");
}

/** Models that a sentence of the rules names. */
export function modelsIn(text: string): number[] {
  return [...text.matchAll(/\bmodel (\d+)/g)].map((match) => Number(match[1]));
}
