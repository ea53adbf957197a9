import type { IContent } from 'densify';
import type { ReplayReport, replayHtml } from 'densify/replay';
import type { Facts } from '../engine/api.js';
import type { FullReplay } from '../engine/edit-log.js';
import type { Settings } from '../lib/settings.js';

/** A log's report, with the log's name. */
export type NamedReplay = NonNullable<Parameters<typeof replayHtml>[1]>[number];

/** A piece of what was cut, as it can be shown. */
export interface KeptPiece {
  readonly reference: string;
  readonly text: string;
  /** Why it was cut, and from which tool's result. */
  readonly cause: string;
  readonly tool: string;
  readonly offset: number;
  readonly length: number;
  /** Where the next piece begins, if there is one. */
  readonly next?: number;
}

/** The functions of the worker that runs densify's conversations: it starts when it is first asked for. */
export interface ConversedApi {
  load(id: number, contents: readonly IContent[]): void;
  /** Replays; a text that is forgotten is never kept again. */
  run(facts: Facts, settings: Settings, isShown: boolean): Promise<FullReplay>;
  search(id: number, words: string): readonly KeptPiece[];
  recall(id: number, reference: string, offset: number): KeptPiece | undefined;
  forget(id: number, reference: string): boolean;
  referenceOf(id: number, text: string): string | undefined;
  /** What densify/replay says of a log under every policy. */
  report(id: number, options: ReportOptions): ReplayReport;
  reports(named: readonly NamedReplay[]): Reports;
  unload(id: number): void;
}

/** The reports of logs as one, and as a page that needs nothing else. */
export interface Reports {
  readonly total: ReplayReport;
  readonly html: string;
}

/** What logs are replayed with. */
export interface ReportOptions {
  readonly contextLimit: number;
  readonly prices: { readonly cached: number; readonly uncached: number };
  readonly workspaceRoot?: string;
}
