/** What the choice at hand marks on the board, and what is told of a model there. */

import type { Piece, Point } from "../board/field";
import { gapOf } from "../board/geometry";
import type { Battle } from "./battle.svelte";
import { placeOf } from "./choices";
import type { Choosing } from "./choosing.svelte";
import type { Declaring } from "./declaring.svelte";
import type { Moving } from "./moving.svelte";

/** How each unit is marked: as what is chosen for, as what can be chosen, as a target. */
export function marksOf(battle: Battle, declaring: Declaring | null, choosing: Choosing | null): Map<string, string> {
  const found = new Map<string, string>();
  const subject = battle.decision?.subject;
  if (subject) found.set(subject, "chosen");
  if (battle.decision?.target) found.set(battle.decision.target, "target");
  if (choosing && battle.mine) {
    for (const unit of choosing.byUnit.keys()) if (found.get(unit) !== "target") found.set(unit, "pickable");
    for (const key of [choosing.hovered, choosing.looked]) {
      const unit = key ? choosing.aims.get(key)?.unit : undefined;
      if (unit) found.set(unit, "target");
    }
  }
  if (declaring && battle.mine) {
    for (const unit of declaring.targets) found.set(unit, "pickable");
    for (const unit of declaring.chosen) found.set(unit, "target");
    if (declaring.looked) found.set(declaring.looked, "target");
  }
  return found;
}

/** How single models are marked, by their rows. */
export function modelMarksOf(moving: Moving | null, choosing: Choosing | null): Map<number, string> {
  const found = new Map<number, string>();
  if (choosing) for (const row of choosing.byModel.keys()) found.set(row, "pickable");
  if (moving) for (const row of moving.rows) found.set(row, "faint");
  return found;
}

/** The ways that models have gone since this seat last chose, the latest of each. */
export function trailsOf(battle: Battle): { row: number; points: Point[] }[] {
  const found = new Map<number, { row: number; points: Point[] }>();
  for (const { event } of battle.log.slice(battle.newsFrom).slice(-40)) {
    if (event.kind !== "models-moved" || !Array.isArray(event.paths)) continue;
    for (const [row, way] of event.paths as [number, number[][]][])
      if (way.length > 1) found.set(row, { row, points: way.map(([x, y]) => [(x ?? 0) / 1000, (y ?? 0) / 1000]) });
  }
  return [...found.values()];
}

/** What is added to the names of units on the board: how many units are aboard. */
export function tagsOf(battle: Battle): Map<string, string> {
  const found = new Map<string, number>();
  for (const carrier of battle.carriers.values()) found.set(carrier, (found.get(carrier) ?? 0) + 1);
  return new Map([...found].map(([carrier, count]) => [carrier, ` (${count} aboard)`]));
}

/** What is told of the model under the pointer: whose it is, how it fares, how far an enemy is from the unit that acts. */
export function toldOf(battle: Battle, row: number | null): string {
  const piece = row === null ? undefined : battle.pieces[row];
  if (!piece) return "";
  const of = "HP" in (battle.models[piece.row]?.characteristics ?? {}) ? "hull points" : "wounds";
  const wounds = piece.most > 1 ? `, ${piece.wounds} of ${piece.most} ${of}` : "";
  const unit = battle.unitNames.get(piece.unit) ?? "";
  return `${unit}${piece.name === unit ? "" : `: ${piece.name}`}${wounds}${aboard(battle, piece.unit)}${apart(battle, piece)}`;
}

function aboard(battle: Battle, carrier: string): string {
  const units = [...battle.carriers].flatMap(([unit, within]) => (within === carrier ? [battle.unitNames.get(unit) ?? unit] : []));
  return units.length ? `, carrying ${units.join(" and ")}` : "";
}

/** Where the edition lets one know: how far an enemy is from whoever acts, or a unit of one's own from the nearest enemy. */
function apart(battle: Battle, piece: Piece): string {
  const decision = battle.decision;
  if (!decision || !(battle.scene?.may_measure ?? false)) return "";
  const isOwn = piece.side === decision.side;
  const acting = decision.subject;
  if (isOwn ? placeOf(decision) : !acting) return ""; // what is being moved is measured on the board
  const others = battle.pieces.filter((each) => each.here && (isOwn ? each.side !== piece.side : each.unit === acting));
  const models = battle.pieces.filter((each) => each.here && each.unit === piece.unit);
  if (!others.length || others[0]!.side === piece.side) return "";
  const inches = Math.min(...models.flatMap((model) => others.map((other) => gapOf(model.base, model, other.base, other).inches)));
  return `, ${inches.toFixed(1)}" from ${isOwn ? "the nearest enemy" : (battle.unitNames.get(acting ?? "") ?? "")}`;
}
