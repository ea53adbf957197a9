/** By whose published formula images cost. */
import { ANY_IMAGE } from '../facts.js';
import { generationOfModel } from '../generations.js';
import type { imageFormulas } from '../tokens/images.js';
import type { Format, Target } from './format.js';
import { familyOf } from './profiles.js';

/** The name of a formula. */
export type ImageFormulaName = keyof typeof imageFormulas;

/** A format by its name, and whose it is, if that is one provider's. */
type WithFamily = Pick<Format<object>, 'name' | 'family'>;

/** The formulas of OpenAI's models, by what their names hold; the first that fits. */
const OPENAI = [
  [/gpt-4o-mini/, 'gpt-4o-mini'],
  [/gpt-4\.1-mini/, 'gpt-4.1-mini'],
  [/gpt-4\.1-nano/, 'gpt-4.1-nano'],
  [/gpt-4\.1/, 'gpt-4.1'],
  [/gpt-5.*mini/, 'gpt-5-mini'],
  [/gpt-5.*nano/, 'gpt-5-nano'],
  [/gpt-5/, 'gpt-5'],
  [/\bo4-mini/, 'o4-mini'],
  [/\bo1/, 'o1'],
  [/\bo3/, 'o3'],
] as const satisfies readonly (readonly [RegExp, ImageFormulaName])[];

/** The formula for a target's images; of a family whose model nobody names, that of its best-known ones. */
export function imageFormulaOf({ name, family }: WithFamily, target: Target): ImageFormulaName {
  const model = target.model?.toLowerCase() ?? '';
  switch (familyOf(target) ?? (family ?? name).replace(/-.*/, '')) {
    case 'openai':
      return OPENAI.find(([names]) => names.test(model))?.[1] ?? 'gpt-4o';
    case 'gemini':
      return generationOfModel('gemini', model) === 'thought-signatures' ? 'gemini-3' : 'gemini';
    default:
      return ANY_IMAGE;
  }
}
