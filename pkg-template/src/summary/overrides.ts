import { densifyError, isDensifyError } from '../base/errors.js';
import { describe, wrongOption } from '../base/options.js';
import type { FullGlue } from '../wasm/full.js';
import type { PromptSource } from './types.js';

/** What is asked of the module here. */
type Prompts = Pick<FullGlue, 'promptCandidates' | 'checkOverride'>;

/** The prompt that a source has for a strategy, the most specific one; nothing if it has none. */
export function findPrompt(
  prompts: Prompts,
  source: PromptSource | undefined,
  strategy: string | undefined,
  provider: string | undefined,
  model: string | undefined,
): string | undefined {
  for (const [key, name] of [
    ['provider', provider],
    ['model', model],
  ] as const) {
    if (name === undefined || typeof name === 'string') continue;
    throw wrongOption(key, name, 'a string');
  }
  // Without a strategy the core says so.
  if (source === undefined || strategy === undefined) return undefined;
  const look = lookup(source);
  for (const path of prompts.promptCandidates(strategy, provider, model)) {
    const text = look(path);
    if (text !== undefined) return prompts.checkOverride(path, text);
  }
  return undefined;
}

function lookup(source: PromptSource): (path: string) => string | undefined {
  const get = typeof source === 'function' ? source : readMap(source);
  return (path) => {
    let text: unknown;
    try {
      text = get(path);
    } catch (cause) {
      if (isDensifyError(cause)) throw cause;
      throw densifyError(
        'invalid-prompt',
        `prompt ${path}: option prompts threw (see 'cause'); it must return a text, or undefined if there is none`,
        { key: path, cause },
      );
    }
    if (text === undefined || typeof text === 'string') return text;
    throw densifyError('invalid-prompt', `prompt ${path}: found ${describe(text)}, expected text`, { key: path });
  };
}

function readMap(source: unknown): (path: string) => unknown {
  const get: unknown = (source as { readonly get?: unknown } | null)?.get;
  if (typeof get === 'function') return (path) => Reflect.apply(get, source, [path]) as unknown;
  throw wrongOption('prompts', source, 'a Map or a function');
}
