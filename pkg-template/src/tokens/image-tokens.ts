import { wrongArgument, wrongOption } from '../base/options.js';
import { type ImageFormula, type ImageFormulaName, type ImageSize, imageFormulas, tokensBy } from './images.js';
import { formulaOfModel } from './models.js';
import { checkNumber } from './options.js';

/**
 * What an image costs by its provider's formula: of one by name, of a model, or of your own.
 *
 * @example
 * imageTokens('claude-opus-5-5', { width: 1920, height: 1080 }); // 2691
 */
export function imageTokens(formula: ImageFormulaName | ImageFormula | (string & {}), image: ImageSize): number {
  const known = formulaOf(formula);
  const width = checkNumber('width', image?.width, 1);
  const height = checkNumber('height', image?.height, 1);
  const { detail } = image;
  if (detail === undefined || DETAILS.includes(detail)) return tokensBy(known, { width, height, detail });
  const names = DETAILS.map((name) => `'${name}'`).join(', ');
  throw wrongOption('detail', detail, `one of ${names}`);
}

const DETAILS: readonly ImageSize['detail'][] = ['low', 'high', 'auto', 'original'];

/** What a formula's members are at least. */
const LEAST: { readonly [Kind in ImageFormula['kind']]: Readonly<Record<string, number>> } = {
  tiles: { base: 0, tile: 0 },
  patches: { most: 1, high: 1, factor: 0 },
  grid: { side: 1, most: 1 },
  crops: { small: 0, tile: 0 },
  flat: { tokens: 0 },
};
const OPTIONAL = ['most', 'high'];

function formulaOf(given: unknown): ImageFormula {
  if (typeof given === 'string') {
    const name = Object.hasOwn(imageFormulas, given) ? (given as ImageFormulaName) : formulaOfModel(given);
    if (name !== undefined) return imageFormulas[name];
  }
  const { kind } = (given ?? {}) as ImageFormula;
  if (typeof given !== 'object' || !Object.hasOwn(LEAST, kind)) {
    const names = Object.keys(imageFormulas).join("', '");
    throw wrongArgument(
      'formula',
      given,
      `a model of OpenAI's, Anthropic's or Google's, one of '${names}', or a formula`,
    );
  }
  for (const [member, least] of Object.entries(LEAST[kind])) {
    const value = (given as Readonly<Record<string, unknown>>)[member];
    const isLeftOut = kind === 'patches' && value === undefined && OPTIONAL.includes(member);
    if (!isLeftOut) checkNumber(`formula.${member}`, value, least);
  }
  return given as ImageFormula;
}
