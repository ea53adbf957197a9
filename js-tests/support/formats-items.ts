// A neutral history as items of the Responses API, as those of OpenAI's Agents SDK, and as contents of Gemini.
import type { ContentBlock, IContent } from 'densify';
import * as gemini from 'densify/gemini';
import * as agents from 'densify/openai-agents';
import * as responses from 'densify/openai-responses';
import type { FormatCase, Said } from './formats.js';
import { bagOf, listOf, type Message, string } from './loose.js';

/** How two APIs name the same. */
interface Dialect {
  readonly id: string;
  readonly result: string;
  readonly image: string;
  readonly thought: (text: string) => Message;
}

const IN_RESPONSES: Dialect = {
  id: 'call_id',
  result: 'function_call_output',
  image: 'image_url',
  thought: (text) => ({ summary: [{ type: 'summary_text', text }] }),
};
const IN_AGENTS: Dialect = {
  id: 'callId',
  result: 'function_call_result',
  image: 'image',
  thought: (text) => ({ content: [{ type: 'input_text', text }] }),
};

/** Each block is an item, except that one message of the user is one item. */
function items(entry: IContent, { id, result, image, thought }: Dialect): Message[] {
  const { speaker, blocks, metadata } = entry;
  if (speaker === 'human') {
    const content = blocks.map((block) =>
      block.type === 'media'
        ? { type: 'input_image', [image]: `data:image/png;base64,${block.data}` }
        : { type: 'input_text', text: (block as { text?: unknown }).text },
    );
    return [{ type: 'message', role: 'user', content, metadata }];
  }
  return blocks.map((block: ContentBlock): Message => {
    switch (block.type) {
      case 'tool_call': {
        const { name, parameters } = block;
        return { type: 'function_call', [id]: block.id, name, arguments: JSON.stringify(parameters), metadata };
      }
      case 'tool_response':
        return { type: result, [id]: block.callId, name: block.toolName, output: block.result, metadata };
      case 'thinking':
        return { type: 'reasoning', ...thought(block.thought), metadata };
      default: {
        const text = (block as { text?: unknown }).text;
        return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }], metadata };
      }
    }
  });
}

function saidBy(message: unknown, { id, result }: Dialect): readonly Said[] {
  const { type, role, content, name: _, summary, output, ...rest } = bagOf(message);
  if (type === 'function_call') return [{ kind: 'call', side: 'ai', what: string(rest[id]) }];
  if (type === result) return [{ kind: 'result', side: 'tool', what: string(rest[id]), text: string(output) }];
  if (type === 'reasoning') {
    const parts = [...listOf(summary), ...listOf(content)];
    return [{ kind: 'thought', side: 'ai', what: parts.map((part) => string(bagOf(part).text)).join('\n') }];
  }
  if (type !== 'message') return [];
  const side = role === 'assistant' ? 'ai' : 'human';
  if (typeof content === 'string') return [{ kind: 'text', side, what: content }];
  return listOf(content).flatMap((part): Said[] => {
    const found = bagOf(part);
    if (found.type === 'input_image') return [{ kind: 'media', side, what: '' }];
    return found.type === 'input_text' || found.type === 'output_text'
      ? [{ kind: 'text', side, what: string(found.text) }]
      : [];
  });
}

const ofItems = (name: string, verbs: unknown, dialect: Dialect): FormatCase => ({
  name,
  verbs: verbs as FormatCase['verbs'],
  known: { model: 'gpt-4o' },
  isOfItems: true,
  from: (history) => history.flatMap((entry) => items(entry, dialect)),
  said: (message) => saidBy(message, dialect),
  isEmpty(message) {
    const { type, content } = bagOf(message);
    return type === 'message' && (content === '' || (Array.isArray(content) && content.length === 0));
  },
});

export const responsesCase = ofItems('openai-responses', responses, IN_RESPONSES);
export const agentsCase = ofItems('openai-agents', agents, IN_AGENTS);

function part(block: ContentBlock): Message {
  switch (block.type) {
    case 'tool_call':
      return { functionCall: { id: block.id, name: block.name, args: block.parameters } };
    case 'tool_response':
      return {
        functionResponse: { id: block.callId, name: block.toolName, response: { output: block.result } },
      };
    case 'thinking':
      return { text: block.thought, thought: true };
    case 'media':
      return { inlineData: { mimeType: block.mimeType, data: block.data } };
    default:
      return { text: (block as { text?: unknown }).text };
  }
}

export const geminiCase: FormatCase = {
  name: 'gemini',
  verbs: gemini as unknown as FormatCase['verbs'],
  known: { model: 'gemini-2.5-pro' },
  hasDemands: true,
  from: (history) =>
    history.map(({ speaker, blocks, metadata }) => ({
      role: speaker === 'ai' ? 'model' : 'user',
      parts: blocks.map(part),
      metadata,
    })),
  said(message) {
    const { role, parts } = bagOf(message);
    const side = role === 'model' ? 'ai' : 'human';
    return listOf(parts).flatMap((found): Said[] => {
      const { text, thought, functionCall, functionResponse, inlineData } = bagOf(found);
      if (functionCall !== undefined) {
        return side === 'ai' ? [{ kind: 'call', side, what: string(bagOf(functionCall).id) }] : [];
      }
      if (functionResponse !== undefined) {
        if (side === 'ai') return [];
        const { id, response } = bagOf(functionResponse);
        return [{ kind: 'result', side: 'tool', what: string(id), text: string(bagOf(response).output) }];
      }
      if (inlineData !== undefined) return [{ kind: 'media', side, what: '' }];
      return text === undefined ? [] : [{ kind: thought === true ? 'thought' : 'text', side, what: string(text) }];
    });
  },
  isEmpty: (message) => {
    const { parts } = bagOf(message);
    return !Array.isArray(parts) || parts.length === 0;
  },
};
