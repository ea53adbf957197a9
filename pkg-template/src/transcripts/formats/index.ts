import type { Format } from '../format.js';
import { claudeCode } from './claude-code.js';
import { openAiChat } from './openai-chat.js';
import { pi } from './pi.js';

/** Every format, the most specific first: detection takes the first that fits. */
export const formats: readonly Format[] = [pi, claudeCode, openAiChat];
