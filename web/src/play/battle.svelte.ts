/** One battle as this seat sees it: what the server has told, and what can be said to it. It holds no rule. */

import { fieldOf, poseOf, type Battlefield, type Objective, type Piece } from "../board/field";
import type {
  Answered,
  Ask,
  Checked,
  ClientMessage,
  Commitment,
  Decision,
  Ended,
  EventItem,
  Fault,
  GiveAnswer,
  ModelCard,
  Scene,
  SeatState,
  ServerMessage,
  Standing,
  UndoAsked,
  UnitCard,
  View,
} from "../lib/messages";

export type Side = 0 | 1;
export type Answer = GiveAnswer["answer"];
export type Question = Ask["question"];
export type Link = "connecting" | "open" | "lost" | "refused";

interface Waiting {
  resolve: (message: never) => void;
  reject: (error: Error) => void;
}

const PROTOCOL = 1;
const SAME = ["x", "y", "z", "facing", "here", "wounds", "unit"] as const;
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;
const NO_SEAT = "There is no such battle, or this link is no seat at it: copy the whole link, or ask whoever sent it for another.";
const SILENT = "The server does not answer. It is asked again and again; perhaps it is not running.";
/** So often the server may fail to answer before whoever waits is told. */
const PATIENCE = 3;

export class Battle {
  link = $state<Link>("connecting");
  /** Why there is no battle here, in the server's words. */
  fault = $state("");
  scene = $state.raw<Scene | null>(null);
  you = $state<"a" | "b" | "both" | "watch">("watch");
  sides = $state.raw<Side[]>([]);
  view = $state.raw<View | null>(null);
  standing = $state.raw<Standing>({ zones: {}, counters: [], cards: [] });
  pieces = $state.raw<Piece[]>([]);
  /** The table as it once stood, while somebody looks back; nothing is taken back by it. */
  past = $state.raw<{ to: number; round: number; phase: string; pieces: Piece[] } | null>(null);
  decision = $state.raw<Decision | null>(null);
  log = $state.raw<EventItem[]>([]);
  /** What was answered without asking, since there was no choice; each after so many events. */
  notes = $state.raw<{ after: number; text: string }[]>([]);
  seats = $state.raw<SeatState[]>([]);
  watching = $state(0);
  commitment = $state.raw<Commitment | null>(null);
  ended = $state.raw<Ended | null>(null);
  undoAsked = $state.raw<UndoAsked | null>(null);
  /** Why the last answer was refused; empty once another is tried. */
  refusals = $state.raw<Fault[]>([]);
  /** What is said in passing: that an undo was declined, that an answer came late. */
  notice = $state("");
  /** Whether an answer is on its way. */
  answering = $state(false);
  /** How many events there were when this seat last answered: what has happened since is news. */
  newsFrom = $state(0);

  private socket: WebSocket | null = null;
  private era = 0;
  private ref = 0;
  private pause = FIRST_PAUSE;
  private again: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;
  private readonly waiting = new Map<string, Waiting>();
  private closed = false;
  private failed = 0;
  private looksBack = false;

  constructor(
    readonly id: string,
    readonly seatToken: string,
  ) {}

  readonly field = $derived<Battlefield | null>(this.scene ? fieldOf(this.scene.battlefield) : null);
  readonly mine = $derived(this.decision?.yours === true && this.link === "open");
  readonly units = $derived(new Map<string, UnitCard>((this.scene?.units ?? []).map((unit) => [unit.id, unit])));
  readonly unitNames = $derived(namesOf(this.scene?.units ?? []));
  readonly models = $derived<ModelCard[]>(this.scene?.models ?? []);
  readonly sideNames = $derived<[string, string]>([
    this.scene?.armies[0].side_name ?? "Side A",
    this.scene?.armies[1].side_name ?? "Side B",
  ]);
  readonly held = $derived(holders(this.log));
  readonly laid = $derived(laidObjectives(this.log));
  /** Whose each deployment zone is, by its name. */
  readonly zoneNames = $derived(
    new Map(Object.entries(this.standing.zones).map(([name, side]) => [name, `${side ? "◉" : "●"} ${this.sideNames[side as Side]}`])),
  );
  readonly zoneSides = $derived(new Map<string, Side>(Object.entries(this.standing.zones).map(([name, side]) => [name, side as Side])));
  /** The unit that each unit is aboard of, where it is aboard of one. */
  readonly carriers = $derived.by<ReadonlyMap<string, string>>(() => {
    const cards = this.scene?.units ?? [];
    const byIndex = new Map(cards.map((card) => [card.index, card.id]));
    return new Map(
      cards.flatMap((card): [string, string][] => {
        const state = this.view?.units[card.index];
        const within = state?.embarked_in ?? state?.embarked;
        const carrier = typeof within === "number" && within >= 0 ? byIndex.get(within) : undefined;
        return carrier ? [[card.id, carrier]] : [];
      }),
    );
  });
  readonly isHotSeat = $derived(this.you === "both");

  /** A sentence about a unit with its number, where others of its side are called the same. */
  numbered(text: string, unit: string | null | undefined): string {
    const name = this.unitNames.get(unit ?? "") ?? "";
    const plain = name.replace(/ \d+$/, "");
    return name === plain || text.includes(name) ? text : text.replace(plain, name);
  }

  // --- the connection -------------------------------------------------------------------------------------------

  open(): void {
    this.closed = false;
    if (!this.id) {
      [this.link, this.fault] = ["refused", NO_SEAT];
      return;
    }
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const address = `${scheme}//${location.host}/ws/${encodeURIComponent(this.id)}?seat=${encodeURIComponent(this.seatToken)}`;
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => {
      this.failed = 0;
      if (this.fault === SILENT) this.fault = "";
      this.pause = FIRST_PAUSE;
      this.say({ type: "hello", protocol: PROTOCOL, since: this.log.length, era: this.era });
      clearInterval(this.beat);
      this.beat = setInterval(() => this.say({ type: "ping" }), 25_000);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.hear(JSON.parse(event.data) as ServerMessage);
    socket.onclose = (event) => this.lost(event);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.again);
    clearInterval(this.beat);
    this.socket?.close();
  }

  /** Try again at once, as when the network has come back. */
  hurry(): void {
    if (this.link !== "lost" || this.closed) return;
    clearTimeout(this.again);
    this.pause = FIRST_PAUSE;
    this.open();
  }

  private lost(event: CloseEvent): void {
    clearInterval(this.beat);
    this.giveUp("the connection was lost");
    this.answering = false;
    if (this.closed) return;
    if (event.code === 4404 || event.code === 4403 || event.code === 4401 || (event.code === 1008 && !this.scene)) {
      this.link = "refused";
      this.fault ||= event.reason || NO_SEAT;
      return;
    }
    this.link = this.scene ? "lost" : "connecting";
    if (!this.scene && ++this.failed >= PATIENCE) this.fault ||= SILENT;
    this.again = setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 1.8);
  }

  private giveUp(why: string): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(new Error(why));
  }

  private say(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private request<T>(make: (ref: string) => ClientMessage): Promise<T> {
    const ref = String(++this.ref);
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(ref, { resolve: resolve as (message: never) => void, reject });
      if (!this.say(make(ref))) {
        this.waiting.delete(ref);
        reject(new Error("the server is away"));
      }
    });
  }

  private settle(ref: string, message: unknown): void {
    const waiting = this.waiting.get(ref);
    this.waiting.delete(ref);
    waiting?.resolve(message as never);
  }

  // --- what the server says -----------------------------------------------------------------------------------------

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.link = "open";
        this.scene = message.scene;
        this.you = message.you;
        this.sides = message.sides;
        this.seats = message.seats;
        this.commitment = message.commitment;
        if (message.era !== this.era) this.log = [];
        this.era = message.era;
        return;
      case "state":
        this.setView(message.view);
        if (JSON.stringify(message.standing) !== JSON.stringify(this.standing)) this.standing = message.standing;
        return;
      case "events":
        if (message.since < this.log.length || message.items.length)
          this.log = [...this.log.slice(0, message.since), ...message.items];
        if (message.era !== this.era) this.notes = this.notes.filter((note) => note.after <= this.log.length);
        this.era = message.era;
        this.newsFrom = Math.min(this.newsFrom, this.log.length);
        return;
      case "decision":
        this.decision = message;
        this.undoAsked = null; // with the next answer a request lapses; one that still waits is told after this
        this.answering = false;
        this.refusals = [];
        return;
      case "checked":
        this.settle(message.ref, message);
        return;
      case "answered":
        this.settle(message.ref, message);
        return;
      case "refused":
        this.answering = false;
        if (message.late) this.notice = "That came late: the battle has gone on.";
        else this.refusals = message.violations;
        return;
      case "accepted":
        return;
      case "undo-asked":
        this.undoAsked = message;
        return;
      case "undo-done":
        this.undoAsked = null;
        this.notice = message.done ? "Taken back." : sentence(message.why || "it was not taken back");
        return;
      case "presence":
        this.seats = message.seats;
        this.watching = message.watching;
        return;
      case "ended":
        this.ended = message;
        this.decision = null;
        this.answering = false;
        return;
      case "fault":
        this.answering = false;
        this.giveUp(message.text); // a fault names no question: whoever waits for one asks again
        if (this.scene) this.notice = sentence(message.text);
        else this.fault = sentence(message.text);
        return;
      case "rewound":
        if (!this.looksBack) return; // somebody has come back to now meanwhile
        this.past = { to: message.to, round: message.view.round, phase: message.view.phase, pieces: this.piecesOf(message.view, this.pieces) };
        return;
      case "pong":
        return;
    }
  }

  /** What a view shows of each model; of those that are as they were before, the same objects. */
  private piecesOf(view: View, before: readonly Piece[]): Piece[] {
    return this.models.map((card, row) => {
      const pose = poseOf(view.position[row] ?? [0, 0, 0, 0]);
      const here = view.on_table[row] === true;
      const wounds = view.wounds[row] ?? 0;
      const was = before[row];
      const unit = unitOf(view, row, this.scene?.units) ?? card.unit;
      const most = was?.most ?? mostWounds(card, wounds);
      const is: Piece = { ...pose, row, unit, side: sideOf(unit), name: card.name, base: card.base, character: card.character, wounds, most, here };
      return was && SAME.every((key) => was[key] === is[key]) ? was : is;
    });
  }

  private setView(view: View): void {
    this.view = view;
    this.pieces = this.piecesOf(view, this.pieces);
  }

  // --- what this seat says ------------------------------------------------------------------------------------------

  /** Give the present decision its answer. */
  answer(answer: Answer): void {
    const decision = this.decision;
    if (!decision?.yours || this.answering) return;
    this.refusals = [];
    this.lookBack(null);
    this.notice = "";
    this.newsFrom = this.log.length;
    this.answering = this.say({ type: "answer", decision: decision.decision, answer });
    if (!this.answering) this.notice = "The server is away; your choice was not sent.";
  }

  pick(option: string): void {
    this.answer({ kind: "pick", option });
  }

  /** Pick the only option there is; the log says so. */
  pickByItself(option: string, what: string): void {
    const after = this.log.length;
    this.pick(option);
    if (this.answering) this.notes = [...this.notes, { after, text: what }];
  }

  /** Why an answer would be refused; nothing where it would be accepted. */
  async check(answer: Answer): Promise<Fault[]> {
    return (await this.foresee(answer)).violations;
  }

  /** The same, with what an answer that would be accepted risks. */
  foresee(answer: Answer): Promise<Checked> {
    return this.request<Checked>((ref) => ({ type: "check", ref, answer }));
  }

  ask(question: Question): Promise<Answered> {
    return this.request<Answered>((ref) => ({ type: "ask", ref, question }));
  }

  /** What the game would go on with. */
  async suggestion(): Promise<Answer | null> {
    try {
      return (await this.ask({ kind: "default" })).answer;
    } catch {
      return null;
    }
  }

  /** What a computer player would do here. */
  async advice(): Promise<Answer | null> {
    try {
      return (await this.ask({ kind: "advice" })).answer;
    } catch {
      return null;
    }
  }

  /** Look at the table as it stood when so many events had happened; null comes back to now. */
  lookBack(to: number | null): void {
    this.looksBack = to !== null;
    if (to === null) this.past = null;
    else this.say({ type: "rewind", to });
  }

  undo(): void {
    this.notice = "";
    this.say({ type: "undo" });
  }

  replyToUndo(agree: boolean): void {
    this.undoAsked = null;
    this.say({ type: "undo-reply", agree });
  }
}

/** What the server says in half a sentence, as a whole one. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

function sideOf(unit: string): Side {
  return unit.startsWith("b") ? 1 : 0;
}

/** The unit a model belongs to now: characters may join units and leave them. */
function unitOf(view: View, row: number, units: UnitCard[] | undefined): string | undefined {
  if (!units) return undefined;
  const index = view.units.findIndex((unit) => unit.models.includes(row));
  return units[index]?.id;
}

/** Wounds as printed; what the model begins with where that is no number. */
function mostWounds(card: ModelCard, now: number): number {
  const printed = Number.parseInt(card.characteristics.W ?? "", 10);
  return Number.isFinite(printed) ? Math.max(printed, now) : Math.max(1, now);
}

function namesOf(units: readonly UnitCard[]): Map<string, string> {
  const seen = new Map<string, number>();
  for (const unit of units) seen.set(`${unit.side}${unit.name}`, (seen.get(`${unit.side}${unit.name}`) ?? 0) + 1);
  const numbers = new Map<string, number>();
  return new Map(
    units.map((unit) => {
      const key = `${unit.side}${unit.name}`;
      if ((seen.get(key) ?? 0) < 2) return [unit.id, unit.name];
      const number = (numbers.get(key) ?? 0) + 1;
      numbers.set(key, number);
      return [unit.id, `${unit.name} ${number}`];
    }),
  );
}

/** Who holds each objective, as the log has it. */
function holders(log: readonly EventItem[]): Map<string, Side> {
  const held = new Map<string, Side>();
  for (const { event } of log) {
    if (event.kind !== "objective-control-changed" || typeof event.objective !== "string") continue;
    if (event.side === 0 || event.side === 1) held.set(event.objective, event.side);
    else held.delete(event.objective);
  }
  return held;
}

/** Objectives that players have laid, in inches, beside those of the layout. */
function laidObjectives(log: readonly EventItem[]): Objective[] {
  return log.flatMap(({ event }, i) => {
    const point = event.point;
    if (event.kind !== "objective-laid" || !Array.isArray(point)) return [];
    const [x, y] = point as number[];
    const id = typeof event.objective === "string" ? event.objective : `laid-${i}`;
    return [{ id, point: [x ?? 0, y ?? 0], area: null, role: "other", owner: null, marker_mm: 40 }];
  });
}
