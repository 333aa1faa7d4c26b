/** The keys of the table: what each does, whatever has the focus, unless somebody writes. */

import { prefer, settings } from "../lib/settings.svelte";
import type { Battle } from "./battle.svelte";
import type { Moving } from "./moving.svelte";

/** What keys can ask of the table. */
export interface Commands {
  battle: Battle;
  moving: Moving | null;
  suggest: () => void;
  toggleTape: () => void;
  fit: () => void;
  zoomBy: (factor: number) => void;
  showSubject: () => void;
  menu: () => void;
  escape: () => void;
  confirm: () => void;
  /** Take an option by its place in the list: whether there are options. */
  option: (index: number) => boolean;
  /** Move what is being moved by an arrow: whether it is one. */
  arrow: (event: KeyboardEvent) => boolean;
}

/** Do what a key asks for. */
export function pressKey(event: KeyboardEvent, table: Commands): void {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.repeat && /^([1-9su]|Enter)$/i.test(event.key)) return;
  if (target.closest("input, select, textarea, dialog")) return;
  if (event.key === "Enter") {
    if (!target.closest("button, a")) table.confirm();
    return;
  }
  const { battle, moving } = table;
  const keys: Record<string, () => void> = {
    s: table.suggest,
    u: () => battle.undo(),
    m: table.toggleTape,
    l: () => prefer({ labels: !settings.labels }),
    f: table.fit,
    "0": table.fit,
    "+": () => table.zoomBy(1.25),
    "-": () => table.zoomBy(0.8),
    "?": table.menu,
    v: table.showSubject,
    q: () => moving?.turn(15, event.shiftKey),
    e: () => moving?.turn(-15, event.shiftKey),
    c: () => moving?.corner(),
    a: () => void moving?.arrange(),
    "]": () => moving?.choose(1),
    "[": () => moving?.choose(-1),
    PageUp: () => moving?.climb(1),
    PageDown: () => moving?.climb(-1),
    Escape: table.escape,
  };
  const act = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (act) act();
  else if (!(/^[1-9]$/.test(event.key) && table.option(Number(event.key) - 1)) && !table.arrow(event)) return;
  event.preventDefault();
}
