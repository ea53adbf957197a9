/**
 * What the providers' generations of models demand: the one table. The rules and where they are
 * documented: `docs/providers.md`.
 */
import { CAPABILITY } from '../adapter.js';
import { densifyError } from '../errors.js';
import { describe } from '../settings.js';
import type { Target } from './format.js';

const { opensWithHuman, thinkingBoundToPrefix, openLoopKeepsThinking, thinkingKeepsSuccessors, callsFollowOthers } =
  CAPABILITY;

/** A generation of a provider's models. */
interface Generation {
  /** What its models demand. */
  readonly capabilities: number;
  /** Names of its models; the first generation that has one with the given name is meant. */
  readonly models: RegExp;
}

/** The generations of each family, newest first. */
const GENERATIONS = {
  anthropic: {
    // A thinking block is refused behind any change of what precedes it.
    'preserved-thinking': {
      capabilities: opensWithHuman | thinkingBoundToPrefix,
      models: /(?:fable|mythos)-5[-.][1-9]|(?:opus|sonnet|haiku)-5[-.]5/,
    },
    // While calls are open, the turn must begin with its thinking.
    'manual-thinking': {
      capabilities: opensWithHuman | openLoopKeepsThinking,
      models: /claude-(?:3[-.]7|(?:opus|sonnet|haiku)-4)/,
    },
    'no-thinking': { capabilities: opensWithHuman, models: /claude-(?:3|2|instant)/ },
  },
  gemini: {
    // Each call of the open turn must come back with its signature.
    'thought-signatures': {
      capabilities: opensWithHuman | callsFollowOthers | openLoopKeepsThinking,
      models: /gemini-(?:[3-9]|\d\d)/,
    },
    'no-signatures': { capabilities: opensWithHuman | callsFollowOthers, models: /gemini-[12]/ },
  },
  'openai-responses': {
    // Reasoning and the items made with it are refused without each other.
    reasoning: { capabilities: thinkingKeepsSuccessors, models: /^o\d|gpt-[5-9]|codex/ },
    'no-reasoning': { capabilities: 0, models: /gpt-(?:3|4)|chatgpt/ },
  },
  // Here the providers differ, whatever the model.
  'openai-chat': {
    openai: { capabilities: 0, models: /^(?:openai|azure)\b/ },
    // Templates of open models often want the user first.
    compatible: { capabilities: opensWithHuman, models: /./ },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Generation>>>>;

type Family = keyof typeof GENERATIONS;

/** The names of a family's generations. */
export type GenerationOf<F extends Family> = keyof (typeof GENERATIONS)[F] & string;

/** What the models of a family demand: of the one that is named, else all that any of them demands. */
export function capabilitiesOf<F extends Family>(
  family: F,
  { model, generation }: { readonly model?: string | undefined; readonly generation?: string | undefined },
): number {
  const known: Readonly<Record<string, Generation>> = GENERATIONS[family];
  if (generation !== undefined) {
    if (Object.hasOwn(known, generation)) return known[generation]!.capabilities;
    const names = Object.keys(known).join(', ');
    const message = `option generation: found ${describe(generation)}, expected one of ${names}`;
    throw densifyError('invalid-options', message, { key: 'generation' });
  }
  const all = Object.values(known);
  const found = model === undefined ? undefined : all.find(({ models }) => models.test(model));
  return found?.capabilities ?? all.reduce((bits, { capabilities }) => bits | capabilities, 0);
}

/** Whose model it is, by its name, else by who serves it; of frameworks that reach many providers. */
export function familyOf({ model, provider }: Target): 'anthropic' | 'openai' | 'gemini' | undefined {
  for (const name of [model, provider]) {
    if (name === undefined) continue;
    if (/claude|anthropic/i.test(name)) return 'anthropic';
    if (/gemini|google|vertex/i.test(name)) return 'gemini';
    if (/openai|azure|xai|grok|codex|\bgpt-|\bo\d\b/i.test(name)) return 'openai';
  }
  return undefined;
}

/** What the models of whatever family demand: of the one that is named, else all that any of them demands. */
export function capabilitiesOfTarget(target: Target): number {
  const family = familyOf(target);
  // Gateways put the vendor before the name.
  const model = target.model?.replace(/^.*\//, '');
  if (family === 'openai') return capabilitiesOf('openai-responses', { model });
  return capabilitiesOf(family === 'gemini' ? 'gemini' : 'anthropic', { model });
}
