/** Whether a UTF-16 code unit is the first half of a character. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** The end of a chunk of a text, which has at most `size` code units and never ends between the halves of a character. */
export function chunkEnd(text: string, from: number, size: number): number {
  const end = Math.min(from + size, text.length);
  return end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** Half a character that stands alone: with the flag `u`, a pair of halves is one character and no surrogate. */
const LONE = /\p{Surrogate}/u;

/** Whether a text is not well-formed. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE.test(text);
}
