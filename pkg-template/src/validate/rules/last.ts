/** The index of the last item that fits, or -1: `findLastIndex` is newer than what we run on. */
export function lastIndex<T>(list: readonly T[], fits: (item: T) => boolean): number {
  for (let at = list.length - 1; at >= 0; at -= 1) {
    const item = list[at];
    if (item !== undefined && fits(item)) return at;
  }
  return -1;
}

/** For each place, where the run of items within ends that begins there: one pass for all of them. */
export function runEnds<T>(list: readonly T[], within: (item: T) => boolean): (at: number) => number {
  const ends: number[] = [];
  let end = list.length;
  for (let at = list.length - 1; at >= 0; at -= 1) {
    const item = list[at];
    if (item === undefined || !within(item)) end = at;
    ends[at] = end;
  }
  return (at) => ends[at] ?? list.length;
}
