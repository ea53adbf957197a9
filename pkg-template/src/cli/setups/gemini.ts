/**
 * Gemini CLI: base URLs in its file of variables, and an extension whose hooks start the gateway. Its settings are left
 * alone: it rewrites them itself. Its hook `AfterTool` can replace a result only by an error (0.61.0), so the gateway
 * shortens results.
 */

import { BASE } from '../agents/address.js';
import { userVariables } from '../agents/gemini.js';
import { UsageError } from '../gateway.js';
import { home, hookCommand, isWindows, joined, version } from '../host.js';
import { ownFileChange, type Setup, STARTS_ITSELF, textChange, withLines } from './files.js';

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The files of the extension, as `gemini extensions install` would leave them. */
function extension() {
  const folder = joined(home(), '.gemini', 'extensions', 'densify');
  // On Windows it is run by PowerShell, to which a quoted path alone is a text.
  const command = `${isWindows() ? '& ' : ''}${hookCommand('gemini')}`;
  const list = [{ hooks: [{ name: 'densify', type: 'command', command, timeout: 15_000 }] }];
  return [
    ownFileChange(joined(folder, 'gemini-extension.json'), jsonText({ name: 'densify', version: version() })),
    ownFileChange(
      joined(folder, 'hooks', 'hooks.json'),
      jsonText({ hooks: { SessionStart: list, BeforeAgent: list } }),
    ),
    // Without a source, Gemini CLI doesn't start where an administrator allows only some extensions.
    ownFileChange(joined(folder, '.gemini-extension-install.json'), jsonText({ source: folder, type: 'local' })),
  ];
}

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
    return [textChange(path, change), ...extension()];
  },
  next: STARTS_ITSELF,
  isBehindProxy: true,
};
