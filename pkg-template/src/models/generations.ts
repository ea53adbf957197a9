import { claudesOf } from './claude.js';

/** Tells whether a name, in lower case, is that of a model of a generation. */
type Names = Pick<RegExp, 'test'>;

/**
 * The generations of each vendor's models, newest first, with a test of their names. Claude models are recognised by family and
 * version (`claude.ts`). `models/profiles.ts` lists each generation's demands on edits, and `validate/rules.ts` what it
 * rejects.
 */
export const GENERATIONS = {
  anthropic: {
    'preserved-thinking': claudesOf('preserved-thinking'),
    'adaptive-thinking': claudesOf('adaptive-thinking'),
    'manual-thinking': claudesOf('manual-thinking'),
    'no-thinking': claudesOf('no-thinking'),
  },
  openai: {
    reasoning: /(?:^|[/.])o[1-9]|gpt-[5-9]|codex/,
    'no-reasoning': /gpt-[34]|chatgpt/,
  },
  gemini: {
    // Names such as `gemini-flash-latest` belong to the newest.
    'thought-signatures': /gemini-(?:[3-9]|\d\d|[a-z-]*latest)/,
    'no-signatures': /gemini-[12](?!\d)/,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Names>>>>;

/** The vendors whose models are known. */
export type Vendor = keyof typeof GENERATIONS;

/** The names of a vendor's generations. */
export type GenerationsOf<V extends Vendor> = keyof (typeof GENERATIONS)[V] & string;

/** The generation of a model, if its name tells. */
export function generationOfModel<V extends Vendor>(vendor: V, model: string): GenerationsOf<V> | undefined {
  const known = Object.entries(GENERATIONS[vendor]) as [GenerationsOf<V>, Names][];
  return known.find(([, names]) => names.test(model.toLowerCase()))?.[0];
}
