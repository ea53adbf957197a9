// Keys that a user asked this browser to remember, each under the origin that it was typed for.

const place = (origin: string): string => `densify:key:${origin}`;

/** Storage may be forbidden to a page; then nothing is remembered. */
function quietly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

export const rememberedKey = (origin: string): string | undefined =>
  quietly(() => localStorage.getItem(place(origin)) ?? undefined);

/** Remembers a key, or forgets the one that there is. */
export function rememberKey(origin: string, key: string | undefined): void {
  quietly(() => (key ? localStorage.setItem(place(origin), key) : localStorage.removeItem(place(origin))));
}
