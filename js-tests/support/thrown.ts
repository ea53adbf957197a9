import { type DensifyError, isDensifyError } from 'densify';

/** Words with which an error message says what to do. */
const ADVICE =
  /\bexpected |\bmust |\btakes |the nearest is |(?:^|[.;:,(] ?|\b(?:or|and|to) )(?:add|allow|await|call|check|choose|convert|create|give|keep|leave|let|make|name|pass|put|raise|read|remove|report|restore|return|set|shorten|try|use)\b/i;

/** What a call throws: one of our errors, whose message says what to do. */
export function thrownBy(action: () => unknown): DensifyError {
  try {
    action();
  } catch (thrown) {
    if (isDensifyError(thrown)) {
      if (!ADVICE.test(thrown.message)) throw new Error(`this error does not say what to do: ${thrown.message}`);
      return thrown;
    }
    throw thrown;
  }
  throw new Error('nothing was thrown');
}
