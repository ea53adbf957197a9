/** The formats of histories on the wire, and where a request holds its history. */
import { anthropic } from '../formats/anthropic/format.js';
import type { Format } from '../formats/format.js';
import { gemini } from '../formats/gemini/format.js';
import { type Hook, type HookOptions, hookOf } from '../formats/hooks.js';
import { openai } from '../formats/openai/format.js';
import { openaiResponses } from '../formats/openai-responses/format.js';
import { optimizeOf } from '../formats/verbs.js';
import type { Bag } from '../messages/facts.js';
import type { Target } from '../models/target.js';
import type { OptimizeOptions, Result } from '../types.js';
import type { WireFormat } from './routes.js';

/** A message of any of the formats. */
export type AnyMessage = object;

/** Packs the histories of one session. */
export type Pack = (messages: readonly AnyMessage[], model: string | undefined) => readonly AnyMessage[] | undefined;

interface Wire {
  /** The key of the history in a request. */
  readonly key: string;
  /** Makes what packs one session. */
  packer(options: OptimizeOptions<AnyMessage> & HookOptions<AnyMessage>): Pack;
}

/** A session forks a few times at most: an edited prompt, parallel side questions. */
const FORKS_AT_MOST = 8;

function wireOf<L extends object, O extends Target>(key: string, format: Format<L, O>): Wire {
  const optimize = optimizeOf(format);
  return {
    key,
    packer(given) {
      const options = { flush: 'when-it-pays', maxRuns: FORKS_AT_MOST, ...given };
      const hook = hookOf<L, OptimizeOptions<L> & O>(options as OptimizeOptions<L> & O & HookOptions<L>, {
        format: format as Format<L>,
      });
      const { run } = hook as Hook<L, OptimizeOptions<L> & O>;
      return (messages, model) => {
        const list = messages as readonly L[];
        const stateless = (target: Target): Result<L> => optimize(list, { ...hook.options, ...target } as never);
        const changed = run(list, () => (model === undefined ? {} : { model }), stateless);
        // A promise comes only where summaries are asked for, and none are here.
        return changed instanceof Promise ? undefined : changed;
      };
    },
  };
}

export const WIRES: Readonly<Record<WireFormat, Wire>> = {
  anthropic: wireOf('messages', anthropic),
  openai: wireOf('messages', openai),
  'openai-responses': wireOf('input', openaiResponses),
  gemini: wireOf('contents', gemini),
};

/** Refuses wrong options when a gateway is made, not at its first request. */
export function checkOptimize(options: OptimizeOptions<AnyMessage> | undefined): void {
  WIRES.anthropic.packer({ ...options });
  optimizeOf(anthropic)([], { flush: 'when-it-pays', ...options } as never);
}

/** A history that was found in a body, and how to put another one in its place. */
export interface FoundHistory {
  readonly messages: readonly AnyMessage[];
  /** What the model reads before the messages: system prompt and tools. */
  readonly rest: Bag;
  with(messages: readonly AnyMessage[]): Bag;
}

/** Keys of what stands in front of the messages in the prompt cache. */
const IN_FRONT = ['tools', 'system', 'instructions', 'systemInstruction', 'system_instruction'];

/** The history in a body; `undefined` where there is none, or only the end of one that the provider holds. */
export function historyIn(format: WireFormat, body: unknown): FoundHistory | undefined {
  if (!isBag(body)) return undefined;
  const { key } = WIRES[format];
  // Gemini's token count and the login of Gemini CLI wrap the request in another one.
  for (const outer of format === 'gemini' ? ['generateContentRequest', 'request'] : []) {
    const inner = body[outer];
    if (!isBag(inner)) continue;
    const found = historyIn(format, inner);
    return found && { ...found, with: (messages) => ({ ...body, [outer]: found.with(messages) }) };
  }
  const messages = body[key];
  const rest = Object.fromEntries(IN_FRONT.flatMap((name) => (name in body ? [[name, body[name]]] : [])));
  if (continues(body) || !Array.isArray(messages) || !messages.every(isObject)) return undefined;
  return { messages, rest, with: (other) => ({ ...body, [key]: other }) };
}

/** Whether the provider holds what came before: then nothing here may rest on it. */
function continues({ previous_response_id: response, conversation, thread }: Bag): boolean {
  const isNamed = [response, conversation].some((value) => value !== undefined && value !== null);
  return isNamed || (isBag(thread) && thread.type === 'continue');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isBag(value: unknown): value is Bag {
  return isObject(value) && !Array.isArray(value);
}
