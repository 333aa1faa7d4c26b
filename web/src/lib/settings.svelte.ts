/** What a person prefers on this device; kept in the browser, never sent. */

export interface Settings {
  theme: "system" | "dark" | "light";
  /** Language of the source terms shown beside the English ones; "en" shows none. */
  terms: "en" | "hu" | "ru" | "de";
  level: "brief" | "rolls" | "full";
  labels: boolean;
  /** Whether somebody has read how the table helps a newcomer. */
  greeted: boolean;
  /** Whether the screen is covered when two players hand it over. */
  handover: boolean;
  /** Whether a decision that can be answered in one way alone is answered without being asked. */
  formalities: boolean;
}

const KEY = "battlewright.settings";
const DEFAULTS: Settings = { theme: "system", terms: "en", level: "rolls", labels: true, greeted: false, handover: true, formalities: true };

function read(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = $state<Settings>(read());

/** Change a preference and keep it. */
export function prefer(change: Partial<Settings>): void {
  Object.assign(settings, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a browser that keeps nothing: the choice lasts as long as the page
  }
}
