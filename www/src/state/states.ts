import type { Facts, Replay } from '../engine/api.js';
import { RULES } from '../lib/kinds.js';

export const KEPT = 0;
export const CHANGED = 1;
export const GONE = 2;

/** What has become of each block. */
export interface BlockStates {
  /** The owner of the blocks, the replay, and the number of its edits that were made. */
  readonly facts: Facts;
  readonly replay: Replay;
  readonly edits: number;
  /** The call of the model. */
  readonly call: number;
  /** How many blocks there are at this call. */
  readonly count: number;
  /** Tokens that are left of each. */
  readonly left: Uint32Array;
  readonly state: Uint8Array;
  /** The last edit of each block, or −1. */
  readonly edit: Int32Array;
  readonly before: number;
  readonly after: number;
}

/** The state of every block at a call of the model, after so many edits. Linear, and nothing but additions. */
export function statesAt(facts: Facts, replay: Replay, call: number, edits: number): BlockStates {
  const entries = facts.calls[call] ?? facts.entries;
  const count = facts.blockStart[entries] ?? facts.tokens.length;
  const left = facts.tokens.slice(0, count);
  const state = new Uint8Array(count);
  const edit = new Int32Array(count).fill(-1);
  let before = 0;
  for (let block = 0; block < count; block += 1) before += facts.tokens[block] ?? 0;
  let after = before;
  for (let index = 0; index < edits; index += 1) {
    const block = replay.editBlock[index] ?? 0;
    const tokens = replay.editAfter[index] ?? 0;
    after += tokens - (left[block] ?? 0);
    left[block] = tokens;
    state[block] = tokens === 0 ? GONE : CHANGED;
    edit[block] = index;
  }
  return { facts, replay, edits, call, count, left, state, edit, before, after };
}

/** Edits and saved tokens of each rule, among the first so many edits. */
export function byRule(replay: Replay, edits: number): { count: number; saved: number }[] {
  const found = RULES.map(() => ({ count: 0, saved: 0 }));
  for (let index = 0; index < edits; index += 1) {
    const rule = found[replay.editRule[index] ?? 0];
    if (!rule) continue;
    rule.count += 1;
    rule.saved += (replay.editBefore[index] ?? 0) - (replay.editAfter[index] ?? 0);
  }
  return found;
}
