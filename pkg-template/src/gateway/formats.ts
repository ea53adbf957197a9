/** The formats of histories on the wire, and what packs them. */
import { anthropic } from '../formats/anthropic/format.js';
import type { Format } from '../formats/format.js';
import { gemini } from '../formats/gemini/format.js';
import { hookOf, type SharedHookOptions } from '../formats/hooks.js';
import { openai } from '../formats/openai/format.js';
import { openaiResponses } from '../formats/openai-responses/format.js';
import { isUncached, requestCache } from '../formats/request-cache.js';
import { take } from '../formats/take.js';
import { behindChange } from '../messages/adapter.js';
import type { Target } from '../models/target.js';
import { sharedEngine } from '../optimizer/shared-engine.js';
import { conversationEngine } from '../summary/engine.js';
import type { OptimizeOptions } from '../types.js';
import { sessionIntake } from './intake.js';
import type { WireFormat } from './routes.js';

/** A message of any of the formats. */
export type AnyMessage = object;

/** Packs the histories of one session. */
export type Pack = (
  messages: readonly AnyMessage[],
  model: string | undefined,
  beside: Readonly<Record<string, unknown>>,
  isMarkedLater?: boolean,
) => {
  /** The messages to send; none if those that came in are to be sent. */
  readonly changed: readonly AnyMessage[] | undefined;
  /** Whether the provider should cache nothing of the request as it came in. */
  readonly isUncached: boolean;
};

interface Wire {
  /** Makes what packs one session; with `intake` results are shortened before they are first sent. */
  packer(options: OptimizeOptions<AnyMessage> & SharedHookOptions<AnyMessage>, intake: boolean): Pack;
  /** Messages that fit any earlier request: without thinking that the model's provider binds to it. */
  unbound(messages: readonly AnyMessage[], model: string | undefined): readonly AnyMessage[];
}

/** A session forks a few times at most: an edited prompt, parallel side questions. */
const FORKS_AT_MOST = 8;

/** Shortening results needs `full.wasm`. It holds all of `core.wasm`, so no other file is loaded then. */
const engineFor = (intake: boolean) => (intake ? conversationEngine : sharedEngine);

function wireOf<L extends object, O extends Target>(format: Format<L, O>): Wire {
  return {
    unbound(messages, model) {
      const { adapter } = take<L, L, O, object>(format, { model } as never);
      return behindChange(adapter, messages as readonly L[]);
    },
    packer(given, isShrunk) {
      const options = { maxRuns: FORKS_AT_MOST, ...given } as OptimizeOptions<L> & O & SharedHookOptions<L>;
      const engine = engineFor(isShrunk);
      const { run } = hookOf<L, OptimizeOptions<L> & O>(options, { format: format as Format<L>, engine });
      const shrink = isShrunk ? sessionIntake(format) : undefined;
      return (messages, model, beside, isMarkedLater) => {
        const cache = requestCache(beside, format.breakpoints);
        const uncached = isUncached(messages, format as Format<never, O>, { model } as O, cache);
        const list = shrink?.(messages as readonly L[]) ?? (messages as readonly L[]);
        const changed = run(list, () => (model === undefined ? {} : { model }), {
          cache: () => (isMarkedLater ? { ...cache, isSeen: false } : cache),
          isUncached: uncached && isMarkedLater !== true,
        });
        // A promise comes only where summaries are asked for, and none are here.
        const packed = changed instanceof Promise ? undefined : changed;
        const shrunk = list === messages || given.observe === true ? undefined : list;
        return { changed: packed ?? shrunk, isUncached: uncached };
      };
    },
  };
}

export const WIRES: Readonly<Record<WireFormat, Wire>> = {
  anthropic: wireOf(anthropic),
  openai: wireOf(openai),
  'openai-responses': wireOf(openaiResponses),
  gemini: wireOf(gemini),
};

/** Refuses wrong options when a gateway is made, not at its first request. */
export function checkOptimize(options: OptimizeOptions<AnyMessage> | undefined, intake = false): void {
  WIRES.anthropic.packer({ ...options }, intake);
}
