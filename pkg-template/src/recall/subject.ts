/** The subject of a result, as lines that a search finds. */

/** Most characters of a call's subject. */
export const LONGEST = 200;
/** The same text came of so many calls at most, as far as that is kept. */
const CALLS = 8;

/** The text as one line with at most `most` characters. */
export function oneLine(text: string, most: number): string {
  return [...text.slice(0, 2 * most).replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')].slice(0, most).join('').trim();
}

/** The subjects that are known of a text, a line each, and those of another call that gave it. */
export function joined(known: string | undefined, added: string | undefined): string | undefined {
  const lines = [...subjectsIn(known), ...subjectsIn(added)].map((line) => oneLine(line, LONGEST));
  const all = [...new Set(lines)].slice(0, CALLS);
  return all.length === 0 ? undefined : all.join('\n');
}

export function subjectsIn(subject: string | undefined): readonly string[] {
  return subject?.split('\n').filter((line) => line.trim() !== '') ?? [];
}
