/** What models count by, as far as their names say. */
import { hasOlderTokenizer } from '../models/claude.js';
import { generationOfModel } from '../models/generations.js';
import { familyOf } from '../models/profiles.js';
import type { ImageFormulaName } from './images.js';
import type { Encoding } from './tokenizer.js';

/** The formulas of OpenAI's models, by what their names hold; the first that fits. */
const OPENAI = [
  [/gpt-4o-mini/, 'gpt-4o-mini'],
  [/gpt-4\.1-mini/, 'gpt-4.1-mini'],
  [/gpt-4\.1-nano/, 'gpt-4.1-nano'],
  [/gpt-4\.1/, 'gpt-4.1'],
  [/gpt-4|chatgpt/, 'gpt-4o'],
  [/gpt-5.*mini/, 'gpt-5-mini'],
  [/gpt-5.*nano/, 'gpt-5-nano'],
  [/gpt-5\.[23](?!\d)/, 'gpt-5.2'],
  [/gpt-5\.[45](?!\d)/, 'gpt-5.5'],
  [/gpt-5(?!\.[2-9]|\.1\d)/, 'gpt-5'],
  [/\bo4-mini|codex-mini/, 'o4-mini'],
  [/\bo1/, 'o1'],
  [/\bo3/, 'o3'],
  [/computer-use/, 'computer-use-preview'],
] as const satisfies readonly (readonly [RegExp, ImageFormulaName])[];

/** The formula of OpenAI's for a model's images: an unknown model gets that of the newest. */
export function openaiFormula(model: string): ImageFormulaName {
  return OPENAI.find(([names]) => names.test(model.toLowerCase()))?.[1] ?? 'gpt-6';
}

/** The formula for a model's images, by its name. @internal */
export function formulaOfModel(model: string): ImageFormulaName | undefined {
  switch (familyOf({ model })) {
    case 'openai':
      return openaiFormula(model);
    case 'gemini':
      return generationOfModel('gemini', model) === 'thought-signatures' ? 'gemini-3' : 'gemini';
    case 'anthropic':
      return hasOlderTokenizer(model) ? 'claude' : 'claude-4.7';
    default:
      return undefined;
  }
}

/** Models with the older of the two vocabularies. */
const CL100K = /gpt-4(?![\w.]|-?(?:o|\.))|gpt-4-|gpt-3\.5|gpt-35|text-embedding-(?:3|ada-002)/;

/**
 * The encoding of an OpenAI model: `cl100k_base` for GPT-4, GPT-3.5 and their embeddings, `o200k_base` for GPT-4o and
 * later (assumed for models newer than GPT-5). `undefined` for all others: the encodings of Claude and Gemini aren't
 * public.
 *
 * @example
 * const tokenizer = await loadTokenizer(encodingOf('gpt-5.5') ?? 'o200k_base');
 */
export function encodingOf(model: string): Encoding | undefined {
  const name = String(model).toLowerCase();
  if (CL100K.test(name)) return 'cl100k_base';
  return /gpt-(?:4o|4\.\d|[5-9]|\d\d|oss)|chatgpt-|codex-|(?:^|[/.:])o[134](?:-|$)/.test(name)
    ? 'o200k_base'
    : undefined;
}

/** Which model has which, for errors. */
export const ENCODINGS =
  "gpt-4o and later have 'o200k_base', gpt-4 and gpt-3.5 'cl100k_base', none of Claude and Gemini is public; encodingOf(model) tells";
