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
  /** Set where its models take no reasoning back, or make nothing of it. */
  readonly ignoresReasoning?: boolean;
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
    'no-thinking': { capabilities: opensWithHuman, models: /claude-(?:3|2|instant)/, ignoresReasoning: true },
  },
  gemini: {
    // Each call of the open turn must come back with its signature.
    'thought-signatures': {
      capabilities: opensWithHuman | callsFollowOthers | openLoopKeepsThinking,
      models: /gemini-(?:[3-9]|\d\d)/,
    },
    'no-signatures': {
      capabilities: opensWithHuman | callsFollowOthers,
      models: /gemini-[12]/,
      ignoresReasoning: true,
    },
  },
  'openai-responses': {
    // Reasoning and the items made with it are refused without each other.
    reasoning: { capabilities: thinkingKeepsSuccessors, models: /^o\d|gpt-[5-9]|codex/ },
    'no-reasoning': { capabilities: 0, models: /gpt-(?:3|4)|chatgpt/, ignoresReasoning: true },
  },
  // Here the providers differ, whatever the model.
  'openai-chat': {
    openai: { capabilities: 0, models: /^(?:openai|azure)\b/, ignoresReasoning: true },
    // Templates of open models often want the user first.
    compatible: { capabilities: opensWithHuman, models: /./ },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Generation>>>>;

/** Whose rules there are. */
export type Family = keyof typeof GENERATIONS;

/** The names of a family's generations. */
export type GenerationOf<F extends Family> = keyof (typeof GENERATIONS)[F] & string;

/** What the models of a family demand: of the one that is named, else all that any of them demands. */
export function capabilitiesOf<F extends Family>(
  family: F,
  { model, generation }: { readonly model?: string | undefined; readonly generation?: string | undefined },
): number {
  const found = generationOf(family, model, generation);
  const all: readonly Generation[] = Object.values(GENERATIONS[family]);
  return found?.capabilities ?? all.reduce((bits, { capabilities }) => bits | capabilities, 0);
}

/** The generation that is named, or that of a model that is known. */
function generationOf(
  family: Family,
  model: string | undefined,
  generation: string | undefined,
): Generation | undefined {
  const known: Readonly<Record<string, Generation>> = GENERATIONS[family];
  if (generation === undefined) {
    return model === undefined ? undefined : Object.values(known).find(({ models }) => models.test(model));
  }
  if (Object.hasOwn(known, generation)) return known[generation];
  const names = Object.keys(known).join(', ');
  const message = `option generation: found ${describe(generation)}, expected one of ${names}`;
  throw densifyError('invalid-options', message, { key: 'generation' });
}

/** Why reasoning that one model did is nothing to another; `undefined` if it is the same model. */
export function reasoningLoss(
  family: Family | undefined,
  from: Target,
  to: Target & { readonly generation?: string | undefined },
): 'other-model' | 'not-taken' | undefined {
  const vendor = familyOf(to);
  const name = family === 'openai-chat' ? to.provider : bareName(to);
  const whose = family ?? (vendor === 'openai' ? 'openai-responses' : vendor);
  if (whose !== undefined && generationOf(whose, name, to.generation)?.ignoresReasoning === true) return 'not-taken';
  const isSameModel = plainName(from) === plainName(to);
  // Anthropic's signatures hold wherever the model is served; what others encrypt belongs to an account there.
  const isSamePlace = vendor === 'anthropic' || family === 'anthropic' || from.provider === to.provider;
  return isSameModel && isSamePlace ? undefined : 'other-model';
}

/** A model's name without that of the vendor, which gateways put before it. */
function bareName({ model }: Target): string | undefined {
  return model?.replace(/^.*\//, '');
}

/** The same without the date of a snapshot; of Anthropic's models as Anthropic itself writes it, whoever serves them. */
function plainName(target: Target): string | undefined {
  const served = bareName(target)?.replace(/^(?:[\w-]+\.)?anthropic\.|-v\d+(?::\d+)?$|@[\w-]+$/g, '');
  const name = served?.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/, '');
  return name?.startsWith('claude') === true ? name.replaceAll('.', '-').replace(/-0$/, '') : name;
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
  const model = bareName(target);
  if (family === 'openai') return capabilitiesOf('openai-responses', { model });
  return capabilitiesOf(family === 'gemini' ? 'gemini' : 'anthropic', { model });
}
