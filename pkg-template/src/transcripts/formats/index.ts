import type { Format } from '../format.js';
import { anthropic } from './anthropic.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { geminiCli } from './gemini-cli.js';
import { miniSweAgent } from './mini-swe-agent.js';
import { openAiChat } from './openai-chat.js';
import { openAiResponses } from './openai-responses.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import { sweAgent } from './swe-agent.js';

/** Every format, the most specific first: detection takes the first that fits. */
export const formats: readonly Format[] = [
  codex,
  pi,
  claudeCode,
  opencode,
  geminiCli,
  miniSweAgent,
  sweAgent,
  anthropic,
  openAiResponses,
  gemini,
  openAiChat,
];
