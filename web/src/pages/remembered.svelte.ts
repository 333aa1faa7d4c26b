/** The battles of this device: their links are kept in the browser, so that a closed page can be found again. */

import type { BattleMade } from "../lib/messages";

export interface Remembered {
  battle: string;
  title: string;
  /** The link to this device's own seat. */
  link: string;
  /** Links that were made for others. */
  links: Record<string, string>;
  at: number;
}

const KEY = "battlewright.battles";
const MOST = 20;

function read(): Remembered[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as Remembered[]).filter((each) => typeof each?.link === "string") : [];
  } catch {
    return [];
  }
}

let present = $state.raw<Remembered[]>(read());

function write(kept: Remembered[]): void {
  present = kept.slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(present));
  } catch {
    // a browser that keeps nothing: the list lasts as long as the page
  }
}

export const remembered = {
  get all(): Remembered[] {
    return present;
  },
};

export function remember(battle: string, title: string, link: string, links: Record<string, string> = {}): void {
  const others = present.filter((each) => each.battle !== battle || each.link !== link);
  write([{ battle, title, link, links, at: Date.now() }, ...others]);
}

export function forget(link: string): void {
  write(present.filter((each) => each.link !== link));
}

/** The link of this device's own seat among those of a battle. */
export function ownLink(made: BattleMade): string {
  return made.links.both ?? made.links.a ?? made.links.b ?? made.links.watch ?? "/";
}
