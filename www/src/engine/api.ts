import type { IContent } from 'densify';
import type { ReplayReport } from 'densify/replay';
import type { KeptPiece, NamedReplay, ReportOptions, Reports } from '../conversed/api.js';
import type { Settings } from '../lib/settings.js';
import type { ExportForm, Verdict } from './exporting.js';
import type { NamesAtHand } from './names.js';

/** A conversation as the page needs it: numbers by block, and a short label for each. */
export interface Facts {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  /** What relative paths are resolved against. */
  readonly workspaceRoot: string;
  readonly entries: number;
  /** The first block of each entry, and behind the last one the number of blocks. */
  readonly blockStart: Uint32Array;
  readonly entryOf: Uint32Array;
  readonly kind: Uint8Array;
  readonly tokens: Uint32Array;
  readonly labels: readonly string[];
  /** How many entries the history has at each call of the model; the last one is all of them. */
  readonly calls: Uint32Array;
  readonly total: number;
}

/** What came of reading a file. */
export type Loaded = { readonly name: string } & (
  | { readonly facts: Facts; readonly notes: readonly string[] }
  | { readonly problem: string }
);

/** A compression that changed something. */
export interface Compression {
  readonly call: number;
  readonly before: number;
  readonly after: number;
  readonly tail: number;
}

/** How a conversation would have grown with densify: numbers by call of the model, and all edits in their order. */
export interface Replay {
  readonly before: Uint32Array;
  readonly after: Uint32Array;
  /** Tokens of each request that begin it just as they began the one before. */
  readonly cached: Uint32Array;
  readonly editCall: Uint32Array;
  readonly editBlock: Uint32Array;
  /** Tokens that the block had, and that it has after the edit. */
  readonly editBefore: Uint32Array;
  readonly editAfter: Uint32Array;
  readonly editRule: Uint8Array;
  readonly editCause: Uint32Array;
  readonly compressions: readonly Compression[];
  /** Tokens at which a compression is due, and those it aims at; 0 where only the rules run. */
  readonly trigger: number;
  readonly target: number;
  /** What was kept of the requests of the user, of how many. */
  readonly requestsKept: number;
  readonly requests: number;
  readonly milliseconds: number;
  /** How many texts are kept, to be had again by their references. */
  readonly kept: number;
}

/** A piece of a text, and what became of it. */
export interface Piece {
  readonly text: string;
  readonly cut: boolean;
}

/** A block, down to its text. */
export interface BlockDetail {
  readonly block: number;
  readonly heading: string;
  readonly before: readonly Piece[];
  /** The new text, if the old one was replaced. */
  readonly after?: string;
  readonly clipped: number;
  /** The reference to the full text, if it was cut and kept. */
  readonly reference?: string;
}

/** The texts of one cut, for a report. */
export interface CutText {
  readonly entry: number;
  readonly kind: number;
  readonly rule: number;
  readonly call: number;
  readonly before: string;
  readonly after?: string;
}

/** What the worker can do. Every function gives a promise on the page's side. */
export interface EngineApi {
  readFiles(files: readonly File[]): Promise<readonly Loaded[]>;
  readText(name: string, text: string): Promise<Loaded>;
  setContents(id: number | undefined, title: string, contents: readonly IContent[]): Facts;
  /** Replays; with facts if their tokens were counted again. */
  replay(id: number, settings: Settings): Promise<{ readonly replay: Replay; readonly facts?: Facts }>;
  /** A replay for comparison, and the share of the next used names that the sent context held. */
  compare(id: number, settings: Settings): Promise<{ readonly replay: Replay; readonly names: NamesAtHand }>;
  detail(id: number, entry: number, edits: number, length: number): Promise<readonly BlockDetail[]>;
  cuts(id: number, most: number): readonly CutText[];
  contents(id: number, settings: Settings | undefined): Promise<readonly IContent[]>;
  /** The messages as JSON, raw or as the settings leave them. */
  exported(id: number, settings: Settings | undefined, form: ExportForm): Promise<string>;
  /** What the receiver of the exported messages would reject. */
  judged(id: number, settings: Settings | undefined, form: ExportForm): Promise<Verdict>;
  forget(id: number): void;
  /** Matches of the words in cut texts, newest first; empty where nothing is kept. */
  searchKept(id: number, words: string): Promise<readonly KeptPiece[]>;
  recalled(id: number, reference: string, offset: number): Promise<KeptPiece | undefined>;
  /** Erases a kept text for good. */
  erase(id: number, reference: string): Promise<boolean>;
  /** A log sent again under every policy, by densify/replay. */
  report(id: number, options: ReportOptions): Promise<ReplayReport>;
  /** Reports as one, and that as a page. */
  reports(named: readonly NamedReplay[]): Promise<Reports>;
}
