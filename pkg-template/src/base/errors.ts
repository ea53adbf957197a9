import type { ErrorCode } from '../generated/densify.js';

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
 * Whether something that was thrown is an error of this package; it holds for errors of another
 * copy of the package too, which `instanceof` would miss.
 */
export function isDensifyError(thrown: unknown): thrown is DensifyError {
  return thrown instanceof Error && thrown.name === 'DensifyError' && 'code' in thrown;
}

/** The few frames that a stack has would all lie within the core: an error of the core begins here instead. */
export function fromHere(thrown: unknown): unknown {
  const { captureStackTrace } = Error as { captureStackTrace?: (target: object) => void };
  if (captureStackTrace !== undefined && isDensifyError(thrown)) captureStackTrace(thrown);
  return thrown;
}

/** Makes an error; those that the core throws have the same shape. */
export function densifyError(
  code: ErrorCode,
  message: string,
  details: { readonly index?: number; readonly key?: string; readonly cause?: unknown } = {},
): DensifyError {
  const { cause, ...about } = details;
  const error = cause === undefined ? new Error(message) : new Error(message, { cause });
  error.name = 'DensifyError';
  return Object.assign(error, { code, ...about }) as DensifyError;
}
