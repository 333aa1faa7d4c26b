/** A saved battle as a row of moments, each with everything as it stands then. */

import { poseOf, type Piece } from "../board/field";
import type { FilmLine, FrameOfFilm, ReplayTold } from "../lib/messages";

export interface Still {
  pieces: Piece[];
  held: ReadonlyMap<string, 0 | 1>;
}

/** What stands where after every answer; models that did not change are the same objects. */
export function stills(film: ReplayTold): Still[] {
  const scene = film.scene;
  const sides = new Map(scene.units.map((unit) => [unit.id, unit.side]));
  let pieces: Piece[] = scene.models.map((model) => ({
    row: model.row,
    unit: model.unit,
    side: sides.get(model.unit) ?? 0,
    name: model.name,
    base: model.base,
    character: model.character,
    wounds: 0,
    most: Number.parseInt(model.characteristics.W ?? "1", 10) || 1,
    here: false,
    x: 0,
    y: 0,
    z: 0,
    facing: 0,
  }));
  let held: ReadonlyMap<string, 0 | 1> = new Map();
  return film.moments.map((moment) => {
    if (moment.set.length) {
      pieces = [...pieces];
      for (const [row = -1, x = 0, y = 0, z = 0, facing = 0, wounds = 0, here = 0] of moment.set) {
        const old = pieces[row];
        if (old) pieces[row] = { ...old, ...poseOf([x, y, z, facing]), wounds, here: here === 1 };
      }
    }
    const changed = Object.entries(moment.held);
    if (changed.length) {
      const next = new Map(held);
      for (const [objective, side] of changed) {
        if (side === null) next.delete(objective);
        else next.set(objective, side);
      }
      held = next;
    }
    return { pieces, held };
  });
}

const LEVELS = ["brief", "rolls", "full"];

/** Whether a line is told at a level. */
export function tells(level: string, line: FilmLine): boolean {
  return LEVELS.indexOf(line.l) <= LEVELS.indexOf(level);
}

/** Whether there is anything to see at a moment: something stands elsewhere, or a line is told. */
export function shows(moment: FrameOfFilm, level: string): boolean {
  return moment.set.length > 0 || moment.lines.some((line) => tells(level, line));
}

/** A phase or step as a person would write it. */
export function words(name: string): string {
  const text = name.replaceAll(/[-_]/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
