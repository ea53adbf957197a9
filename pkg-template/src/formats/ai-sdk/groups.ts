/** What providers demand of the parts of one answer: which stay or go together. */
import { type Bag, isBlank } from '../../messages/facts.js';
import type { Part } from '../parts.js';

/** Parts of one answer that stay or go together. */
export interface Group {
  /** The index of its first part. */
  readonly first: number;
  /** Whether the model says something to the user in it. */
  hasWords: boolean;
  /** The name of its atom, where other messages belong to it too. */
  name?: string;
}

/** Parts that a provider wants back unchanged: beside a part, by the provider's name. */
function secret(part: Part, key: string, name: string): string | undefined {
  const secrets = part?.[key];
  if (typeof secrets !== 'object' || secrets === null) return undefined;
  for (const provider in secrets) {
    const found = (secrets as Readonly<Record<string, Part>>)[provider]?.[name];
    if (typeof found === 'string') return found;
  }
  return undefined;
}

/** Where the metadata of a part stand: beside calls of user interfaces, elsewhere. */
type KeyOf = (part: Part) => string;

/** Whether reasoning is an item of its own, which the provider wants with what follows it or not at all. */
export function isItem(part: Part, key: string): boolean {
  return secret(part, key, 'itemId') !== undefined || secret(part, key, 'reasoningEncryptedContent') !== undefined;
}

/** What stands for a thought: its text, or the cipher of a hidden one. */
export function thoughtOf(part: Bag, key: string): unknown {
  if (part.text !== '') return part.text;
  return secret(part, key, 'redactedData') ?? secret(part, key, 'reasoningEncryptedContent') ?? '';
}

/** Whether a part is the provider's own summary: everything before it is in it. */
export function isCompaction(part: Part, key: string): boolean {
  const { kind } = part ?? {};
  if (typeof kind === 'string' && kind.endsWith('.compaction')) return true;
  return secret(part, key, 'type') === 'compaction';
}

/** The group of each part of an answer, by index; `undefined` where no provider demands any. */
export function groupsOf(
  parts: readonly Part[],
  keyOf: KeyOf,
  isCall: (part: Part) => boolean,
): readonly (Group | undefined)[] | undefined {
  if (!demandGroups(parts, keyOf, isCall)) return undefined;
  const groups = itemGroups(parts, keyOf);
  joinSigned(parts, groups, keyOf, isCall);
  joinApproved(parts, groups);
  return groups;
}

/** Whether there is anything for which a provider wants parts together: most metadata are none of that. */
function demandGroups(parts: readonly Part[], keyOf: KeyOf, isCall: (part: Part) => boolean): boolean {
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part?.type === 'tool-approval-request') return true;
    const key = keyOf(part);
    if ((part?.[key] ?? undefined) === undefined) continue;
    if (part?.type === 'reasoning' && isItem(part, key)) return true;
    if (secret(part, key, 'thoughtSignature') !== undefined && isCall(part)) return true;
  }
  return false;
}

/** Reasoning items with all that follows them, up to the next. */
function itemGroups(parts: readonly Part[], keyOf: KeyOf): (Group | undefined)[] {
  let current: Group | undefined;
  let wasItem = false;
  return parts.map((part, first) => {
    const isReasoning = part?.type === 'reasoning' && isItem(part, keyOf(part));
    if (isReasoning && !wasItem) current = { first, hasWords: false };
    wasItem = isReasoning;
    if (current !== undefined && part?.type === 'text') {
      current.hasWords ||= typeof part.text !== 'string' || !isBlank(part.text);
    }
    return current;
  });
}

/** Of parallel calls one carries the signature of all. */
function joinSigned(
  parts: readonly Part[],
  groups: (Group | undefined)[],
  keyOf: KeyOf,
  isCall: (part: Part) => boolean,
): void {
  const calls = parts.flatMap((part, at) => (isCall(part) ? [at] : []));
  const [first] = calls;
  if (first === undefined || calls.length === 1) return;
  if (!calls.some((at) => secret(parts[at], keyOf(parts[at]), 'thoughtSignature') !== undefined)) return;
  const joined: Group = { first, hasWords: false };
  for (const at of calls) groups[at] ??= joined;
}

/** A call that was to be approved, the request and the response stay together, in any messages. */
function joinApproved(parts: readonly Part[], groups: (Group | undefined)[]): void {
  parts.forEach((part, at) => {
    const { type, approvalId, toolCallId } = part ?? {};
    if (type !== 'tool-approval-request' || typeof approvalId !== 'string') return;
    const call = parts.findIndex((other) => other?.type === 'tool-call' && other.toolCallId === toolCallId);
    const group = groups[call] ?? groups[at] ?? { first: at, hasWords: false };
    group.name ??= approvalAtom(approvalId);
    groups[at] = group.name === approvalAtom(approvalId) ? group : { ...group, name: approvalAtom(approvalId) };
    if (call >= 0) groups[call] ??= group;
  });
}

/** The atom of an approval. */
export function approvalAtom(id: string): string {
  return `approval ${id}`;
}
