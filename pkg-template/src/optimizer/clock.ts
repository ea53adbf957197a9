/** When requests are sent and how long the provider's cache lives. Together they show when it is cold. */
import { densifyError } from '../base/errors.js';
import { describe, isObject, readOption } from '../base/options.js';
import { secondsOf } from '../base/time.js';
import type { Adapter } from '../messages/adapter.js';

/** The option that is the clock. */
export const CLOCK = 'now';

/** The time of a request in seconds since 1970; 0 if it is unknown. */
export type Clock = () => number;

/** The clock of some options; `otherwise` is the one without the option. A clock that throws, or returns no time, counts as unknown. */
export function clockOf(options: object | undefined, otherwise?: () => number): Clock | undefined {
  const given = (options && readOption(options, CLOCK)) ?? otherwise;
  if (given === undefined) return undefined;
  if (typeof given !== 'function') {
    const message = `option now: found ${describe(given)}, expected a function`;
    throw densifyError('invalid-options', message, { key: CLOCK });
  }
  return () => {
    try {
      return secondsOf((given as () => unknown)());
    } catch {
      return 0;
    }
  };
}

/** Options with the lifetime of the cache that the adapter's model has; `Infinity` reaches the core as no lifetime. */
export function withLifetime<T extends object>(
  options: T | undefined,
  { cacheTtl }: Pick<Adapter<never>, 'cacheTtl'>,
): T | undefined {
  if (options === undefined) return cacheTtl === undefined ? undefined : ({ cacheTtl } as unknown as T);
  // The reader of the options refuses anything else.
  if (!isObject(options)) return options;
  const given = readOption(options, 'cacheTtl');
  if (given === undefined && cacheTtl === undefined) return options;
  return { ...options, cacheTtl: given === Infinity ? undefined : (given ?? cacheTtl) };
}
