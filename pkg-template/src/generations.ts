/**
 * The generations of each vendor's models, newest first, by what their names hold: the one table. What a generation
 * demands of edits is in `formats/profiles.ts`, what it rejects in `validate/rules.ts`.
 */
export const GENERATIONS = {
  anthropic: {
    'preserved-thinking':
      /claude-(?:fable|mythos)-(?:5[.-][1-9](?!\d)|[6-9])|claude-(?:opus|sonnet|haiku)-(?:5[.-][5-9](?!\d)|[6-9])/,
    'adaptive-thinking': /claude-(?:opus|sonnet|haiku)-(?:4[.-][6-9](?!\d)|5)|claude-(?:fable|mythos)/,
    'manual-thinking': /claude-3[.-]7|claude-(?:opus|sonnet|haiku)-4/,
    'no-thinking': /claude-(?:instant|[123])/,
  },
  openai: {
    reasoning: /(?:^|[/.])o[1-9]|gpt-[5-9]|codex/,
    'no-reasoning': /gpt-[34]|chatgpt/,
  },
  gemini: {
    'thought-signatures': /gemini-(?:[3-9]|\d\d)/,
    'no-signatures': /gemini-[12](?!\d)/,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RegExp>>>>;

/** Whose models there are. */
export type Vendor = keyof typeof GENERATIONS;

/** The names of a vendor's generations. */
export type GenerationsOf<V extends Vendor> = keyof (typeof GENERATIONS)[V] & string;

/** The generation of a model, if its name tells. */
export function generationOfModel<V extends Vendor>(vendor: V, model: string): GenerationsOf<V> | undefined {
  const known = Object.entries(GENERATIONS[vendor]) as [GenerationsOf<V>, RegExp][];
  return known.find(([, names]) => names.test(model.toLowerCase()))?.[0];
}
