/** Words of the source language beside our English game terms. */

import { get } from "../lib/api";

/** By language, then by edition: our term and the words that the edition's source text uses for it. */
export type Glossary = Record<string, Record<string, Record<string, string[]>>>;

let asked: Promise<Glossary> | null = null;

export function glossary(): Promise<Glossary> {
  asked ??= get<Glossary>("/rules/glossary").catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

export interface Piece {
  text: string;
  /** The source's word for it, where the piece is a term. */
  word?: string;
}

/** A text in pieces, so that each of these terms can be shown with its word; the longest term first, each once. */
export function pieces(text: string, terms: Readonly<Record<string, string[]>>): Piece[] {
  let found: Piece[] = [{ text }];
  const known = Object.entries(terms)
    .filter(([term, words]) => term && words.length)
    .sort(([one], [other]) => other.length - one.length);
  for (const [term, [word = ""]] of known) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}s?)(?![\\p{L}\\p{N}])`, "iu");
    const at = found.findIndex((piece) => piece.word === undefined && pattern.test(piece.text));
    const piece = found[at];
    if (!piece) continue;
    const [before = "", middle = "", ...after] = piece.text.split(pattern);
    const made: Piece[] = [{ text: before }, { text: middle, word }, { text: after.join("") }];
    found = [...found.slice(0, at), ...made.filter((each) => each.text), ...found.slice(at + 1)];
  }
  return found;
}

export const LANGUAGES: Record<string, string> = { en: "English", hu: "Hungarian", ru: "Russian", de: "German" };
