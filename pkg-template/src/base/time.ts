/** Reads the times in messages, logs and hosts. */

/** A smaller number counts seconds: as milliseconds it would be before 1973. */
const SECONDS = 1e11;

/** The last second that fits the core. */
const LATEST = 2 ** 32 - 1;

/**
 * A time in milliseconds: of a date, a text, a number of seconds or milliseconds since 1970; `undefined` for what can't be
 * read. A text without a zone counts as UTC: only the time between two messages matters.
 */
export function millisecondsOf(stamp: unknown): number | undefined {
  const time = stamp instanceof Date ? stamp.getTime() : typeof stamp === 'string' ? Date.parse(zoned(stamp)) : stamp;
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0) return undefined;
  return typeof stamp === 'number' && time < SECONDS ? time * 1000 : time;
}

/** The same in whole seconds; 0 for what can't be read. */
export function secondsOf(stamp: unknown): number {
  const seconds = Math.floor((millisecondsOf(stamp) ?? 0) / 1000);
  return seconds > LATEST ? 0 : seconds;
}

function zoned(stamp: string): string {
  return /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(stamp) ? `${stamp}Z` : stamp;
}
