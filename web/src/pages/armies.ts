/** Army lists as the server reads them, and how a file of this device is handed over. */

import { get, post } from "../lib/api";
import type { ArmyRead, BundledArmy, EditionInfo } from "../lib/messages";

export interface ReportUnit {
  name: string;
  models: number;
  points: number;
  attached_to: string | null;
  weapons: Record<string, number>;
  enforced: string[];
  not_enforced: string[];
  assumed: string[];
  base: string[];
}

export interface Unresolved {
  line: number | null;
  text: string;
  nearest: string | null;
  fatal: boolean;
}

/** What `battlewright army show --json` tells. */
export interface Report {
  name: string;
  edition: string;
  faction: string;
  detachments: string[];
  disposition: string | null;
  points: number;
  units: ReportUnit[];
  unresolved: Unresolved[];
  reconciled: boolean;
  breaches: { rule: string; text: string }[];
  remarks: string[];
}

export interface List {
  id: string;
  report: Report;
}

const MOST_BYTES = 2_000_000;

function list(read: ArmyRead): List {
  return read as unknown as List;
}

/** A bundled army, or a list that was read before. */
export async function listOf(id: string): Promise<List> {
  return list(await get<ArmyRead>(`/armies/${encodeURIComponent(id)}`));
}

export async function readText(text: string, edition: string | null): Promise<List> {
  return list(await post<ArmyRead>("/armies", { edition, text, name: "the pasted list" }));
}

/** A file of any supported format; packed rosters are no text, so bytes are sent. */
export async function readFile(file: File, edition: string | null): Promise<List> {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is larger than ${MOST_BYTES / 1_000_000} MB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return list(await post<ArmyRead>("/armies", { edition, base64: btoa(binary), name: file.name.slice(-200) }));
}

let editions: Promise<EditionInfo[]> | null = null;

/** Everything there is to choose from, asked for once. */
export function allEditions(): Promise<EditionInfo[]> {
  editions ??= get<EditionInfo[]>("/editions").catch((error: unknown) => {
    editions = null;
    throw error;
  });
  return editions;
}

/** Two bundled armies that suit each other: different factions, points alike, the smallest battle first. */
export function wellMatched(armies: readonly BundledArmy[]): [BundledArmy, BundledArmy] | null {
  let best: [BundledArmy, BundledArmy] | null = null;
  let least = Infinity;
  armies.forEach((one, i) =>
    armies.slice(i + 1).forEach((other) => {
      const badness =
        Math.max(one.points, other.points) + 4 * Math.abs(one.points - other.points) + (one.faction === other.faction ? 5000 : 0);
      if (badness < least) [least, best] = [badness, [one, other]];
    }),
  );
  return best;
}

export function told(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
