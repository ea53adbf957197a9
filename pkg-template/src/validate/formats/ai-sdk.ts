/** The AI SDK's messages: `ModelMessage`, and the prompt that middleware sees. */
import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import { type Context, dropping, type Edit, type Entry, type Part, recordAt, textAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { NO_RESULT } from '../rules/shared.js';
import { modelMessage, promptMessage } from '../shapes/ai-sdk.js';
import type { Words } from '../words.js';

const words: Words = {
  'no-messages': () => 'messages must not be empty',
  'system-position': () =>
    'System messages are not allowed in the prompt or messages fields. Use the instructions option instead.',
  'orphan-call': (_path, { ids = [] }) =>
    `Tool result${ids.length > 1 ? 's are' : ' is'} missing for tool call${ids.length > 1 ? 's' : ''} ${ids.join(', ')}.`,
  'orphan-approval': (_path, { id, type }) =>
    type === 'response' ? `Tool approval response references unknown approvalId: "${id ?? ''}".` : undefined,
};

const ROLES: ReadonlyMap<unknown, Entry['role']> = new Map([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
]);

function read(message: JsonRecord, index: number): Entry {
  const { content } = message;
  const role = ROLES.get(message['role']) ?? 'other';
  const read = (isList(content) ? content : []).flatMap((source, at): Part[] =>
    isRecord(source) ? [partOf(source, [index, 'content', at], role)] : [],
  );
  // The SDK looks for the results of its own calls in tool messages only.
  const calls = new Set(read.filter(({ kind }) => kind === 'call').map(({ id }) => id));
  const parts = read.map((part) =>
    part.kind === 'server-result' && calls.has(part.id) ? { ...part, kind: 'result' as const } : part,
  );
  // The SDK leaves empty texts out, and a message of nothing else goes out empty.
  const empty = content === '' || (isList(content) && content.every(saysNothing));
  return { index, role, parts, source: message, empty };
}

function saysNothing(part: unknown): boolean {
  return (
    isRecord(part) &&
    (part['type'] === 'text' || part['type'] === 'reasoning') &&
    part['text'] === '' &&
    part['providerOptions'] === undefined
  );
}

function partOf(source: JsonRecord, path: readonly (string | number)[], role: Entry['role']): Part {
  const { type, text } = source;
  const about = {
    path,
    source,
    id: textAt(source, 'toolCallId'),
    idKey: 'toolCallId',
    name: textAt(source, 'toolName'),
  };
  if (type === 'tool-call') return { kind: source['providerExecuted'] === true ? 'server-call' : 'call', ...about };
  if (type === 'tool-result') return { kind: role === 'tool' ? 'result' : 'server-result', ...about };
  if (type === 'text') return { kind: 'text', path, source, text: typeof text === 'string' ? text : undefined };
  return { kind: type === 'reasoning' ? 'thinking' : 'other', path, source };
}

function check(context: Context): void {
  const { entries, options, format } = context;
  const system = format === 'ai-sdk' ? options.allowSystem !== true : false;
  entries.forEach(({ role, index }, at) => {
    if (role !== 'system') return;
    // Providers put all instructions in front; one between other messages is refused by some.
    const between = format === 'ai-sdk-prompt' && entries.slice(0, at).some((entry) => entry.role !== 'system');
    if (system || between) context.report('system-position', [index]);
  });
  checkApprovals(context);
  checkServerTools(context);
  checkReasoning(context);
}

/** A request, its response and its call belong together, across messages. */
function checkApprovals(context: Context): void {
  const calls = new Set<string>();
  const asked = new Set<string>();
  const answered = new Set<string>();
  for (const { parts } of context.entries) {
    for (const part of parts) {
      const { source, path, id } = part;
      if ((part.kind === 'call' || part.kind === 'server-call') && id !== undefined) calls.add(id);
      const approval = textAt(source, 'approvalId');
      if (approval === undefined) continue;
      const request = source['type'] === 'tool-approval-request';
      const known = request ? asked : answered;
      if (known.has(approval)) context.report('duplicate-approval', path, { id: approval }, dropping(part));
      known.add(approval);
      if (request && !calls.has(textAt(source, 'toolCallId') ?? '')) {
        context.report('orphan-approval', path, { id: approval, type: 'request' }, dropping(part));
      } else if (!request && !asked.has(approval)) {
        context.report('orphan-approval', path, { id: approval, type: 'response' }, dropping(part));
      }
    }
  }
}

/** What the provider did itself stands in the model's messages, call before result. */
function checkServerTools({ entries, report }: Context): void {
  const open = new Map<string, Part>();
  for (const { parts } of entries) {
    for (const part of parts) {
      if (part.id === undefined) continue;
      if (part.kind === 'server-call') open.set(part.id, part);
      if (part.kind !== 'server-result' || open.delete(part.id)) continue;
      report('orphan-server-result', part.path, { id: part.id }, dropping(part));
    }
  }
  for (const { path, id } of open.values()) report('orphan-server-call', path, { id, level: 'warning' });
}

/** OpenAI's reasoning items must be followed by what they led to. */
function checkReasoning({ entries, report }: Context): void {
  entries.forEach(({ role, parts }, at) => {
    const last = parts.at(-1);
    if (role !== 'assistant' || last?.kind !== 'thinking' || entries[at + 1]?.role === 'assistant') return;
    const openai = recordAt(recordAt(last.source, 'providerOptions') ?? {}, 'openai');
    const id = openai === undefined ? undefined : textAt(openai, 'itemId');
    if (id !== undefined) report('reasoning-without-successor', last.path, { id }, dropping(last));
  });
}

/** A call that the user has just been asked about is run, or refused, by the SDK itself. */
function pending({ entries }: Context): (call: Part) => boolean {
  const last = entries.at(-1);
  const responses = new Set(last?.role === 'tool' ? last.parts.map(({ source }) => textAt(source, 'approvalId')) : []);
  responses.delete(undefined);
  const asked = entries
    .flatMap(({ parts }) => parts)
    .filter(({ source }) => source['type'] === 'tool-approval-request' && responses.has(textAt(source, 'approvalId')));
  const ids = new Set(asked.map(({ source }) => textAt(source, 'toolCallId')));
  return ({ id }) => ids.has(id);
}

function answer(call: Part, context: Context): Edit[] {
  const output = { type: 'error-text', value: NO_RESULT };
  const value = { type: 'tool-result', toolCallId: call.id, toolName: call.name ?? '', output };
  return placed(call, value, context);
}

/** Puts a result at the end of the tool message behind its call, or makes one. */
function placed(call: Part, value: unknown, { entries, positionOf }: Context): Edit[] {
  const [index = 0] = call.path;
  const next = entries[positionOf(Number(index)) + 1];
  if (next?.role === 'tool') return [{ op: 'insert', path: [next.index, 'content', Number.MAX_SAFE_INTEGER], value }];
  return [{ op: 'insert', path: [Number(index) + 1], value: { role: 'tool', content: [value] } }];
}

const pairing: NonNullable<FormatRules['pairing']> = {
  results: 'step',
  neverWithin: true,
  warnsApart: true,
  pending,
  answer,
  move: (result, call, context) => [{ op: 'drop', path: result.path }, ...placed(call, result.source, context)],
};

export const aiSdk: FormatRules = {
  name: 'ai-sdk',
  shape: modelMessage,
  roleKey: 'role',
  wire: false,
  words,
  pairing,
  read,
  opening: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  check,
};

export const aiSdkPrompt: FormatRules = { ...aiSdk, name: 'ai-sdk-prompt', shape: promptMessage };
