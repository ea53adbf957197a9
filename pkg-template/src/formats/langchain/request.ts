/** What an agent of LangChain asks of a model. */
import type { Bag } from '../../messages/facts.js';
import type { Target } from '../../models/target.js';
import type { RequestShape } from '../format.js';
import { schemaOf } from '../requests.js';

export const langchainRequest: RequestShape = {
  key: 'messages',
  system: ({ systemMessage, systemPrompt }) => (systemMessage as Bag | null | undefined)?.content ?? systemPrompt,
  answer: ({ model, modelSettings }) => answerOf(modelSettings) ?? answerOf(model),
  tools: ({ tools }) => (Array.isArray(tools) ? tools : []).map((tool: unknown) => definitionOf(tool)),
  target: ({ model }) => (typeof model === 'string' ? { model } : namesOf(model)),
};

/** The most tokens of an answer, as the models of each provider call it. */
function answerOf(settings: unknown): unknown {
  const { maxTokens, max_tokens, maxOutputTokens, maxCompletionTokens } = (settings ?? {}) as Bag;
  return [maxTokens, max_tokens, maxOutputTokens, maxCompletionTokens].find((found) => typeof found === 'number');
}

/** What LangChain's model says of itself. */
export function namesOf(called: unknown): Target {
  const { model, modelName, _llmType: type } = (called ?? {}) as Bag;
  const names = [
    typeof model === 'string' ? model : modelName,
    typeof type === 'function' ? type.call(called) : undefined,
  ];
  const [name, provider] = names.map((found: unknown) => (typeof found === 'string' ? found : undefined));
  return { model: name, provider };
}

/** What a model gets of a tool: instances hold more than that. */
function definitionOf(tool: unknown): readonly [string, unknown] {
  const { name, description, schema } = (tool ?? {}) as Bag;
  if (typeof name !== 'string') return ['', tool];
  return [name, schema === undefined ? tool : { name, description, schema: schemaOf(schema) }];
}
