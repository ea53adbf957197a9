/** Whether the first request, which compressions keep if they can, is still in a history. */

import type { Tools } from './means.js';
import { NEWEST, readingOf } from './options.js';

/** Whether a message before the newest exchange is the user's first request. */
export function hasFirstRequest<M>({ summaries, settings, history }: Tools<M>): boolean {
  const messages = history.messages();
  // A request that keeps it begins behind it.
  const rangeOf = (keepFirstRequest: boolean) => {
    const request = summaries.request(settings.adapter, messages, {
      ...{ strategy: 'one-shot', preserve: NEWEST, minMessages: 1, redact: false, keepFirstRequest },
      ...readingOf(settings),
    });
    return request.kind === 'noop' ? undefined : request.plan;
  };
  const whole = rangeOf(false);
  if (whole === undefined) return false;
  const { inserted } = history;
  const kept = messages.slice(whole.start, rangeOf(true)?.start ?? whole.end);
  return kept.some((message) => !inserted.has(message));
}
