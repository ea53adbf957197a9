// An agent's loop with the AI SDK (`npm i ai densify`) that stays within its model's window:
// results are shrunk as they come in, and past the threshold the history is compressed or
// summarised by a cheaper model.
import { generateText, type LanguageModel, type ModelMessage, stepCountIs, type ToolSet } from 'ai';
import { createConversation, type HookOptions, optimizeRequest, prepareStep } from 'densify/ai-sdk';
import { shrinkTools } from 'densify/tools';

/** The most tokens of an answer. */
const ANSWER = 1_000;

/** Asks a model, which may use the tools; `cheap` makes the summaries. */
export async function run(
  model: LanguageModel,
  cheap: LanguageModel,
  tools: ToolSet,
  contextLimit: number,
  options: HookOptions<ModelMessage> = {},
): Promise<string> {
  // `prepareStep` sees messages only: the tools and the answer must fit the window, too.
  const { overhead } = optimizeRequest({ messages: [], tools });
  const limits = { contextLimit, overhead: overhead.reported, reserve: ANSWER };
  const { text } = await generateText({
    model,
    maxOutputTokens: ANSWER,
    tools: shrinkTools(tools),
    prompt: 'Why do the tests fail?',
    stopWhen: stepCountIs(20),
    // Without it Anthropic caches nothing, and each call pays for the whole history. Other
    // providers ignore it.
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    prepareStep: prepareStep<ModelMessage>({
      conversation: (target) =>
        createConversation<ModelMessage>({ strategy: 'auto', ...limits, ...target }),
      summarize: async ({ messages }) =>
        (await generateText({ model: cheap, messages: [...messages] })).text,
      ...options,
    }),
  });
  return text;
}
