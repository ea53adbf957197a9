import { densifyError } from '../errors.js';
import { describe } from '../settings.js';
import { checkNumber } from './options.js';

/** A published formula for what an image costs. */
export type ImageFormula =
  /** Scaled to fit 2048 × 2048 and then to a short side of 768; squares of 512 that it takes. (OpenAI, "Images and vision": GPT-4o, GPT-4.1, GPT-5) */
  | { readonly kind: 'tiles'; readonly base: number; readonly tile: number }
  /** Squares of 32, at most so many, times a factor. (OpenAI, "Images and vision": GPT-4.1-mini and -nano, o4-mini, GPT-5-mini and -nano) */
  | { readonly kind: 'patches'; readonly most: number; readonly factor: number }
  /** Scaled to fit a square of so many pixels a side and so many tokens; one token for each 750 pixels. (Anthropic, "Vision") */
  | { readonly kind: 'area'; readonly side: number; readonly most: number }
  /** Small images cost one tile; others are cut into squares whose side depends on the short side. (Google, "Image understanding": Gemini 2.0 and 2.5) */
  | { readonly kind: 'crops'; readonly small: number; readonly tile: number }
  /** The same for each image. (Google, "Media resolution": Gemini 3, where `media_resolution` isn't given) */
  | { readonly kind: 'flat'; readonly tokens: number };

/** The formulas by model family, as published. */
export const imageFormulas = {
  'gpt-4o': { kind: 'tiles', base: 85, tile: 170 },
  'gpt-4o-mini': { kind: 'tiles', base: 2833, tile: 5667 },
  'gpt-5': { kind: 'tiles', base: 70, tile: 140 },
  'gpt-4.1': { kind: 'tiles', base: 85, tile: 170 },
  o1: { kind: 'tiles', base: 75, tile: 150 },
  o3: { kind: 'tiles', base: 75, tile: 150 },
  'gpt-4.1-mini': { kind: 'patches', most: 1536, factor: 1.62 },
  'gpt-4.1-nano': { kind: 'patches', most: 1536, factor: 2.46 },
  'gpt-5-mini': { kind: 'patches', most: 1536, factor: 1.62 },
  'gpt-5-nano': { kind: 'patches', most: 1536, factor: 2.46 },
  'o4-mini': { kind: 'patches', most: 1536, factor: 1.72 },
  claude: { kind: 'area', side: 1568, most: 1600 },
  gemini: { kind: 'crops', small: 384, tile: 258 },
  'gemini-3': { kind: 'flat', tokens: 1120 },
} as const satisfies Record<string, ImageFormula>;

/** An image, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  /**
   * What the request asks for; heeded by tiles alone, where `low` costs the base.
   *
   * @default 'high'
   */
  readonly detail?: 'low' | 'high';
}

/**
 * What an image costs by its provider's formula.
 *
 * @example
 * imageTokens('claude', { width: 1092, height: 1092 }); // 1590
 */
export function imageTokens(formula: keyof typeof imageFormulas | ImageFormula, image: ImageSize): number {
  const known = typeof formula === 'string' && Object.hasOwn(imageFormulas, formula) ? imageFormulas[formula] : formula;
  const width = checkNumber('width', image?.width, 1);
  const height = checkNumber('height', image?.height, 1);
  switch (typeof known === 'object' ? known?.kind : undefined) {
    case 'tiles':
      return tiles(known as ImageFormula & { kind: 'tiles' }, width, height, image.detail ?? 'high');
    case 'patches':
      return patches(known as ImageFormula & { kind: 'patches' }, width, height);
    case 'area':
      return area(known as ImageFormula & { kind: 'area' }, width, height);
    case 'crops':
      return crops(known as ImageFormula & { kind: 'crops' }, width, height);
    case 'flat':
      return (known as ImageFormula & { kind: 'flat' }).tokens;
    default: {
      const names = Object.keys(imageFormulas).join("', '");
      const message = `formula: found ${describe(formula)}, expected one of '${names}', or a formula`;
      throw densifyError('invalid-options', message, { key: 'formula' });
    }
  }
}

function tiles({ base, tile }: { base: number; tile: number }, width: number, height: number, detail: string): number {
  if (detail === 'low') return base;
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  return base + tile * squares(Math.round(width * scale), Math.round(height * scale), 512);
}

function patches({ most, factor }: { most: number; factor: number }, width: number, height: number): number {
  let count = squares(width, height, 32);
  if (count > most) {
    // Shrunk to fit, and then to whole patches of one side.
    const shrink = Math.sqrt((32 * 32 * most) / (width * height));
    const [across, down] = [(width * shrink) / 32, (height * shrink) / 32];
    const whole = shrink * Math.min(Math.max(Math.floor(across), 1) / across, Math.max(Math.floor(down), 1) / down);
    count = Math.min(most, squares(width * whole - 1e-6, height * whole - 1e-6, 32));
  }
  return Math.ceil(count * factor);
}

function area({ side, most }: { side: number; most: number }, width: number, height: number): number {
  const fit = Math.min(1, side / Math.max(width, height));
  return Math.max(1, Math.min(most, Math.ceil((width * height * fit * fit) / 750)));
}

function crops({ small, tile }: { small: number; tile: number }, width: number, height: number): number {
  if (width <= small && height <= small) return tile;
  const unit = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  return tile * squares(width, height, unit);
}

/** The squares of a grid that cover an image. */
function squares(width: number, height: number, side: number): number {
  return Math.max(1, Math.ceil(width / side)) * Math.max(1, Math.ceil(height / side));
}
