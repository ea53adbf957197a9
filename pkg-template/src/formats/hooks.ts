/** What all integrations have in common: they fail open, and they can watch without changing anything. */
import { densifyError } from '../errors.js';
import { describe, readOption } from '../settings.js';
import type { Result } from '../types.js';
import type { Target } from './format.js';

/** Options of every integration. */
export interface HookOptions<M> {
  /**
   * Forwards everything untouched; `onResult` is told what would have been done.
   *
   * @default false
   */
  readonly observe?: boolean | undefined;
  /**
   * Is told what was done before each call of the model.
   *
   * @default nobody is told
   */
  readonly onResult?: ((result: Result<M>) => void) | undefined;
  /**
   * Is told what went wrong; the caller's own messages were forwarded.
   *
   * @default a warning on the console
   */
  readonly onWarning?: ((error: unknown) => void) | undefined;
}

/** What the integrations read, by name and type. */
const KEYS = { observe: 'boolean', onResult: 'function', onWarning: 'function' } as const;

/** An integration's own options, and all others. */
export interface Hook<M, T extends object> {
  readonly options: T;
  /** Runs an optimization; gives messages only where they are to replace the caller's. */
  run(optimize: () => Result<M>): readonly M[] | undefined;
}

/** Takes an integration's own options; wrong ones are an error here already, not at the first call. */
export function hookOf<M, T extends object>(given: (T & HookOptions<M>) | undefined): Hook<M, T> {
  const own: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(given ?? {})) {
    const value = readOption(given as object, key);
    if (!Object.hasOwn(KEYS, key)) {
      rest[key] = value;
      continue;
    }
    const type = KEYS[key as keyof typeof KEYS];
    if (value !== undefined && typeof value !== type) {
      throw densifyError('invalid-options', `option ${key}: found ${describe(value)}, expected a ${type}`, { key });
    }
    own[key] = value;
  }
  const { observe, onResult, onWarning = warn } = own as HookOptions<M>;
  const run = (optimize: () => Result<M>): readonly M[] | undefined => {
    try {
      const result = optimize();
      onResult?.(result);
      return observe === true || !result.changed ? undefined : result.messages;
    } catch (error) {
      try {
        onWarning(error);
      } catch {
        // Who is told of a failure must not make a second one of it.
      }
      return undefined;
    }
  };
  return { options: rest as T, run };
}

/** Where messages go: what the caller says, else what the model that is called says of itself, by what `names` finds. */
export function targetOf({ model, provider }: Target, names: () => Target): Target {
  return model !== undefined || provider !== undefined ? { model, provider } : names();
}

function warn(error: unknown): void {
  console.warn('densify: the messages were forwarded as they are', error);
}
