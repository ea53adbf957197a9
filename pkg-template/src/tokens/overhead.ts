import { wrongArgument } from '../base/options.js';
import { checkNumber } from './options.js';

/** What a provider adds to the texts of a prompt. */
export interface Overhead {
  /** Tokens around each message, its role included. */
  readonly message: number;
  /** Tokens that a message's `name` adds, besides its text. */
  readonly name: number;
  /** Tokens of each request, for example what makes the model answer. */
  readonly request: number;
  /** Tokens that a request with tools costs besides their definitions. */
  readonly tools: number;
  /** Where the numbers are from. */
  readonly source: string;
}

/** Whose prompts they are. */
export type OverheadOf = keyof typeof overheads;

/**
 * The tokens that providers add to the texts, as they publish them. Texts, tool definitions and attachments are counted
 * separately. A figure that a provider doesn't publish is 0; `calibrate` learns it.
 */
export const overheads = {
  openai: {
    message: 4,
    name: 1,
    request: 3,
    tools: 12,
    source: 'OpenAI cookbook, "How to count tokens with tiktoken": num_tokens_from_messages, num_tokens_for_tools',
  },
  'openai-gpt-3.5': {
    message: 5,
    name: -1,
    request: 3,
    tools: 12,
    source: 'OpenAI cookbook, "How to count tokens with tiktoken": gpt-3.5-turbo-0301',
  },
  anthropic: {
    message: 0,
    name: 0,
    request: 0,
    tools: 346,
    source: 'Anthropic, "Tool use": the system prompt that tool_choice auto adds; of messages nothing is published',
  },
  gemini: {
    message: 0,
    name: 0,
    request: 0,
    tools: 0,
    source: 'Google, "Understand and count tokens": nothing is published but the count of whole requests',
  },
} as const satisfies Record<string, Overhead>;

/**
 * The tokens that a provider adds to the texts of a prompt.
 *
 * @example
 * // The texts are the messages' contents and names.
 * const total = texts.reduce((sum, text) => sum + tokenizer.count(text), promptOverhead('openai', { messages: 12 }));
 */
export function promptOverhead(
  provider: OverheadOf,
  prompt: { readonly messages: number; readonly names?: number; readonly tools?: boolean },
): number {
  const overhead: Overhead | undefined = Object.hasOwn(overheads, provider) ? overheads[provider] : undefined;
  if (overhead === undefined) {
    const known = Object.keys(overheads).join("', '");
    throw wrongArgument('provider', provider, `one of '${known}'`);
  }
  const { tools = false } = prompt ?? {};
  const messages = checkNumber('messages', prompt?.messages, 0);
  const names = checkNumber('names', prompt?.names ?? 0, 0);
  return overhead.request + messages * overhead.message + names * overhead.name + (tools ? overhead.tools : 0);
}
