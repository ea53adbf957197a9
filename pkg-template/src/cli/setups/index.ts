import { claude } from './claude.js';
import { codex } from './codex.js';
import type { Setup } from './files.js';
import { gemini } from './gemini.js';
import { opencode, pi } from './plugins.js';

/** How each agent is set up, by the name of its command. */
export const SETUPS: Readonly<Record<string, Setup>> = { claude, codex, gemini, opencode, pi };
