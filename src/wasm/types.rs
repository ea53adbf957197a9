//! TypeScript types that aren't structs of the core. A test of the package holds the unions
//! against what the core says at run time.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** Where the core pulls texts from; the facade implements it. */
export interface TextHost {
    chunk(unit: number, block: number, leaf: number, isFirst: boolean): number;
    count(unit: number, block: number, leaf: number): number;
    bound(unit: number, block: number, leaf: number): number;
    boundText(text: string): number;
    countText(text: string): number;
}

/** The strategies' names. */
export type StrategyName =
    | 'middle-out'
    | 'top-down-truncation'
    | 'one-shot'
    | 'high-density'
    | 'structured'
    | 'digest'
    | 'auto';

/** The strategies that need no model. */
export type DeterministicStrategy = 'top-down-truncation' | 'high-density';

/** A number of tokens. */
export interface InTokens {
    tokens: number;
}

/** A part of a history: a fraction of the messages, or so many tokens or messages. */
export type Size = number | InTokens | { fraction: number } | { messages: number };

/** What went wrong, as a stable word that a program can branch on. */
export type ErrorCode =
    | 'invalid-options'
    | 'unknown-strategy'
    | 'strategy-needs-model'
    | 'invalid-density-result'
    | 'invalid-messages'
    | 'token-counter-failed'
    | 'callback-failed'
    | 'invalid-stream'
    | 'disposed'
    | 'stale-result'
    | 'core-failed'
    | 'wasm-unavailable'
    | 'invalid-request'
    | 'open-calls'
    | 'window-too-small'
    | 'invalid-prompt'
    | 'invalid-path'
    | 'invalid-setting'
    | 'invalid-reply'
    | 'invalid-snapshot'
    | 'summary-failed';
";
