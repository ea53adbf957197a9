/** Gemini contents. Calls and results pair by id where there are ids, else by their order. */
import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import type { FindingCode } from '../api.js';
import { type Context, dropping, type Edit, type Entry, type Part, recordAt, textAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { lastIndex } from '../rules/last.js';
import { NO_RESULT, BEGINNING as UNSEEN } from '../rules/shared.js';
import { DATA_KEYS, geminiContent } from '../shapes/gemini.js';
import type { Info, Words } from '../words.js';

/** The documented signature for calls that the model did not make. */
const SKIP_SIGNATURE = 'skip_thought_signature_validator';

const ROOT = 'GenerateContentRequest.contents';

const words: Words = {
  'no-messages': () => 'GenerateContentRequest.contents: contents is not specified',
  'unknown-role': () => 'Please use a valid role: user, model.',
  'empty-message': ([index]) => `${ROOT}[${index ?? 0}].parts: contents.parts must not be empty.`,
  'bad-shape': ([index, , at], { expected }) =>
    expected === ONE_KEY
      ? `${ROOT}[${index ?? 0}].parts[${at ?? 0}].data: required oneof field 'data' must have one initialized field`
      : undefined,
  'result-count': () =>
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  'orphan-call': () =>
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  'orphan-result': () => 'Please ensure that function response turn comes immediately after a function call turn.',
  'misplaced-result': () => 'Please ensure that function response turn comes immediately after a function call turn.',
  'call-position': () =>
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  'signature-missing': (path, { name }) =>
    `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`${name ?? ''}\`, position ${Number(path[0]) + 1}.`,
  'last-role': () => 'Requests ending with a model turn are not supported',
};

const ONE_KEY = 'exactly one kind of data';

function read(content: JsonRecord, index: number): Entry {
  const { role, parts } = content;
  const results = isList(parts) && parts.some((part) => isRecord(part) && part['functionResponse'] !== undefined);
  const speaker = role === 'model' ? 'assistant' : role === 'system' ? 'system' : results ? 'tool' : 'user';
  const list = isList(parts) ? parts : [];
  const read_ = list.flatMap((source, at) => (isRecord(source) ? [partOf(source, [index, 'parts', at])] : []));
  return { index, role: speaker, parts: read_, source: content, empty: list.length === 0 };
}

function partOf(source: JsonRecord, path: readonly (string | number)[]): Part {
  const call = recordAt(source, 'functionCall');
  const response = recordAt(source, 'functionResponse');
  const about = call ?? response;
  if (about !== undefined) {
    const kind = call === undefined ? 'result' : 'call';
    return { kind, path, source, id: textAt(about, 'id'), name: textAt(about, 'name') };
  }
  const { text, thoughtSignature: signature } = source;
  if (typeof text !== 'string') return { kind: 'other', path, source };
  if (source['thought'] === true) return { kind: 'thinking', path, source };
  // A text without a word may carry the turn's signature.
  return { kind: signature === undefined ? 'text' : 'other', path, source, text };
}

function check(context: Context): void {
  for (const { parts } of context.entries) for (const part of parts) checkPart(part, context);
  const alone: Alone = { calls: [], results: [] };
  context.entries.forEach((entry, at) => {
    checkTurn(entry, at, alone, context);
  });
  reunite(alone, context);
  checkSignatures(context);
}

function checkPart(part: Part, context: Context): void {
  const keys = Object.keys(DATA_KEYS).filter((key) => part.source[key] !== undefined && part.source[key] !== null);
  if (keys.length !== 1) context.report('bad-shape', part.path, { expected: ONE_KEY });
}

function opening(text: string): unknown {
  return { role: 'user', parts: [{ text }] };
}

/** A call without a result, or a result without a call, and what is said of it if it has no counterpart anywhere. */
interface Lone {
  readonly part: Part;
  readonly code: FindingCode;
  readonly info: Info;
}

/** What stands alone where it is. */
interface Alone {
  /** Calls, and the entries behind them. */
  readonly calls: (Lone & { readonly after: Entry | undefined })[];
  readonly results: Lone[];
}

/** Calls and results that have each other, but elsewhere, are put together; the others are orphans. */
function reunite({ calls, results }: Alone, context: Context): void {
  const open = [...calls];
  for (const { part, code, info } of results) {
    const at = open.findIndex(({ part: call }) => call.id !== undefined && call.id === part.id);
    const [found] = at === -1 ? [] : open.splice(at, 1);
    if (found === undefined) context.report(code, part.path, info, dropping(part));
    else {
      const move = [...dropping(part), ...placed(found.part, part.source, found.after)];
      context.report('misplaced-result', part.path, { id: part.id }, move);
    }
  }
  for (const { part, code, info, after } of open) context.report(code, part.path, info, answer(part, after));
}

/** Calls follow a turn of the user; the message behind them holds as many results, and nothing else does. */
function checkTurn(entry: Entry, at: number, alone: Alone, context: Context): void {
  const calls = entry.parts.filter(({ kind }) => kind === 'call');
  const results = entry.parts.filter(({ kind }) => kind === 'result');
  const before = neighbour(context, at, -1);
  const after = neighbour(context, at, 1);
  if (entry.role === 'assistant') {
    for (const part of results)
      context.report('misplaced-block', part.path, { type: 'functionResponse', role: 'model' }, dropping(part));
    const [first] = calls;
    if (first === undefined) return;
    if (before === undefined || before.role === 'assistant') {
      const remedy: Edit[] =
        before === undefined ? [{ op: 'insert', path: [entry.index], value: opening(UNSEEN) }] : [];
      context.report('call-position', first.path, { id: first.id, name: first.name }, remedy);
    }
    const answers = after?.parts.filter(({ kind }) => kind === 'result') ?? [];
    checkAnswers(calls, answers, after, alone, context);
    return;
  }
  for (const part of calls)
    context.report('misplaced-block', part.path, { type: 'functionCall', role: 'user' }, dropping(part));
  if (results.length === 0) return;
  if (before?.role !== 'assistant' || !before.parts.some(({ kind }) => kind === 'call')) {
    for (const part of results)
      alone.results.push({ part, code: 'orphan-result', info: { id: part.id, name: part.name } });
  }
}

/** System contents are passed over. */
function neighbour({ entries }: Context, at: number, step: 1 | -1): Entry | undefined {
  let next = entries[at + step];
  for (let by = at + 2 * step; next?.role === 'system'; by += step) next = entries[by];
  return next;
}

function checkAnswers(
  calls: readonly Part[],
  answers: readonly Part[],
  after: Entry | undefined,
  alone: Alone,
  context: Context,
): void {
  const open = [...answers];
  const unanswered: Part[] = [];
  for (const call of calls) {
    const at = open.findIndex((part) =>
      call.id === undefined || part.id === undefined ? part.name === call.name : part.id === call.id,
    );
    if (at === -1) unanswered.push(call);
    else open.splice(at, 1);
  }
  // Where only the names differ, the order pairs them.
  for (const call of [...unanswered]) {
    const [other] = open;
    if (other === undefined || (other.id !== undefined && call.id !== undefined)) continue;
    context.report('result-name', other.path, { name: other.name, expected: call.name ?? '' });
    open.shift();
    unanswered.splice(unanswered.indexOf(call), 1);
  }
  const ids = unanswered.map(({ id, name }) => id ?? name ?? '');
  for (const call of unanswered) {
    const info = { id: call.id ?? call.name, ids, found: answers.length, most: calls.length };
    alone.calls.push({ part: call, code: answers.length === 0 ? 'orphan-call' : 'result-count', info, after });
  }
  for (const part of open) {
    const info = { id: part.id ?? part.name, found: answers.length, most: calls.length };
    alone.results.push({ part, code: unanswered.length === 0 ? 'result-count' : 'orphan-result', info });
  }
}

function answer(call: Part, after: Entry | undefined): Edit[] {
  const about = {
    ...(call.id === undefined ? {} : { id: call.id }),
    name: call.name ?? '',
    response: { error: NO_RESULT },
  };
  return placed(call, { functionResponse: about }, after);
}

/** Puts a result behind the others of its turn, or makes a content for it. */
function placed(call: Part, value: unknown, after: Entry | undefined): Edit[] {
  const results = after?.parts.filter(({ kind }) => kind === 'result') ?? [];
  const last = results.at(-1);
  if (last !== undefined)
    return [{ op: 'insert', path: [...last.path.slice(0, -1), Number(last.path.at(-1)) + 1], value }];
  return [{ op: 'insert', path: [Number(call.path[0]) + 1], value: { role: 'user', parts: [value] } }];
}

/** In the current turn, the first call of every step has a signature; it began with the user's last words. */
function checkSignatures(context: Context): void {
  if (!context.cares('signature-missing')) return;
  const { entries } = context;
  const said = lastIndex(entries, ({ role, parts }) => role === 'user' && parts.some(({ kind }) => kind !== 'result'));
  for (const { role, parts } of entries.slice(said + 1)) {
    const first = role === 'assistant' ? parts.find(({ kind }) => kind === 'call') : undefined;
    if (first === undefined || textAt(first.source, 'thoughtSignature') !== undefined) continue;
    const path = [...first.path, 'thoughtSignature'];
    context.report('signature-missing', first.path, { name: first.name }, [{ op: 'set', path, value: SKIP_SIGNATURE }]);
  }
}

export const gemini: FormatRules = {
  name: 'gemini',
  shape: geminiContent,
  roleKey: 'role',
  wire: true,
  words,
  read,
  opening,
  check,
};
