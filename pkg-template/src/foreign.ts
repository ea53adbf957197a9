/** Messages of another format: nothing of them is read, and whoever handed them in should know. */
import { isPromise } from './settings.js';

type Bag = Readonly<Record<string, unknown>>;

/** A message of which nothing was read, though it says something. */
export interface Foreign {
  readonly index: number;
  /** What it is, and who reads such. */
  readonly message: string;
}

/** The key under which messages of a format hold what they say. */
export type Carrier = 'blocks' | 'parts' | 'content';

/** What messages of other formats hold what they say under, by the key of those that are read. */
const OTHERS: Readonly<Record<Carrier, readonly string[]>> = {
  blocks: ['content', 'parts', 'tool_calls', 'output', 'arguments', 'kwargs'],
  parts: ['content', 'blocks', 'tool_calls', 'output', 'arguments', 'kwargs'],
  content: ['parts', 'blocks'],
};

/**
 * What to say of a message of which nothing was read, by an adapter for such as have a key; `undefined` if it says nothing,
 * is odd in itself, or can't be looked at.
 */
export function foreignMessage(message: unknown, index: number, own: Carrier): Foreign | undefined {
  try {
    if (Array.isArray(message)) {
      // Of something else than messages it is just odd.
      const first = message[0] as Bag | null | undefined;
      if (![own, ...OTHERS[own]].some((key) => isFilled(first?.[key]))) return undefined;
      const advice = 'it is a list; hand in the messages themselves, by add(...messages) or addAll(messages)';
      return { index, message: `nothing was read of message ${index}: ${advice}` };
    }
    if (typeof message !== 'object' || message === null) return undefined;
    if (isPromise(message))
      return { index, message: `nothing was read of message ${index}: it is a promise that wasn't awaited` };
    const held = message as Bag;
    const part = own === 'content' ? foreignPart(held) : undefined;
    const carrier = part?.type ?? OTHERS[own].find((key) => isFilled(held[key]));
    if (carrier === undefined || (part === undefined && isFilled(held[own]))) return undefined;
    const found = `nothing was read of message ${index}, which has '${carrier}': it is of another format than that of this entry point`;
    const reader = part?.reader ?? readerOf(held);
    return { index, message: `${found}; ${reader}, and detectFormat of densify/validate tells formats apart` };
  } catch {
    return undefined; // what throws when it is read is odd, not foreign
  }
}

/** A sound call or result of another format whose messages have `content` too; what is sound in its own format is read there. */
function foreignPart({
  content,
  tool_calls: calls,
}: Bag): { readonly type: string; readonly reader: string } | undefined {
  if (isChatCall(calls)) return { type: 'tool_calls', reader: 'densify/openai reads such' };
  if (!Array.isArray(content)) return undefined;
  for (const part of content as (Bag | null | undefined)[]) {
    const { type, id, name, tool_use_id: result, toolCallId, toolName, providerExecuted } = part ?? {};
    const isClaudes = type === 'tool_use' ? areTexts(id, name) : type === 'tool_result' && areTexts(result);
    if (isClaudes) return { type: String(type), reader: 'densify/anthropic reads such' };
    if (type === 'tool-call' && areTexts(toolCallId, toolName) && providerExecuted === undefined)
      return { type, reader: 'densify/ai-sdk reads such' };
  }
  return undefined;
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

/** Which entry point reads such messages. */
function readerOf({ blocks, parts, type, kwargs, tool_calls: calls }: Bag): string {
  if (isFilled(blocks)) return "densify's own contents are read by 'densify' itself";
  if (Array.isArray(parts)) {
    const isTyped = parts.some((part) => typeof (part as { type?: unknown } | null)?.type === 'string');
    return isTyped ? 'densify/ai-sdk/ui reads such' : 'densify/gemini reads such';
  }
  if (isFilled(kwargs)) return 'densify/langchain reads such';
  if (isChatCall(calls)) return 'densify/openai reads such';
  if (typeof type === 'string')
    return 'densify/openai-responses, densify/openai-agents or densify/langchain reads such';
  return 'densify/anthropic, densify/openai, densify/ai-sdk, densify/langchain or densify/pi reads such';
}
