// A neutral history as messages of the AI SDK: of models, of prompts, and of user interfaces.

import type { ContentBlock, IContent } from 'densify';
import * as model from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import * as ui from 'densify/ai-sdk/ui';
import type { FormatCase, Said } from './formats.js';
import { bagOf, listOf, type Message, string } from './loose.js';

/** A model whose provider demands nothing of thinking, only that the user begins. */
const known = { model: 'claude-3-5-haiku' };

function part(block: ContentBlock): Message {
  switch (block.type) {
    case 'tool_call':
      return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.parameters };
    case 'tool_response': {
      const output = { type: block.error ? 'error-text' : 'text', value: block.result };
      return { type: 'tool-result', toolCallId: block.callId, toolName: block.toolName, output };
    }
    case 'thinking':
      return { type: 'reasoning', text: block.thought, providerOptions: { anthropic: { signature: 's' } } };
    case 'media':
      return { type: 'file', mediaType: block.mimeType, data: block.data };
    default:
      return { ...block };
  }
}

const ROLES = { human: 'user', ai: 'assistant', tool: 'tool' } as const;

function saidByPart(given: unknown, side: Said['side']): Said[] {
  const { type, text, toolCallId, output } = bagOf(given);
  if (type === 'text') return [{ kind: 'text', side, what: string(text) }];
  if (type === 'reasoning') return [{ kind: 'thought', side, what: string(text) }];
  if (type === 'file') return [{ kind: 'media', side, what: '' }];
  if (type === 'tool-call') return side === 'ai' ? [{ kind: 'call', side, what: string(toolCallId) }] : [];
  // In an answer it is the result of a tool of the provider's own.
  if (type !== 'tool-result' || side === 'ai') return [];
  return [{ kind: 'result', side: 'tool', what: string(toolCallId), text: string(bagOf(output).value) }];
}

const ofModels = (name: string, verbs: unknown): FormatCase => ({
  name,
  verbs: verbs as FormatCase['verbs'],
  known,
  from: (history) =>
    history.map(({ speaker, blocks, metadata }) => ({ role: ROLES[speaker], content: blocks.map(part), metadata })),
  said(message) {
    const { role, content } = bagOf(message);
    const side = role === 'assistant' ? 'ai' : role === 'tool' ? 'tool' : 'human';
    if (typeof content === 'string') return [{ kind: 'text', side, what: content }];
    return listOf(content).flatMap((given) => saidByPart(given, side));
  },
  isEmpty: (message) => listOf(bagOf(message).content).length === 0 && !bagOf(message).content,
});

export const aiSdkCase = ofModels('ai-sdk', model);
export const aiSdkPromptCase = ofModels('ai-sdk/prompt', prompt);

/** Steps of an answer become one message; a result is next to its call. */
function uiMessages(history: readonly IContent[]): Message[] {
  const results = new Map<string, Message>();
  for (const { blocks } of history) {
    for (const block of blocks) {
      if (block.type !== 'tool_response') continue;
      const done = { state: 'output-available', output: block.result };
      results.set(block.callId, block.error ? { state: 'output-error', errorText: block.result } : done);
    }
  }
  const messages: { id: string; role: string; parts: Message[]; metadata: unknown }[] = [];
  for (const { speaker, blocks, metadata } of history) {
    if (speaker === 'tool') continue;
    const parts = blocks.map((block): Message => {
      if (block.type === 'thinking') return { type: 'reasoning', text: block.thought };
      if (block.type === 'media') {
        return { type: 'file', mediaType: block.mimeType, url: `data:image/png;base64,${block.data}` };
      }
      if (block.type !== 'tool_call') return { ...block };
      const call = { type: 'dynamic-tool', toolName: block.name, toolCallId: block.id, input: block.parameters };
      return { ...call, ...(results.get(block.id) ?? { state: 'input-available' }) };
    });
    const last = messages.at(-1);
    if (speaker === 'ai' && last?.role === 'assistant') last.parts.push({ type: 'step-start' }, ...parts);
    else messages.push({ id: `m${messages.length}`, role: ROLES[speaker], parts, metadata });
  }
  return messages;
}

export const aiSdkUiCase: FormatCase = {
  name: 'ai-sdk/ui',
  verbs: ui as unknown as FormatCase['verbs'],
  known,
  from: uiMessages,
  said(message) {
    const { role, parts } = bagOf(message);
    const side = role === 'assistant' ? 'ai' : 'human';
    return listOf(parts).flatMap((given): Said[] => {
      const { type, text, toolCallId, state, output, errorText } = bagOf(given);
      if (type === 'text') return [{ kind: 'text', side, what: string(text) }];
      if (type === 'reasoning') return [{ kind: 'thought', side, what: string(text) }];
      if (type === 'file') return [{ kind: 'media', side, what: '' }];
      if (type !== 'dynamic-tool') return [];
      const call: Said = { kind: 'call', side, what: string(toolCallId) };
      if (state === 'input-available') return [call];
      const result = string(state === 'output-error' ? errorText : output);
      return [call, { kind: 'result', side: 'tool', what: string(toolCallId), text: result }];
    });
  },
  isEmpty: (message) => listOf(bagOf(message).parts).length === 0,
};

/** A history as a user interface can hold it: results follow their calls, each step's together. */
export function stepwise(history: readonly IContent[]): IContent[] {
  const answers = new Map<string, ContentBlock>();
  for (const { blocks } of history) {
    for (const block of blocks) if (block.type === 'tool_response') answers.set(block.callId, block);
  }
  const steps: IContent[] = [];
  for (const entry of history) {
    if (entry.speaker === 'tool') continue;
    steps.push(entry);
    const found = entry.blocks.flatMap((block) => (block.type === 'tool_call' ? (answers.get(block.id) ?? []) : []));
    if (found.length > 0) steps.push({ speaker: 'tool', blocks: found });
  }
  return steps;
}
