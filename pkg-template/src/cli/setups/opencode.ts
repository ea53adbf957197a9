/** opencode: a plug-in that packs in the agent's process. */
import { opencodeFolder } from '../agents/opencode.js';
import { joined, packageUrl } from '../host.js';
import { ownFileChange, type Setup } from './files.js';

export const opencode: Setup = {
  changes: (env) => [
    ownFileChange(
      joined(opencodeFolder(env), 'plugin', 'densify.js'),
      `export { default } from ${JSON.stringify(packageUrl('opencode-plugin.js'))};\n`,
    ),
  ],
  next: 'Its next session is packed.',
};
