/** Gemini CLI: base URLs in its file of variables. Its settings are left alone: it rewrites them itself. */

import { BASE } from '../agents/address.js';
import { UsageError } from '../gateway.js';
import { home, joined } from '../host.js';
import { type Setup, textChange, withLines } from './files.js';
import { KEEP_RUNNING } from './gateway.js';

/** Gemini CLI reads variables from a file of its own. */
export const gemini: Setup = {
  changes() {
    const path = joined(home(), '.gemini', '.env');
    const change = (text: string) => {
      if (/^\s*(?:export\s+)?(?:GOOGLE_GEMINI_BASE_URL|CODE_ASSIST_ENDPOINT)\s*=/m.test(text)) {
        throw new UsageError(
          `${path} names a base URL already: remove it first, then run \`densify gateway --upstream=gemini=URL\``,
        );
      }
      return withLines(text, [`GOOGLE_GEMINI_BASE_URL=${BASE}/gemini`, `CODE_ASSIST_ENDPOINT=${BASE}/code-assist`]);
    };
    return [textChange(path, change)];
  },
  next: KEEP_RUNNING,
};
