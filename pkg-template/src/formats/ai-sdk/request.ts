/** Requests of the AI SDK: what goes with the messages, and where the provider's cache is to hold up to. */

import { withChanges } from '../../base/share.js';
import type { Bag } from '../../messages/facts.js';
import type { Target } from '../../models/target.js';
import type { Breakpoints } from '../breakpoints.js';
import type { RequestShape } from '../format.js';
import { listedTools, schemaOf } from '../requests.js';

/** The keys by which providers' options mark a breakpoint. */
const MARKS = ['cacheControl', 'cache_control', 'cachePoint', 'promptCacheBreakpoint'];

/** Parts that bear none. */
const UNMARKED: ReadonlySet<unknown> = new Set(['reasoning', 'tool-approval-request', 'tool-approval-response']);

type Options = Readonly<Record<string, Bag | null | undefined>>;

export const aiSdkBreakpoints: Breakpoints = {
  onMessages: true,
  canBear: ({ type, text }) => !UNMARKED.has(type) && text !== '',
  read({ providerOptions }) {
    const marks = Object.entries((providerOptions ?? {}) as Options).flatMap(([provider, options]) => {
      const own = Object.entries(options ?? {}).filter(([key, value]) => MARKS.includes(key) && value !== null);
      return own.length === 0 ? [] : [[provider, Object.fromEntries(own)] as const];
    });
    return marks.length === 0 ? undefined : Object.fromEntries(marks);
  },
  write(part, mark) {
    const options = (part.providerOptions ?? {}) as Options;
    const marked = Object.entries(mark as Options).map(([provider, marks]) => {
      return [provider, { ...options[provider], ...marks }] as const;
    });
    return withChanges(part, { providerOptions: { ...options, ...Object.fromEntries(marked) } });
  },
};

/** What `generateText` is called with. */
export const aiSdkRequest: RequestShape = {
  key: 'messages',
  system: ({ instructions, system }) => instructions ?? system,
  tools: ({ tools }) => (Array.isArray(tools) ? listedTools(tools) : Object.entries(tools ?? {}).map(definitionOf)),
  target: ({ model }) => namesOf(model),
};

/** What models are called with. */
export const aiSdkCall: RequestShape = { key: 'prompt', system: () => undefined };

/** What the SDK's model says of itself; one that is only named goes by its name. */
export function namesOf(called: unknown): Target {
  if (typeof called === 'string') return { model: called };
  const { modelId, provider } = (called ?? {}) as Bag;
  return {
    model: typeof modelId === 'string' ? modelId : undefined,
    provider: typeof provider === 'string' ? provider : undefined,
  };
}

/** What a model gets of a tool. */
function definitionOf([name, tool]: readonly [string, unknown]): readonly [string, unknown] {
  const { description, inputSchema, parameters } = (tool ?? {}) as Bag;
  return [name, { name, description, inputSchema: schemaOf(inputSchema ?? parameters) }];
}
