/** A published formula for what an image costs. */
export type ImageFormula =
  /** Scaled to fit 2048 × 2048 and then to a short side of 768; squares of 512 that it takes. (OpenAI, "Images and vision": GPT-4o, GPT-4.1, GPT-5 and 5.1) */
  | { readonly kind: 'tiles'; readonly base: number; readonly tile: number }
  /**
   * Squares of 32, up to a maximum (`high`: if the request asks for that detail), times a factor. (OpenAI, "Images and
   * vision": GPT-4.1-mini and -nano, o4-mini, GPT-5-mini and -nano; GPT-5.2 and later as measured)
   */
  | {
      readonly kind: 'patches';
      readonly most?: number | undefined;
      readonly high?: number | undefined;
      readonly factor: number;
    }
  /**
   * Scaled to fit this side length and this number of 28-pixel squares. Each square is a token. (Anthropic, "Vision")
   */
  | { readonly kind: 'grid'; readonly side: number; readonly most: number }
  /** Small images cost one tile; others are cut into squares whose side depends on the short side. (Google, "Image understanding": Gemini 2.0 and 2.5) */
  | { readonly kind: 'crops'; readonly small: number; readonly tile: number }
  /** The same for each image. (Google, "Media resolution": Gemini 3, where `media_resolution` isn't given) */
  | { readonly kind: 'flat'; readonly tokens: number };

/**
 * The formulas by model family, as published. OpenAI publishes nothing about GPT-5.2 (and 5.3), 5.5 (and 5.4) and GPT-6
 * (from 5.6 on): users measured these at the API. GPT-6 does not scale down images of up to 12 megapixels; larger ones
 * were not measured.
 */
export const imageFormulas = {
  'gpt-4o': { kind: 'tiles', base: 85, tile: 170 },
  'gpt-4o-mini': { kind: 'tiles', base: 2833, tile: 5667 },
  'gpt-5': { kind: 'tiles', base: 70, tile: 140 },
  'gpt-5.2': { kind: 'patches', most: 1536, factor: 1.2 },
  'gpt-5.5': { kind: 'patches', most: 10_000, high: 2500, factor: 1.2 },
  'gpt-6': { kind: 'patches', high: 2500, factor: 1.2 },
  'gpt-4.1': { kind: 'tiles', base: 85, tile: 170 },
  o1: { kind: 'tiles', base: 75, tile: 150 },
  o3: { kind: 'tiles', base: 75, tile: 150 },
  'computer-use-preview': { kind: 'tiles', base: 65, tile: 129 },
  'gpt-4.1-mini': { kind: 'patches', most: 1536, factor: 1.62 },
  'gpt-4.1-nano': { kind: 'patches', most: 1536, factor: 2.46 },
  'gpt-5-mini': { kind: 'patches', most: 1536, factor: 1.62 },
  'gpt-5-nano': { kind: 'patches', most: 1536, factor: 2.46 },
  'o4-mini': { kind: 'patches', most: 1536, factor: 1.72 },
  /** Models before Opus 4.7 and Sonnet 5. */
  claude: { kind: 'grid', side: 1568, most: 1568 },
  'claude-4.7': { kind: 'grid', side: 2576, most: 4784 },
  gemini: { kind: 'crops', small: 384, tile: 258 },
  'gemini-3': { kind: 'flat', tokens: 1120 },
} as const satisfies Record<string, ImageFormula>;

/** The name of a formula. */
export type ImageFormulaName = keyof typeof imageFormulas;

/** An image, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  /**
   * The detail that the request asks for. `low` costs only the base price of tiles. With newer models of OpenAI, `high`
   * costs less than the default.
   *
   * @default 'auto'
   */
  readonly detail?: 'low' | 'high' | 'auto' | 'original' | undefined;
}

/** What an image costs by a formula. */
export function tokensBy(formula: ImageFormula, { width, height, detail }: ImageSize): number {
  switch (formula.kind) {
    case 'tiles':
      return detail === 'low' ? formula.base : tiles(formula, width, height);
    case 'patches':
      return patches(formula.factor, (detail === 'high' ? formula.high : undefined) ?? formula.most, width, height);
    case 'grid':
      return grid(formula, width, height);
    case 'crops':
      return crops(formula, width, height);
    case 'flat':
      return formula.tokens;
  }
}

function tiles({ base, tile }: { base: number; tile: number }, width: number, height: number): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  return base + tile * squares(Math.round(width * scale), Math.round(height * scale), 512);
}

function patches(factor: number, most = Infinity, width: number, height: number): number {
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

/** Of the largest size that fits: it is found by halving, since squares at the edges are counted whole. */
function grid({ side, most }: { side: number; most: number }, width: number, height: number): number {
  const long = Math.max(width, height);
  const at = (pixels: number) => squares(Math.round((width * pixels) / long), Math.round((height * pixels) / long), 28);
  let [fits, tooLarge] = [1, Math.min(side, long)];
  if (at(tooLarge) <= most) return at(tooLarge);
  while (tooLarge - fits > 1) {
    const middle = Math.floor((fits + tooLarge) / 2);
    if (at(middle) <= most) fits = middle;
    else tooLarge = middle;
  }
  return at(fits);
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
