/** Takes densify's own additions out of a file that was changed after the set-up. What others changed stays. */

import { isObject } from '../../base/options.js';
import type { Bag } from '../agents/agent.js';

/** A file before and after; one that isn't there has no text before. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** The text without what the set-up added; `undefined` where the additions can't be found any more. */
export function takenOut({ path, before, after }: Change, now: string): string | undefined {
  if (path.endsWith('.json')) return settingsWithout(before, after, now);
  const [old, own] = [bare(before ?? ''), bare(after)];
  const at = own.indexOf(old);
  if (at < 0) return undefined;
  let text = now;
  for (const added of [own.slice(0, at), own.slice(at + old.length)]) {
    const place = text.indexOf(added);
    if (place < 0) return undefined;
    text = text.slice(0, place) + text.slice(place + added.length);
  }
  return text;
}

/** A value as JSON, with the indentation and the last line end of a text. */
export function writtenLike(text: string, value: unknown): string {
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  return `${JSON.stringify(value, null, indent)}${text === '' || text.endsWith('\n') ? '\n' : ''}`;
}

const bare = (text: string): string => text.replace(/^\uFEFF/, '');

function settingsWithout(before: string | undefined, after: string, now: string): string | undefined {
  try {
    const [old, own, found] = [before, after, now].map(parsed);
    const left = without(old, own, found) ?? {};
    if (isSame(left, found)) return now;
    const [mark = ''] = /^\uFEFF?/.exec(now) ?? [];
    return mark + writtenLike(now, left);
  } catch {
    return undefined;
  }
}

/** Whether a file still holds all that the set-up added. */
export function stillHolds({ path, before, after }: Change, now: string): boolean {
  if (now === after) return true;
  if (!path.endsWith('.json')) return takenOut({ path, before, after }, now) !== undefined;
  try {
    const [old, own, found] = [before, after, now].map(parsed);
    return holds(old, own, found);
  } catch {
    return false;
  }
}

function holds(before: unknown, after: unknown, now: unknown): boolean {
  if (isSame(before, after) || isSame(now, after)) return true;
  if (isBag(after) && isBag(now)) {
    return Object.entries(after).every(([key, value]) =>
      holds(isBag(before) ? before[key] : undefined, value, now[key]),
    );
  }
  if (!Array.isArray(after) || !Array.isArray(now)) return false;
  const old: readonly unknown[] = Array.isArray(before) ? before : [];
  return after.every((value) => [...old, ...now].some((each) => isSame(each, value)));
}

function parsed(text: string | undefined): unknown {
  const json = bare(text ?? '').trim();
  return json === '' ? undefined : (JSON.parse(json) as unknown);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const isBag = (value: unknown): value is Bag => isObject(value);

/** A value in which what came between `before` and `after` is gone again; a value that was changed since stays. */
function without(before: unknown, after: unknown, now: unknown): unknown {
  if (isSame(now, after)) return before;
  if (isBag(after) && isBag(now) && (before === undefined || isBag(before))) {
    const entries = Object.entries(now).map(([key, value]) => {
      const old = before?.[key];
      return [key, isSame(old, after[key]) ? value : without(old, after[key], value)] as const;
    });
    const left = entries.filter(([, value]) => value !== undefined);
    return left.length === 0 && before === undefined ? undefined : Object.fromEntries(left);
  }
  if (Array.isArray(after) && Array.isArray(now)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    const own = after.filter((value) => !old.some((each) => isSame(each, value)));
    const left = now.filter((value) => !own.some((each) => isSame(each, value)));
    return left.length === 0 && before === undefined ? undefined : left;
  }
  return now;
}
