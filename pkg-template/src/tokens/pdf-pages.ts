import { type Bytes, base64Of, decodedBytes } from './image-size.js';

/** `/Page` in base64, for each of the three possible offsets: where in a group of four characters that is sure. */
const NEEDLES = [
  ['L1BhZ2', 0],
  ['9QYWdl', 2],
  ['vUGFnZ', 3],
] as const;

/**
 * The pages of a PDF that stand in it uncompressed, which most writers leave them; nothing of what is no PDF. Base64 is searched as it
 * is: decoding a large file would take far longer than all else that is done with its message.
 */
export function pdfPages(file: string | Uint8Array): number | undefined {
  if (typeof file !== 'string') {
    if (file[0] !== 0x25 || file[1] !== 0x50 || file[2] !== 0x44 || file[3] !== 0x46) return undefined;
    return new TextDecoder('latin1').decode(file).match(/\/Type\s*\/Page(?![a-z])/gi)?.length ?? 0;
  }
  if (!/^(?:data:[^,]{0,200},)?\s*JVBER/.test(file.slice(0, 250))) return undefined;
  const base64 = base64Of(file);
  const bytes = decodedBytes(base64);
  let pages = 0;
  NEEDLES.forEach(([needle, at], offset) => {
    for (let from = base64.indexOf(needle); from >= 0; from = base64.indexOf(needle, from + 1))
      if (from % 4 === at && isPage(bytes, ((from - at) / 4) * 3 + offset)) pages += 1;
  });
  return pages;
}

/** Whether `/Type /Page` ends with what begins at a byte. */
function isPage(bytes: Bytes, at: number): boolean {
  const text = (from: number, length: number) =>
    String.fromCharCode(...Array.from({ length }, (_, by) => bytes(from + by) || 0));
  return /\/Type\s*$/.test(text(Math.max(0, at - 12), Math.min(12, at))) && /^\/Page(?![a-z])/i.test(text(at, 6));
}
