import type { MessageFormat } from '../api.js';
import type { FormatRules } from '../format.js';
import { aiSdk, aiSdkPrompt } from './ai-sdk.js';
import { aiSdkUi } from './ai-sdk-ui.js';
import { anthropic } from './anthropic.js';
import { densify } from './densify.js';
import { gemini } from './gemini.js';
import { langchain } from './langchain.js';
import { openAiAgents } from './openai-agents.js';
import { openAiChat } from './openai-chat.js';
import { openAiResponses } from './openai-responses.js';
import { pi } from './pi.js';

/** Every format, by its name. */
export const formats: Readonly<Record<MessageFormat, FormatRules>> = {
  anthropic,
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'openai-agents': openAiAgents,
  gemini,
  'ai-sdk': aiSdk,
  'ai-sdk-prompt': aiSdkPrompt,
  'ai-sdk-ui': aiSdkUi,
  langchain,
  pi,
  densify,
};
