/**
 * What a patch does to the files that it names.
 *
 * @import {Deed} from './deeds.mjs'
 */
export const BEGIN = '*** Begin Patch\n';

/** @param {string} text @param {string} root @param {(root: string, path: string) => string} resolve @returns {Deed[] | undefined} */
export function deedsOfPatch(text, root, resolve) {
  const at = text.indexOf(BEGIN);
  if (at < 0) return undefined;
  const body = text.slice(at + BEGIN.length);
  const end = body.lastIndexOf('*** End Patch');
  const behind = end < 0 ? '' : body.slice(end + '*** End Patch'.length);
  if (!/^[A-Za-z0-9_]*$/.test(behind.trim())) return undefined;
  /** @type {Deed[]} */
  const deeds = [];
  for (const line of (end < 0 ? body : body.slice(0, end)).split('\n')) {
    const last = deeds[deeds.length - 1];
    if (!line.startsWith('*** ')) {
      if (last?.type === 'changes') {
        if (line.startsWith('+')) last.more++;
        else if (line.startsWith('-')) last.fewer++;
      }
      continue;
    }
    const colon = line.indexOf(': ');
    if (colon < 0) continue;
    const kind = line.slice(4, colon);
    const name = line.slice(colon + 2).trim();
    if (name === '' || /\p{Cc}/u.test(name)) return [{ type: 'anything' }];
    const path = resolve(root, name);
    if (kind === 'Move to' && last?.type === 'changes') deeds.push({ type: 'spoils', path: last.path });
    if (kind === 'Add File') deeds.push({ type: 'writes', path });
    else if (kind === 'Update File') deeds.push({ type: 'changes', path, fewer: 0, more: 0 });
    else deeds.push({ type: 'spoils', path });
  }
  return deeds;
}
