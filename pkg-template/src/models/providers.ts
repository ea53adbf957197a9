/**
 * Who serves models, by the words that their names hold (`azure.chat` is `azure`), and whose models' rules hold there: the
 * one list. A name of another is understood by the model alone.
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
