/* Written from docs/protocol.schema.json by `npm run types`; not to be edited. */

export type ClientMessage = Hello | GiveAnswer | Check | Ask | Undo | UndoReply | Rewind | AskEvents | Ping;
export type ServerMessage =
  | Welcome
  | StateNow
  | Events
  | Decision
  | Checked
  | Answered
  | Refused
  | Accepted
  | UndoAsked
  | UndoDone
  | Rewound
  | Presence
  | Ended
  | Pong
  | FaultTold;

export interface Protocol {
  Accepted?: Accepted;
  Answered?: Answered;
  ArmyCard?: ArmyCard;
  ArmyForm?: ArmyForm;
  ArmyRead?: ArmyRead;
  ArmyRef?: ArmyRef;
  ArrivalTold?: ArrivalTold;
  Ask?: Ask;
  AskAdvice?: AskAdvice;
  AskDefault?: AskDefault;
  AskEvents?: AskEvents;
  AskOdds?: AskOdds;
  AskRange?: AskRange;
  AskReach?: AskReach;
  AskSample?: AskSample;
  AskSight?: AskSight;
  AskTowards?: AskTowards;
  AttackUse?: AttackUse;
  BaseShape?: BaseShape;
  BattleForm?: BattleForm;
  BattleMade?: BattleMade;
  BundledArmy?: BundledArmy;
  CardShown?: CardShown;
  ChapterInfo?: ChapterInfo;
  Check?: Check;
  Checked?: Checked;
  ClientMessage?: ClientMessage;
  Commitment?: Commitment;
  Counter?: Counter;
  DecidedTold?: DecidedTold;
  Decision?: Decision;
  DeclareAnswer?: DeclareAnswer;
  DifferenceTold?: DifferenceTold;
  DifferencesTold?: DifferencesTold;
  EditionInfo?: EditionInfo;
  EditionNamed?: EditionNamed;
  Ended?: Ended;
  EventItem?: EventItem;
  Events?: Events;
  ExplainedStage?: ExplainedStage;
  Fault?: Fault;
  FaultTold?: FaultTold;
  FilmLine?: FilmLine;
  FrameOfFilm?: FrameOfFilm;
  GiveAnswer?: GiveAnswer;
  Health?: Health;
  Hello?: Hello;
  JoinMade?: JoinMade;
  KeyInfo?: KeyInfo;
  LayoutInfo?: LayoutInfo;
  LogLine?: LogLine;
  MissionInfo?: MissionInfo;
  MissionWord?: MissionWord;
  ModelCard?: ModelCard;
  MoveOfModel?: MoveOfModel;
  OddsForm?: OddsForm;
  OddsOfTarget?: OddsOfTarget;
  OddsTold?: OddsTold;
  OpenBattle?: OpenBattle;
  Outcome?: Outcome;
  PickAnswer?: PickAnswer;
  Ping?: Ping;
  PlaceAnswer?: PlaceAnswer;
  Pong?: Pong;
  Presence?: Presence;
  ProfileCard?: ProfileCard;
  Proof?: Proof;
  ReachOfModel?: ReachOfModel;
  Refusal?: Refusal;
  Refused?: Refused;
  ReplayForm?: ReplayForm;
  ReplayTold?: ReplayTold;
  Rewind?: Rewind;
  Rewound?: Rewound;
  RuleLine?: RuleLine;
  RuleTold?: RuleTold;
  RulesFound?: RulesFound;
  RulesOfEdition?: RulesOfEdition;
  Scene?: Scene;
  SeatState?: SeatState;
  ServerMessage?: ServerMessage;
  SightLine?: SightLine;
  SightOfUnit?: SightOfUnit;
  Standing?: Standing1;
  StateNow?: StateNow;
  Switch?: Switch;
  SwitchInfo?: SwitchInfo;
  Undo?: Undo;
  UndoAsked?: UndoAsked;
  UndoDone?: UndoDone;
  UndoReply?: UndoReply;
  UnitCard?: UnitCard;
  UnitView?: UnitView;
  View?: View;
  WeaponCard?: WeaponCard;
  Welcome?: Welcome;
}
/**
 * The answer to that decision has been stored and has taken effect.
 */
export interface Accepted {
  type: "accepted";
  decision: string;
}
/**
 * The answer to ``ask``: one of the fields, by the question's kind; ``fault`` says why there is none.
 */
export interface Answered {
  type: "answered";
  ref: string;
  kind: "default" | "advice" | "sample" | "towards" | "reach" | "sight" | "range" | "odds";
  fault: string;
  answer: (PickAnswer | PlaceAnswer | DeclareAnswer) | null;
  reach: ReachOfModel[] | null;
  sight: SightOfUnit | null;
  range: number | null;
  odds: OddsOfTarget[] | null;
}
/**
 * The choice of one listed option, by its key.
 */
export interface PickAnswer {
  kind: "pick";
  option: string;
}
/**
 * Models moved or set up, in this order.
 */
export interface PlaceAnswer {
  kind: "place";
  /**
   * @maxItems 500
   */
  moves: MoveOfModel[];
}
/**
 * One model's way; the last waypoint is where it ends.
 */
export interface MoveOfModel {
  model: number;
  /**
   * @maxItems 64
   */
  path: [number, number, number, number][];
}
/**
 * Every attack of a unit.
 */
export interface DeclareAnswer {
  kind: "declare";
  /**
   * @maxItems 2000
   */
  attacks: AttackUse[];
}
/**
 * One use of one weapon by one model at one unit.
 */
export interface AttackUse {
  model: number;
  weapon: number;
  profile: number;
  target: string;
  count?: number | null;
}
/**
 * Where a model could end by straight ways: an outline around ``start``, of the middle of its base.
 */
export interface ReachOfModel {
  model: number;
  /**
   * @minItems 4
   * @maxItems 4
   */
  start: [number, number, number, number];
  most: number;
  outline: [number, number][];
}
/**
 * What a unit sees of another, in the edition's own words, and its rule.
 */
export interface SightOfUnit {
  visible: boolean;
  words: string;
  rule: string;
  cover: boolean | null;
  lines: SightLine[];
}
/**
 * A line between two models' bases and whether it is free; ``blocked_by`` names what it meets first.
 */
export interface SightLine {
  model: number;
  target: number;
  free: boolean;
  /**
   * @minItems 2
   * @maxItems 2
   */
  start: [number, number];
  /**
   * @minItems 2
   * @maxItems 2
   */
  end: [number, number];
  blocked_by: string;
}
/**
 * What the attacks at one unit do to it; distributions by number.
 *
 * ``arrival`` is given of a charge: the rest holds once it has arrived. Against armour that is penetrated ``hits`` are
 * the expected glancing and penetrating ones, and ``results`` tell how likely each result is suffered at least once;
 * ``lost`` says what damage takes away.
 */
export interface OddsOfTarget {
  target: string;
  damage: {
    [k: string]: number;
  };
  slain: {
    [k: string]: number;
  };
  mean_damage: number;
  mean_slain: number;
  p_destroyed: number;
  stages: {
    [k: string]: unknown;
  }[];
  rules: string[];
  arrival: ArrivalTold | null;
  hits: {
    [k: string]: number;
  };
  results: {
    [k: string]: number;
  };
  lost: "wounds" | "hull points";
}
/**
 * Whether a charge gets to its target before it strikes; ``chance`` is None where it may not be known before.
 */
export interface ArrivalTold {
  chance: number | null;
  words: string;
}
/**
 * One side's army.
 */
export interface ArmyCard {
  name: string;
  side_name: string;
  faction: string;
  detachments: string[];
  points: number;
}
/**
 * An army list: its text, or its file as base64 (a packed roster), or the name of a bundled army.
 */
export interface ArmyForm {
  edition?: string | null;
  name?: string;
  text?: string | null;
  base64?: string | null;
  bundled?: string | null;
}
/**
 * How a list was read: its id for setting up a battle, and the report of ``army show --json``.
 */
export interface ArmyRead {
  id: string;
  report: {
    [k: string]: unknown;
  };
}
/**
 * An army of a battle: one read before (``id``) or a bundled one; ``as_is`` plays what does not add up.
 */
export interface ArmyRef {
  id?: string | null;
  bundled?: string | null;
  as_is?: boolean;
}
/**
 * A question from the seat; answered by ``answered``.
 */
export interface Ask {
  type: "ask";
  ref: string;
  question: AskDefault | AskAdvice | AskSample | AskTowards | AskReach | AskSight | AskRange | AskOdds;
}
/**
 * What the game would go on with: a legal answer to the present decision.
 */
export interface AskDefault {
  kind: "default";
}
/**
 * What a computer player would answer in this seat's place; what the game would go on with where none can tell.
 */
export interface AskAdvice {
  kind: "advice";
}
/**
 * Some legal answer to the present decision, drawn with this seed; for bots.
 */
export interface AskSample {
  kind: "sample";
  seed?: number;
}
/**
 * A legal placement of the unit that is moved or set up, as near to a point as one search finds.
 */
export interface AskTowards {
  kind: "towards";
  /**
   * @minItems 2
   * @maxItems 2
   */
  point: [number, number];
}
/**
 * Where models of the moving unit could end, each by itself; all of them when ``models`` is left out.
 */
export interface AskReach {
  kind: "reach";
  models?: number[] | null;
}
/**
 * What a unit sees of another and what is in the way.
 */
export interface AskSight {
  kind: "sight";
  unit: string;
  target: string;
}
/**
 * How far one unit is from another, base to base; refused while the edition forbids measuring.
 */
export interface AskRange {
  kind: "range";
  unit: string;
  target: string;
}
/**
 * What attacks would do, exactly: a declaration (``answer``, as it would be given), or a unit against another.
 *
 * ``weapons`` names those that the unit uses; it uses what does most where none are named. ``option`` is the key of an
 * option of the present decision that stands for weapons: they are used as it says. ``melee`` may be null: as the
 * attacks of this part of the turn are.
 */
export interface AskOdds {
  kind: "odds";
  answer?: DeclareAnswer | null;
  unit?: string | null;
  target?: string | null;
  melee?: boolean | null;
  weapons?: string[] | null;
  option?: string | null;
}
/**
 * Send the events from number ``since`` on.
 */
export interface AskEvents {
  type: "events";
  since?: number;
}
/**
 * A model's base: its text form, and its extents in millimetres; a hull has its corners about its centre.
 */
export interface BaseShape {
  text: string;
  kind: "round" | "oval" | "hull";
  length: number;
  width: number;
  outline: [number, number][];
  flying: boolean;
}
/**
 * A battle to set up. Without a seed the dice are drawn by the server and committed to.
 */
export interface BattleForm {
  edition: string;
  mission?: string | null;
  layout?: string | null;
  options?: {
    [k: string]: string;
  };
  /**
   * @minItems 2
   * @maxItems 2
   */
  armies: [ArmyRef, ArmyRef];
  /**
   * @minItems 2
   * @maxItems 2
   */
  seats?: ["person" | "computer" | "open", "person" | "computer" | "open"];
  hot_seat?: boolean;
  /**
   * @minItems 2
   * @maxItems 2
   */
  players?: [string | null, string | null];
  seed?: string | null;
  title?: string;
}
/**
 * A battle and its links: paths of the page, each with a token that nobody can guess; None where there is none.
 */
export interface BattleMade {
  battle: string;
  links: {
    [k: string]: string;
  };
  tokens: {
    [k: string]: string;
  };
}
/**
 * An army that comes with the program.
 */
export interface BundledArmy {
  name: string;
  title: string;
  faction: string;
  points: number;
  units: number;
  models: number;
}
/**
 * A card that a side has, as far as this seat may know, and the rule it is.
 */
export interface CardShown {
  side: 0 | 1;
  name: string;
  rule: string;
}
/**
 * A chapter of the rulebook, and how many of its entries the code enforces.
 */
export interface ChapterInfo {
  id: string;
  title: string;
  where: string;
  edition: string;
  book: string;
  entries: number;
  covered: number;
}
/**
 * Whether an answer to the present decision would be accepted; nothing happens.
 */
export interface Check {
  type: "check";
  ref: string;
  answer: PickAnswer | PlaceAnswer | DeclareAnswer;
}
/**
 * What ``check`` found: no violations where the answer would be accepted, and what it would risk then.
 */
export interface Checked {
  type: "checked";
  ref: string;
  violations: Fault[];
  warnings: Fault[];
}
/**
 * A rule that an answer breaks: its id and one sentence with the numbers.
 */
export interface Fault {
  rule: string;
  text: string;
}
/**
 * The first message. ``since`` events are known from the era ``era`` (of an earlier welcome).
 */
export interface Hello {
  type: "hello";
  protocol?: number;
  since?: number;
  era?: number;
}
/**
 * The answer to the decision of that id; it is acknowledged by ``accepted`` once it has been stored.
 */
export interface GiveAnswer {
  type: "answer";
  decision: string;
  answer: PickAnswer | PlaceAnswer | DeclareAnswer;
}
/**
 * Take back this side's last answer: at once where that is fair, else the opponent is asked.
 */
export interface Undo {
  type: "undo";
}
/**
 * The opponent's word on an undo that was asked for.
 */
export interface UndoReply {
  type: "undo-reply";
  agree: boolean;
}
/**
 * Show the table as it stood when ``to`` events had happened; nothing is taken back.
 */
export interface Rewind {
  type: "rewind";
  to: number;
}
/**
 * Answered by ``pong``.
 */
export interface Ping {
  type: "ping";
}
/**
 * SHA-256 of the decimal digits of the seed of the dice; ``given`` where whoever set the battle up chose it.
 */
export interface Commitment {
  algorithm: "sha256-of-decimal-seed";
  digest: string;
  given: boolean;
}
/**
 * Something that is counted beside victory points, and each side's number.
 */
export interface Counter {
  name: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  values: [number, number];
}
/**
 * How one edition decides something, the rules it cites for it, and the place in the code.
 */
export interface DecidedTold {
  does: string;
  rules: string[];
  code: string;
}
/**
 * Somebody has to choose.
 *
 * ``yours`` tells whether this seat has to; only then are ``decision`` (the id to answer with), ``kind``, ``rule``,
 * ``subject`` (a unit's id) and ``choices`` given. ``prompt`` is empty where the choice is not public. ``target`` is
 * the unit that the subject's attacks are made at, where that has been settled. A ``formality`` can be answered in
 * one way alone, as everybody can see: a client may give that answer by itself.
 *
 * ``choices`` is one of ``{"options": [{key, label}]}`` (an option may have ``point`` and ``weapons``; ``marker`` is
 * the diameter of a round marker that lies at the point), ``{"place": kind, "unit", "models": [...], ...}``,
 * ``{"space": "declare", "unit", "uses": [...], ...}``, or what an edition describes beside these.
 */
export interface Decision {
  type: "decision";
  side: 0 | 1;
  yours: boolean;
  prompt: string;
  decision: string;
  kind: string;
  rule: string;
  subject: string | null;
  target: string | null;
  choices: {
    [k: string]: unknown;
  };
  formality: boolean;
}
/**
 * What two editions decide otherwise; ``first`` or ``second`` is None where there is nothing of the kind.
 *
 * ``about`` is given where what the two do cannot be understood without it.
 */
export interface DifferenceTold {
  entry: string;
  about: string;
  first: DecidedTold | null;
  second: DecidedTold | null;
}
/**
 * Everything that one edition decides otherwise than another, by chapter of the game.
 */
export interface DifferencesTold {
  first: string;
  second: string;
  chapters: {
    [k: string]: DifferenceTold[];
  };
}
/**
 * Everything that the lobby needs to know of an edition.
 *
 * ``player`` is its best computer player; ``datasheets`` tells whether a unit can be named without an army.
 */
export interface EditionInfo {
  id: string;
  title: string;
  missions: MissionInfo[];
  options: SwitchInfo[];
  armies: BundledArmy[];
  player: string;
  mission_words: MissionWord[];
  datasheets: boolean;
}
/**
 * A mission and the layouts it is played on, the default first.
 */
export interface MissionInfo {
  name: string;
  title: string;
  layouts: LayoutInfo[];
}
/**
 * A layout: its name, and how to show it.
 */
export interface LayoutInfo {
  name: string;
  title: string;
}
/**
 * An option of the rulebook: its values (the default first), what it decides, the id of its rule.
 *
 * ``name`` is None for an option that no switch of the program stands for: players may still agree on it.
 */
export interface SwitchInfo {
  name: string | null;
  values: unknown[];
  default: unknown;
  text: string;
  id: string;
  note: string;
}
/**
 * What may be asked for in place of a mission's name, and what it means; the table follows from it.
 */
export interface MissionWord {
  name: string;
  text: string;
}
/**
 * An edition of the rulebook: how to call it, and whether its decisions can be put beside another's.
 */
export interface EditionNamed {
  id: string;
  ordinal: string;
  title: string;
  compares: boolean;
}
/**
 * The battle is over; the seed is revealed.
 */
export interface Ended {
  type: "ended";
  result: Outcome;
  proof: Proof;
}
/**
 * How the battle ended; ``winner`` is None for a draw.
 */
export interface Outcome {
  winner: (0 | 1) | null;
  /**
   * @minItems 2
   * @maxItems 2
   */
  score: [number, number];
  rounds: number;
}
/**
 * The seed of the dice, to hold against the commitment (decimal digits, as text: it has up to 256 bits).
 */
export interface Proof {
  seed: string;
  digest: string;
}
/**
 * The event of number ``n`` (counted from 0, as this seat sees them) and how it is told.
 */
export interface EventItem {
  n: number;
  event: {
    [k: string]: unknown;
  };
  lines: LogLine[];
}
/**
 * One line of the log, shown at its level and the more talkative ones (brief, rolls, full).
 */
export interface LogLine {
  text: string;
  level: "brief" | "rolls" | "full";
  side: (0 | 1) | null;
  heading: boolean;
  rules: string[];
}
/**
 * What has happened. Replaces everything that the client holds from number ``since`` on (after an undo, less).
 */
export interface Events {
  type: "events";
  since: number;
  era: number;
  items: EventItem[];
}
/**
 * A stage of an attack: expected numbers, what its dice mean, its rules.
 */
export interface ExplainedStage {
  volley: string;
  name: string;
  rolled: number;
  passed: number;
  critical: number;
  says: string[];
  rules: string[];
}
/**
 * Something could not be done; the connection stays open unless it is closed right after.
 */
export interface FaultTold {
  type: "fault";
  code: "bad-message" | "hello-first" | "protocol" | "too-fast" | "too-large" | "not-yours" | "busy" | "internal";
  text: string;
}
/**
 * A line of the log: ``t`` text, ``l`` level, ``s`` whose doing, ``h`` whether a heading, ``r`` rules.
 */
export interface FilmLine {
  t: string;
  l: "brief" | "rolls" | "full";
  s: (0 | 1) | null;
  h: boolean;
  r: string[];
}
/**
 * The battle after an answer; the first is the battle before any.
 *
 * ``set`` holds, for each model that moved, lost wounds, came or went: row, x, y, z, facing (thousandths),
 * wounds, and 1 if it stands on the table. ``lines`` are those of the log since the frame before.
 */
export interface FrameOfFilm {
  n: number;
  side: (0 | 1) | null;
  choice: string;
  round: number;
  turn: 0 | 1;
  phase: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  vp: [number, number];
  set: number[][];
  lines: FilmLine[];
  ways: unknown[];
  shots: [string, string][];
  held: {
    [k: string]: (0 | 1) | null;
  };
}
/**
 * That the server is there, and how much it holds.
 */
export interface Health {
  status: "ok";
  version: string;
  battles: number;
  connections: number;
}
/**
 * The link of the seat that was taken.
 */
export interface JoinMade {
  battle: string;
  side: 0 | 1;
  link: string;
  token: string;
}
/**
 * A setting of a question of odds: what it means, and what may stand for it.
 */
export interface KeyInfo {
  key: string;
  text: string;
  kind: "modifier" | "number" | "choice" | "text" | "flag";
  values: string[];
}
/**
 * One model. ``row`` is its number in every message; ``height`` is in inches.
 */
export interface ModelCard {
  row: number;
  unit: string;
  name: string;
  base: BaseShape;
  height: number;
  characteristics: {
    [k: string]: string;
  };
  keywords: string[];
  weapons: WeaponCard[];
  abilities: string[];
  character: boolean;
}
/**
 * One copy of a weapon; its place in the list is the number that a declaration names.
 */
export interface WeaponCard {
  name: string;
  profiles: ProfileCard[];
}
/**
 * One way to use a weapon, as printed.
 */
export interface ProfileCard {
  name: string;
  melee: boolean;
  characteristics: {
    [k: string]: string;
  };
  abilities: string[];
}
/**
 * A question of odds, with the names of ``battlewright odds``.
 *
 * ``army`` and ``against_army`` name a list that was read before, or a bundled army, in which the unit stands.
 */
export interface OddsForm {
  edition?: string;
  attack?: string | null;
  unit?: string | null;
  army?: string | null;
  weapon?: string | null;
  target?: string | null;
  against?: string | null;
  against_army?: string | null;
  models?: number | null;
  target_models?: number | null;
  settings?: {
    [k: string]: boolean | number | string;
  };
  sample?: number | null;
  seed?: number;
}
/**
 * The answer, as ``battlewright odds explain --json`` prints it, with the quartiles of both distributions.
 */
export interface OddsTold {
  edition: string;
  attack: string;
  target: string;
  settings: string;
  damage: {
    [k: string]: number;
  };
  slain: {
    [k: string]: number;
  };
  mean_damage: number;
  mean_slain: number;
  p_destroyed: number;
  effects: {
    [k: string]: {
      [k: string]: number;
    };
  };
  choices: {
    [k: string]: string;
  };
  trials: number;
  errors: {
    [k: string]: number;
  };
  quartiles: {
    [k: string]: number[];
  };
  explained: ExplainedStage[];
  rules: string[];
  told_rules: RuleLine[];
  [k: string]: unknown;
}
/**
 * A rule in one line: its id, what it says, the chapter it stands in.
 */
export interface RuleLine {
  id: string;
  rule: string;
  chapter: string;
}
/**
 * A battle that waits for somebody.
 */
export interface OpenBattle {
  battle: string;
  title: string;
  edition: string;
  mission: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  armies: [string, string];
  /**
   * @minItems 2
   * @maxItems 2
   */
  points: [number, number];
  open: (0 | 1)[];
  since: number;
}
/**
 * The answer to ``ping``.
 */
export interface Pong {
  type: "pong";
}
/**
 * Who is here now, and how many look on.
 */
export interface Presence {
  type: "presence";
  seats: SeatState[];
  watching: number;
}
/**
 * Who sits at a side, and whether somebody is connected there.
 */
export interface SeatState {
  side: 0 | 1;
  kind: "person" | "computer" | "open";
  here: boolean;
}
/**
 * Why something was not done, in one sentence, and the closest known name where one is close.
 */
export interface Refusal {
  error: string;
  nearest: string | null;
}
/**
 * An answer that the rules refuse, with every reason; or one that came late (``late``).
 */
export interface Refused {
  type: "refused";
  decision: string;
  late: boolean;
  violations: Fault[];
}
/**
 * A saved battle: the whole text of its file.
 */
export interface ReplayForm {
  text: string;
}
/**
 * A saved battle played again, with every checksum compared.
 */
export interface ReplayTold {
  scene: Scene;
  moments: FrameOfFilm[];
  rules: {
    [k: string]: {
      [k: string]: string;
    };
  };
  result: {
    [k: string]: unknown;
  } | null;
  seed: string;
  answers: number;
  checksum: string;
  [k: string]: unknown;
}
/**
 * What never changes during a battle.
 *
 * ``battlefield`` is its JSON form in inches (see docs/protocol.md): width, height, areas with features, zones,
 * objectives. ``units`` stand in the order of the view's ``units``, ``models`` in the order of its arrays. ``phases``
 * are those of a turn; both they and ``may_measure`` are told of battles that go on. ``engagement`` is how many inches
 * apart bases of enemies may be to be engaged, where contact is not needed.
 */
export interface Scene {
  edition: string;
  edition_title: string;
  mission: string;
  mission_title: string;
  battlefield: {
    [k: string]: unknown;
  };
  /**
   * @minItems 2
   * @maxItems 2
   */
  armies: [ArmyCard, ArmyCard];
  units: UnitCard[];
  models: ModelCard[];
  options: Switch[];
  may_measure: boolean;
  phases: string[];
  engagement: number | null;
}
/**
 * One unit as its list has it: which of its rules the table enforces, and which have no effect.
 */
export interface UnitCard {
  id: string;
  index: number;
  side: 0 | 1;
  name: string;
  models: number[];
  points: number;
  enforced: string[];
  not_enforced: string[];
  part_of: string | null;
}
/**
 * An option of the edition with the value that this battle is played by.
 */
export interface Switch {
  name: string;
  value: string;
  default: string;
  text: string;
  rule: string;
}
/**
 * The table as it stood when ``to`` events had happened.
 */
export interface Rewound {
  type: "rewound";
  to: number;
  view: View;
}
/**
 * What changes, as far as this seat may see it; further fields are the edition's own.
 *
 * ``position`` holds a row per model: x, y, z in thousandths of an inch, facing in thousandths of a degree.
 */
export interface View {
  position: [number, number, number, number][];
  wounds: number[];
  on_table: boolean[];
  units: UnitView[];
  round: number;
  turn: 0 | 1;
  phase: string;
  step: number;
  /**
   * @minItems 2
   * @maxItems 2
   */
  vp: [number, number];
  [k: string]: unknown;
}
/**
 * What changes about a unit; further fields are the edition's own.
 */
export interface UnitView {
  side: 0 | 1;
  models: number[];
  [k: string]: unknown;
}
/**
 * An entry of the rulebook as ``battlewright rules --json`` prints it; fields without a text are left out.
 */
export interface RuleTold {
  id: string;
  edition: string;
  book: string;
  chapter: string;
  kind: string;
  rule: string;
  covered: boolean;
  code: string[];
  terms: {
    [k: string]: string[];
  };
  [k: string]: unknown;
}
/**
 * What a search found, by edition.
 */
export interface RulesFound {
  query: string;
  editions: {
    [k: string]: RulesOfEdition;
  };
}
/**
 * What a search found in one edition: how many entries, and the best of them.
 */
export interface RulesOfEdition {
  count: number;
  entries: RuleTold[];
}
/**
 * The answer to ``hello``; the scene, and how many undos there have been (``era``).
 */
export interface Welcome {
  type: "welcome";
  protocol: number;
  battle: string;
  you: "a" | "b" | "both" | "watch";
  sides: (0 | 1)[];
  seats: SeatState[];
  edition: string;
  scene: Scene;
  commitment: Commitment;
  era: number;
  events: number;
}
/**
 * The table as it stands now. ``number`` rises by one with each that this seat is sent.
 */
export interface StateNow {
  type: "state";
  number: number;
  view: View;
  standing: Standing;
}
/**
 * What players keep beside the table: whose each deployment zone is (by its name), counters, cards.
 */
export interface Standing {
  zones: {
    [k: string]: 0 | 1;
  };
  counters: Counter[];
  cards: CardShown[];
}
/**
 * A side asks for its last answer to be taken back; ``yours`` to whoever has to agree.
 */
export interface UndoAsked {
  type: "undo-asked";
  side: 0 | 1;
  yours: boolean;
}
/**
 * How an undo ended; ``done`` is followed by events, state and decision.
 */
export interface UndoDone {
  type: "undo-done";
  done: boolean;
  why: string;
}
/**
 * What players keep beside the table: whose each deployment zone is (by its name), counters, cards.
 */
export interface Standing1 {
  zones: {
    [k: string]: 0 | 1;
  };
  counters: Counter[];
  cards: CardShown[];
}
