// A language model of the AI SDK (`npm i ai densify`) that packs the prompts of all its callers.
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import { type HookOptions, middleware } from 'densify/ai-sdk';

type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

/** Sends a conversation to a model. */
export async function run(
  model: Model,
  messages: ModelMessage[],
  options: HookOptions = {},
): Promise<string> {
  const packed = wrapLanguageModel({ model, middleware: middleware(options) });
  // Without it Anthropic caches nothing, and each call pays for the whole history. Other providers
  // ignore it.
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  const { text } = await generateText({ model: packed, messages, providerOptions });
  return text;
}
