/** LangChain's messages: instances, their stored form, and what LangChain makes messages of. */
import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import { behind, type Context, type Edit, type Entry, type Part, recordAt, textAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { NO_RESULT } from '../rules/shared.js';
import { nullable, type Shape } from '../shape.js';
import type { Words } from '../words.js';

const ROLES: ReadonlyMap<unknown, Entry['role']> = new Map([
  ['human', 'user'],
  ['user', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['system', 'system'],
  ['developer', 'system'],
  ['function', 'other'],
  ['generic', 'other'],
]);

const words: Words = {
  'unknown-role': () =>
    'Unable to coerce message from array: only human, AI, system, developer, or tool message coercion is currently supported.',
};

const content: Shape = { anyOf: ['string', { list: { anyOf: ['object', 'string'] } }] };
const call: Shape = { keys: { name: 'string', 'args?': { anyOf: ['object', 'string'] }, 'id?': nullable('string') } };
const plain: Shape = { keys: { 'content?': nullable(content) } };
const ai: Shape = {
  keys: { 'content?': nullable(content), 'tool_calls?': { list: { anyOf: [call, { keys: { function: 'object' } }] } } },
};
const tool: Shape = { keys: { 'content?': nullable(content), tool_call_id: 'string' } };
const removal: Shape = { keys: { id: 'string' } };

/** The message's own type, whichever form it has. */
function typeOf(message: JsonRecord): unknown {
  const { type, role, id } = message;
  // The serialized form of a constructor names the class.
  if (message['lc'] === 1 && type === 'constructor' && isList(id))
    return CLASSES.get(String(id.at(-1)).replace(/Chunk$/, ''));
  if (typeof type === 'string') return type;
  if (typeof role === 'string') return role;
  const get = message['_getType'] ?? message['getType'];
  return typeof get === 'function' ? (get.call(message) as unknown) : undefined;
}

const CLASSES: ReadonlyMap<string, string> = new Map([
  ['HumanMessage', 'human'],
  ['AIMessage', 'ai'],
  ['SystemMessage', 'system'],
  ['FunctionMessage', 'function'],
  ['ToolMessage', 'tool'],
]);

/** Where a message's fields are. */
function fieldsOf(message: JsonRecord): { fields: JsonRecord; at: readonly string[] } {
  const kwargs = message['lc'] === 1 && message['type'] === 'constructor' ? recordAt(message, 'kwargs') : undefined;
  if (kwargs !== undefined) return { fields: kwargs, at: ['kwargs'] };
  const data = isInstance(message) ? undefined : recordAt(message, 'data');
  return data === undefined || 'content' in message ? { fields: message, at: [] } : { fields: data, at: ['data'] };
}

function isInstance(message: JsonRecord): boolean {
  return Object.hasOwn(message, 'lc_kwargs') || Object.hasOwn(message, 'lc_namespace');
}

function shapeOf(message: JsonRecord): Shape {
  const type = typeOf(message);
  const { at } = fieldsOf(message);
  const within = (shape: Shape): Shape => at.reduce<Shape>((inner, key) => ({ keys: { [key]: inner } }), shape);
  if (type === 'remove') return within(removal);
  const role = ROLES.get(type);
  if (role === undefined) return { keys: { role: { test: () => false, expected: 'a role' } } };
  return within(role === 'tool' ? tool : role === 'assistant' ? ai : plain);
}

/** Texts and pairs of role and content are messages too. */
function wrap(message: unknown): JsonRecord | undefined {
  if (typeof message === 'string') return { role: 'user', content: message };
  return isList(message) && message.length >= 2 ? { role: message[0], content: message[1] } : undefined;
}

function read(message: JsonRecord, index: number): Entry {
  const { fields, at } = fieldsOf(message);
  const role = ROLES.get(typeOf(message)) ?? 'other';
  const here = [index, ...at];
  if (role === 'tool') {
    const id = textAt(fields, 'tool_call_id');
    const part: Part = {
      kind: 'result',
      path: [index],
      source: fields,
      id,
      idKey: [...at, 'tool_call_id'],
      name: textAt(fields, 'name'),
    };
    return { index, role, parts: [part], source: message, empty: false };
  }
  const said = isList(fields['content']) ? fields['content'] : [];
  const blocks = said.flatMap((source, k): Part[] =>
    isRecord(source) ? [blockOf(source, [...here, 'content', k])] : [],
  );
  const calls = role === 'assistant' ? callsOf(fields, here) : [];
  const empty = (fields['content'] === '' || said.length === 0) && typeof fields['content'] !== 'string';
  const nothing = fields['content'] === '' || (empty && isList(fields['content']));
  return {
    index,
    role,
    parts: [...blocks, ...calls],
    source: message,
    empty: nothing && calls.length === 0 && role !== 'other',
  };
}

function blockOf(source: JsonRecord, path: readonly (string | number)[]): Part {
  const { type, text } = source;
  const kind = type === 'text' ? 'text' : type === 'thinking' || type === 'reasoning' ? 'thinking' : 'other';
  return { kind, path, source, text: typeof text === 'string' ? text : undefined };
}

function callsOf({ tool_calls: calls }: JsonRecord, here: readonly (string | number)[]): Part[] {
  return (isList(calls) ? calls : []).flatMap((source, at): Part[] => {
    if (!isRecord(source)) return [];
    const about = recordAt(source, 'function') ?? source;
    return [
      {
        kind: 'call',
        path: [...here, 'tool_calls', at],
        source,
        id: textAt(source, 'id'),
        idKey: 'id',
        name: textAt(about, 'name'),
      },
    ];
  });
}

function check(context: Context): void {
  for (const { parts, role } of context.entries) {
    if (role !== 'assistant') continue;
    const listed = new Set(parts.filter(({ kind }) => kind === 'call').map(({ id }) => id));
    for (const { source, path } of parts) {
      const id = source['type'] === 'tool_use' || source['type'] === 'tool_call' ? textAt(source, 'id') : undefined;
      if (id !== undefined && !listed.has(id)) context.report('call-mismatch', path, { id });
    }
  }
}

/** Makes results in the form of the messages around them: of the class of another result, where there is one. */
type Maker = (fields: JsonRecord, name: string | undefined) => unknown;

const makers = new WeakMap<Context, Maker>();

function makerOf({ entries }: Context): Maker {
  const other = entries.find(({ role, source }) => role === 'tool' && isInstance(source));
  if (other !== undefined) return (fields, name) => cloned(other.source, fields, name);
  const stored = entries.some(({ source }) => !isInstance(source) && recordAt(source, 'data') !== undefined);
  return (fields) => (stored ? { type: 'tool', data: fields } : { role: 'tool', ...fields });
}

function cloned(other: JsonRecord, fields: JsonRecord, name: string | undefined): unknown {
  const prototype: unknown = Object.getPrototypeOf(other);
  const copy = Object.create(prototype as object, { ...Object.getOwnPropertyDescriptors(other) }) as object;
  const blank = { id: undefined, artifact: undefined, name, additional_kwargs: {}, response_metadata: {} };
  for (const [key, value] of Object.entries({ ...blank, ...fields, lc_kwargs: fields })) {
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

function resultLike(id: string | undefined, name: string | undefined, context: Context): unknown {
  const make = makers.get(context) ?? makerOf(context);
  makers.set(context, make);
  return make({ content: NO_RESULT, tool_call_id: id, status: 'error', ...(name === undefined ? {} : { name }) }, name);
}

function whole({ path }: Part, { messages }: Context): unknown {
  return messages[Number(path[0])];
}

export const langchain: FormatRules = {
  name: 'langchain',
  shape: plain,
  shapeOf,
  wrap,
  roleKey: 'role',
  wire: false,
  words,
  pairing: {
    results: 'run',
    answer: (part, context) => [
      { op: 'insert', path: [behind(part, context)], value: resultLike(part.id, part.name, context) },
    ],
    move: (result, part, context): Edit[] => [
      { op: 'drop', path: result.path },
      { op: 'insert', path: [behind(part, context)], value: whole(result, context) },
    ],
  },
  read,
  check,
};
