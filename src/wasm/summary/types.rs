//! TypeScript types that aren't structs: the shapes in which requests, plans and outcomes cross as JSON.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** The strategies that ask a model for a summary. */
export type SummaryStrategy = 'middle-out' | 'one-shot' | 'structured';

/** What a conversation gives up before it answers `over-limit`. */
export type GiveUp = 'top' | 'first-request' | 'tail' | 'model';

/** An item of an agent's todo list. Further keys are the agent's own. */
export interface Todo {
    readonly content: string;
    /**
     * @default 'pending'
     */
    readonly status?: string | undefined;
    readonly subtasks?: readonly { readonly content: string }[] | undefined;
}

/** What was found in a model's reply: a failure makes it useless, a warning doesn't. */
export interface Finding {
    readonly level: 'failure' | 'warning';
    readonly code: FindingCode;
    /** The same as a sentence. */
    readonly message: string;
    /** The section that it is about. */
    readonly section?: string;
    /** The line or path that it is about. */
    readonly text?: string;
}

/** What can be found in a reply. */
export type FindingCode =
    | 'empty'
    | 'incomplete'
    | 'cut-off'
    | 'not-smaller'
    | 'protocol-junk'
    | 'invented-directive'
    | 'missing-section'
    | 'unknown-path'
    | 'unverified-quote'
    | 'missing-pin'
    | 'instruction-left-out';

/** A piece of a text: one of ours, a leaf of the messages or a span of one, or (null) the summary so far. */
export type Segment = string | number | [number, number, number] | [number, number, number, number, number] | null;

/** A message as the core plans it. */
export interface PlannedMessage {
    speaker: 'human' | 'ai';
    segments: Segment[];
}

/** What a reply is judged by; plain JSON whose members are the core's own business. */
export interface SummaryPlan {
    readonly version: 1;
    readonly strategy: SummaryStrategy;
    readonly mode: 'transcript' | 'append';
    /** The first message that is summarised, and the one behind the last. */
    readonly start: number;
    readonly end: number;
    readonly part: number;
    readonly parts: number;
    readonly attempt: number;
    readonly [key: string]: unknown;
}

export type PlannedSummary =
    | { kind: 'noop'; reason: NoopReason }
    | {
          kind: 'request';
          messages: PlannedMessage[];
          remaining: PlannedMessage[][];
          needsTools: boolean;
          todosLeftOut: number;
          plan: SummaryPlan;
      };

export interface ScreenedSummary {
    planned: PlannedSummary;
    /** Which of the first part's messages hold nothing to redact. */
    clean: boolean[];
}

export type SummaryOutcome =
    | {
          kind: 'applied';
          top: number;
          /** `withoutRequest`: the text for a history that no longer holds the newest request, where `text` quotes it. */
          insert: { speaker: 'human' | 'ai'; text: string; withoutRequest?: string }[];
          moved: number[];
          tail: number;
          findings: Finding[];
          metadata: SummaryMetadata;
          state: CompactionState;
      }
    | { kind: 'continue'; previous: string; plan: SummaryPlan; findings: Finding[] }
    | { kind: 'failed'; findings: Finding[]; repair: PlannedMessage[]; again: boolean; plan: SummaryPlan }
    | { kind: 'conflict'; index: number; reason: 'changed' | 'missing' };

export interface VerifiedSummary {
    ok: boolean;
    findings: Finding[];
    repair: PlannedMessage[];
    again: boolean;
}
";
