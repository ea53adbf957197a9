/** Input items of OpenAI's Responses API, and what is the same for those of its Agents SDK. */
import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import type { MessageFormat } from '../api.js';
import { type Context, type Edit, type Entry, indexAt, type Part, recordAt, textAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { runEnds } from '../rules/last.js';
import { argumentsProblem, NO_RESULT } from '../rules/shared.js';
import { generationName } from '../rules.js';
import type { Shape } from '../shape.js';
import { INPUT_PARTS, OUTPUT_PARTS, responsesItem, responsesMessage } from '../shapes/openai-responses.js';
import { bracketed, type Words } from '../words.js';

/** Calls that the caller answers; the provider's own have no output of their own. */
const CALLS: ReadonlySet<unknown> = new Set([
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
]);

/** The provider's name for them in errors about half a pair; for the others none was seen. */
const CALLED: ReadonlyMap<string | undefined, string> = new Map([
  ['function_call', 'function call'],
  ['custom_tool_call', 'custom tool call'],
  ['local_shell_call', 'local shell call'],
  ['computer_call', 'computer call'],
  ['function_call_output', 'function call output'],
  ['custom_tool_call_output', 'custom tool call output'],
]);

function aboutPair(says: (called: string, id: string) => string): NonNullable<Words['orphan-call']> {
  return (_path, { id = '', type }) => {
    const called = CALLED.get(type);
    return called === undefined ? undefined : says(called, id);
  };
}

const noCall = aboutPair((called, id) => `No tool call found for ${called} with call_id ${id}.`);

/** What the ids of items begin with. */
const PREFIXES: ReadonlyMap<unknown, string> = new Map([
  ['function_call', 'fc'],
  ['reasoning', 'rs'],
  ['message', 'msg'],
  ['custom_tool_call', 'ctc'],
  ['web_search_call', 'ws'],
]);

export const itemWords: Words = {
  'orphan-call': aboutPair((called, id) => `No tool output found for ${called} ${id}.`),
  'orphan-result': noCall,
  'misplaced-result': noCall,
  'missing-call-id': (path) => `Missing required parameter: '${bracketed([...path, 'call_id'], 'input')}'.`,
  'bad-shape': (path, { missing }) =>
    missing === true ? `Missing required parameter: '${bracketed(path, 'input')}'.` : undefined,
  'long-call-id': (path, { id, most }) => tooLong(path, id?.length ?? 0, most ?? 0),
  'too-long': (path, { found = 0, most = 0 }) => tooLong(path, found, most),
  'misplaced-block': (_path, { type, role }) => {
    const supported = role === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS;
    const names = Object.keys(supported).map((name) => `'${name}'`);
    return `Invalid value: '${type ?? ''}'. Supported values are: ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}.`;
  },
  'reasoning-without-successor': (_path, { id }) =>
    `Item '${id ?? ''}' of type 'reasoning' was provided without its required following item.`,
  'successor-without-reasoning': (_path, { id, type, name }) =>
    name === undefined
      ? undefined
      : `Item '${id ?? ''}' of type '${type ?? ''}' was provided without its required 'reasoning' item: '${name}'.`,
  'reasoning-forbidden': () =>
    'Reasoning input items can only be provided to a reasoning or computer use model. Remove reasoning items from your input and try again.',
  'bad-item-id': (path, { id, expected }) =>
    `Invalid '${bracketed(path, 'input')}': '${id ?? ''}'. Expected an ID that begins with '${expected ?? ''}'.`,
  'duplicate-id': (_path, { id }) =>
    `Duplicate item found with id ${id ?? ''}. Remove duplicate items from your input and try again.`,
  'unresolvable-item': (_path, { id, type }) => (type === 'call' ? undefined : notFound(id)),
  'reasoning-not-encrypted': (_path, { id }) => notFound(id),
  'bad-tool-name': (path) =>
    `Invalid '${bracketed([...path, 'name'], 'input')}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
};

function tooLong(path: readonly (string | number)[], found: number, most: number): string {
  return `Invalid '${bracketed(path, 'input')}': string too long. Expected a string with maximum length ${most}, but got a string with length ${found} instead.`;
}

function notFound(id: string | undefined): string {
  return `Item with id '${id ?? ''}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
}

/** Items with the meaning of the API's items, possibly under other names. */
export interface Items {
  readonly name: MessageFormat;
  readonly words: Words;
  /** An item's shape. */
  readonly shapeOf: (item: JsonRecord) => Shape;
  /** The item as the API names its types and ids. */
  readonly asSent: (item: JsonRecord) => JsonRecord;
  /** The key of calls' ids. */
  readonly idKey: string;
  /** What may stand in messages of the user and the like, and in the model's. */
  readonly parts: readonly [input: Readonly<Record<string, Shape>>, output: Readonly<Record<string, Shape>>];
  /** What answers a call of a type; `undefined` if that would need to describe the action. */
  readonly answer: (type: string, call: Part) => JsonRecord | undefined;
}

/** Messages may leave their type out. */
function typeOf(item: JsonRecord): unknown {
  return item['type'] ?? (typeof item['role'] === 'string' ? 'message' : undefined);
}

/** Reasoning itself, or what refers to it. */
function isReasoning(item: JsonRecord): boolean {
  const { type, id } = item;
  return type === 'reasoning' || (type === 'item_reference' && typeof id === 'string' && id.startsWith('rs_'));
}

function isOutput(item: JsonRecord): boolean {
  const type = typeOf(item);
  return typeof type === 'string' && type.endsWith('_output') && type !== 'program_output';
}

function read(item: JsonRecord, index: number, idKey: string): Entry {
  const type = typeOf(item);
  const id = textAt(item, 'call_id');
  const part = { path: [index], source: item, id, idKey, name: textAt(item, 'name') };
  const entry = {
    index,
    source: item,
    empty: type === 'message' && isList(item['content']) && item['content'].length === 0,
  };
  if (CALLS.has(type)) return { ...entry, role: 'assistant', parts: [{ kind: 'call', ...part }] };
  const paired = type === 'function_call_output' || CALLS.has(String(type).replace(/_output$/, ''));
  if (isOutput(item) && paired) return { ...entry, role: 'tool', parts: [{ kind: 'result', ...part }] };
  if (type !== 'message') return { ...entry, role: isReasoning(item) ? 'assistant' : 'other', parts: [] };
  const { role } = item;
  const speaker =
    role === 'user' || role === 'assistant' ? role : role === 'system' || role === 'developer' ? 'system' : 'other';
  return { ...entry, role: speaker, parts: [] };
}

/**
 * The output of a local shell may name its call by `id` alone: that of the item, or that of the call. Which one is seen
 * when all items are read.
 */
function withShells(entries: readonly Entry[]): readonly Entry[] {
  const ids = new Map<unknown, string | undefined>();
  for (const { parts, source } of entries) {
    if (source['type'] === 'local_shell_call') ids.set(source['id'], parts[0]?.id);
  }
  return entries.map((entry) => {
    const [part] = entry.parts;
    if (entry.source['type'] !== 'local_shell_call_output' || part === undefined || part.id !== undefined) return entry;
    const id = textAt(entry.source, 'id');
    return { ...entry, parts: [{ ...part, id: ids.get(id) ?? id }] };
  });
}

function check(context: Context, { parts, asSent }: Items): void {
  const ids = new Map<string, number>();
  const led = leadsOn(context);
  context.entries.forEach((entry, at) => {
    const { source, index } = entry;
    const type = typeOf(source);
    checkId(entry, type, ids, context);
    checkParts(entry, parts, context);
    checkOutput(entry, context);
    if (type === 'function_call' && argumentsProblem(source['arguments'])) {
      context.report('bad-arguments', [index, 'arguments'], { name: textAt(source, 'name') });
    }
    if (isReasoning(source)) checkReasoning(entry, led(at), context);
    if (type === 'compaction_trigger' && index !== context.messages.length - 1) {
      context.report('item-position', [index], { type, expected: 'the last item' }, [{ op: 'drop', path: [index] }]);
    }
  });
  checkApprovals(context);
  checkCallers(context);
  checkTurns(context);
  const { original } = context.options;
  if (original !== undefined) checkSuccessors(context, original.filter(isRecord).map(asSent));
}

function checkId({ source, index }: Entry, type: unknown, ids: Map<string, number>, context: Context): void {
  const id = textAt(source, 'id');
  // The output of a local shell has no id of its own: it is the call's.
  if (id === undefined || type === 'local_shell_call_output') return;
  const path = [index, 'id'];
  if (type === 'item_reference') {
    const unstored = context.options.store === false;
    if (unstored || id.startsWith('fc'))
      context.report(
        'unresolvable-item',
        [index],
        unstored ? { id } : { id, type: 'call' },
        unstored ? [] : [{ op: 'drop', path: [index] }],
      );
    return;
  }
  const prefix = PREFIXES.get(type);
  const own = type !== 'message' || source['role'] === 'assistant';
  if (prefix !== undefined && own && !id.startsWith(prefix)) {
    const remedy: Edit[] = type === 'reasoning' || type === 'web_search_call' ? [] : [{ op: 'drop', path }];
    context.report('bad-item-id', path, { id, expected: prefix }, remedy);
  }
  if (ids.has(id)) context.report('duplicate-id', path, { id }, [{ op: 'drop', path: [index] }]);
  ids.set(id, index);
}

function checkParts({ source, index }: Entry, [input, output]: Items['parts'], context: Context): void {
  const { role, content } = source;
  if (typeOf(source) !== 'message' || !isList(content)) return;
  const allowed = role === 'assistant' ? output : input;
  content.forEach((part, at) => {
    const type = isRecord(part) ? textAt(part, 'type') : undefined;
    if (type === undefined || Object.hasOwn(allowed, type)) return;
    if (!(Object.hasOwn(input, type) || Object.hasOwn(output, type))) return;
    const path = [index, 'content', at];
    const renamed = type === 'input_text' ? 'output_text' : type === 'output_text' ? 'input_text' : undefined;
    const remedy: Edit[] = renamed === undefined ? [] : [{ op: 'set', path: [...path, 'type'], value: renamed }];
    context.report('misplaced-block', path, { type, role: String(role) }, remedy);
  });
}

function checkOutput({ source, index }: Entry, context: Context): void {
  const { output } = source;
  const most = context.rules.outputLength;
  if (most === undefined || typeof output !== 'string' || !isOutput(source) || output.length <= most) return;
  context.report('too-long', [index, 'output'], { found: output.length, most });
}

/** Reasoning and what it led to are one: an item of the model's must stand directly behind it, or behind further reasoning. */
function leadsOn({ entries }: Context): (at: number) => boolean {
  const end = runEnds(entries, ({ source }) => isReasoning(source));
  return (at) => {
    const next = entries[end(at)];
    if (next === undefined || next.role === 'user' || next.role === 'system' || isOutput(next.source)) return false;
    const type = typeOf(next.source);
    return type !== 'compaction' && type !== 'compaction_trigger';
  };
}

function checkReasoning({ source, index }: Entry, led: boolean, context: Context): void {
  const id = textAt(source, 'id');
  if (generationName(context.format, context.options) === 'no-reasoning') {
    context.report('reasoning-forbidden', [index], { id, level: 'error', hint: 'drop it' }, [
      { op: 'drop', path: [index] },
    ]);
    return;
  }
  if (!led) context.report('reasoning-without-successor', [index], { id }, [{ op: 'drop', path: [index] }]);
  const sealed = typeof source['encrypted_content'] === 'string' && source['encrypted_content'] !== '';
  if (context.options.store === false && !sealed && source['type'] === 'reasoning')
    context.report('reasoning-not-encrypted', [index], { id }, [{ op: 'drop', path: [index] }]);
}

/** Where other turns of the model begin with reasoning, one without it whose items have ids has probably lost it. */
function checkTurns(context: Context): void {
  const turns: Entry[][] = [[]];
  for (const entry of context.entries) {
    if (entry.role === 'user' || entry.role === 'system' || entry.role === 'tool') turns.push([]);
    else turns.at(-1)?.push(entry);
  }
  const reasons = (turn: readonly Entry[]): boolean => turn.some(({ source }) => isReasoning(source));
  const named = ({ source }: Entry): boolean => /^(?:fc|msg)_/.test(textAt(source, 'id') ?? '');
  if (!turns.some(reasons)) return;
  for (const turn of turns) {
    const first = reasons(turn) ? undefined : turn.find(named);
    if (first === undefined) continue;
    const remedy = turn.filter(named).map(({ index }): Edit => ({ op: 'drop', path: [index, 'id'] }));
    const info = { id: textAt(first.source, 'id'), type: String(typeOf(first.source)), level: 'warning' } as const;
    context.report('successor-without-reasoning', [first.index], info, remedy);
  }
}

/** Compares with the items as the model gave them. */
function checkSuccessors(context: Context, original: readonly JsonRecord[]): void {
  const here = new Set(context.entries.map(({ source }) => textAt(source, 'id')));
  let reasoning: string | undefined;
  const led = new Map<string, string>();
  for (const item of original) {
    const id = textAt(item, 'id');
    if (isReasoning(item)) reasoning = id;
    else if (isOutput(item) || item['role'] === 'user') reasoning = undefined;
    else if (id !== undefined && reasoning !== undefined) led.set(id, reasoning);
  }
  for (const { source, index } of context.entries) {
    const id = textAt(source, 'id');
    const by = id === undefined ? undefined : led.get(id);
    if (by === undefined || here.has(by)) continue;
    const info = { id, type: String(typeOf(source)), name: by, level: 'error' } as const;
    context.report('successor-without-reasoning', [index, 'id'], info, [{ op: 'drop', path: [index, 'id'] }]);
  }
}

function checkApprovals(context: Context): void {
  const asked = new Set<string>();
  for (const { source, index } of context.entries) {
    const id = textAt(source, source['type'] === 'mcp_approval_request' ? 'id' : 'approval_request_id');
    if (id === undefined) continue;
    if (source['type'] === 'mcp_approval_request') asked.add(id);
    if (source['type'] !== 'mcp_approval_response' || asked.has(id) || context.options.continues === true) continue;
    context.report('orphan-approval', [index], { id }, [{ op: 'drop', path: [index] }]);
  }
}

/** Calls that a program made name it. */
function checkCallers(context: Context): void {
  const programs = new Set<unknown>();
  for (const { source, index } of context.entries) {
    if (source['type'] === 'program') programs.add(source['call_id'] ?? source['id']);
    const caller = recordAt(source, 'caller');
    const by = caller?.['type'] === 'program' ? textAt(caller, 'caller_id') : undefined;
    if (by === undefined || programs.has(by) || context.options.continues === true) continue;
    const path = [index, 'caller'];
    context.report('orphan-caller', path, { id: by }, [{ op: 'drop', path }]);
  }
}

/** What answers a call without an output, behind the turn's last call. */
function answer(call: Part, { answer: made }: Items, context: Context): Edit[] {
  const value = made(String(call.source['type']), call);
  if (value === undefined) return [{ op: 'drop', path: call.path }];
  return [{ op: 'insert', path: [behindTurn(call, context)], value }];
}

/** Where results go: behind the last call of a call's turn, and the results that it has. */
function behindTurn(call: Part, context: Context): number {
  const calls = context.endOf('call', context.positionOf(Number(call.path[0])) + 1);
  return indexAt(context, context.endOf('result', calls));
}

/** The rules of such items. */
export function rulesOfItems(items: Items): FormatRules {
  const { name, words, shapeOf, asSent, idKey } = items;
  return {
    name,
    shape: 'object',
    shapeOf,
    roleKey: 'type',
    wire: true,
    words,
    pairing: {
      results: 'later',
      answer: (call, context) => answer(call, items, context),
      move: (result, call, context) => [
        { op: 'drop', path: result.path },
        { op: 'insert', path: [behindTurn(call, context)], value: context.messages[Number(result.path[0])] },
      ],
    },
    read: (item, index) => read(asSent(item), index, idKey),
    link: withShells,
    check: (context) => check(context, items),
  };
}

export const openAiResponses: FormatRules = /* @__PURE__ */ rulesOfItems({
  name: 'openai-responses',
  words: itemWords,
  // A message may leave its type out, a reference too.
  shapeOf({ type, role, id }) {
    if (type !== undefined) return responsesItem;
    return role === undefined && typeof id === 'string' ? 'object' : responsesMessage;
  },
  asSent: (item) => item,
  idKey: 'call_id',
  parts: [INPUT_PARTS, OUTPUT_PARTS],
  // Only these two have outputs whose shape does not reveal the action.
  answer: (type, { id }) =>
    type === 'function_call' || type === 'custom_tool_call'
      ? { type: `${type}_output`, call_id: id, output: NO_RESULT }
      : undefined,
});
