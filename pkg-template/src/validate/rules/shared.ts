// Rules that every format shares.
import { hasLoneSurrogate } from '../../base/utf16.js';
import { isList, isRecord } from '../../transcripts/json.js';
import type { Context, Edit, Entry } from '../context.js';
import { dropping } from '../context.js';

/** Messages without contents, texts without a word. */
export function checkContents(context: Context): void {
  const { entries, rules } = context;
  if (rules.messages !== undefined && context.messages.length > rules.messages) {
    context.report('too-many-messages', [], { found: context.messages.length, most: rules.messages });
  }
  for (const entry of entries) {
    // Anthropic lets the reply that the model is to go on with be empty.
    const begun = context.format === 'anthropic' && entry === entries.at(-1) && entry.role === 'assistant';
    if (entry.empty && !begun)
      context.report('empty-message', [entry.index], { role: entry.role }, [{ op: 'drop', path: [entry.index] }]);
    for (const part of entry.parts) {
      if (part.kind === 'text' && part.text?.trim() === '') {
        context.report('empty-text', part.path, { found: part.text.length }, dropping(part));
      }
    }
  }
}

/** What stands in front of messages that begin with the model's. */
export const BEGINNING = '(The beginning of the conversation is not shown.)';

/** Who may speak first, who last, and who after whom. */
export function checkRoles(context: Context, opening: ((text: string) => unknown) | undefined): void {
  const entries = context.entries.filter(({ role }) => role !== 'system');
  const first = entries[0];
  const last = entries.at(-1);
  if (first !== undefined && first.role !== 'user') {
    const remedy: Edit[] =
      opening === undefined ? [] : [{ op: 'insert', path: [first.index], value: opening(BEGINNING) }];
    // Who takes a text of the model's first doesn't take its call.
    const grave = context.cares('first-role') && hasCalls(first);
    context.report('first-role', [first.index], { role: first.role, ...(grave ? { level: 'error' } : {}) }, remedy);
  }
  if (last?.role === 'assistant' && !hasCalls(last)) context.report('last-role', [last.index], { role: last.role });
  if (!context.cares('role-order')) return;
  entries.forEach((entry, at) => {
    const before = entries[at - 1];
    if (before === undefined) return;
    const twice = before.role === entry.role && entry.role !== 'tool';
    const interrupted = before.role === 'tool' && entry.role === 'user';
    if (twice || interrupted) context.report('role-order', [entry.index], { role: entry.role, type: before.role });
  });
}

/** At the end, a call without a result is a fault of its own, and the one to repair. */
function hasCalls({ parts }: Entry): boolean {
  return parts.some(({ kind }) => kind === 'call' || kind === 'server-call');
}

/** Looks for what no JSON text can hold, message by message. Values that are met twice are looked at once. */
export function jsonCheck(context: Context, wire: boolean): (message: unknown, at: number) => void {
  const open = new Set<unknown>();
  const done = new Set<unknown>();
  // One path for all, copied where it is reported: messages may be deep.
  const path: (string | number)[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (hasLoneSurrogate(value)) {
        const whole = value.replace(EVERY_LONE, '\uFFFD');
        context.report('lone-surrogate', [...path], {}, [{ op: 'set', path: [...path], value: whole }]);
      }
    } else if (typeof value === 'bigint') {
      if (wire) context.report('not-json', [...path], {}, [{ op: 'set', path: [...path], value: String(value) }]);
    } else if (typeof value === 'object' && value !== null) {
      if (open.has(value) && wire) context.report('not-json', [...path]);
      if (open.has(value) || done.has(value) || ArrayBuffer.isView(value)) return;
      open.add(value);
      for (const key of keysOf(value)) {
        path.push(key);
        visit((value as Record<string | number, unknown>)[key]);
        path.pop();
      }
      open.delete(value);
      done.add(value);
    }
  };
  return (message, at) => {
    // The message before may have thrown.
    open.clear();
    path.splice(0, path.length, at);
    visit(message);
  };
}

function keysOf(value: object): Iterable<string | number> {
  // LangChain's instances hold what they were made of a second time.
  return isList(value) ? value.keys() : Object.keys(value).filter((key) => key !== 'lc_kwargs');
}

/** All lone surrogates of a text. */
const EVERY_LONE = /\p{Surrogate}/gu;

/** What stands for the result of a call that has none; the words that agents use. */
export const NO_RESULT = 'No result provided';

/** The arguments of a call, where they are a JSON text. */
export function argumentsProblem(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return !isRecord(JSON.parse(value) as unknown);
  } catch {
    return true;
  }
}
