// A neutral history as messages of pi.

import type { ContentBlock, IContent } from 'densify';
import * as pi from 'densify/pi';
import type { FormatCase, Said } from './formats.js';
import { bagOf, listOf, type Message, string } from './loose.js';

function part(block: ContentBlock): Message {
  switch (block.type) {
    case 'tool_call':
      return { type: 'toolCall', id: block.id, name: block.name, arguments: block.parameters };
    case 'thinking':
      return { type: 'thinking', thinking: block.thought, thinkingSignature: 's' };
    case 'media':
      return { type: 'image', mimeType: block.mimeType, data: block.data };
    default:
      return { ...block };
  }
}

function messages({ speaker, blocks, metadata }: IContent): Message[] {
  if (speaker !== 'tool') {
    return [{ role: speaker === 'ai' ? 'assistant' : 'user', content: blocks.map(part), timestamp: 1, metadata }];
  }
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_response') return [];
    const { callId: toolCallId, toolName, result, error } = block;
    return [
      { role: 'toolResult', toolCallId, toolName, content: result, isError: Boolean(error), timestamp: 1, metadata },
    ];
  });
}

export const piCase: FormatCase = {
  name: 'pi',
  verbs: pi as unknown as FormatCase['verbs'],
  known: { model: 'claude-3-5-haiku' },
  from: (history) => history.flatMap(messages),
  said(message) {
    const { role, content, toolCallId } = bagOf(message);
    if (role === 'toolResult')
      return [{ kind: 'result', side: 'tool', what: string(toolCallId), text: string(content) }];
    if (role !== 'user' && role !== 'assistant') return [];
    const side = role === 'assistant' ? 'ai' : 'human';
    if (typeof content === 'string') return [{ kind: 'text', side, what: content }];
    return listOf(content).flatMap((found): Said[] => {
      const { type, text, thinking, id } = bagOf(found);
      if (type === 'text') return [{ kind: 'text', side, what: string(text) }];
      if (type === 'thinking' && side === 'ai') return [{ kind: 'thought', side, what: string(thinking) }];
      if (type === 'image') return [{ kind: 'media', side, what: '' }];
      return type === 'toolCall' && side === 'ai' ? [{ kind: 'call', side, what: string(id) }] : [];
    });
  },
  isEmpty: (message) => listOf(bagOf(message).content).length === 0 && !bagOf(message).content,
};
