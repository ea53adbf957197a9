// A neutral history as messages of LangChain, in their stored form.

import type { ContentBlock, IContent } from 'densify';
import * as langchain from 'densify/langchain';
import type { FormatCase, Said } from './formats.js';
import { bagOf, listOf, type Message, string } from './loose.js';

function part(block: ContentBlock): Message[] {
  switch (block.type) {
    case 'text':
      return [{ ...block }];
    case 'thinking':
      return [{ type: 'thinking', thinking: block.thought, signature: 's' }];
    case 'media':
      return [{ type: 'image', mimeType: block.mimeType, data: block.data }];
    case 'tool_call':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: block.parameters }];
    default:
      return [];
  }
}

function stored({ speaker, blocks, metadata }: IContent): Message[] {
  const common = { additional_kwargs: {}, response_metadata: {} };
  if (speaker === 'tool') {
    return blocks.flatMap((block) => {
      if (block.type !== 'tool_response') return [];
      const { callId: tool_call_id, toolName: name, result: content, error } = block;
      return [
        {
          type: 'tool',
          data: { content, tool_call_id, name, status: error ? 'error' : 'success', ...common },
          metadata,
        },
      ];
    });
  }
  const content = blocks.flatMap(part);
  if (speaker === 'human') return [{ type: 'human', data: { content, ...common }, metadata }];
  const calls = blocks.flatMap((block): Message[] => {
    if (block.type !== 'tool_call') return [];
    return [{ type: 'tool_call', id: block.id, name: block.name, args: block.parameters }];
  });
  return [{ type: 'ai', data: { content, tool_calls: calls, invalid_tool_calls: [], ...common }, metadata }];
}

export const langchainCase: FormatCase = {
  name: 'langchain',
  verbs: langchain as unknown as FormatCase['verbs'],
  known: { model: 'claude-3-5-haiku' },
  from: (history) => history.flatMap(stored),
  said(message) {
    const { type, data, content: given } = bagOf(message);
    const { content, tool_calls: calls, tool_call_id: id } = given === undefined ? bagOf(data) : bagOf(message);
    if (type === 'tool') return [{ kind: 'result', side: 'tool', what: string(id), text: string(content) }];
    const side = type === 'ai' ? 'ai' : 'human';
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    const raw = parts.flatMap((found) => (bagOf(found).type === 'tool_use' ? [bagOf(found).id] : []));
    const listed = listOf(calls).map((call) => bagOf(call).id);
    return [
      ...parts.flatMap((found): Said[] => {
        const { type: kind, text, thinking } = bagOf(found);
        if (kind === 'text')
          return text === '' && listed.length > 0 && content === '' ? [] : [{ kind, side, what: string(text) }];
        if (kind === 'thinking') return [{ kind: 'thought', side, what: string(thinking) }];
        return kind === 'image' ? [{ kind: 'media', side, what: '' }] : [];
      }),
      // What only one of the two places says is wrong.
      ...(side === 'ai' ? [...listed, ...raw.filter((other) => !listed.includes(other))] : []).map(
        (call): Said => ({ kind: 'call', side, what: string(call) }),
      ),
    ];
  },
  isEmpty(message) {
    const { data, content: given } = bagOf(message);
    const { content, tool_calls: calls } = given === undefined ? bagOf(data) : bagOf(message);
    return listOf(content).length === 0 && !content && listOf(calls).length === 0;
  },
};
