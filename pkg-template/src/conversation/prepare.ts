import type { DensifyError } from '../base/errors.js';
import { onlyKnown, wrongOption } from '../base/options.js';
import type { Finding } from '../generated/summary.js';
import { OF_PREPARE } from '../optimizer/elsewhere.js';
import type { Redact } from '../summary/redaction.js';
import type { SummaryRequest } from '../summary/types.js';
import { conflicting, failure, unusable } from './failures.js';
import type { CompletedStep, FallbackStrategy, PrepareOptions, SummaryProgress, SummaryTask } from './types.js';

/** How a summary went that was made here, and why it didn't come. */
export type Driven =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed' | 'conflict'; readonly error: DensifyError }
  | { readonly kind: 'cancelled'; readonly error: unknown };

/** Timers go no further, about 25 days: what may take longer has no limit. */
const LONGEST = 2 ** 31 - 1;

/** What limits how long is waited. */
type Patience = Pick<PrepareOptions, 'signal' | 'timeout'>;

/** What the platform has for waiting; not every type library knows it. */
interface Clock {
  setTimeout(action: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

const FALLBACKS: readonly FallbackStrategy[] = ['digest', 'high-density', 'top-down-truncation'];

const KEYS = ['pendingTokens', 'cold', ...OF_PREPARE];

/** By what it can do: hosts and test environments have signals of their own. */
function isSignal(signal: unknown): boolean {
  const { aborted, addEventListener, removeEventListener } = (signal ?? {}) as Readonly<Record<string, unknown>>;
  return (
    typeof aborted === 'boolean' && typeof addEventListener === 'function' && typeof removeEventListener === 'function'
  );
}

/** Refuses options of `prepare` that can't be heeded. */
export function checkPrepare<M>(options: PrepareOptions<M>): void {
  onlyKnown(options, KEYS);
  const { summarize, signal, onProgress, timeout, fallback } =
    (options as Partial<PrepareOptions<M>> | undefined) ?? {};
  if (typeof summarize !== 'function')
    throw wrongOption('summarize', summarize, 'a function; without a model, call beforeSend()');
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw wrongOption('onProgress', onProgress, 'a function');
  if (fallback !== undefined && !FALLBACKS.includes(fallback))
    throw wrongOption('fallback', fallback, `one of ${FALLBACKS.map((name) => `'${name}'`).join(', ')}`);
  const isTime = timeout === undefined || (typeof timeout === 'number' && timeout > 0);
  if (!isTime) throw wrongOption('timeout', timeout, 'a number of milliseconds above 0');
  if (signal !== undefined && !isSignal(signal)) throw wrongOption('signal', signal, 'an AbortSignal');
}

/** Has a summary made: every part, and a repair where one is needed. */
export async function drive<M>(task: SummaryTask<M>, options: PrepareOptions<M>, redact: Redact): Promise<Driven> {
  if (!task.isOpen) return { kind: 'done' };
  tell('started', task, options);
  const lost = (kind: 'failed' | 'conflict', thrown: unknown, findings?: readonly Finding[]): Driven => {
    const error = failure(thrown, task.request.profile, redact);
    tell(kind, task, options, { error, ...(findings === undefined ? {} : { findings }) });
    return { kind, error };
  };
  for (;;) {
    let outcome: CompletedStep<M>;
    try {
      const reply = await ask(task.request, options);
      if (!task.isOpen) return { kind: 'done' };
      outcome = task.complete(reply);
    } catch (error) {
      if (options.signal?.aborted !== true) {
        task.fail(error);
        return lost('failed', error);
      }
      task.cancel();
      tell('cancelled', task, options);
      return { kind: 'cancelled', error };
    }
    switch (outcome.kind) {
      case 'continue':
        tell('continued', task, options, outcome);
        continue;
      case 'failed':
        if (outcome.request === undefined) return lost('failed', unusable(outcome.findings), outcome.findings);
        tell('repair', task, options, outcome);
        continue;
      case 'applied':
        tell('applied', task, options, outcome);
        return { kind: 'done' };
      case 'conflict':
        return lost('conflict', conflicting(outcome.index));
      case 'ended':
        return { kind: 'done' };
    }
  }
}

function tell<M>(
  kind: SummaryProgress['kind'],
  task: SummaryTask<M>,
  { onProgress }: PrepareOptions<M>,
  { findings = [], error }: Partial<Pick<SummaryProgress, 'findings' | 'error'>> = {},
): void {
  const { part, parts, attempt } = task.request;
  const { isBackground, givesUp } = task;
  onProgress?.({
    kind,
    isBackground,
    givesUp,
    part,
    parts,
    attempt,
    findings,
    ...(error === undefined ? {} : { error }),
  });
}

/** Waits for a summary that another call has made, as long as this one's own signal and time-out allow. */
export async function join<M>(
  task: SummaryTask<M>,
  end: Promise<Driven>,
  patience: Patience,
  redact: Redact,
): Promise<Driven> {
  let { request } = task;
  const isRenewed = () => request !== (request = task.request);
  try {
    const driven = await within(patience, () => end, isRenewed);
    // That another caller gave it up is no reason to.
    return driven.kind === 'cancelled' ? { kind: 'done' } : driven;
  } catch (error) {
    if (patience.signal?.aborted === true) return { kind: 'cancelled', error };
    task.fail(error);
    return { kind: 'failed', error: failure(error, request.profile, redact) };
  }
}

/** Sends a request. */
function ask<M>(request: SummaryRequest<M>, options: PrepareOptions<M>): Promise<string> {
  return within(options, async (signal) => options.summarize(request, { signal }));
}

/**
 * Awaits something; what takes too long or was aborted is an error, whether or not the other side heeds the
 * signal. The time begins again as long as `isRenewed` says so.
 */
export async function within<T>(
  { signal, timeout }: Patience,
  start: (signal: AbortSignal) => Promise<T>,
  isRenewed = () => false,
): Promise<T> {
  const controller = new AbortController();
  const { setTimeout, clearTimeout } = globalThis as unknown as Clock;
  const abort = () => controller.abort(signal?.reason);
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  let timer: unknown;
  const late = () => {
    if (isRenewed()) arm();
    else
      controller.abort(new Error(`the model took longer than ${String(timeout)} ms; raise 'timeout' to wait longer`));
  };
  const arm = () => {
    if (timeout !== undefined && timeout <= LONGEST) timer = setTimeout(late, timeout);
  };
  arm();
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  try {
    if (controller.signal.aborted) return await aborted;
    const reply = start(controller.signal);
    reply.catch(() => undefined);
    return await Promise.race([reply, aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
    if (timer !== undefined) clearTimeout(timer);
  }
}
