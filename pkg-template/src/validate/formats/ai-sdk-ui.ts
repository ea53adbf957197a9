/** The AI SDK's `UIMessage`: a call and its result share a part, which has a state. */
import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import { type Context, type Edit, type Entry, type Part, textAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { NO_RESULT } from '../rules/shared.js';
import { uiMessage } from '../shapes/ai-sdk.js';
import type { Words } from '../words.js';

const words: Words = {
  'no-messages': () => 'Messages array must not be empty',
  'empty-message': (_path, { role }) => (role === 'assistant' ? undefined : 'Message must contain at least one part'),
  'orphan-call': (_path, { id }) => `Tool result is missing for tool call ${id ?? ''}.`,
};

/**
 * How grave it is that nothing has come back for a part, once the conversation went on: what only one of the SDK's
 * two majors refuses is a warning. Calls that are still being written, and those of the provider's own tools, are
 * sent as they are.
 */
function gravity({ state, providerExecuted, approval }: JsonRecord): 'error' | 'warning' | undefined {
  if (providerExecuted === true) return undefined;
  if (state === 'input-available') return 'error';
  if (state === 'approval-requested') return 'warning';
  if (state !== 'approval-responded') return undefined;
  return isRecord(approval) && approval['approved'] === false ? 'warning' : 'error';
}

function read(message: JsonRecord, index: number): Entry {
  const { role, parts } = message;
  const known = role === 'system' || role === 'user' || role === 'assistant' ? role : 'other';
  const list = isList(parts) ? parts : [];
  const all = list.flatMap((source, at): Part[] => (isRecord(source) ? [partOf(source, [index, 'parts', at])] : []));
  return { index, role: known, parts: all, source: message, empty: false };
}

function partOf(source: JsonRecord, path: readonly (string | number)[]): Part {
  const { type, text } = source;
  const tool = type === 'dynamic-tool' || (typeof type === 'string' && type.startsWith('tool-'));
  // Not a `call` to the shared rules: it can't lose its result.
  if (tool) return { kind: 'other', path, source, id: textAt(source, 'toolCallId'), idKey: 'toolCallId' };
  const kind = type === 'text' ? 'text' : type === 'reasoning' ? 'thinking' : 'other';
  return { kind, path, source, text: typeof text === 'string' && kind === 'text' ? text : undefined };
}

function check(context: Context): void {
  const { entries, report } = context;
  const ids = new Set<string>();
  const calls = new Set<string>();
  entries.forEach(({ source, index, parts, role }, at) => {
    if (isList(source['parts']) && source['parts'].length === 0) {
      // Version 7 lets the model say nothing.
      const level = role === 'assistant' ? 'warning' : 'error';
      report('empty-message', [index], { role, level }, [{ op: 'drop', path: [index] }]);
    }
    const id = textAt(source, 'id');
    if (id !== undefined && ids.has(id)) report('duplicate-id', [index, 'id'], { id });
    if (id !== undefined) ids.add(id);
    for (const part of parts) {
      if (part.idKey === undefined) continue;
      if (part.id === undefined) report('missing-call-id', part.path);
      else if (calls.has(part.id)) report('duplicate-call-id', [...part.path, 'toolCallId'], { id: part.id });
      if (part.id !== undefined) calls.add(part.id);
      const grave = gravity(part.source);
      const isLast = at === entries.length - 1;
      // What was just decided the SDK runs itself; for the rest it waits, and only sending it is refused.
      if (grave === undefined || (isLast && part.source['state'] === 'approval-responded')) continue;
      report('orphan-call', part.path, { id: part.id, level: isLast ? 'warning' : grave }, settle(part));
    }
  });
}

/** What never came back failed. */
function settle(part: Part): Edit[] {
  const { approval: _, ...rest } = part.source;
  return [{ op: 'set', path: part.path, value: { ...rest, state: 'output-error', errorText: NO_RESULT } }];
}

export const aiSdkUi: FormatRules = {
  name: 'ai-sdk-ui',
  shape: uiMessage,
  roleKey: 'role',
  wire: false,
  words,
  read,
  check,
};
