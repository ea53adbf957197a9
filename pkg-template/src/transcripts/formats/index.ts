import type { Format } from '../format.js';
import { anthropic } from './anthropic.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { copilotCli } from './copilot-cli.js';
import { factoryDroid } from './factory-droid.js';
import { gemini } from './gemini.js';
import { geminiCli } from './gemini-cli.js';
import { grokCli } from './grok-cli.js';
import { miniSweAgent } from './mini-swe-agent.js';
import { openAiChat } from './openai-chat.js';
import { openAiResponses } from './openai-responses.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import { qwenCode } from './qwen-code.js';
import { sweAgent } from './swe-agent.js';

/** Every format, the most specific first: detection takes the first that fits. */
export const formats: readonly Format[] = [
  codex,
  copilotCli,
  factoryDroid,
  pi,
  qwenCode,
  claudeCode,
  grokCli,
  opencode,
  geminiCli,
  miniSweAgent,
  sweAgent,
  anthropic,
  openAiResponses,
  gemini,
  openAiChat,
];
