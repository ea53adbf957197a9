import { GENERATIONS } from '../models/generations.js';
import type { MessageFormat, ProviderName, ProviderRules, ValidateOptions } from './api.js';

type GenerationName = NonNullable<ValidateOptions['generation']>;

/** A provider's demands: those on every model, and those on generations, the newest first. */
interface Provider {
  readonly rules: ProviderRules;
  readonly generations: Readonly<
    Partial<Record<GenerationName, { readonly models: Pick<RegExp, 'test'>; readonly rules: ProviderRules }>>
  >;
  /** What holds as long as the generation isn't known: what only some models reject is a warning. */
  readonly unknown: ProviderRules;
}

const OPENAI_NAME = /^[a-zA-Z0-9_-]+$/;

/** The rules for items of the Responses API, for every provider's wording. */
const ITEMS: ProviderRules = {
  callIdLength: 64,
  outputLength: 10_485_760,
  toolName: OPENAI_NAME,
  toolNameLength: 64,
  levels: { 'bad-arguments': 'warning', 'empty-text': 'off', 'duplicate-call-id': 'off' },
};

/** The rules for requests in a format, for every provider. */
export const formatRules: Readonly<Record<MessageFormat, ProviderRules>> = {
  anthropic: { breakpoints: 4, messages: 100_000 },
  'openai-chat': {
    toolName: OPENAI_NAME,
    toolNameLength: 64,
    // Reported with 40; newer deployments took longer ones.
    callIdLength: 40,
    levels: { 'long-call-id': 'warning', 'bad-arguments': 'warning', 'empty-text': 'off', 'duplicate-call-id': 'off' },
  },
  'openai-responses': ITEMS,
  'openai-agents': ITEMS,
  gemini: {
    levels: { 'empty-text': 'warning', 'result-name': 'warning', 'duplicate-call-id': 'off' },
  },
  'ai-sdk': { levels: { 'empty-text': 'off', 'empty-message': 'warning', 'duplicate-call-id': 'off' } },
  'ai-sdk-prompt': {
    levels: {
      'empty-text': 'off',
      'empty-message': 'warning',
      'duplicate-call-id': 'off',
      'system-position': 'warning',
    },
  },
  'ai-sdk-ui': {
    levels: {
      'empty-text': 'off',
      'orphan-call': 'warning',
      'duplicate-call-id': 'warning',
      'duplicate-id': 'warning',
    },
  },
  langchain: {
    levels: { 'empty-text': 'off', 'empty-message': 'warning', 'duplicate-call-id': 'off', 'call-mismatch': 'warning' },
  },
  // pi answers unanswered calls itself before it sends.
  pi: { levels: { 'orphan-call': 'warning', 'empty-text': 'off', 'empty-message': 'off', 'duplicate-call-id': 'off' } },
  densify: { levels: { 'empty-text': 'warning', 'empty-message': 'warning', 'duplicate-call-id': 'off' } },
};

/** Who gets a request in a format, unless told otherwise. */
const DEFAULT_PROVIDERS: Readonly<Partial<Record<MessageFormat, ProviderName>>> = {
  anthropic: 'anthropic',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'openai-agents': 'openai',
  gemini: 'google',
};

const THINKING_FREE: ProviderRules['levels'] = { 'thinking-missing': 'off', 'thinking-unbound': 'off' };

/** What each provider, and each generation of its models, demands. */
export const providerRules: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    rules: {
      callId: /^[a-zA-Z0-9_-]+$/,
      callIdLength: 64,
      // What definitions of tools must match. Calls of other names were refused in 2024, and since then, it seems, for
      // their length alone.
      toolName: /^[a-zA-Z0-9_-]{1,128}$/,
      toolNameLength: 200,
      levels: {
        'duplicate-call-id': 'error',
        'empty-text': 'error',
        'empty-message': 'error',
        'first-role': 'error',
        'bad-tool-name': 'warning',
      },
    },
    generations: {
      'preserved-thinking': {
        models: GENERATIONS.anthropic['preserved-thinking'],
        rules: { levels: { 'last-role': 'error', 'thinking-missing': 'off', 'thinking-unbound': 'error' } },
      },
      'adaptive-thinking': {
        models: GENERATIONS.anthropic['adaptive-thinking'],
        rules: { levels: { 'last-role': 'error', 'thinking-missing': 'off', 'thinking-unbound': 'off' } },
      },
      'manual-thinking': {
        models: GENERATIONS.anthropic['manual-thinking'],
        rules: { levels: { 'last-role': 'off', 'thinking-missing': 'error', 'thinking-unbound': 'off' } },
      },
      'no-thinking': {
        models: GENERATIONS.anthropic['no-thinking'],
        rules: { levels: { 'last-role': 'off', ...THINKING_FREE } },
      },
    },
    unknown: { levels: { 'last-role': 'warning', 'thinking-missing': 'warning', 'thinking-unbound': 'warning' } },
  },
  bedrock: {
    rules: {
      callId: /^[a-zA-Z0-9_-]+$/,
      callIdLength: 64,
      // Models of Anthropic have reported the first limit only.
      toolName: /^[a-zA-Z0-9_-]{1,64}$/,
      toolNameLength: 200,
      levels: {
        'bad-tool-name': 'warning',
        'duplicate-call-id': 'error',
        'empty-text': 'error',
        'empty-message': 'error',
        'last-role': 'warning',
        'first-role': 'error',
      },
    },
    generations: {},
    unknown: { levels: THINKING_FREE },
  },
  openai: {
    rules: { levels: { 'first-role': 'off', 'last-role': 'off' } },
    generations: {
      reasoning: { models: GENERATIONS.openai.reasoning, rules: {} },
      'no-reasoning': { models: GENERATIONS.openai['no-reasoning'], rules: {} },
    },
    unknown: {},
  },
  google: {
    rules: { levels: { 'first-role': 'warning', 'empty-message': 'error' } },
    generations: {
      'thought-signatures': {
        models: GENERATIONS.gemini['thought-signatures'],
        rules: { levels: { 'signature-missing': 'error', 'last-role': 'error' } },
      },
      'no-signatures': {
        models: GENERATIONS.gemini['no-signatures'],
        rules: { levels: { 'signature-missing': 'off', 'last-role': 'off' } },
      },
    },
    unknown: { levels: { 'signature-missing': 'warning', 'last-role': 'warning' } },
  },
  mistral: {
    rules: { callId: /^[a-zA-Z0-9]{9}$/, levels: { 'last-role': 'error', 'role-order': 'error' } },
    generations: {},
    unknown: {},
  },
  moonshot: { rules: { levels: { 'reasoning-required': 'error' } }, generations: {}, unknown: {} },
  cerebras: { rules: { levels: { 'reasoning-forbidden': 'error' } }, generations: {}, unknown: {} },
  'strict-template': {
    rules: {
      levels: { 'first-role': 'error', 'role-order': 'error', 'system-position': 'error', 'bad-arguments': 'error' },
    },
    generations: {},
    unknown: {},
  },
};

/** Off, unless a provider's table says otherwise. */
const OPTIONAL: ProviderRules['levels'] = {
  'first-role': 'off',
  'last-role': 'off',
  'role-order': 'off',
  'thinking-missing': 'off',
  'thinking-unbound': 'off',
  'reasoning-required': 'off',
  'reasoning-forbidden': 'off',
  'signature-missing': 'off',
};

/** All that holds for some messages, in one: of the format, of the provider, of the generation. */
export function rulesFor(
  format: MessageFormat,
  options: ValidateOptions,
): Required<Pick<ProviderRules, 'levels'>> & ProviderRules {
  const name = options.provider ?? DEFAULT_PROVIDERS[format];
  const provider = name === undefined ? undefined : providerRules[name];
  const generation = provider === undefined ? undefined : generationOf(provider, options);
  const layers: ProviderRules[] = [{ levels: OPTIONAL }];
  layers.push(formatRules[format]);
  if (provider !== undefined) layers.push(provider.rules, generation?.rules ?? provider.unknown);
  const levels = Object.assign({}, ...layers.map((layer) => layer.levels)) as NonNullable<ProviderRules['levels']>;
  return { ...(Object.assign({}, ...layers) as ProviderRules), levels };
}

/** The name of the generation of a model, if it is known. */
export function generationName(format: MessageFormat, options: ValidateOptions): GenerationName | undefined {
  const name = options.provider ?? DEFAULT_PROVIDERS[format];
  return name === undefined ? undefined : find(providerRules[name], options)?.[0];
}

function generationOf(provider: Provider, options: ValidateOptions): { readonly rules: ProviderRules } | undefined {
  return find(provider, options)?.[1];
}

type Named = [GenerationName, { readonly models: Pick<RegExp, 'test'>; readonly rules: ProviderRules }];

function find(provider: Provider, { model, generation }: ValidateOptions): Named | undefined {
  const all = Object.entries(provider.generations) as Named[];
  if (generation !== undefined) return all.find(([name]) => name === generation);
  return model === undefined ? undefined : all.find(([, { models }]) => models.test(model.toLowerCase()));
}
