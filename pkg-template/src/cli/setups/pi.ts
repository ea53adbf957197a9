/** pi: an extension that packs in the agent's process. */
import { piFolder } from '../agents/pi.js';
import { joined, packageUrl } from '../host.js';
import { ownFileChange, type Setup } from './files.js';

export const pi: Setup = {
  changes: (env) => [
    ownFileChange(
      joined(piFolder(env), 'extensions', 'densify.js'),
      `export { default } from ${JSON.stringify(packageUrl('pi-extension.js'))};\n`,
    ),
  ],
  next: 'Its next session is packed.',
};
