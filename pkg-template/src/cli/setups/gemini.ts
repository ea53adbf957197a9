/** Gemini CLI: base URLs in its file of variables. Its settings are left alone: it rewrites them itself. */

import { BASE } from '../agents/address.js';
import { UsageError } from '../gateway.js';
import { home, joined } from '../host.js';
import { readable, type Setup } from './files.js';
import { KEEP_RUNNING } from './gateway.js';

/** Gemini CLI reads variables from a file of its own. */
export const gemini: Setup = {
  changes() {
    const path = joined(home(), '.gemini', '.env');
    const before = readable(path);
    const text = before ?? '';
    if (/^\s*(?:GOOGLE_GEMINI_BASE_URL|CODE_ASSIST_ENDPOINT)\s*=/m.test(text)) {
      throw new UsageError(
        `${path} names a base URL already: remove it first, then run \`densify gateway --upstream=gemini=URL\``,
      );
    }
    const lines = [`GOOGLE_GEMINI_BASE_URL=${BASE}/gemini`, `CODE_ASSIST_ENDPOINT=${BASE}/code-assist`, ''];
    return [{ path, before, after: `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('\n')}` }];
  },
  next: KEEP_RUNNING,
};
