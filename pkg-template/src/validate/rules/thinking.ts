import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import type { Context, Entry, Part } from '../context.js';
import { dropping } from '../context.js';
import { lastIndex } from './last.js';

/** Thinking of Anthropic's models: signed, not last, first in an open tool loop, bound to what stood before it. */
export function checkThinking(context: Context): void {
  context.entries.forEach(({ parts, role }, at) => {
    for (const part of parts) {
      const { type, signature } = part.source;
      const missing = signature === undefined || signature === null;
      if (type === 'thinking' && (missing || signature === '')) {
        context.report('thinking-unsigned', part.path, { missing: signature === undefined }, dropping(part));
      }
    }
    const last = parts.at(-1);
    // Messages of one side count as one.
    if (role !== 'assistant' || last?.kind !== 'thinking' || context.entries[at + 1]?.role === 'assistant') return;
    context.report('thinking-last', last.path, {}, dropping(last));
  });
  checkOpenLoop(context);
  if (context.options.original !== undefined) checkBinding(context, context.options.original);
}

/** While results are outstanding or just in, the reply that made the calls must begin with its thinking. */
function checkOpenLoop(context: Context): void {
  const { entries, options } = context;
  const last = entries.at(-1);
  if (last?.role !== 'user' || !last.parts.some(({ kind }) => kind === 'result')) return;
  const reply = entries[lastIndex(entries, ({ role }) => role === 'assistant')];
  const first = reply?.parts[0];
  if (reply === undefined || first === undefined || first.kind === 'thinking') return;
  const thinks = entries.some(({ parts }) => parts.some(({ kind }) => kind === 'thinking'));
  // Without the request only the other replies tell whether thinking is on.
  if (options.thinking === false || (options.thinking === undefined && !thinks)) return;
  const level = options.thinking === undefined ? ({ level: 'warning' } as const) : {};
  if (!context.cares('thinking-missing')) return;
  const type = typeof first.source['type'] === 'string' ? first.source['type'] : 'text';
  context.report('thinking-missing', first.path.length === 1 ? [...first.path, 'content', 0] : first.path, {
    type,
    ...level,
  });
}

/** Compares with the messages in which the thinking was made. */
function checkBinding(context: Context, original: readonly unknown[]): void {
  const were = new Map<string, JsonRecord>();
  for (const block of original.flatMap(thinkingIn)) were.set(keyOf(block), block);
  const changed = firstChange(context.messages, original);
  for (const entry of context.entries) {
    for (const part of entry.parts.filter(isThinking)) {
      const before = were.get(keyOf(part.source));
      if (before === undefined) continue;
      if (before['thinking'] !== part.source['thinking']) {
        context.report('thinking-changed', part.path, {}, dropping(part));
      } else if (isUnbound(entry, changed, original, part)) {
        context.report('thinking-unbound', part.path, {}, dropping(part));
      }
    }
  }
}

function isUnbound(entry: Entry, changed: number, original: readonly unknown[], part: Part): boolean {
  return entry.index > changed || (entry.index === changed && !startsAlike(entry.source, original[changed], part));
}

/** In the message that changed, what stands before the change is still bound: up to the thinking, which must be where it was. */
function startsAlike(now: JsonRecord, before: unknown, part: Part): boolean {
  const then = isRecord(before) ? before['content'] : undefined;
  const content = now['content'];
  const at = part.path[2];
  if (!isList(then) || !isList(content) || typeof at !== 'number') return false;
  return content.slice(0, at + 1).every((block, index) => isSame(block, then[index]));
}

function firstChange(now: readonly unknown[], before: readonly unknown[]): number {
  const at = before.findIndex((message, index) => !isSame(message, now[index]));
  return at === -1 ? before.length : at;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  try {
    return JSON.stringify(one) === JSON.stringify(other);
  } catch {
    return false; // what JSON can't hold was changed, or can't be sent
  }
}

function isThinking({ kind }: Part): boolean {
  return kind === 'thinking';
}

function thinkingIn(message: unknown): JsonRecord[] {
  const content = isRecord(message) ? message['content'] : undefined;
  return (isList(content) ? content : [])
    .filter(isRecord)
    .filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
}

function keyOf({ signature, data }: JsonRecord): string {
  return `${String(signature)} ${String(data)}`;
}
