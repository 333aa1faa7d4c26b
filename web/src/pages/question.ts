/** A question of odds, and how it is written into the address so that it can be shared. */

import type { KeyInfo, OddsForm } from "../lib/messages";

export interface SideOfQuestion {
  kind: "profile" | "unit";
  profile: string;
  /** A bundled army, a list that was read, or "" for any datasheet of the edition. */
  army: string;
  unit: string;
  weapon: string;
  models: string;
}

export interface Question {
  edition: string;
  attacker: SideOfQuestion;
  target: SideOfQuestion;
  settings: Record<string, string>;
}

export interface Example {
  name: string;
  attack: string;
  target: string;
  models?: number;
  settings?: Record<string, string>;
}

export const FORMS: Record<string, { attack: string; target: string }> = {
  "11": {
    attack: 'A attacks, BS or WS to hit, S, AP, D: “A2 BS3+ S4 AP-1 D1 [RAPID FIRE 1, LETHAL HITS]”; dice as “AD6”; two weapons with “ + ”',
    target: "“T4 Sv3+ InSv4+ W2 FNP5+ x10 {INFANTRY}”: x is how many models; leave out what they have not",
  },
  classic: {
    attack: "“BS4 S4 AP5 R24 [RAPID FIRE]”, “A2 WS4 S4 AP-” for blows; x says how many such weapons",
    target: "“T4 Sv3+ W1 x10”, or a vehicle: “AV 13/11/10 {OPEN-TOPPED}”",
  },
};

export const EXAMPLES: Record<string, Example[]> = {
  "11": [
    { name: "10 bolt rifles at marines", attack: "A2 BS3+ S4 AP-1 D1", target: "T4 Sv3+ W2 x10 {INFANTRY}", models: 10 },
    { name: "Lascannon at a tank", attack: "A1 BS3+ S12 AP-3 DD6+1", target: "T10 Sv3+ W12 {VEHICLE}", models: 2 },
    {
      name: "Choppas charge in cover",
      attack: "A3 WS3+ S4 AP-1 D1",
      target: "T3 Sv5+ W1 x10 {INFANTRY}",
      models: 20,
      settings: { charged: "true", hit: "-1" },
    },
  ],
  classic: [
    { name: "10 bolters at orks", attack: "A1 BS4 S4 AP5 R24", target: "T4 Sv6+ W1 x20", models: 10 },
    { name: "Lascannon at a tank", attack: "A1 BS4 S9 AP2 R48", target: "AV 13/11/10" },
    { name: "Blows of a squad", attack: "A2 WS4 S4 AP-", target: "T3 Sv5+ W1 x10", models: 10, settings: { charged: "true" } },
  ],
};

export function formsOf<T>(table: Record<string, T>, edition: string): T {
  return (table[edition] ?? table.classic) as T;
}

function empty(): SideOfQuestion {
  return { kind: "profile", profile: "", army: "", unit: "", weapon: "", models: "" };
}

/** The question that an address asks; the first example where it asks none. */
export function fromQuery(query: URLSearchParams): Question {
  const edition = query.get("edition") ?? "11";
  const asked: Question = { edition, attacker: empty(), target: empty(), settings: {} };
  const { attacker, target } = asked;
  attacker.profile = query.get("attack") ?? "";
  attacker.unit = query.get("unit") ?? "";
  attacker.army = query.get("army") ?? "";
  attacker.weapon = query.get("weapon") ?? "";
  attacker.models = query.get("models") ?? "";
  target.profile = query.get("target") ?? "";
  target.unit = query.get("against") ?? "";
  target.army = query.get("against_army") ?? "";
  target.models = query.get("target_models") ?? "";
  if (attacker.unit) attacker.kind = "unit";
  if (target.unit) target.kind = "unit";
  for (const pair of query.getAll("set")) {
    const [key = "", value] = pair.split("=", 2);
    if (key) asked.settings[key] = value ?? "true";
  }
  const example = formsOf(EXAMPLES, edition)[0];
  if (!query.has("attack") && !query.has("unit") && example) {
    attacker.profile = example.attack;
    attacker.models = example.models ? String(example.models) : "";
  }
  if (!query.has("target") && !query.has("against") && example) target.profile = example.target;
  return asked;
}

export function toQuery(asked: Question): URLSearchParams {
  const query = new URLSearchParams({ edition: asked.edition });
  const put = (key: string, value: string): void => {
    if (value.trim()) query.set(key, value.trim());
  };
  const { attacker, target } = asked;
  if (attacker.kind === "profile") put("attack", attacker.profile);
  else {
    put("unit", attacker.unit);
    put("army", attacker.army);
    put("weapon", attacker.weapon);
  }
  put("models", attacker.models);
  if (target.kind === "profile") put("target", target.profile);
  else {
    put("against", target.unit);
    put("against_army", target.army);
  }
  put("target_models", target.models);
  for (const [key, value] of Object.entries(asked.settings)) if (value !== "") query.append("set", `${key}=${value}`);
  return query;
}

function whole(text: string): number | null {
  return /^\d+$/.test(text.trim()) ? Number(text) : null;
}

/** The same as the server wants it. */
export function toForm(asked: Question): OddsForm {
  const { attacker, target } = asked;
  const byUnit = attacker.kind === "unit";
  const atUnit = target.kind === "unit";
  return {
    edition: asked.edition,
    attack: byUnit ? null : attacker.profile,
    unit: byUnit ? attacker.unit : null,
    army: byUnit && attacker.army ? attacker.army : null,
    weapon: byUnit && attacker.weapon ? attacker.weapon : null,
    models: whole(attacker.models),
    target: atUnit ? null : target.profile,
    against: atUnit ? target.unit : null,
    against_army: atUnit && target.army ? target.army : null,
    target_models: whole(target.models),
    settings: Object.fromEntries(Object.entries(asked.settings).filter(([, value]) => value !== "")),
  };
}

export function isWhole(asked: Question): boolean {
  return [asked.attacker, asked.target].every((side) => (side.kind === "profile" ? side.profile : side.unit).trim() !== "");
}

/** What a setting is called on the page. */
export function titleOf(key: KeyInfo): string {
  const words = key.key.replaceAll("_", " ").replace("reroll", "re-roll");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
