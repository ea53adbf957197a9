import { Engine } from '../core/engine.js';
import { twice } from '../summary/reading.js';
import { fullInstances } from '../wasm/full.js';

/** What came of a text: it, and which reducers had a part in it. */
type ShrunkText = readonly [text: string, reducers: readonly string[]];

/** Longest string of a call's parameters that is looked at: commands and patterns are short. */
const LONGEST = 4_000;

/** Half a character. */
const LONE = /\p{Surrogate}/gu;
/** Signs that mean nothing by themselves: Unicode's private use area. */
const [FIRST_PRIVATE, LAST_PRIVATE] = [0xe000, 0xf8ff];

/** Shrinks texts, on an instance of its module that is made again after a trap. */
export class Shrinker {
  readonly #engine = new Engine(fullInstances);

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
    const stands = standIns(text);
    if (stands === undefined) return undefined;
    const whole = stands.size === 0 ? text : text.replace(LONE, (half) => stands.get(half)!);
    const shrunk = twice(() =>
      this.#engine.guard(() => this.#engine.instance.glue.shrinkResult(whole, tool, brief(parameters), settings)),
    );
    if (shrunk === null) return undefined;
    const [shorter, reducers] = shrunk;
    let back = shorter;
    for (const [half, stand] of stands) back = back.replaceAll(stand, half);
    return [back, reducers];
  }

  /** Throws if settings are wrong. */
  check(settings: string): void {
    this.shrink('', '', undefined, settings);
  }
}

/**
 * Signs that a text hasn't, for the halves of characters in it, which who cuts a text at a length leaves: they would come
 * back as something else. Nothing for a text that has all signs that might stand for them.
 */
function standIns(text: string): ReadonlyMap<string, string> | undefined {
  const stands = new Map<string, string>();
  let sign = FIRST_PRIVATE;
  for (const [half] of text.matchAll(LONE)) {
    if (stands.has(half)) continue;
    while (text.includes(String.fromCharCode(sign))) sign += 1;
    if (sign > LAST_PRIVATE) return undefined;
    stands.set(half, String.fromCharCode(sign));
    sign += 1;
  }
  return stands;
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
