/** What a hook tells its caller: results, and warnings. */
import { densifyError } from '../base/errors.js';
import { describe, isPromise } from '../base/options.js';
import type { SeenSizes } from '../conversation/options.js';
import type { Result } from '../types.js';
import type { HookWarning, ModelUnpriced, RequestUnseen, RunForgotten, SharedHookOptions } from './hook-options.js';
import { RUNS_AT_MOST } from './runs.js';

/** What came of a hook: messages only where they are to replace the caller's. */
export type Replaced<M> = readonly M[] | undefined;

/** Calls the callbacks of one hook. Their failures never reach the request. */
export class HookReports<M> {
  readonly #options: SharedHookOptions<M>;
  readonly #onWarning: (warning: HookWarning) => void;
  readonly #unpriced = new Set<string | undefined>();
  #isToldOfForgotten = false;
  #isToldOfUnseen = false;

  constructor(options: SharedHookOptions<M>) {
    this.#options = options;
    this.#onWarning = options.onWarning ?? warn;
  }

  warn(warning: HookWarning): undefined {
    const onWarning = this.#onWarning;
    // A caller's report of a failure must not fail again.
    try {
      later(onWarning(warning), () => undefined);
    } catch {
      // It did.
    }
    return undefined;
  }

  failed(thrown: unknown): undefined {
    return this.warn(errorOf(thrown));
  }

  /** Reports a result. Returns its messages if they are to be sent. */
  result(result: Result<M>): Replaced<M> {
    later(this.#options.onResult?.(result), (thrown) => this.failed(thrown));
    for (const warning of result.warnings) if (warning.code === 'other-format') this.warn(warning);
    return this.#options.observe === true || !result.changed ? undefined : result.messages;
  }

  /** Reports once that a run was forgotten while it went on. */
  runForgotten(): void {
    if (this.#isToldOfForgotten) return;
    this.#isToldOfForgotten = true;
    this.warn(forgotten(this.#options.maxRuns));
  }

  /** Reports once which options a conversation lacks because the hook doesn't see the whole request. */
  requestUnseen(keys: readonly (keyof SeenSizes)[]): void {
    if (keys.length === 0 || this.#isToldOfUnseen) return;
    this.#isToldOfUnseen = true;
    this.warn(unseen(keys));
  }

  /** Reports once for each model that it has no prices. */
  modelUnpriced(model: string | undefined): void {
    if (this.#unpriced.has(model)) return;
    this.#unpriced.add(model);
    this.warn(ofUnpriced(model));
  }
}

function forgotten(maxRuns = RUNS_AT_MOST): RunForgotten {
  const advice = "Raise 'maxRuns' or create one hook per run.";
  const message = `this run was forgotten because more than ${maxRuns} runs were active. It continues without its summaries. ${advice}`;
  return { code: 'run-forgotten', message };
}

function ofUnpriced(model = ''): ModelUnpriced {
  const message = `no prices known for ${describe(model)}: assuming the most expensive cache; set 'prices'`;
  return { code: 'model-unpriced', message };
}

function unseen(keys: readonly (keyof SeenSizes)[]): RequestUnseen {
  const unseenBy = { overhead: ['the system prompt', 'the tools'], reserve: ['the answer limit'] };
  const what = keys
    .flatMap((key) => unseenBy[key])
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');
  const options = keys.map((key) => `'${key}'`).join(' and ');
  const message = `the hook can't see ${what}, so requests may exceed the window: set ${options} on the conversation`;
  return { code: 'request-unseen', message };
}

/** The thrown value, which may be anything. */
function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return densifyError('callback-failed', `a callback threw ${describe(thrown)}, expected an Error`, { cause: thrown });
}

/** What a listener does later may fail as well. */
function later(returned: unknown, failed: (error: unknown) => void): void {
  if (isPromise(returned)) returned.then(undefined, failed);
}

function warn(warning: HookWarning): void {
  console.warn(warning instanceof Error ? 'densify failed, so your original messages were sent:' : 'densify:', warning);
}
