import type { ContentLike, IContent } from '../base/content.js';
import { createIn } from '../conversation/functions.js';
import type { OptimizeSettings } from '../generated/densify.js';
import { CAPABILITY } from '../generated/protocol.js';
import { intakeOf } from '../intake/intake.js';
import { shrinker } from '../intake/shrinker.js';
import type { Adapter } from '../messages/adapter.js';
import { neutralAs } from '../messages/neutral.js';
import { demandsOfProvider } from '../models/profiles.js';
import { optimizerIn } from '../optimizer/functions.js';
import type { Recall } from '../recall/types.js';
import { conversationEngine } from '../summary/engine.js';
import type { ProviderName } from '../validate/api.js';
import { Scale } from './meter.js';
import { headAndTail, masking, plainDigest } from './rivals.js';
import type { ReplayHistory, ReplayPolicyName, ReplayPrices, RivalPolicyName } from './types.js';

/** What policies are made for. */
export interface Scene {
  readonly contextLimit: number;
  readonly prices: ReplayPrices;
  /** Seconds that the provider's cache lives without use, if that is known. */
  readonly cacheTtl?: number | undefined;
  /** The number of blocks before a breakpoint in which the provider looks for its cache. */
  readonly lookback?: number | undefined;
  /** Whom the requests go to, if that is known. */
  readonly provider: ProviderName | undefined;
  /** The folder that relative paths start from, if that is known. */
  readonly workspaceRoot?: string | undefined;
  /** The tokens of the whole log. */
  readonly tokens: number;
  /** Keeps what rules cut, for questions that may bring it back. */
  readonly recall?: Recall | undefined;
}

/** What makes a policy's history. */
export type Make = (scene: Scene) => ReplayHistory;

/** How the optimizer is to edit. */
type Editing = Pick<Partial<OptimizeSettings>, 'preset' | 'budget' | 'flush' | 'prices'>;
/** The policies that accept a flush policy, with a function that applies it. */
type Flushing = (scene: Scene, flush: Editing) => ReplayHistory;

const PRESETS = ['seed', 'lossless', 'balanced', 'aggressive'] as const;

/** The neutral adapter with what the provider demands of every model of its. */
function adapterFor({ provider, lookback = Infinity }: Scene): Adapter<IContent> {
  const demands = demandsOfProvider(provider) & ~CAPABILITY.cacheAtBreakpoints;
  const capabilities =
    lookback === Infinity ? demands : demands | CAPABILITY.cacheAtBreakpoints | CAPABILITY.keepsAnchor;
  return { ...neutralAs<ContentLike>(), capabilities } as unknown as Adapter<IContent>;
}

/** What requests cost. The log's own times say when they were sent, not a clock of today. */
function costsOf({ prices, cacheTtl }: Scene) {
  return { prices, cacheTtl, now: () => Number.NaN };
}

/** The log as it was sent, changed by `change` before it is. */
function growing(change: (content: IContent, index: number) => IContent): ReplayHistory {
  const sent: IContent[] = [];
  return {
    add: (contents) => contents.forEach((content) => sent.push(change(content, sent.length))),
    messages: () => sent,
    dispose: () => undefined,
  };
}

const takeIn = (scene: Scene) =>
  intakeOf({ adapter: adapterFor(scene), shrinker: shrinker(), settings: '{}', recall: scene.recall }).take;

const intake = (scene: Scene): ReplayHistory => growing(takeIn(scene));

/** What the gateway does: results are shortened before they are first sent, then the preset's rules run. */
function gateway(scene: Scene): ReplayHistory {
  const take = takeIn(scene);
  const inner = optimizing(scene, { preset: 'balanced' });
  return { ...inner, add: (contents) => inner.add(contents.map(take)) };
}

function optimizing(scene: Scene, editing: Editing): ReplayHistory {
  const { recall, workspaceRoot } = scene;
  const options = { ...costsOf(scene), ...editing, workspaceRoot, ...(recall && { recall }) };
  const optimizer = optimizerIn(conversationEngine(), adapterFor(scene), options);
  let anchor: number | undefined;
  return {
    add: (contents) => contents.forEach((content) => optimizer.push(content)),
    messages() {
      const result = optimizer.optimize();
      anchor = result.anchor;
      return result.messages;
    },
    anchor: () => anchor,
    dispose: () => optimizer.dispose(),
  };
}

/** A conversation; where it wants a model's summary it gets a digest, which costs nothing. */
function conversation(
  strategy: 'high-density' | 'top-down-truncation' | 'digest' | 'auto',
  scene: Scene,
  optimize?: Editing,
): ReplayHistory {
  const { contextLimit, recall, workspaceRoot } = scene;
  const talk = createIn(adapterFor(scene), {
    ...{ strategy, contextLimit, optimize: { ...costsOf(scene), workspaceRoot, ...optimize } },
    ...(recall && { recall }),
  });
  return {
    add: (contents) => talk.addAll(contents),
    messages: () => {
      const step = talk.beforeSend();
      if (step.kind === 'ready') step.background?.cancel();
      else talk.digest();
      if (step.kind !== 'ready') talk.beforeSend();
      return talk.messages;
    },
    anchor: () => talk.anchor,
    dispose: () => talk.dispose(),
  };
}

/** All policies with names of their own, in the order of reports. */
const POLICIES: Readonly<Record<ReplayPolicyName, Make>> = {
  none: () => growing((content) => content),
  intake,
  seed: (scene) => optimizing(scene, { preset: 'seed' }),
  lossless: (scene) => optimizing(scene, { preset: 'lossless' }),
  balanced: (scene) => optimizing(scene, { preset: 'balanced' }),
  aggressive: (scene) => optimizing(scene, { preset: 'aggressive' }),
  'high-density': (scene) => conversation('high-density', scene),
  'top-down-truncation': (scene) => conversation('top-down-truncation', scene),
  digest: (scene) => conversation('digest', scene),
  auto: (scene) => conversation('auto', scene),
};

/** The gateway, and the rules of other tools for comparison. They are replayed only if they are named. */
const NAMED: Readonly<Record<'gateway' | RivalPolicyName, Make>> = {
  gateway,
  masking,
  'head-and-tail': ({ contextLimit }) => headAndTail(contextLimit, new Scale()),
  'plain-digest': ({ contextLimit }) => plainDigest(contextLimit, new Scale()),
};

export const POLICY_NAMES = Object.keys(POLICIES) as readonly ReplayPolicyName[];

/** Whether a policy can keep the texts that it cuts; the rules of other tools can't. */
export function keepsCuts(name: string): boolean {
  return name === 'gateway' || !(name === 'none' || Object.hasOwn(NAMED, name));
}

/** The names that a policy may have, for errors. */
export const NAMES = `${[...POLICY_NAMES, ...Object.keys(NAMED)].join(', ')}; budget:65% or budget:40000; presets, budgets, high-density and auto may end in :always, :never, :when-it-pays or :TOKENS`;

/** What makes the policy of a name; nothing if there is none of this name. */
export function policyOf(name: unknown): Make | undefined {
  if (typeof name !== 'string') return undefined;
  const known = POLICIES[name as ReplayPolicyName] as Make | undefined;
  if (known !== undefined && Object.hasOwn(POLICIES, name)) return known;
  if (Object.hasOwn(NAMED, name)) return NAMED[name as RivalPolicyName];
  const [, base, flush] = /^(budget:[\d.]+%?|[a-z-]+)(?::([a-z-]+|\d+))?$/.exec(name) ?? [];
  const make = base === undefined ? undefined : flushing(base);
  if (make === undefined) return undefined;
  if (flush === undefined) return (scene) => make(scene, {});
  const when = flushOf(flush);
  return when === undefined ? undefined : (scene) => make(scene, { flush: when });
}

/** What edits by rules, and so may wait with its edits. */
function flushing(base: string): Flushing | undefined {
  const preset = PRESETS.find((each) => each === base);
  if (preset !== undefined) return (scene, flush) => optimizing(scene, { preset, ...flush });
  if (base === 'high-density' || base === 'auto') return (scene, flush) => conversation(base, scene, flush);
  const [, written, percent] = /^budget:(\d+(?:\.\d+)?)(%?)$/.exec(base) ?? [];
  const most = Number(written);
  if (!(most > 0) || (percent === '%' ? most > 100 : !Number.isInteger(most))) return undefined;
  return (scene, flush) => {
    const budget = percent === '%' ? Math.max(1, Math.floor((scene.tokens * most) / 100)) : most;
    return optimizing(scene, { preset: 'lossless', budget, ...flush });
  };
}

function flushOf(flush: string): Editing['flush'] | undefined {
  if (flush === 'always' || flush === 'never' || flush === 'when-it-pays') return flush;
  return Number(flush) > 0 ? { tokens: Number(flush) } : undefined;
}
