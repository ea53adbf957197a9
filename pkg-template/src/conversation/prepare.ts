import { densifyError } from '../errors.js';
import { describe, onlyKnown } from '../settings.js';
import type { Redact } from '../summary/redaction.js';
import type { SummaryRequest } from '../summary/types.js';
import type { CompletedStep, PrepareOptions, SummaryProgress, SummaryTask } from './types.js';

/** How a summary went that was made here. */
export type Driven = { readonly kind: 'done' } | GivenUp;

/** A summary that didn't come, and why. */
export interface GivenUp {
  readonly kind: 'failed' | 'cancelled' | 'conflict';
  readonly error: unknown;
  /** The profile that the summary was to be made with. */
  readonly profile?: string | undefined;
}

/** Timers go no further, about 25 days: what may take longer has no limit. */
const LONGEST = 2 ** 31 - 1;

/** What limits how long is waited. */
type Patience = Pick<PrepareOptions, 'signal' | 'timeout'>;

/** What the platform has for waiting; not every type library knows it. */
interface Clock {
  setTimeout(action: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

const KEYS = ['pendingTokens', 'summarize', 'signal', 'onProgress', 'timeout', 'fallback'];

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
  const refuse = (key: string, found: unknown, right: string) =>
    densifyError('invalid-options', `option ${key}: found ${describe(found)}, expected ${right}`, { key });
  if (typeof summarize !== 'function') throw refuse('summarize', summarize, 'a function');
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw refuse('onProgress', onProgress, 'a function');
  if (fallback !== undefined && fallback !== 'digest') throw refuse('fallback', fallback, "'digest'");
  const isTime = timeout === undefined || (typeof timeout === 'number' && timeout > 0);
  if (!isTime) throw refuse('timeout', timeout, 'a number above 0');
  if (signal !== undefined && !isSignal(signal)) throw refuse('signal', signal, 'an AbortSignal');
}

/** Has a summary made: every part, and a repair where one is needed. */
export async function drive<M>(task: SummaryTask<M>, options: PrepareOptions<M>): Promise<Driven> {
  if (!task.isOpen) return { kind: 'done' };
  tell('started', task, options);
  for (;;) {
    let outcome: CompletedStep<M>;
    try {
      const reply = await ask(task.request, options);
      if (!task.isOpen) return { kind: 'done' };
      outcome = task.complete(reply);
    } catch (error) {
      return givenUp(task, options, error);
    }
    switch (outcome.kind) {
      case 'continue':
        tell('continued', task, options);
        continue;
      case 'failed': {
        tell(outcome.request === undefined ? 'failed' : 'repair', task, options);
        if (outcome.request !== undefined) continue;
        const failures = outcome.findings.filter(({ level }) => level === 'failure');
        const found = failures.map(({ message }) => message).join('; ');
        return { kind: 'failed', error: densifyError('summary-failed', `the replies can't be used: ${found}`) };
      }
      case 'applied':
        tell('applied', task, options);
        return { kind: 'done' };
      case 'conflict': {
        tell('conflict', task, options);
        const what = `message ${outcome.index} was changed while it was summarised`;
        return { kind: 'conflict', error: densifyError('summary-failed', what, { index: outcome.index }) };
      }
      case 'ended':
        return { kind: 'done' };
    }
  }
}

function givenUp<M>(task: SummaryTask<M>, options: PrepareOptions<M>, error: unknown): Driven {
  const kind = options.signal?.aborted === true ? 'cancelled' : 'failed';
  if (kind === 'cancelled') task.cancel();
  else task.fail(error);
  tell(kind, task, options);
  return { kind, error };
}

function tell<M>(kind: SummaryProgress['kind'], task: SummaryTask<M>, { onProgress }: PrepareOptions<M>): void {
  const { part, parts, attempt } = task.request;
  onProgress?.({ kind, isBackground: task.isBackground, part, parts, attempt });
}

/** Waits for a summary that another call has made, as long as this one's own signal and time-out allow. */
export async function join<M>(task: SummaryTask<M>, end: Promise<Driven>, patience: Patience): Promise<Driven> {
  let { request } = task;
  const isRenewed = () => request !== (request = task.request);
  try {
    const driven = await within(patience, () => end, isRenewed);
    // That another caller gave it up is no reason to.
    return driven.kind === 'cancelled' ? { kind: 'done' } : driven;
  } catch (error) {
    if (patience.signal?.aborted === true) return { kind: 'cancelled', error };
    task.fail(error);
    return { kind: 'failed', error };
  }
}

/** Sends a request. */
function ask<M>(request: SummaryRequest<M>, options: PrepareOptions<M>): Promise<string> {
  return within(options, async (signal) => options.summarize(request, { signal }));
}

/**
 * Awaits something; what takes too long or was aborted is an error, whether or not the other side heeds the
 * signal. The time begins anew as long as `isRenewed` says so.
 */
async function within<T>(
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
    else controller.abort(new Error(`the model took longer than ${String(timeout)} ms`));
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

/** What a failure is to the caller of `prepare`; its text leaves, so it is redacted, and so is its cause. */
export function failure({ error, profile }: GivenUp, redact: Redact) {
  const by = profile === undefined ? '' : ` by the profile ${JSON.stringify(redact(profile))}`;
  const what = `the summary${by} failed`;
  const told = redact(saidBy(error));
  const message = told === '' ? what : `${what}: ${told}`;
  return densifyError('summary-failed', message, { cause: cleanError(error, redact) });
}

/** An error as it may leave: whoever logs one logs its causes with it, headers and the like. */
export function cleanError(error: unknown, redact: Redact): unknown {
  return isClean(error, redact) ? error : new Error(redact(saidBy(error)));
}

function saidBy(error: unknown): string {
  return error instanceof Error ? error.message : typeof error === 'string' ? error : '';
}

/** More of an error than this is not looked at: it goes. */
const VALUES = 1000;

/** Whether nothing is to be redacted in anything that an error holds. */
function isClean(error: unknown, redact: Redact): boolean {
  const seen = new Set<unknown>();
  const open = [error];
  try {
    while (open.length > 0) {
      const value = open.pop();
      if (typeof value === 'string' && redact(value) !== value) return false;
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      if (seen.size >= VALUES) return false;
      seen.add(value);
      for (const key of Reflect.ownKeys(value)) open.push((value as Record<PropertyKey, unknown>)[key]);
      // Maps and headers show what they hold as well.
      const { entries } = value as { readonly entries?: unknown };
      if (typeof entries === 'function' && !Array.isArray(value)) {
        for (const entry of (value as ReadonlyMap<unknown, unknown>).entries()) open.push(...entry);
      }
      if (open.length > VALUES * 10) return false;
    }
  } catch {
    return false;
  }
  return true;
}
