/** Captions, resolutions and the like: media with the same bytes are the same only if these are equal, too. */
import { textWithoutMarks } from './marks.js';

/** Keys of the bytes, of how they are stored, and of names, which are compared elsewhere. */
const HELD = new Set(
  [
    ['type', 'source', 'encoding', 'data', 'url', 'image', 'image_url', 'audio'],
    ['file', 'file_data', 'file_id', 'file_url', 'fileId', 'fileData', 'fileUri', 'inlineData'],
    ['mime', 'mimeType', 'mime_type', 'mediaType', 'media_type', 'title', 'filename', 'displayName'],
    // Whose part it is, and its place.
    ['id', 'sessionID', 'messageID', 'at'],
  ].flat(),
);

/** The other members of a part that holds media, as text; none of the provider's cache. */
export function besideMedia(part: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(part).filter(([key, value]) => !HELD.has(key) && value !== undefined && value !== null);
  const text = said.length === 0 ? '' : textWithoutMarks(Object.fromEntries(said));
  return text === '{}' ? '' : text;
}
