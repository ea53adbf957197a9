/** pi's messages; roles that extensions add are left alone. */
import { isList, isRecord, type JsonRecord } from '../../transcripts/json.js';
import { behind, type Context, type Edit, type Entry, type Part, textAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { NO_RESULT } from '../rules/shared.js';
import type { Shape } from '../shape.js';

const text: Shape = { keys: { text: 'string' } };
const image: Shape = { keys: { data: 'string', mimeType: 'string' } };
const said: Shape = { list: { tag: 'type', of: { text, image } } };

const shapes = {
  system: { keys: { 'content?': 'any' } },
  user: { keys: { content: { anyOf: ['string', said] } } },
  assistant: {
    keys: {
      content: {
        list: {
          tag: 'type',
          of: {
            text,
            thinking: { keys: { thinking: 'string' } },
            toolCall: { keys: { id: 'string', name: 'string', arguments: 'any' } },
          },
        },
      },
    },
  },
  toolResult: { keys: { toolCallId: 'string', toolName: 'string', content: said, 'isError?': 'boolean' } },
} as const satisfies Record<string, Shape>;

const message: Shape = { tag: 'role', of: shapes, other: () => 'any' };

const ROLES: ReadonlyMap<unknown, Entry['role']> = new Map([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['toolResult', 'tool'],
]);

function read(source: JsonRecord, index: number): Entry {
  const role = ROLES.get(source['role']) ?? 'other';
  const { content } = source;
  if (role === 'tool') {
    const part = {
      kind: 'result' as const,
      path: [index],
      source,
      id: textAt(source, 'toolCallId'),
      idKey: 'toolCallId',
    };
    return { index, role, parts: [part], source, empty: false };
  }
  const parts = (isList(content) && role !== 'other' ? content : []).flatMap((block, at): Part[] => {
    if (!isRecord(block)) return [];
    const path = [index, 'content', at];
    // pi leaves replies that failed or were stopped out, and with them their calls.
    const left = source['stopReason'] === 'error' || source['stopReason'] === 'aborted';
    if (block['type'] === 'toolCall') {
      return [
        {
          kind: left ? 'other' : 'call',
          path,
          source: block,
          id: textAt(block, 'id'),
          idKey: 'id',
          name: textAt(block, 'name'),
        },
      ];
    }
    const { text: words } = block;
    return [
      {
        kind: block['type'] === 'text' ? 'text' : 'other',
        path,
        source: block,
        text: typeof words === 'string' ? words : undefined,
      },
    ];
  });
  return {
    index,
    role,
    parts,
    source,
    empty: role !== 'other' && (content === '' || (isList(content) && content.length === 0)),
  };
}

function answer(call: Part, context: Context): Edit[] {
  const about = { role: 'toolResult', toolCallId: call.id, toolName: call.name ?? '' };
  const stamp = context.entries[context.positionOf(Number(call.path[0]))]?.source['timestamp'];
  const value = {
    ...about,
    content: [{ type: 'text', text: NO_RESULT }],
    isError: true,
    ...(stamp === undefined ? {} : { timestamp: stamp }),
  };
  return [{ op: 'insert', path: [behind(call, context)], value }];
}

export const pi: FormatRules = {
  name: 'pi',
  shape: message,
  roleKey: 'role',
  wire: false,
  words: {},
  pairing: {
    results: 'step',
    answer,
    move: (result, call, context) => [
      { op: 'drop', path: result.path },
      { op: 'insert', path: [behind(call, context)], value: result.source },
    ],
  },
  read,
};
