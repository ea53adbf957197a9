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

/** The words in providers' names that densify understands. `validate` has its own `ProviderName`. */
export type KnownProvider = (typeof PROVIDERS)[number][0];
