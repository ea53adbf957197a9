import { TOOLS } from '../chat/project.js';
import { FORMS } from '../lib/forms.js';
import type { Question } from './api.js';

const SYSTEM = 'You are a coding agent. You work on a small TypeScript project by the tools that you have. Be brief.';

type Json = Readonly<Record<string, unknown>>;

const schema = ({ properties, required }: (typeof TOOLS)[number]): Json => ({ type: 'object', properties, required });

/** The body of a request for chat completions. */
export function openAiBody({ endpoint: { model }, messages, withTools, isBare }: Question): Json {
  const list = FORMS.openai.messagesOf(messages);
  const tools = TOOLS.map((tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: schema(tool) },
  }));
  return {
    model,
    messages: isBare ? list : [{ role: 'system', content: SYSTEM }, ...list],
    stream: true,
    ...(withTools && { tools }),
  };
}

/** The body of a request for Anthropic's messages. */
export function anthropicBody({ endpoint: { model }, messages, withTools, isBare }: Question): Json {
  const tools = TOOLS.map((tool) => ({ name: tool.name, description: tool.description, input_schema: schema(tool) }));
  return {
    model,
    ...(!isBare && { system: SYSTEM }),
    max_tokens: 4096,
    messages: FORMS.anthropic.messagesOf(messages),
    stream: true,
    ...(withTools && { tools }),
  };
}
