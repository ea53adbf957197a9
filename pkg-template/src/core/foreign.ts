/** Messages of another format: they are not read, and the caller should know. */
import { isPromise } from '../base/options.js';

type Bag = Readonly<Record<string, unknown>>;

/** A message that could not be read although it has content. */
export interface Foreign {
  readonly index: number;
  /** The format it seems to have, and the entry point that reads that format. */
  readonly message: string;
}

/** The key of the content in messages of this format. */
export type Carrier = 'blocks' | 'parts' | 'content';

/** The keys of the content in other formats, by the key of the expected format. */
const OTHERS: Readonly<Record<Carrier, readonly string[]>> = {
  blocks: ['content', 'parts', 'tool_calls', 'output', 'arguments', 'kwargs'],
  parts: ['content', 'blocks', 'tool_calls', 'output', 'arguments', 'kwargs'],
  content: ['parts', 'blocks'],
};

/**
 * The warning about an unreadable message, for an adapter whose messages have this key; `undefined` if it says
 * nothing, is odd in itself, or can't be looked at.
 */
export function foreignMessage(message: unknown, index: number, own: Carrier): Foreign | undefined {
  try {
    if (Array.isArray(message)) {
      // Of something else than messages it is just odd.
      const first = message[0] as Bag | null | undefined;
      if (![own, ...OTHERS[own]].some((key) => isFilled(first?.[key]))) return undefined;
      const advice = 'found a list, expected one message; pass its messages with add(...messages) or addAll(messages)';
      return { index, message: `message ${index} was left unchanged: ${advice}` };
    }
    if (typeof message !== 'object' || message === null) return undefined;
    if (isPromise(message))
      return { index, message: `message ${index} was left unchanged: found a promise; await it first` };
    const held = message as Bag;
    const part = (own === 'blocks' ? undefined : foreignPart(own, held)) ?? foreignItem(held);
    const carrier = part?.type ?? OTHERS[own].find((key) => isFilled(held[key]));
    if (carrier === undefined || (part === undefined && isFilled(held[own]))) return undefined;
    const found = `message ${index} was left unchanged: found '${carrier}', which this entry point doesn't know`;
    const reader = part?.reader ?? readerOf(held);
    return {
      index,
      message: `${found}; use ${reader} (detectFormat of densify/validate names the format of a history)`,
    };
  } catch {
    return undefined; // what throws when it is read is odd, not foreign
  }
}

/** Signs of another format in a message, and the entry point that reads that format. */
interface Found {
  readonly type: string;
  readonly reader: string;
}

const foundIn = (type: unknown, by: string): Found => ({ type: String(type), reader: `densify/${by}` });

/** A sound part of another format under the same key; what is sound in its own format is read there. */
function foreignPart(own: Carrier, { [own]: parts, tool_calls: calls }: Bag): Found | undefined {
  if (own === 'content' && isChatCall(calls)) return foundIn('tool_calls', 'openai');
  if (!Array.isArray(parts)) return undefined;
  for (const part of parts as (Bag | null | undefined)[]) {
    const { type, id, name, text, tool_use_id: result, toolCallId, toolName, providerExecuted, state } = part ?? {};
    const isOwnTool = providerExecuted === undefined && areTexts(toolCallId);
    if (own === 'parts') {
      const called = (part?.functionCall ?? part?.functionResponse) as Bag | null | undefined;
      if (areTexts(called?.name)) return foundIn('functionCall', 'gemini');
      if (isOwnTool && state === 'output-available') return foundIn(type, 'ai-sdk/ui');
      continue;
    }
    const isClaudes = type === 'tool_use' ? areTexts(id, name) : type === 'tool_result' && areTexts(result);
    if (isClaudes) return foundIn(type, 'anthropic');
    if (type === 'tool-call' && areTexts(toolName) && isOwnTool) return foundIn(type, 'ai-sdk');
    if (type === 'toolCall' && areTexts(id, name)) return foundIn(type, 'pi');
    if ((type === 'input_text' || type === 'output_text') && areTexts(text)) return foundIn(type, 'openai-responses');
  }
  return undefined;
}

/** Calls and results of OpenAI's Responses and Agents, which are messages of their own. */
const ITEMS = /^(?:function_call|custom_tool_call)(?:_output|_result)?$/;
/** Messages as LangChain stores them. */
const STORED = /^(?:human|ai|system|tool)$/;

/** The same of messages that have no role. */
function foreignItem({ role, type, call_id: call, callId, data }: Bag): Found | undefined {
  if (typeof type !== 'string' || role !== undefined) return undefined;
  if (ITEMS.test(type) && areTexts(call)) return foundIn(type, 'openai-responses');
  if (ITEMS.test(type) && areTexts(callId)) return foundIn(type, 'openai-agents');
  const { content, tool_calls: calls } = (data ?? {}) as Bag;
  const [first] = Array.isArray(calls) ? (calls as (Bag | null)[]) : [];
  const saysSomething = (typeof content === 'string' && content !== '') || areTexts(first?.name);
  return STORED.test(type) && saysSomething ? foundIn('data', 'langchain') : undefined;
}

/** Whether calls are those of Chat Completions. */
function isChatCall(calls: unknown): boolean {
  const { function: called } = ((calls as readonly unknown[] | null | undefined)?.[0] ?? {}) as Bag;
  return areTexts((called as Bag | null | undefined)?.name);
}

const areTexts = (...values: readonly unknown[]) => values.every((value) => typeof value === 'string');

function isFilled(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null;
}

/** The entry point for such messages. */
function readerOf({ blocks, parts, type, kwargs, tool_calls: calls }: Bag): string {
  if (isFilled(blocks)) return "'densify' itself";
  if (Array.isArray(parts)) {
    const isTyped = parts.some((part) => typeof (part as { type?: unknown } | null)?.type === 'string');
    return isTyped ? 'densify/ai-sdk/ui' : 'densify/gemini';
  }
  if (isFilled(kwargs)) return 'densify/langchain';
  if (isChatCall(calls)) return 'densify/openai';
  if (typeof type === 'string') return 'densify/openai-responses, densify/openai-agents or densify/langchain';
  return 'densify/anthropic, densify/openai, densify/ai-sdk, densify/langchain or densify/pi';
}
