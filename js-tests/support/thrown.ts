import { type DensifyError, isDensifyError } from 'densify';

/** What a call throws; it must be one of our errors. */
export function thrownBy(action: () => unknown): DensifyError {
  try {
    action();
  } catch (thrown) {
    if (isDensifyError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}
