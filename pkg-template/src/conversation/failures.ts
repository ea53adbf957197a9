import { type DensifyError, densifyError } from '../base/errors.js';
import type { Finding, GiveUp } from '../generated/summary.js';
import type { Redact } from '../summary/redaction.js';
import type { OverLimitStep } from './types.js';

/** Why a summary came to nothing, as callers are told; its text leaves, so it is redacted, and so is its cause. */
export function failure(error: unknown, profile: string | undefined, redact: Redact): DensifyError {
  const by = profile === undefined ? '' : ` by the profile ${JSON.stringify(redact(profile))}`;
  const what = `the summary${by} failed`;
  const told = redact(saidBy(error));
  const message = told === '' ? what : `${what}: ${told}`;
  return densifyError('summary-failed', message, { cause: cleanError(error, redact) });
}

/** That replies weren't good enough. */
export function unusable(findings: readonly Finding[]): DensifyError {
  const failures = findings.filter(({ level }) => level === 'failure');
  const found = failures.map(({ message }) => message).join('; ');
  return densifyError('summary-failed', `the model's replies can't be used: ${found}`);
}

/** Says which message is too large, and what to do. */
export function overLimitMessage(found: {
  readonly floor: number;
  readonly limit: number;
  readonly pending: number;
  /** The tokens that the provider counts on top of the messages. */
  readonly offset: number;
  readonly reason: OverLimitStep['reason'];
  readonly largest: OverLimitStep['largest'];
  readonly isVetoed: boolean;
  readonly kept: readonly GiveUp[];
}): string {
  const { floor, limit, pending, offset, reason, largest, isVetoed, kept } = found;
  const more = pending === 0 ? '' : ` plus ${Math.round(pending)} expected`;
  const size = `the history has ${Math.round(floor)} tokens${more}, and the limit is ${Math.floor(limit)}`;
  if (reason === 'summaries-stopped')
    return `${size}. Summaries failed too often: call digest(), pass a fallback to prepare(), or add a message to try again`;
  if (isVetoed)
    return `${size}. The hook beforeCompression forbade what would help: let it return true, or call compress() or digest()`;
  if (offset >= limit)
    return `${size}. The provider counted ${offset} tokens beside the messages: check what report() gets, shorten the system prompt, or use a larger window`;
  const allow = kept.length === 0 ? '' : `let summary.giveUp have ${kept.join(', ')}, `;
  const which =
    largest === undefined
      ? 'shorten a message (shrinkResult)'
      : `shorten message ${largest.index} (${largest.tokens} tokens; shrinkResult)`;
  return `${size}. Nothing more can be cut: ${allow}${which} before you add it, or use a larger window`;
}

/** That the history is another one than was summarised. */
export function conflicting(index: number): DensifyError {
  return densifyError(
    'summary-failed',
    `message ${index} was changed while it was summarised; add messages instead of changing them`,
    { index },
  );
}

/** Why the last summary came to nothing, for whom it wasn't told yet. */
export class LastFailure {
  #error: DensifyError | undefined;
  #isTold = true;

  /** `isTold`: somebody waits for the summary, and is told by that. */
  note(error: DensifyError, isTold: boolean): void {
    this.#error = error;
    this.#isTold = isTold;
  }

  /** A later summary succeeded. */
  forget(): void {
    this.#error = undefined;
  }

  told(): void {
    this.#isTold = true;
  }

  /** It, told or not; then it is told. */
  tell(): DensifyError | undefined {
    this.#isTold = true;
    return this.#error;
  }

  /** It, unless it was told. */
  tellOnce(): DensifyError | undefined {
    return this.#isTold ? undefined : this.tell();
  }
}

/** An error as it may leave: a log of the error holds its causes, with headers and the like. */
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
