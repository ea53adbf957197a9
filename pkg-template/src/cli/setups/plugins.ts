/** opencode and pi: a plug-in that packs in the agent's process. */
import { opencodeFolder } from '../agents/opencode.js';
import { piFolder } from '../agents/pi.js';
import { type Environment, joined, packageUrl } from '../host.js';
import { ownFileChange, type Setup } from './files.js';

const plugin = (pathOf: (env: Environment) => string, file: string): Setup => ({
  changes: (env) => [ownFileChange(pathOf(env), `export { default } from ${JSON.stringify(packageUrl(file))};\n`)],
  next: 'Its next session is packed.',
});

export const opencode = plugin((env) => joined(opencodeFolder(env), 'plugin', 'densify.js'), 'opencode-plugin.js');
export const pi = plugin((env) => joined(piFolder(env), 'extensions', 'densify.js'), 'pi-extension.js');
