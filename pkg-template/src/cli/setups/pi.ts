/** pi: an extension that packs in the agent's process. */
import { home, joined, packageUrl } from '../host.js';
import { ownFileChange, type Setup } from './files.js';

export const pi: Setup = {
  changes: (env) => [
    ownFileChange(
      joined(env.PI_CODING_AGENT_DIR ?? joined(home(), '.pi', 'agent'), 'extensions', 'densify.js'),
      `export { default } from '${packageUrl('pi-extension.js')}';\n`,
    ),
  ],
  next: 'Its next session is packed.',
};
