/** opencode: a plug-in that packs in the agent's process. */
import { home, joined, packageUrl } from '../host.js';
import { ownFileChange, type Setup } from './files.js';

export const opencode: Setup = {
  changes: (env) => [
    ownFileChange(
      joined(env.XDG_CONFIG_HOME || joined(home(), '.config'), 'opencode', 'plugin', 'densify.js'),
      `export { default } from ${JSON.stringify(packageUrl('opencode-plugin.js'))};\n`,
    ),
  ],
  next: 'Its next session is packed.',
};
