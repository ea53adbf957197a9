import type { ErrorCode } from '../generated/densify.js';
import { withQuestion } from './nearest.js';

/** An error of this package: a real `Error` with a stable code. Faults of a call are errors; odd content never is. */
export interface DensifyError extends Error {
  readonly name: 'DensifyError';
  readonly code: ErrorCode;
  /** The index of the message that the error is about, in the list that you passed. */
  readonly index?: number;
  /** The option that the error is about. */
  readonly key?: string;
}

/**
 * Whether a thrown value is an error of this package. This also recognises errors of another copy of the package, which
 * `instanceof` would miss.
 */
export function isDensifyError(thrown: unknown): thrown is DensifyError {
  return thrown instanceof Error && thrown.name === 'DensifyError' && 'code' in thrown;
}

/**
 * An error of the core as callers get it: with a question about a misspelt name, like the errors of the package, and with a stack
 * that starts here. Its own stack holds few frames, all of them in the core.
 */
export function fromHere(thrown: unknown): unknown {
  if (!isDensifyError(thrown)) return thrown;
  thrown.message = withQuestion(thrown.message);
  const { captureStackTrace } = Error as { captureStackTrace?: (target: object) => void };
  captureStackTrace?.(thrown);
  return thrown;
}

/** The core failed in a fresh instance too. */
export function failedTwice(details: { readonly index?: number; readonly cause?: unknown }): DensifyError {
  const message = 'densify failed twice on this input, probably because memory ran out. Try a smaller input';
  return densifyError('core-failed', message, details);
}

/** Makes an error; those that the core throws have the same shape. */
export function densifyError(
  code: ErrorCode,
  message: string,
  details: { readonly index?: number; readonly key?: string; readonly cause?: unknown } = {},
): DensifyError {
  const { cause, ...about } = details;
  const text = withQuestion(message);
  const error = cause === undefined ? new Error(text) : new Error(text, { cause });
  error.name = 'DensifyError';
  return Object.assign(error, { code, ...about }) as DensifyError;
}
