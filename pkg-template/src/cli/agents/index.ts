import type { Agent } from './agent.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';

/** The agents that `densify run` knows, by the name of their command. */
export const AGENTS: Readonly<Record<string, Agent>> = { claude, codex, gemini, opencode, pi };
