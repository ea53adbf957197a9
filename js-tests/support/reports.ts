/** The labels of a page's charts, which a screen reader reads aloud. */
export function chartLabels(page: string): (string | undefined)[] {
  return [...page.matchAll(/<svg [^>]*role="img"[^>]*>/g)].map(([tag]) => /aria-label="([^"]+)"/.exec(tag)?.[1]);
}

/** The longest line of a text, in characters. */
export const widest = (text: string): number => Math.max(...text.split('\n').map((line) => [...line].length));
