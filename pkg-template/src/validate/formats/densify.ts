/** Our own contents. Blocks of other types ride along, so they are none of our business. */
import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import { type Context, type Edit, type Entry, type Part, textAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { NO_RESULT } from '../rules/shared.js';
import { oneOf, type Shape } from '../shape.js';

const SPEAKERS: ReadonlyMap<unknown, Entry['role']> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['tool', 'tool'],
]);

const content: Shape = {
  keys: {
    speaker: oneOf('human', 'ai', 'tool'),
    blocks: {
      list: {
        tag: 'type',
        of: {
          text: { keys: { text: 'string' } },
          tool_call: { keys: { id: 'string', name: 'string', parameters: 'any' } },
          tool_response: { keys: { callId: 'string', toolName: 'string', result: 'any', 'error?': 'string' } },
          media: { keys: { mimeType: 'string', data: 'string', encoding: oneOf('url', 'base64') } },
          thinking: { keys: { thought: 'string' } },
          code: { keys: { code: 'string' } },
        },
        other: () => 'any',
      },
    },
    'metadata?': 'object',
  },
};

function read(source: JsonRecord, index: number): Entry {
  const role = SPEAKERS.get(source['speaker']) ?? 'other';
  const blocks = isList(source['blocks']) ? source['blocks'] : [];
  const parts = blocks.flatMap((block, at): Part[] => (isRecord(block) ? [partOf(block, [index, 'blocks', at])] : []));
  return { index, role, parts, source, empty: blocks.length === 0 };
}

function partOf(source: JsonRecord, path: readonly (string | number)[]): Part {
  const { type, text } = source;
  if (type === 'tool_call')
    return { kind: 'call', path, source, id: textAt(source, 'id'), idKey: 'id', name: textAt(source, 'name') };
  if (type === 'tool_response') {
    return {
      kind: 'result',
      path,
      source,
      id: textAt(source, 'callId'),
      idKey: 'callId',
      name: textAt(source, 'toolName'),
    };
  }
  const kind = type === 'text' ? 'text' : type === 'thinking' ? 'thinking' : 'other';
  return { kind, path, source, text: kind === 'text' && typeof text === 'string' ? text : undefined };
}

function check(context: Context): void {
  for (const { role, parts } of context.entries) {
    for (const part of parts) {
      const home = part.kind === 'call' ? 'assistant' : part.kind === 'result' ? 'tool' : undefined;
      if (home === undefined || home === role || role === 'other') continue;
      context.report('misplaced-block', part.path, { type: String(part.source['type']), role, level: 'warning' });
    }
  }
}

/** Puts a response at the end of the tool content behind its call, or makes one. */
function placed(call: Part, block: unknown, { entries, positionOf }: Context): Edit[] {
  const [index = 0] = call.path;
  const next = entries[positionOf(Number(index)) + 1];
  if (next?.role === 'tool')
    return [{ op: 'insert', path: [next.index, 'blocks', Number.MAX_SAFE_INTEGER], value: block }];
  return [{ op: 'insert', path: [Number(index) + 1], value: { speaker: 'tool', blocks: [block] } }];
}

export const densify: FormatRules = {
  name: 'densify',
  shape: content,
  roleKey: 'speaker',
  wire: false,
  words: {},
  pairing: {
    results: 'step',
    answer(call, context) {
      const block = {
        type: 'tool_response',
        callId: call.id,
        toolName: call.name ?? '',
        result: NO_RESULT,
        error: NO_RESULT,
      };
      return placed(call, block, context);
    },
    move: (result, call, context) => [{ op: 'drop', path: result.path }, ...placed(call, result.source, context)],
  },
  read,
  check,
};
