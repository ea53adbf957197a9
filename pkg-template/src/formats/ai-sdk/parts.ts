/** The parts that messages of models and of user interfaces share. */

import { isUrl } from '../../base/url.js';
import { type Bag, mediaSize } from '../../messages/facts.js';
import { besideMedia } from '../beside-media.js';
import type { Atom, Blocks } from '../format.js';
import type { ImageFormulaName } from '../images.js';
import { embeddedSize, type Part } from '../parts.js';
import { type Group, isCompaction, isItem, thoughtOf } from './groups.js';

/**
 * Says a part of an answer that is no call and no result. Its metadata stand under `key`; `itemsMayGo`: whether a reasoning
 * item may go with its group, which is so only where it is known that it means nothing else.
 */
export function describeSaid(
  part: Part,
  blocks: Blocks,
  key: string,
  group: Group | undefined,
  itemsMayGo: boolean,
): void {
  const atom = group && (group.name ?? blocks.ownAtom(group.first));
  switch (part?.type) {
    case 'text':
      blocks.text(part.text, atom);
      break;
    case 'reasoning':
      if (isItem(part, key) && (!itemsMayGo || group?.hasWords === true)) {
        blocks.thought();
        blocks.opaque(part, atom);
      } else blocks.thinking(thoughtOf(part, key), atom);
      break;
    case 'file':
    case 'image':
      describeMedia(part, blocks, atom);
      break;
    default:
      blocks.opaque(part, atom);
  }
  if (isCompaction(part, key)) blocks.keep();
}

/** The facts of a file, in any form of its data. */
export function describeMedia(part: Bag, blocks: Blocks, atom?: Atom): void {
  const { mediaType, filename, type } = part;
  const fallback = typeof type === 'string' && type.startsWith('image') ? 'image/*' : 'application/octet-stream';
  const data = part.data ?? part.image ?? part.url;
  const mime = typeof mediaType === 'string' ? mediaType : fallback;
  blocks.media(mime, dataSize(data, blocks.images), filename, atom, heldBy(data ?? part.fileId), besideMedia(part));
}

/** What data are, or where: tagged as one of these, or as they are. */
function heldBy(data: unknown): unknown {
  const { type, data: inner, url, text } = (typeof data === 'object' && data !== null ? data : {}) as Bag;
  return type === undefined ? data : (inner ?? url ?? text);
}

/** The bytes of data as text in base64, as bytes, as a URL, or tagged as one of these. */
function dataSize(data: unknown, formula: ImageFormulaName): number {
  if (typeof data === 'string') return textSize(data, formula);
  if (typeof data !== 'object' || data === null) return 0;
  if (isUrl(data)) return textSize(data.href, formula);
  const { byteLength, type, url, text, data: inner } = data as Bag;
  if (byteLength !== undefined) return mediaSize(data, formula);
  if (type === 'url') return dataSize(url, formula);
  if (type === 'text') return typeof text === 'string' ? text.length : 0;
  return type === 'data' && inner !== data ? dataSize(inner, formula) : 0;
}

function textSize(text: string, formula: ImageFormulaName): number {
  if (text.startsWith('data:')) return embeddedSize(text, formula);
  return /^https?:/.test(text) ? 0 : mediaSize(text, formula);
}
