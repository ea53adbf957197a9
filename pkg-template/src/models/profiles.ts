/**
 * What the providers' generations of models demand of edits. Which models they are: `generations.ts`; the rules and where
 * they are documented: `docs/providers.md`.
 */

import { wrongOption } from '../base/options.js';
import { CAPABILITY } from '../generated/protocol.js';
import { isClaude } from './claude.js';
import { type GenerationsOf, generationOfModel, type Vendor } from './generations.js';
import { PROVIDERS } from './providers.js';
import type { Target } from './target.js';

const { opensWithHuman, thinkingBoundToPrefix, openLoopKeepsThinking, thinkingKeepsSuccessors, callsFollowOthers } =
  CAPABILITY;
const { thinkingLeads, cacheAtBreakpoints, keepsFirstRequest, systemNeverOpens, changesLoseReasoning, keepsThinking } =
  CAPABILITY;

/** What the models of a generation demand. */
interface Generation {
  /** Bits of `CAPABILITY`. */
  readonly capabilities: number;
  /** Set where its models take no reasoning back, or make nothing of it. */
  readonly ignoresReasoning?: boolean;
}

/**
 * What Anthropic demands of the messages for every model. Its cache is found only at breakpoints and at most 20 blocks before
 * one ("Prompt caching").
 */
const ANTHROPIC = opensWithHuman | thinkingLeads | systemNeverOpens | cacheAtBreakpoints;

const GEMINI = opensWithHuman | callsFollowOthers;

/** The generations of each family, newest first. */
const DEMANDS = {
  anthropic: {
    // A thinking block is refused behind any change of what precedes it.
    'preserved-thinking': { capabilities: ANTHROPIC | thinkingBoundToPrefix },
    'adaptive-thinking': { capabilities: ANTHROPIC },
    // While calls are open, the turn must begin with its thinking.
    'manual-thinking': { capabilities: ANTHROPIC | openLoopKeepsThinking },
    'no-thinking': { capabilities: ANTHROPIC, ignoresReasoning: true },
  } satisfies Readonly<Record<GenerationsOf<'anthropic'>, Generation>>,
  gemini: {
    // Each call of the open turn must come back with its signature.
    'thought-signatures': { capabilities: GEMINI | openLoopKeepsThinking },
    'no-signatures': { capabilities: GEMINI, ignoresReasoning: true },
  } satisfies Readonly<Record<GenerationsOf<'gemini'>, Generation>>,
  'openai-responses': {
    // Reasoning and the items made with it are refused without each other, and what follows a change is left unread.
    reasoning: { capabilities: keepsFirstRequest | thinkingKeepsSuccessors | changesLoseReasoning },
    'no-reasoning': { capabilities: keepsFirstRequest, ignoresReasoning: true },
  } satisfies Readonly<Record<GenerationsOf<'openai'>, Generation>>,
  // Here the providers differ, for every model.
  'openai-chat': {
    openai: { capabilities: keepsFirstRequest, ignoresReasoning: true },
    // Templates of open models often want the user first, and some servers what was thought before each call.
    compatible: { capabilities: opensWithHuman | keepsThinking },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Generation>>>>;

/** A message format's provider, or kind of providers, with rules of its own. */
export type Family = keyof typeof DEMANDS;

/** The names of a family's generations. */
export type GenerationOf<F extends Family> = keyof (typeof DEMANDS)[F] & string;

/** The demands of a family's models: of the named generation or model, else of all generations together. */
export function capabilitiesOf<F extends Family>(
  family: F,
  { model, generation }: { readonly model?: string | undefined; readonly generation?: string | undefined },
): number {
  const found = generationOf(family, model, generation);
  const all: readonly Generation[] = Object.values(DEMANDS[family]);
  return found?.capabilities ?? all.reduce((bits, { capabilities }) => bits | capabilities, 0);
}

/** The demands that all models of a provider share. */
export function demandsOfProvider(provider: string | undefined): number {
  const family = FAMILY_OF[provider ?? ''];
  if (family === undefined) return 0;
  const all: readonly Generation[] = Object.values(DEMANDS[family]);
  return all.reduce((bits, { capabilities }) => bits & capabilities, all[0]?.capabilities ?? 0);
}

/** The families of the providers that take one family's messages alone. */
const FAMILY_OF: Readonly<Record<string, Family>> = {
  anthropic: 'anthropic',
  google: 'gemini',
  openai: 'openai-responses',
};

/** The named generation, else that of a known model. */
function generationOf(
  family: Family,
  model: string | undefined,
  generation: string | undefined,
): Generation | undefined {
  const known: Readonly<Record<string, Generation>> = DEMANDS[family];
  if (generation === undefined) {
    const found = model === undefined ? undefined : nameOf(family, model);
    return found === undefined ? undefined : known[found];
  }
  if (Object.hasOwn(known, generation)) return known[generation];
  const names = Object.keys(known).join(', ');
  throw wrongOption('generation', generation, `one of ${names}`);
}

/** The name of a model's generation. For Chat Completions, `model` is the name of the provider. */
function nameOf(family: Family, model: string): string | undefined {
  if (family === 'openai-chat') return /^(?:openai|azure)\b/.test(model) ? 'openai' : 'compatible';
  return generationOfModel(family === 'openai-responses' ? 'openai' : family, model);
}

/** Models that OpenAI alone serves as its own. */
const OF_OPENAI = /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d(?:-|$))/;

/** The provider of a model of Chat Completions: the named one, else OpenAI if the model is its own. */
export function chatProvider({ model, provider }: Target): string | undefined {
  return provider ?? (OF_OPENAI.test(bareName({ model }) ?? '') ? 'openai' : undefined);
}

/**
 * What is demanded of messages of Chat Completions. OpenAI itself returns no reasoning there. Such messages come from
 * a gateway, unless `provider` names the server. Claude's cache is found at breakpoints there, too.
 */
export function chatCapabilities({ generation, ...target }: Target & { readonly generation?: string | undefined }) {
  const bits = capabilitiesOf('openai-chat', { generation, model: chatProvider(target) });
  const demands = familyOf(target) === 'anthropic' ? bits | cacheAtBreakpoints : bits;
  return generation === undefined && target.provider === undefined ? demands | keepsThinking : demands;
}

/** Why one model's reasoning is useless to another; `undefined` if it is the same model. */
export function reasoningLoss(
  family: Family | undefined,
  from: Target,
  to: Target & { readonly generation?: string | undefined },
): 'other-model' | 'not-taken' | undefined {
  const vendor = familyOf(to);
  const isSameModel = plainName(from) === plainName(to);
  // Anthropic's signatures are valid at every provider. What others encrypt belongs to an account at one provider.
  const isSamePlace = vendor === 'anthropic' || family === 'anthropic' || from.provider === to.provider;
  const isSame = isSameModel && isSamePlace;
  // A provider accepts its own reasoning again, also if another one has models of this name.
  const host = isSame ? to.provider : chatProvider(to);
  const name = family === 'openai-chat' ? host : bareName(to);
  const whose = family ?? (vendor === 'openai' ? 'openai-responses' : vendor);
  if (whose !== undefined && generationOf(whose, name, to.generation)?.ignoresReasoning === true) return 'not-taken';
  return isSame ? undefined : 'other-model';
}

/** A model's name without the vendor's name, which gateways put before it. */
function bareName({ model }: Target): string | undefined {
  return model?.replace(/^.*\//, '');
}

/** The same without the date of a snapshot. Anthropic's models get Anthropic's own spelling, at any provider. */
function plainName(target: Target): string | undefined {
  const served = bareName(target)?.replace(/^(?:[\w-]+\.)?anthropic\.|-v\d+(?::\d+)?$|@[\w-]+$/g, '');
  const name = served?.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/, '');
  return name?.startsWith('claude') === true ? name.replaceAll('.', '-').replace(/-0$/, '') : name;
}

/** How each vendor's models are named, in addition to the names of `PROVIDERS`. The first match counts. */
const CALLED: readonly (readonly [vendor: Vendor, isNamed: (name: string) => boolean])[] = [
  ['anthropic', isClaude],
  ['gemini', (name) => name.includes('gemini')],
  ['openai', (name) => /grok|codex|\bgpt-|\bo\d\b/.test(name)],
];

/** The vendor of a model: by its name, else by its provider. */
export function familyOf({ model, provider }: Target): Vendor | undefined {
  for (const name of [model, provider]) {
    if (name === undefined) continue;
    const small = String(name).toLowerCase();
    const isServed = (by: Vendor) => PROVIDERS.some(([word, whose]) => whose === by && small.includes(word));
    const found = CALLED.find(([vendor, isNamed]) => isServed(vendor) || isNamed(small));
    if (found !== undefined) return found[0];
  }
  return undefined;
}

/** The providers whose rules apply if no model is named. */
const FAMILIES = ['anthropic', 'gemini', 'openai-responses'] as const satisfies readonly Family[];

/** The demands of a target's model; if it names none that is known, those of all families together. */
export function capabilitiesOfTarget(target: Target): number {
  const family = familyOf(target);
  if (family === undefined) return FAMILIES.reduce((bits, each) => bits | capabilitiesOf(each, {}), 0);
  return capabilitiesOf(family === 'openai' ? 'openai-responses' : family, { model: bareName(target) });
}
