import type { TranscriptWarning, TranscriptWarningCode } from './api.js';
import type { Log } from './format.js';

/** Counts what a reader met. Bounded: one warning for each code, however often it is met. */
export class Notes implements Log {
  readonly #warnings = new Map<TranscriptWarningCode, { line: number; count: number }>();
  #skipped = 0;

  get skipped(): number {
    return this.#skipped;
  }

  get warnings(): TranscriptWarning[] {
    return Array.from(this.#warnings, ([code, { line, count }]) => ({ code, line, count }));
  }

  warn(code: TranscriptWarningCode, line: number): void {
    const known = this.#warnings.get(code);
    if (known === undefined) this.#warnings.set(code, { line, count: 1 });
    else known.count += 1;
  }

  skip(): void {
    this.#skipped += 1;
  }
}
