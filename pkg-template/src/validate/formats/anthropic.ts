/** Anthropic Messages. */
import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import { type Context, type Edit, type Entry, indexAt, type Part, recordAt, textAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { checkBreakpoints } from '../rules/breakpoints.js';
import { NO_RESULT } from '../rules/shared.js';
import { checkThinking } from '../rules/thinking.js';
import { anthropicMessage, SERVER_CALLS, SERVER_RESULTS } from '../shapes/anthropic.js';
import { dotted, type Words } from '../words.js';

const KINDS: ReadonlyMap<unknown, Part['kind']> = new Map<unknown, Part['kind']>([
  ['text', 'text'],
  ['image', 'media'],
  ['document', 'media'],
  ['tool_use', 'call'],
  ['tool_result', 'result'],
  ['thinking', 'thinking'],
  ['redacted_thinking', 'thinking'],
  ...SERVER_CALLS.map((name) => [name, 'server-call'] as const),
  ...SERVER_RESULTS.map((name) => [name, 'server-result'] as const),
]);

/** In which messages blocks may stand that don't fit all. */
const HOME: ReadonlyMap<unknown, Entry['role']> = new Map<unknown, Entry['role']>([
  ['tool_use', 'assistant'],
  ['server_tool_use', 'assistant'],
  ['mcp_tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['tool_result', 'user'],
]);

const pattern = "String should match pattern '^[a-zA-Z0-9_-]+$'";

const words: Words = {
  'no-messages': () => 'messages: at least one message is required',
  'unknown-role': (_path, { role }) =>
    role === 'system'
      ? undefined
      : `messages: Unexpected role "${role ?? ''}". Allowed roles are "user" or "assistant"`,
  'unknown-block': (path, { type, expected }) =>
    `${dotted(path)}: Input tag '${type ?? ''}' found using 'type' does not match any of the expected tags: ${(expected ?? '').replace('one of ', '')}`,
  'bad-shape': (path, { missing }) => (missing === true ? `${dotted(path)}: Field required` : undefined),
  'misplaced-block': (path, { type, role }) =>
    type === 'tool_use' || type === 'tool_result'
      ? `${dotted(path.slice(0, 1))}: \`${type}\` blocks can only be in \`${role === 'user' ? 'assistant' : 'user'}\` messages`
      : undefined,
  'empty-message': (path) =>
    `${dotted(path)}: all messages must have non-empty content except for the optional final assistant message`,
  'empty-text': (_path, { found }) =>
    found === 0
      ? 'messages: text content blocks must be non-empty'
      : 'messages: text content blocks must contain non-whitespace text',
  'lone-surrogate': () => 'The request body is not valid JSON: no low surrogate in string',
  'trailing-whitespace': () => 'messages: final assistant content cannot end with trailing whitespace',
  'tools-missing': () => 'Requests which include `tool_use` or `tool_result` blocks must define tools',
  'image-in-error': (path) => `${dotted(path)}: all content must be type text if is_error is true`,
  'orphan-call': (path, { ids = [] }) =>
    `${dotted(path.slice(0, 1))}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  'orphan-result': (path, { id }) => unexpected(path, id),
  'misplaced-result': (path, { id }) => unexpected(path, id),
  'duplicate-result': (path, { id }) =>
    `${dotted(path)}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id ?? ''}`,
  'duplicate-call-id': (path) => `${dotted(path.slice(0, -1))}: \`tool_use\` ids must be unique`,
  'bad-call-id': (path, { type }) =>
    `${dotted(path.slice(0, -1))}.${type === 'call' ? 'tool_use.id' : 'tool_result.tool_use_id'}: ${pattern}`,
  'long-call-id': (path, { most }) => `${dotted(path)}: String should have at most ${most ?? 0} characters`,
  'bad-tool-name': (path, { most }) =>
    `${dotted(path)}.tool_use.name: String should ${most === undefined ? "match pattern '^[a-zA-Z0-9_-]{1,128}$'" : `have at most ${most} characters`}`,
  'first-role': () => 'messages: first message must use the "user" role',
  'last-role': () =>
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  'thinking-missing': (path, { type }) =>
    `${dotted(path)}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type ?? ''}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  'thinking-unsigned': (path, { missing }) =>
    missing === true
      ? `${dotted(path)}.signature: Field required`
      : `${dotted(path)}: Invalid \`signature\` in \`thinking\` block`,
  'thinking-last': (path) =>
    `${dotted(path.slice(0, 1))}: The final block in an assistant message cannot be \`thinking\`.`,
  'thinking-changed': (path) =>
    `${dotted(path)}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
  'thinking-unbound': (path) =>
    `${dotted(path)}: Invalid signature in thinking block. The block is bound to a different conversation`,
  'orphan-server-call': (path, { id, name }) =>
    `${dotted(path)}: \`${name ?? ''}\` tool use with id \`${id ?? ''}\` was found without a corresponding \`${name ?? ''}_tool_result\` block`,
  'orphan-server-result': (path, { id, type }) =>
    `${dotted(path)}: unexpected \`tool_use_id\` found in \`${type ?? ''}\` blocks: ${id ?? ''}. Each \`${type ?? ''}\` block must have a corresponding \`${type === 'mcp_tool_result' ? 'mcp_tool_use' : 'server_tool_use'}\` block before it.`,
  'too-many-breakpoints': (_path, { found, most }) =>
    `A maximum of ${most ?? 0} blocks with cache_control may be provided. Found ${found ?? 0}.`,
  'breakpoint-position': (path, { type }) =>
    type === 'text'
      ? `${dotted(path.slice(0, -1))}.text: cache_control cannot be set for empty text blocks`
      : `${dotted(path.slice(0, -1))}.${type ?? ''}.cache_control: Extra inputs are not permitted`,
};

function unexpected(path: readonly (string | number)[], id: string | undefined): string {
  return `${dotted(path)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id ?? ''}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
}

function read(message: JsonRecord, index: number): Entry {
  const { role, content } = message;
  const known = role === 'user' || role === 'assistant' || role === 'system' ? role : 'other';
  const empty =
    content === '' || content === undefined || content === null || (isList(content) && content.length === 0);
  return { index, role: known, parts: partsOf(content, index), source: message, empty };
}

function partsOf(content: unknown, index: number): Part[] {
  if (typeof content === 'string') {
    return content === '' ? [] : [{ kind: 'text', path: [index], source: {}, text: content }];
  }
  if (!isList(content)) return [];
  return content.flatMap((source, at): Part[] => {
    if (!isRecord(source)) return [];
    const kind = KINDS.get(source['type']) ?? 'other';
    const idKey = kind === 'result' || kind === 'server-result' ? 'tool_use_id' : 'id';
    const id = textAt(source, idKey);
    return [
      { kind, path: [index, 'content', at], source, id, idKey, name: textAt(source, 'name'), text: textOf(source) },
    ];
  });
}

function textOf({ type, text }: JsonRecord): string | undefined {
  return type === 'text' && typeof text === 'string' ? text : undefined;
}

function check(context: Context): void {
  const { entries, options } = context;
  const caused = new Set<unknown>();
  const compactions = entries.flatMap(({ parts }) => parts.filter(({ source }) => source['type'] === 'compaction'));
  for (const { path } of compactions.slice(1)) {
    context.report('item-position', path, { type: 'compaction', expected: 'the only one' });
  }
  for (const entry of entries) {
    if (entry.role === 'system' && entry.index === 0) context.report('system-position', [0], { level: 'warning' });
    for (const part of entry.parts) checkPart(part, entry, caused, context);
    checkOrder(entry, context);
  }
  checkServerTools(context);
  checkThinking(context);
  checkBreakpoints(context);
  checkPrefill(context);
  const called = entries.some(({ parts }) => parts.some(({ kind }) => kind === 'call' || kind === 'result'));
  if (called && options.tools?.length === 0) context.report('tools-missing', []);
}

function checkPart(part: Part, { role }: Entry, caused: Set<unknown>, context: Context): void {
  const { source, path } = part;
  const home = HOME.get(source['type']);
  if (home !== undefined && home !== role)
    context.report('misplaced-block', path, { type: String(source['type']), role });
  if (part.kind === 'call' || part.kind === 'server-call') caused.add(part.id);
  const caller = recordAt(source, 'caller');
  const by = caller === undefined ? undefined : textAt(caller, 'tool_id');
  if (by !== undefined && !caused.has(by)) {
    context.report('orphan-caller', [...path, 'caller'], { id: by }, [{ op: 'drop', path: [...path, 'caller'] }]);
  }
  if (part.kind === 'result' && source['is_error'] === true && isList(source['content'])) {
    source['content'].forEach((inner, at) => {
      if (!isRecord(inner) || inner['type'] === 'text') return;
      context.report('image-in-error', [...path, 'content', at], {}, moveOut(inner, part, at));
    });
  }
}

/** Puts what a failed result may not hold behind the results of its message. */
function moveOut(inner: JsonRecord, { path }: Part, at: number): Edit[] {
  const [message = 0] = path;
  return [
    { op: 'drop', path: [...path, 'content', at] },
    { op: 'insert', path: [message, 'content', Number.MAX_SAFE_INTEGER], value: inner },
  ];
}

/** Results come first, a compaction too. */
function checkOrder(entry: Entry, context: Context): void {
  const behind = entry.parts.findIndex(({ kind }) => kind !== 'result');
  entry.parts.forEach((part, at) => {
    if (part.kind === 'result' && behind !== -1 && behind < at && entry.role === 'user') {
      const first = entry.parts[behind]?.path ?? part.path;
      const move: Edit[] = [
        { op: 'drop', path: part.path },
        { op: 'insert', path: first, value: part.source },
      ];
      context.report('results-first', part.path, { id: part.id }, move);
    }
    if (part.source['type'] === 'compaction' && at > 0) {
      context.report('item-position', part.path, { type: 'compaction', expected: 'the first block of its message' });
    }
  });
}

/** Calls of the provider's own tools and their results share one message, or continue in the next ones. */
function checkServerTools(context: Context): void {
  const { entries } = context;
  let open = new Map<string, Part>();
  const flush = (): void => {
    for (const part of open.values()) {
      context.report('orphan-server-call', part.path, { id: part.id, name: part.name }, [
        { op: 'drop', path: part.path },
      ]);
    }
    open = new Map();
  };
  entries.forEach(({ role, parts }) => {
    // Code that runs at the provider may call tools here, whose results come before its own.
    if (role === 'user' && parts.some(({ kind }) => kind !== 'result')) flush();
    for (const part of parts) {
      const { id } = part;
      if (id === undefined) continue;
      if (part.kind === 'server-call') open.set(id, part);
      if (part.kind === 'server-result' && !open.delete(id)) {
        context.report('orphan-server-result', part.path, { id, type: String(part.source['type']) }, [
          { op: 'drop', path: part.path },
        ]);
      }
    }
  });
  // A reply that was paused may end with a call that is still running.
}

/**
 * A reply that the model is to go on with: it can't end with white space, where it is allowed at all. Where the model
 * isn't known, nobody knows whether it is meant so.
 */
function checkPrefill(context: Context): void {
  const last = context.entries.at(-1);
  const part = last?.parts.at(-1);
  if (last?.role !== 'assistant' || part?.text === undefined) return;
  const allowed = context.rules.levels['last-role'];
  if (allowed === 'error') return;
  const { text, path } = part;
  const at = path.length === 1 ? [...path, 'content'] : [...path, 'text'];
  const trimmed = text.trimEnd();
  if (trimmed !== text && trimmed !== '')
    context.report('trailing-whitespace', at, allowed === 'warning' ? { level: 'warning' } : {}, [
      { op: 'set', path: at, value: trimmed },
    ]);
}

function answer(call: Part, context: Context): Edit[] {
  const value = { type: 'tool_result', tool_use_id: call.id, content: NO_RESULT, is_error: true };
  return placed(call, value, context);
}

/** Puts a result into the message of the user behind a call's turn, or makes one. */
function placed(call: Part, value: unknown, context: Context): Edit[] {
  const [index] = call.path;
  const after = context.endOf('assistant', context.positionOf(Number(index)) + 1);
  const next = context.entries[after];
  if (next?.role === 'user' && isList(next.source['content'])) {
    const results = next.parts.filter(({ kind }) => kind === 'result').length;
    return [{ op: 'insert', path: [next.index, 'content', results], value }];
  }
  if (next?.role === 'user' && typeof next.source['content'] === 'string') {
    const said = { type: 'text', text: next.source['content'] };
    return [{ op: 'set', path: [next.index, 'content'], value: next.empty ? [value] : [value, said] }];
  }
  return [{ op: 'insert', path: [indexAt(context, after)], value: { role: 'user', content: [value] } }];
}

export const anthropic: FormatRules = {
  name: 'anthropic',
  shape: anthropicMessage,
  roleKey: 'role',
  wire: true,
  words,
  pairing: {
    results: 'next',
    answer,
    rename: ({ path }, value) => [{ op: 'set', path: [...path, 'name'], value }],
    move: (result, call, context) => [{ op: 'drop', path: result.path }, ...placed(call, result.source, context)],
  },
  read,
  opening: (text) => ({ role: 'user', content: text }),
  check,
};
