/** The filter that the Agents SDK calls before each request, and the session that stores a run. */
import { wrongArgument } from '../../base/options.js';
import type { Bag } from '../../messages/facts.js';
import type { Target } from '../../models/target.js';
import type { OptimizeOptions } from '../../types.js';
import { hookOf, type SharedHookOptions } from '../hooks.js';
import { requestCache } from '../request-cache.js';
import { sizesOf } from '../requests.js';
import { openaiAgents } from './format.js';
import type { AgentsItemLike, AgentsOptions } from './types.js';

/** Options of `callModelInputFilter` and `session`. */
export interface HookOptions<M extends AgentsItemLike = AgentsItemLike>
  extends OptimizeOptions<M>,
    AgentsOptions,
    SharedHookOptions<M> {}

/** The part of `callModelInputFilter`'s argument that is read. */
export interface FilterLike<I> {
  readonly modelData: { input: I[]; instructions?: string };
  readonly agent?: unknown;
}

/** A filter as runners call it. It changes nothing in place, so that it may be given the runner's own items. */
export interface InputFilter {
  <I extends AgentsItemLike>(call: FilterLike<I>): Promise<{ input: I[]; instructions?: string }>;
  preserveInputIdentity?: boolean;
}

/**
 * Makes a `callModelInputFilter` for runners. It optimizes the messages that the model gets. A session stores these
 * messages.
 */
export function callModelInputFilter<N extends AgentsItemLike = AgentsItemLike>(options?: HookOptions<N>): InputFilter {
  const hook = hookOf<AgentsItemLike, OptimizeOptions<AgentsItemLike> & AgentsOptions>(
    options as HookOptions | undefined,
    { format: openaiAgents },
  );
  const filter: InputFilter = async <I extends AgentsItemLike>({ modelData, agent }: FilterLike<I>) => {
    const changed = await hook.run(modelData.input, () => modelOf(agent), {
      sizes: (target) => sizesOfCall(modelData, agent, { ...hook.options, ...target }),
      cache: () => requestCache({ modelSettings: (agent as Bag | undefined)?.modelSettings }, openaiAgents.breakpoints),
    });
    return changed === undefined ? modelData : { ...modelData, input: [...changed] as I[] };
  };
  filter.preserveInputIdentity = true;
  return filter;
}

/** The part of a session that densify reads. */
export interface SessionLike<I> {
  getItems(limit?: number): Promise<I[]>;
}

/**
 * Wraps a session: a runner that reads the whole history gets it optimized, and one that reads only the newest items
 * gets them unchanged. The stored history stays whole.
 */
export function session<I extends AgentsItemLike, S extends SessionLike<I>>(
  kept: S & SessionLike<I>,
  options?: HookOptions<I>,
): S {
  const hook = hookOf<AgentsItemLike, OptimizeOptions<AgentsItemLike> & AgentsOptions>(
    options as HookOptions | undefined,
    { format: openaiAgents },
  );
  if (typeof (kept as Partial<S> | undefined)?.getItems !== 'function') {
    throw wrongArgument('session', kept, "one of the Agents SDK, with 'getItems'");
  }
  const getItems = async (limit?: number, ...rest: unknown[]): Promise<I[]> => {
    // Some sessions get the run, too.
    const items = await (kept.getItems as (...args: unknown[]) => Promise<I[]>).call(kept, limit, ...rest);
    if (limit !== undefined) return items;
    const changed = await hook.run(items, () => ({}));
    return changed === undefined ? items : ([...changed] as I[]);
  };
  return new Proxy(kept, {
    get(target, key) {
      if (key === 'getItems') return getItems;
      const value: unknown = Reflect.get(target, key, target);
      // Methods may read private members, which only the session itself has.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** What a filter sees of the request: the instructions, and what the agent says of its tools and its answers. */
function sizesOfCall(
  { instructions }: { readonly instructions?: string },
  agent: unknown,
  target: Target & AgentsOptions,
) {
  const { tools, modelSettings, mcpServers } = (agent ?? {}) as Bag;
  const { maxTokens } = (modelSettings ?? {}) as Bag;
  const { overhead, reserve } = sizesOf(openaiAgents, { instructions, tools, maxTokens }, target);
  // Servers list their tools later.
  const seesAll = Array.isArray(tools) && !(Array.isArray(mcpServers) && mcpServers.length > 0);
  return { overhead: seesAll ? overhead : undefined, reserve };
}

/** The model of an agent, where it is named; whose it is says the runner's provider, OpenAI's unless told otherwise. */
function modelOf(agent: unknown): Target {
  const { model } = (agent ?? {}) as Bag;
  return typeof model === 'string' && model !== '' ? { model } : {};
}
