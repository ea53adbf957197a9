/** By whose published formula images cost. */

import { ANY_IMAGE } from '../messages/facts.js';
import { hasOlderTokenizer } from '../models/claude.js';
import { type Family, familyOf } from '../models/profiles.js';
import type { Target } from '../models/target.js';
import type { ImageFormulaName } from '../tokens/images.js';
import { formulaOfModel, openaiFormula } from '../tokens/models.js';

export type { ImageFormulaName };

/** The name of a format, and the provider family that it belongs to, if there is one. */
interface WithFamily {
  readonly name: string;
  readonly family?: Family | undefined;
}

/** The formula for a target's images; a family without a model gets the formula of its newest models, except Gemini. */
export function imageFormulaOf(
  { name, family }: WithFamily,
  target: Target & { readonly generation?: string | undefined },
): ImageFormulaName {
  const { model = '', generation } = target;
  switch (familyOf(target) ?? (family ?? name).replace(/-.*/, '')) {
    case 'openai':
      return openaiFormula(model);
    case 'gemini':
      return formulaOfModel(model) ?? 'gemini';
    case 'anthropic':
      return hasOlderTokenizer(model, generation) ? 'claude' : 'claude-4.7';
    default:
      return ANY_IMAGE;
  }
}
