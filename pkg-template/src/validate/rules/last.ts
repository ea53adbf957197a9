/** The index of the last item that fits, or -1: `findLastIndex` is newer than what we run on. */
export function lastIndex<T>(list: readonly T[], fits: (item: T) => boolean): number {
  for (let at = list.length - 1; at >= 0; at -= 1) {
    const item = list[at];
    if (item !== undefined && fits(item)) return at;
  }
  return -1;
}

/** The last item that fits. */
export function last<T>(list: readonly T[], fits: (item: T) => boolean): T | undefined {
  return list[lastIndex(list, fits)];
}
