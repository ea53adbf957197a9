import { claude } from './claude.js';
import { codex } from './codex.js';
import type { Setup } from './files.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';

/** How each agent is set up, by the name of its command. */
export const SETUPS: Readonly<Record<string, Setup>> = { claude, codex, gemini, opencode, pi };
