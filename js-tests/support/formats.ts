// What the tests of all formats need of each: how to write a neutral history in it, and how to read it back.

import type { ContentBlock, IContent, OptimizeOptions } from 'densify';
import * as anthropic from 'densify/anthropic';
import * as openai from 'densify/openai';
import { aiSdkCase, aiSdkPromptCase } from './formats-ai-sdk.js';
import { agentsCase, geminiCase, responsesCase } from './formats-items.js';
import { langchainCase } from './formats-langchain.js';
import { piCase } from './formats-pi.js';
import { bagOf, listOf, type Message, string } from './loose.js';

/** Something that a history says, independent of its format. */
export interface Said {
  readonly kind: 'call' | 'result' | 'text' | 'thought' | 'media';
  readonly side: 'human' | 'ai' | 'tool';
  /** Of calls and results the id, of the others their text. */
  readonly what: string;
  /** Of results the text. */
  readonly text?: string;
}

/** A format under test. */
export interface FormatCase {
  readonly name: string;
  /** The verbs, for any messages. */
  readonly verbs: Pick<typeof anthropic, Verb>;
  /** Options under which the provider demands nothing of thinking. */
  readonly known: object;
  /** Options under which the neutral form decides what this one does, where its provider demands something of every model. */
  readonly alike?: { readonly rules: object };
  /** Whether each block of the model or a tool is a message of its own. */
  readonly isOfItems?: boolean;
  /** Whether its provider demands more than pairs of every model, so that decisions may differ from the neutral form's. */
  readonly hasDemands?: boolean;
  /** A neutral history, one message an entry; with `merged`, words beside results where the format has that. */
  from(history: readonly IContent[], merged?: boolean): Message[];
  /** What a message says; messages may be anything. */
  said(message: unknown): readonly Said[];
  /** Whether a message lacks what the provider demands of every message. */
  isEmpty(message: unknown): boolean;
}

type Verb =
  | 'optimize'
  | 'compress'
  | 'createOptimizer'
  | 'requestSummary'
  | 'applySummary'
  | 'createConversation'
  | 'restoreConversation'
  | 'estimateTokens'
  | 'digest'
  | 'shrinkResults';

function anthropicBlocks(blocks: readonly ContentBlock[]): Message[] {
  return blocks.map((block): Message => {
    switch (block.type) {
      case 'tool_call':
        return { type: 'tool_use', id: block.id, name: block.name, input: block.parameters };
      case 'tool_response': {
        const failed = block.error ? { is_error: true } : {};
        return { type: 'tool_result', tool_use_id: block.callId, content: block.result, ...failed };
      }
      case 'thinking':
        return { type: 'thinking', thinking: block.thought, signature: 's' };
      case 'media':
        return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: block.data } };
      default:
        return { ...block };
    }
  });
}

const anthropicCase: FormatCase = {
  name: 'anthropic',
  verbs: anthropic,
  known: { generation: 'no-thinking' },
  from(history, merged = false) {
    const messages: { role: string; content: Message[]; metadata: unknown }[] = [];
    history.forEach(({ speaker, blocks, metadata }, at) => {
      const role = speaker === 'ai' ? 'assistant' : 'user';
      const last = messages.at(-1);
      const follows = merged && role === 'user' && history[at - 1]?.speaker === 'tool';
      if (last !== undefined && follows) last.content.push(...anthropicBlocks(blocks));
      else messages.push({ role, content: anthropicBlocks(blocks), metadata });
    });
    return messages;
  },
  said(message) {
    const { role, content } = bagOf(message);
    const side = role === 'assistant' ? 'ai' : 'human';
    if (typeof content === 'string') return [{ kind: 'text', side, what: content }];
    return listOf(content).flatMap((part): Said[] => {
      const block = bagOf(part);
      if (block.type === 'text') return [{ kind: 'text', side, what: string(block.text) }];
      if (block.type === 'tool_use') return [{ kind: 'call', side, what: string(block.id) }];
      if (block.type === 'thinking') return [{ kind: 'thought', side, what: string(block.thinking) }];
      if (block.type === 'image') return [{ kind: 'media', side, what: '' }];
      if (block.type !== 'tool_result') return [];
      return [{ kind: 'result', side: 'tool', what: string(block.tool_use_id), text: string(block.content) }];
    });
  },
  isEmpty: (message) => listOf(bagOf(message).content).length === 0 && !bagOf(message).content,
};

function openaiMessages({ speaker, blocks, metadata }: IContent): Message[] {
  if (speaker === 'tool') {
    return blocks.flatMap((block) => {
      if (block.type !== 'tool_response') return [];
      return [{ role: 'tool', tool_call_id: block.callId, content: block.result, metadata }];
    });
  }
  const parts = blocks.flatMap((block): Message[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    if (block.type !== 'media') return [];
    return [{ type: 'image_url', image_url: { url: `data:image/png;base64,${block.data}` } }];
  });
  if (speaker === 'human') return [{ role: 'user', content: parts, metadata }];
  const thoughts = blocks.flatMap((block) => (block.type === 'thinking' ? [block.thought] : []));
  const calls = blocks.flatMap((block): Message[] => {
    if (block.type !== 'tool_call') return [];
    const { id, name, parameters } = block;
    return [{ id, type: 'function', function: { name, arguments: JSON.stringify(parameters) } }];
  });
  return [
    {
      role: 'assistant',
      content: parts.length > 0 ? parts : null,
      ...(thoughts.length > 0 ? { reasoning_content: thoughts.join('\n') } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      metadata,
    },
  ];
}

const openaiCase: FormatCase = {
  name: 'openai',
  verbs: openai as unknown as FormatCase['verbs'],
  known: { generation: 'compatible' },
  alike: { rules: { oldThinking: false } },
  from: (history) => history.flatMap(openaiMessages),
  said(message) {
    const { role, content, tool_calls: calls, tool_call_id: id, reasoning_content: thought } = bagOf(message);
    if (role === 'tool') return [{ kind: 'result', side: 'tool', what: string(id), text: string(content) }];
    const side = role === 'assistant' ? 'ai' : 'human';
    const texts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    return [
      ...(thought === undefined ? [] : [{ kind: 'thought', side, what: string(thought) } as const]),
      ...texts.flatMap((part): Said[] => {
        const { type, text } = bagOf(part);
        if (type === 'image_url') return [{ kind: 'media', side, what: '' }];
        return type === 'text' ? [{ kind: 'text', side, what: string(text) }] : [];
      }),
      ...listOf(calls).map((call): Said => ({ kind: 'call', side, what: string(bagOf(call).id) })),
    ];
  },
  isEmpty(message) {
    const { role, content, tool_calls: calls } = bagOf(message);
    // What is no content at all was not made by an edit.
    const hasText = Array.isArray(content) ? content.length > 0 : content !== null && content !== undefined;
    if (role === 'assistant')
      return (calls !== undefined && listOf(calls).length === 0) || (!hasText && calls === undefined);
    return !hasText;
  },
};

export const formats: readonly FormatCase[] = [
  anthropicCase,
  openaiCase,
  aiSdkCase,
  aiSdkPromptCase,
  langchainCase,
  piCase,
  responsesCase,
  agentsCase,
  geminiCase,
];

/** What a neutral entry says. */
export function neutralSaid({ speaker, blocks }: IContent): readonly Said[] {
  return blocks.flatMap((block): Said[] => {
    const side = speaker;
    if (block.type === 'text') return [{ kind: 'text', side, what: block.text }];
    if (block.type === 'tool_call') return [{ kind: 'call', side, what: block.id }];
    if (block.type === 'thinking') return [{ kind: 'thought', side, what: block.thought }];
    if (block.type === 'media') return [{ kind: 'media', side, what: '' }];
    if (block.type !== 'tool_response') return [];
    return [{ kind: 'result', side, what: block.callId, text: string(block.result) }];
  });
}

/** A history that every format can say: results are texts that answer a call, and there are no empty entries. */
export function plain(history: readonly IContent[], failures: boolean): IContent[] {
  const open = new Map<string, string>();
  return history.flatMap((entry) => {
    const blocks = entry.blocks.flatMap((block): ContentBlock[] => {
      if (entry.speaker === 'human') return block.type === 'text' || block.type === 'media' ? [block] : [];
      if (entry.speaker === 'tool') {
        const name = block.type === 'tool_response' ? open.get(block.callId) : undefined;
        if (block.type !== 'tool_response' || name === undefined) return [];
        open.delete(block.callId);
        const { error, ...rest } = block;
        return [{ ...rest, toolName: name, result: string(block.result), ...(failures && error ? { error } : {}) }];
      }
      if (block.type === 'tool_call') {
        // Which of two open calls with one id is answered, formats without names of results can't say.
        if (open.has(block.id)) return [];
        open.set(block.id, block.name);
      }
      return ['text', 'thinking', 'tool_call'].includes(block.type) ? [block] : [];
    });
    return blocks.length > 0 ? [{ ...entry, blocks }] : [];
  });
}

/** What a provider would complain of: calls and results that aren't side by side, and empty messages. */
export function complaints({ said, isEmpty }: FormatCase, messages: readonly unknown[]): Map<string, number> {
  const found = new Map<string, number>();
  const complain = (what: string) => found.set(what, (found.get(what) ?? 0) + 1);
  /** What the sides said one after the other; results and words of the user's side are of one side. */
  const turns: { isAi: boolean; said: Said[] }[] = [];
  for (const message of messages) {
    if (isEmpty(message)) complain('empty');
    for (const one of said(message)) {
      const isAi = one.side === 'ai';
      const last = turns.at(-1);
      if (last?.isAi === isAi) last.said.push(one);
      else turns.push({ isAi, said: [one] });
    }
  }
  const counted = (turn: (typeof turns)[number] | undefined, kind: Said['kind']) => {
    const counts = new Map<string, number>();
    for (const one of turn?.said ?? []) if (one.kind === kind) counts.set(one.what, (counts.get(one.what) ?? 0) + 1);
    return counts;
  };
  turns.forEach((turn, at) => {
    const [kind, other, next] = turn.isAi
      ? (['call', 'result', at + 1] as const)
      : (['result', 'call', at - 1] as const);
    if (turn.isAi && turns[next] === undefined) return;
    const others = counted(turns[next], other);
    for (const [id, count] of counted(turn, kind)) {
      for (let left = count - (others.get(id) ?? 0); left > 0; left -= 1) complain(`${kind} ${id} alone`);
    }
  });
  return found;
}

/** Options without what only neutral entries have. */
export type RuleOptions = Omit<OptimizeOptions<never>, 'protect'>;
