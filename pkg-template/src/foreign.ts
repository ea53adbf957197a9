/** Messages of another format: nothing of them is read, and whoever handed them in should know. */

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
      const first = message[0] as Readonly<Record<string, unknown>> | null | undefined;
      if (![own, ...OTHERS[own]].some((key) => isFilled(first?.[key]))) return undefined;
      const advice = 'it is a list; hand in the messages themselves, by add(...messages) or addAll(messages)';
      return { index, message: `nothing was read of message ${index}: ${advice}` };
    }
    if (typeof message !== 'object' || message === null) return undefined;
    const held = message as Readonly<Record<string, unknown>>;
    const carrier = OTHERS[own].find((key) => isFilled(held[key]));
    if (carrier === undefined || isFilled(held[own])) return undefined;
    const found = `nothing was read of message ${index}, which has '${carrier}': it is of another format than that of this entry point`;
    return { index, message: `${found}; ${readerOf(held)}, and detectFormat of densify/validate tells formats apart` };
  } catch {
    return undefined; // what throws when it is read is odd, not foreign
  }
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null;
}

/** Which entry point reads such messages. */
function readerOf({ blocks, parts, type, kwargs }: Readonly<Record<string, unknown>>): string {
  if (isFilled(blocks)) return "densify's own contents are read by 'densify' itself";
  if (Array.isArray(parts)) {
    const isTyped = parts.some((part) => typeof (part as { type?: unknown } | null)?.type === 'string');
    return isTyped ? 'densify/ai-sdk/ui reads such' : 'densify/gemini reads such';
  }
  if (isFilled(kwargs)) return 'densify/langchain reads such';
  if (typeof type === 'string')
    return 'densify/openai-responses, densify/openai-agents or densify/langchain reads such';
  return 'densify/anthropic, densify/openai, densify/ai-sdk, densify/langchain or densify/pi reads such';
}
