import { densifyError } from '../errors.js';
import { describe } from '../settings.js';
import type { Redact } from '../summary/redaction.js';
import type { SummaryRequest } from '../summary/types.js';
import type { CompletedStep, PrepareOptions, SummaryProgress, SummaryTask } from './types.js';

/** How a summary went that was made here. */
export type Driven = { readonly kind: 'done' } | { readonly kind: 'failed' | 'cancelled'; readonly error: unknown };

/** What the platform has for waiting; not every type library knows it. */
interface Clock {
  setTimeout(action: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** Refuses options of `prepare` that can't be heeded. */
export function checkPrepare<M>(options: PrepareOptions<M>): void {
  const { summarize, onProgress, timeout } = options;
  const refuse = (key: string, found: unknown, right: string) =>
    densifyError('invalid-options', `option ${key}: found ${describe(found)}, expected ${right}`, { key });
  if (typeof summarize !== 'function') throw refuse('summarize', summarize, 'a function');
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw refuse('onProgress', onProgress, 'a function');
  const isTime = timeout === undefined || (typeof timeout === 'number' && timeout > 0);
  if (!isTime) throw refuse('timeout', timeout, 'a number above 0');
}

/** Has a summary made: every part, and a repair where one is needed. */
export async function drive<M>(task: SummaryTask<M>, options: PrepareOptions<M>): Promise<Driven> {
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
        const found = outcome.findings.map(({ message }) => message).join('; ');
        return { kind: 'failed', error: densifyError('summary-failed', `the replies can't be used: ${found}`) };
      }
      case 'applied':
      case 'conflict':
        tell(outcome.kind, task, options);
        return { kind: 'done' };
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

/** Who listens can't disturb. */
function tell<M>(kind: SummaryProgress['kind'], task: SummaryTask<M>, { onProgress }: PrepareOptions<M>): void {
  const { part, parts, attempt } = task.request;
  try {
    onProgress?.({ kind, isBackground: task.isBackground, part, parts, attempt });
  } catch {
    // A listener's error is its own.
  }
}

/** Sends a request; what takes too long or was aborted is an error, whether or not the model's side heeds the signal. */
async function ask<M>(request: SummaryRequest<M>, options: PrepareOptions<M>): Promise<string> {
  const { summarize, signal, timeout } = options;
  const controller = new AbortController();
  const { setTimeout, clearTimeout } = globalThis as unknown as Clock;
  const abort = () => controller.abort(signal?.reason);
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  const late = () => controller.abort(new Error(`the model took longer than ${String(timeout)} ms`));
  const timer = timeout === undefined ? undefined : setTimeout(late, timeout);
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  try {
    if (controller.signal.aborted) return await aborted;
    const reply = (async () => summarize(request, { signal: controller.signal }))();
    reply.catch(() => undefined);
    return await Promise.race([reply, aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
    if (timer !== undefined) clearTimeout(timer);
  }
}

/** What a failure is to the caller of `prepare`; its text leaves, so it is redacted, and so is its cause. */
export function failure({ kind, error }: Exclude<Driven, { readonly kind: 'done' }>, redact: Redact) {
  const what = kind === 'cancelled' ? 'the summary was cancelled' : 'the summary failed';
  const said = error instanceof Error ? error.message : '';
  const told = redact(said);
  const message = told === '' ? what : `${what}: ${told}`;
  // Whoever logs an error logs its cause with it.
  return densifyError('summary-failed', message, { cause: told === said ? error : new Error(told) });
}
