/** When requests are sent: with the life of the provider's cache it shows when that is cold. */

import { readOption, wrongOption } from '../base/options.js';
import { secondsOf } from '../base/time.js';

/** The option that is the clock. */
export const CLOCK = 'now';

/** The time of a request in seconds since 1970; 0 if it is unknown. */
export type Clock = () => number;

/** The clock of some options; `otherwise` is the one without the option. A clock that throws, or returns no time, counts as unknown. */
export function clockOf(options: object | undefined, otherwise?: () => number): Clock | undefined {
  const given = (options && readOption(options, CLOCK)) ?? otherwise;
  if (given === undefined) return undefined;
  if (typeof given !== 'function') throw wrongOption(CLOCK, given, 'a function');
  return () => {
    try {
      return secondsOf((given as () => unknown)());
    } catch {
      return 0;
    }
  };
}
