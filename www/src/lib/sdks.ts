/** The message types that code can be made for: an entry of the package, and whose messages they are. */
const KNOWN = [
  { entry: 'densify', name: 'plain densify' },
  { entry: 'densify/anthropic', name: 'Anthropic SDK' },
  { entry: 'densify/openai', name: 'OpenAI chat completions' },
  { entry: 'densify/openai-responses', name: 'OpenAI responses' },
  { entry: 'densify/gemini', name: 'Google Gemini' },
  { entry: 'densify/ai-sdk', name: 'AI SDK' },
  { entry: 'densify/langchain', name: 'LangChain' },
  { entry: 'densify/pi', name: 'pi' },
] as const;
export type Sdk = (typeof KNOWN)[number]['entry'];

/** The entries that the package really has, as the build found them. */
declare const DENSIFY_ENTRIES: readonly string[];

export const SDKS = KNOWN.filter(({ entry }) => DENSIFY_ENTRIES.includes(entry));
