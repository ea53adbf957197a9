/**
 * The known providers, by words in their names (`azure.chat` is `azure`), and whose models' rules apply to each. With
 * any other name, only the model decides.
 */
export const PROVIDERS = [
  ['anthropic', 'anthropic'],
  ['google', 'gemini'],
  ['vertex', 'gemini'],
  ['openai', 'openai'],
  ['azure', 'openai'],
  ['xai', 'openai'],
] as const;

/** The names of providers that are understood. */
export type ProviderName = (typeof PROVIDERS)[number][0];
