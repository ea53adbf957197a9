import { claudesOf } from './claude.js';

/** Says of a name, in small letters, whether it is that of a model of some generation. */
type Names = Pick<RegExp, 'test'>;

/**
 * The generations of each vendor's models, newest first, by what their names hold: the one table; a Claude's are
 * known by family and version (`claude.ts`). `models/profiles.ts` lists each generation's demands on edits;
 * `validate/rules.ts` lists what it rejects.
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
    // `gemini-flash-latest` and its like are of the newest.
    'thought-signatures': /gemini-(?:[3-9]|\d\d|[a-z-]*latest)/,
    'no-signatures': /gemini-[12](?!\d)/,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Names>>>>;

/** Whose models there are. */
export type Vendor = keyof typeof GENERATIONS;

/** The names of a vendor's generations. */
export type GenerationsOf<V extends Vendor> = keyof (typeof GENERATIONS)[V] & string;

/** The generation of a model, if its name tells. */
export function generationOfModel<V extends Vendor>(vendor: V, model: string): GenerationsOf<V> | undefined {
  const known = Object.entries(GENERATIONS[vendor]) as [GenerationsOf<V>, Names][];
  return known.find(([, names]) => names.test(model.toLowerCase()))?.[0];
}
