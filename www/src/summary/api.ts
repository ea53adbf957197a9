import type { Finding, IContent, SummaryOptions, Todo } from 'densify';

/** The strategies that need a model. */
export const SUMMARY_STRATEGIES = ['middle-out', 'one-shot', 'structured'] as const;

/** What is tuned in the workbench; names are those of the package's options. */
export interface BenchOptions extends Pick<SummaryOptions, 'mode' | 'instructions' | 'language' | 'window' | 'prompt'> {
  readonly strategy: (typeof SUMMARY_STRATEGIES)[number];
  readonly pins: readonly string[];
  readonly todos: readonly Todo[];
  readonly workspaceRoot: string;
}

/** A message, for reading; long ones end early. */
export interface Shown {
  readonly speaker: IContent['speaker'];
  readonly text: string;
  readonly tokens: number;
  readonly clipped: number;
  /** Whether it is the summary. */
  readonly isSummary: boolean;
}

/** The request that would be sent now. */
export type Planned =
  | { readonly kind: 'noop'; readonly reason: string }
  | {
      readonly kind: 'request';
      readonly mode: string;
      readonly messages: readonly Shown[];
      readonly tokens: number;
      readonly part: number;
      readonly parts: number;
      readonly attempt: number;
      readonly needsTools: boolean;
    };

/** What came of a reply. */
export interface Outcome {
  readonly kind: 'applied' | 'continue' | 'failed' | 'conflict';
  readonly findings: readonly Finding[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The new history, where the reply was applied. */
  readonly messages: readonly Shown[];
  /** What to send next, where it wasn't, or where parts are left. */
  readonly next?: Planned;
}

/** The second worker's functions. They need densify's second wasm file, which is loaded on first use. */
export interface SummaryApi {
  redact(texts: readonly string[]): readonly string[];
  /** Takes the history that the next calls are about. */
  load(contents: readonly IContent[]): void;
  plan(options: BenchOptions): Planned;
  /** The messages of the present request, whole. */
  request(): readonly IContent[];
  apply(reply: string): Outcome;
  /** A reply that passes every check, for trying things out without a model. */
  standIn(): string;
  builtInPrompt(options: Pick<BenchOptions, 'strategy'>): string;
}
