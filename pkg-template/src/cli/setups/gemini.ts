/**
 * Gemini CLI: base URLs in its file of variables. Its settings are left alone: it rewrites them itself. Its hook
 * `AfterTool` can replace a result only by an error (0.61.0), so the gateway shortens results.
 */

import { BASE } from '../agents/address.js';
import { userVariables } from '../agents/gemini.js';
import { UsageError } from '../gateway.js';
import { type Setup, textChange, withLines } from './files.js';
import { KEEP_RUNNING } from './gateway.js';

/** Gemini CLI reads one file of variables: a new one would hide an older one, with the key in it. */
export const gemini: Setup = {
  changes() {
    const path = userVariables();
    const change = (text: string) => {
      if (/^\s*(?:export\s+)?(?:GOOGLE_GEMINI_BASE_URL|CODE_ASSIST_ENDPOINT)\s*=/m.test(text)) {
        throw new UsageError(
          `${path} names a base URL already: set it to ${BASE}/NAME and run \`densify gateway --upstream=NAME=URL\``,
        );
      }
      return withLines(text, [`GOOGLE_GEMINI_BASE_URL=${BASE}/gemini`, `CODE_ASSIST_ENDPOINT=${BASE}/code-assist`]);
    };
    return [textChange(path, change)];
  },
  next: KEEP_RUNNING,
  isBehindProxy: true,
};
