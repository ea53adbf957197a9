/** What the model sees of media beside their bytes: two are the same only if that is the same, too. */
import { textWithoutMarks } from './marks.js';

/** Keys of what media hold and of how it is stored, and of names, which are compared on their own. */
const HELD = new Set(
  [
    ['type', 'source', 'encoding', 'data', 'url', 'image', 'image_url', 'audio'],
    ['file', 'file_data', 'file_id', 'file_url', 'fileId', 'fileData', 'fileUri', 'inlineData'],
    ['mime', 'mimeType', 'mime_type', 'mediaType', 'media_type', 'title', 'filename', 'displayName'],
    // Whose part it is, and its place.
    ['id', 'sessionID', 'messageID', 'at'],
  ].flat(),
);

/** What else a part says of its media, as text. Breakpoints of the cache say nothing. */
export function besideMedia(part: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(part).filter(([key, value]) => !HELD.has(key) && value !== undefined && value !== null);
  const text = said.length === 0 ? '' : textWithoutMarks(Object.fromEntries(said));
  return text === '{}' ? '' : text;
}
