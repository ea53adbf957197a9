/**
 * Answers as nearly all are: the content repeats the calls in their order, and no part is bound to another. They are
 * read and edited by indices; what `callsOf` makes of the others takes most of their time.
 */
import type { Bag } from '../../messages/facts.js';
import type { Changes } from '../format.js';
import type { Part } from '../parts.js';
import { hasSignature, idOf, isCallPart, listOf, SIGNATURES, withShorter } from './calls.js';

/** The most calls that are compared each with each. */
const FEW = 16;

/** Whether an answer is such a one. */
export function isPlainAnswer({
  content,
  tool_calls: given,
  invalid_tool_calls: invalid,
  additional_kwargs: further,
  response_metadata: metadata,
}: Bag): boolean {
  const calls = listOf(given);
  const kwargs = further as Part;
  if (listOf(invalid).length > 0 || calls.length > FEW) return false;
  if ((kwargs?.reasoning ?? kwargs?.[SIGNATURES] ?? (metadata as Part)?.output ?? undefined) !== undefined)
    return false;
  return (
    isDistinct(calls) && (typeof content === 'string' || (Array.isArray(content) && repeatsInOrder(content, calls)))
  );
}

function isDistinct(calls: readonly Part[]): boolean {
  for (let at = 1; at < calls.length; at += 1) {
    for (let other = 0; other < at; other += 1) if (calls[at]?.id === calls[other]?.id) return false;
  }
  return true;
}

/** Whether the calls among some parts are just those that are listed, in their order; or there are none. */
function repeatsInOrder(parts: readonly Part[], calls: readonly Part[]): boolean {
  let number = 0;
  for (const part of parts) {
    if (part?.type === 'reasoning') return false;
    if (!isCallPart(part)) continue;
    const id = idOf(part);
    if (typeof id !== 'string' || id !== calls[number]?.id || hasSignature(part)) return false;
    number += 1;
  }
  return number === 0 || number === calls.length;
}

/** The fields of such an answer that change, as `edit` of the format has it. */
export function editPlain({ content, tool_calls: given }: Bag, changes: Changes): Bag | undefined {
  const calls = listOf(given);
  const parts = listOf(content);
  let first = 0;
  if (typeof content === 'string') first = content === '' && calls.length > 0 ? 0 : 1;
  else for (const part of parts) if (!isCallPart(part)) first += 1;
  if (changes.size > 0 && first + calls.length === changes.size && areGone(changes)) return undefined;
  const changed: Record<string, unknown> = {};
  const said = typeof content === 'string' ? parts : withoutGone(parts, changes, first);
  if (said !== parts) changed.content = said.length === 0 ? '' : said;
  const left: Part[] = [];
  let hasChanges = false;
  for (let at = 0; at < calls.length; at += 1) {
    const change = changes.get(first + at);
    if (change !== undefined) hasChanges = true;
    if (change !== null) left.push(change === undefined ? calls[at] : withShorter(calls[at] as Bag, change));
  }
  if (hasChanges) changed.tool_calls = left;
  return changed;
}

function areGone(changes: Changes): boolean {
  for (const change of changes.values()) if (change !== null) return false;
  return true;
}

/** The remaining parts of a content. Its calls are numbered from `first` on. */
function withoutGone(parts: readonly Part[], changes: Changes, first: number): readonly Part[] {
  const left: Part[] = [];
  let hasChanges = false;
  let [number, call] = [0, first];
  for (const part of parts) {
    const isCall = isCallPart(part);
    const change = changes.get(isCall ? call++ : number++);
    const isShorter = isCall && typeof change === 'string';
    if (change === null || isShorter) hasChanges = true;
    if (change !== null) left.push(isShorter ? withShorter(part as Bag, change) : part);
  }
  return hasChanges ? left : parts;
}
