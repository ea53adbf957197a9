import { Engine } from '../engine.js';
import { twice } from '../summary/reading.js';
import { intakeInstances } from '../wasm/intake.js';

/** What came of a text: it, and which reducers had a part in it. */
export type ShrunkText = readonly [text: string, reducers: readonly string[]];

/** Longest string of a call's parameters that is looked at: commands and patterns are short. */
const LONGEST = 4_000;

/** Shrinks texts, on an instance of its module that is made anew after a trap. */
export class Shrinker {
  readonly #engine = new Engine(intakeInstances);

  /** Bytes of the module's memory; 0 before its first use. */
  get memoryBytes(): number {
    return this.#engine.memoryBytes;
  }

  /** Gives the instance up; a new one is made when it is used again. */
  retire(): void {
    this.#engine.retire();
  }

  async init(): Promise<void> {
    await this.#engine.init();
  }

  /** A result's text, shorter; nothing if it stays as it is. */
  shrink(text: string, tool: string, parameters: unknown, settings: string): ShrunkText | undefined {
    // What isn't well-formed would come back changed.
    if (/\p{Surrogate}/u.test(text)) return undefined;
    const shrunk = twice(() =>
      this.#engine.guard(() => this.#engine.instance.glue.shrinkResult(text, tool, brief(parameters), settings)),
    );
    return shrunk === undefined ? undefined : (JSON.parse(shrunk) as ShrunkText);
  }

  /** Throws if settings are wrong. */
  check(settings: string): void {
    this.shrink('', '', undefined, settings);
  }
}

/** A call's parameters as JSON, as far as a result depends on them; what can't be written is as if it were missing. */
function brief(parameters: unknown): string {
  try {
    const short = (_: string, value: unknown): unknown =>
      typeof value === 'string' ? value.slice(0, LONGEST).replace(/\p{Surrogate}/gu, '\uFFFD') : value;
    return JSON.stringify(parameters, short) ?? 'null';
  } catch {
    return 'null';
  }
}

let shared: Shrinker | undefined;

/** What the package's functions share; it is made at first use. */
export function shrinker(): Shrinker {
  return (shared ??= new Shrinker());
}
