import { type DensifyError, densifyError } from '../base/errors.js';
import { describe, onlyKnown, readOption } from '../base/options.js';
import type { MessageFormat, ValidateOptions } from './api.js';
import { formats } from './formats/index.js';
import { providerRules } from './rules.js';

const KEYS: readonly string[] = [
  'format',
  'provider',
  'model',
  'generation',
  'tools',
  'system',
  'thinking',
  'store',
  'continues',
  'allowSystem',
  'original',
];

/** Checks options; a wrong call is an error, wrong content never is one. */
export function checkOptions(options: unknown, more: readonly string[] = []): asserts options is ValidateOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw densifyError('invalid-options', `options: found ${describe(options)}, expected an object`, {
      key: 'options',
    });
  }
  onlyKnown(options, [...KEYS, ...more]);
  // One that throws is told by its name.
  for (const key of [...KEYS, ...more]) readOption(options, key);
  const { format, provider, generation, model, tools, original, ...flags } = options as ValidateOptions;
  if (format !== 'openai') checkName('format', format, Object.keys(formats));
  checkName('provider', provider, Object.keys(providerRules));
  const generations = Object.values(providerRules).flatMap((rules) => Object.keys(rules.generations));
  checkName('generation', generation, generations);
  if (model !== undefined && typeof model !== 'string') throw unexpected('model', model, 'a string');
  for (const [key, value] of Object.entries({ tools, original })) {
    if (value !== undefined && !Array.isArray(value)) throw unexpected(key, value, 'a list');
  }
  for (const key of ['thinking', 'store', 'continues', 'allowSystem', 'repair'] as const) {
    const value: unknown = (flags as Readonly<Record<string, unknown>>)[key];
    if (value !== undefined && typeof value !== 'boolean') throw unexpected(key, value, 'true or false');
  }
}

/** The error for a format that can't be told from the content. */
export function ambiguous(candidates: readonly MessageFormat[]): DensifyError {
  const found = candidates.length === 0 ? 'the messages fit no format' : `the messages may be ${candidates.join(', ')}`;
  return invalid('format', `cannot detect it: ${found}. Pass one of ${Object.keys(formats).join(', ')}`);
}

function checkName(key: string, value: unknown, names: readonly string[]): void {
  if (value === undefined || (typeof value === 'string' && names.includes(value))) return;
  throw unexpected(key, value, `one of ${names.join(', ')}`);
}

function unexpected(key: string, value: unknown, expected: string): DensifyError {
  return invalid(key, `found ${describe(value)}, expected ${expected}`);
}

function invalid(key: string, problem: string): DensifyError {
  return densifyError('invalid-options', `option ${key}: ${problem}`, { key });
}
