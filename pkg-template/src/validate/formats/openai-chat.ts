/** Chat Completions messages, also for the servers that are compatible with them. */
import { filled, isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import { behind, type Context, type Edit, type Entry, type Part, recordAt, textAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { argumentsProblem, NO_RESULT } from '../rules/shared.js';
import { openAiChatMessage } from '../shapes/openai-chat.js';
import { bracketed, type Words } from '../words.js';

const ROLES: ReadonlyMap<unknown, Entry['role']> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

const words: Words = {
  'no-messages': () =>
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  'unknown-role': (_path, { role }) =>
    `Invalid value: '${role ?? ''}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
  'orphan-call': (_path, { ids = [] }) =>
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`,
  'orphan-result': () => PRECEDING,
  'misplaced-result': () => PRECEDING,
  'duplicate-result': () => PRECEDING,
  'missing-call-id': (path) =>
    path.length === 1 ? `Missing required parameter: '${bracketed([...path, 'tool_call_id'])}'.` : undefined,
  'long-call-id': (path, { id, most }) =>
    `Invalid '${bracketed(path)}': string too long. Expected a string with maximum length ${most ?? 0}, but got a string with length ${id?.length ?? 0} instead.`,
  'bad-tool-name': (path, { name }) =>
    (name?.length ?? 0) > 64
      ? `Invalid '${bracketed([...path, 'function', 'name'])}': string too long. Expected a string with maximum length 64, but got a string with length ${name?.length ?? 0} instead.`
      : `Invalid '${bracketed([...path, 'function', 'name'])}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
  'bad-shape': (path, { expected, missing }) => {
    if (missing === true) return `Missing required parameter: '${bracketed(path)}'.`;
    return path.at(-1) === 'tool_calls' && expected === 'a list that is not empty'
      ? `Invalid '${bracketed(path)}': empty array. Expected an array with minimum length 1, but got an empty array instead.`
      : undefined;
  },
  'empty-message': (path, { role }) =>
    role === 'assistant'
      ? "Invalid value for 'content': expected a string, got null."
      : `Invalid '${bracketed(path)}'.`,
};

const PRECEDING =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";

function read(message: JsonRecord, index: number): Entry {
  const { role, content } = message;
  const known = ROLES.get(role) ?? 'other';
  const own = known === 'tool' && role === 'tool' ? [resultOf(message, index)] : textsOf(content, index);
  const parts = known === 'assistant' ? [...own, ...callsOf(message, index)] : own;
  const nothing = content === undefined || content === null || (isList(content) && content.length === 0);
  const else_ = ['function_call', 'refusal', 'audio'].some(
    (key) => message[key] !== undefined && message[key] !== null,
  );
  return {
    index,
    role: known,
    parts,
    source: message,
    empty: known === 'assistant' && nothing && parts.length === 0 && !else_,
  };
}

function resultOf(source: JsonRecord, index: number): Part {
  const id = textAt(source, 'tool_call_id');
  return { kind: 'result', path: [index], source, id, idKey: 'tool_call_id', name: textAt(source, 'name') };
}

function callsOf({ tool_calls: calls }: JsonRecord, index: number): Part[] {
  return (isList(calls) ? calls : []).flatMap((source, at): Part[] => {
    if (!isRecord(source)) return [];
    const called = recordAt(source, 'function') ?? recordAt(source, 'custom') ?? {};
    const id = textAt(source, 'id');
    return [{ kind: 'call', path: [index, 'tool_calls', at], source, id, idKey: 'id', name: filled(called['name']) }];
  });
}

function textsOf(content: unknown, index: number): Part[] {
  return (isList(content) ? content : []).flatMap((source, at): Part[] => {
    if (!isRecord(source)) return [];
    const { type, text } = source;
    const kind = type === 'text' ? 'text' : 'media';
    return [{ kind, path: [index, 'content', at], source, text: typeof text === 'string' ? text : undefined }];
  });
}

function check(context: Context): void {
  const { entries } = context;
  entries.forEach((entry) => {
    const { index, source, role, parts } = entry;
    const calls = source['tool_calls'];
    if (isList(calls) && calls.length === 0) {
      const path = [index, 'tool_calls'];
      context.report('bad-shape', path, { expected: 'a list that is not empty', hint: 'drop the key' }, [
        { op: 'drop', path },
      ]);
    }
    for (const part of parts) {
      const called = part.kind === 'call' ? recordAt(part.source, 'function') : undefined;
      if (called === undefined || !argumentsProblem(called['arguments'])) continue;
      context.report('bad-arguments', [...part.path, 'function', 'arguments'], { name: part.name });
    }
    checkReasoning(entry, context);
    if (role === 'system' && index > 0 && context.entries[0]?.role !== 'system' && strict(context)) {
      context.report('system-position', [index]);
    }
  });
}

/** Servers that render a template of the model's: one system message, at the front. */
function strict({ options }: Context): boolean {
  return options.provider === 'strict-template';
}

function checkReasoning({ index, source, parts, role }: Entry, context: Context): void {
  if (role !== 'assistant') return;
  const path = [index, 'reasoning_content'];
  const text = source['reasoning_content'];
  const calls = parts.some(({ kind }) => kind === 'call');
  const { thinking, model = '' } = context.options;
  if (calls && text === undefined && context.cares('reasoning-required') && thinking !== false) {
    const level = thinking === true || model.includes('thinking') ? 'error' : 'warning';
    context.report('reasoning-required', [index], { level });
  }
  if (text !== undefined) context.report('reasoning-forbidden', path, {}, [{ op: 'drop', path }]);
}

function toolMessage(call: Part): JsonRecord {
  return { role: 'tool', tool_call_id: call.id, content: NO_RESULT };
}

/** Drops a result with its message, and a call with the key, where it is the only one. */
function drop(part: Part, { entries, positionOf }: Context): Edit[] {
  const [index = 0] = part.path;
  const calls = entries[positionOf(Number(index))]?.source['tool_calls'];
  const only = part.kind === 'call' && isList(calls) && calls.length === 1;
  return [{ op: 'drop', path: only ? [index, 'tool_calls'] : part.path }];
}

export const openAiChat: FormatRules = {
  name: 'openai-chat',
  shape: openAiChatMessage,
  roleKey: 'role',
  wire: true,
  words,
  pairing: {
    results: 'run',
    answer: (call, context) => [{ op: 'insert', path: [behind(call, context)], value: toolMessage(call) }],
    move: (result, call, context) => [
      { op: 'drop', path: result.path },
      { op: 'insert', path: [behind(call, context)], value: result.source },
    ],
    drop,
  },
  read,
  opening: (text) => ({ role: 'user', content: text }),
  check,
};
