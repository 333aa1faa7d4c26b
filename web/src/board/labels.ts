/** Names of units that do not lie over each other. */

import type { Label } from "./field";

const LETTER = 0.56;

/** Half of what a text takes up across, written in lines of that height. */
export function halfWidth(text: string, line: number): number {
  return ((text.length + 2) * line * LETTER) / 2;
}

/** A place for each name near where it should be; names that find none are left out. `line` is a line's height. */
export function clearOfEachOther(labels: readonly Label[], line: number): Label[] {
  const placed: Label[] = [];
  const letter = line * LETTER;
  for (const label of labels) {
    for (let step = 0; step < 9; step++) {
      const by = (step % 2 ? -(step + 1) / 2 : step / 2) * line;
      const moved = { ...label, y: label.y + by };
      if (placed.every((other) => !overlap(moved, other, line, letter))) {
        placed.push(moved);
        break;
      }
    }
  }
  return placed;
}

function overlap(one: Label, other: Label, line: number, letter: number): boolean {
  const width = ((one.text.length + other.text.length) * letter) / 2 + letter;
  return Math.abs(one.x - other.x) < width && Math.abs(one.y - other.y) < line * 1.05;
}

/** A name short enough for the table. */
export function shortName(name: string, most = 22): string {
  const number = / \d+$/.exec(name)?.[0] ?? "";
  const [first = name, ...attached] = name.slice(0, name.length - number.length).split(" + ");
  const room = most - number.length;
  const cut = (first.length <= room ? first : `${first.slice(0, room - 1).trimEnd()}…`) + number;
  return attached.length ? `${cut} +${attached.length}` : cut;
}
