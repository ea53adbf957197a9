//! TypeScript types that no structure has.

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

/** A piece of a text: one of ours, a leaf of the messages or a span of one, or (null) the summary so far. */
export type Segment = string | number | [number, number, number] | [number, number, number, number, number] | null;

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

export type DigestOutcome =
    | ({ kind: 'applied' } & Applied)
    | { kind: 'noop'; reason: NoopReason };

/** The key of a setting, its layer, and its name there; a default has the layer -1 and its value. */
export type SettingPlace = [key: string, layer: number, nameOrDefault: unknown];

/** A shorter text, and the reducers that had a part in it. */
export type ShrunkText = [text: string, reducers: string[]];
";
