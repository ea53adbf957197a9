import { densifyError, type DensifyError } from '../errors.js';
import type { MessageFormat, ValidateOptions } from './api.js';
import { describe, onlyKnown } from '../settings.js';
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
    throw invalid('options', 'must be an object');
  }
  onlyKnown(options, [...KEYS, ...more]);
  const { format, provider, generation, model, tools, original, ...flags } = options as ValidateOptions;
  if (format !== 'openai') checkName('format', format, Object.keys(formats));
  checkName('provider', provider, Object.keys(providerRules));
  const generations = Object.values(providerRules).flatMap((rules) => Object.keys(rules.generations));
  checkName('generation', generation, generations);
  if (model !== undefined && typeof model !== 'string') throw invalid('model', 'must be a string');
  for (const [key, value] of Object.entries({ tools, original })) {
    if (value !== undefined && !Array.isArray(value)) throw invalid(key, 'must be a list');
  }
  for (const key of ['thinking', 'store', 'continues', 'allowSystem', 'repair'] as const) {
    const value: unknown = (flags as Readonly<Record<string, unknown>>)[key];
    if (value !== undefined && typeof value !== 'boolean') throw invalid(key, 'must be true or false');
  }
}

/** The error for a format that can't be told from the content. */
export function ambiguous(candidates: readonly MessageFormat[]): DensifyError {
  const found = candidates.length === 0 ? 'the messages fit no format' : `the messages may be ${candidates.join(', ')}`;
  return invalid('format', `can't be told from the content: ${found}; name one of ${Object.keys(formats).join(', ')}`);
}

function checkName(key: string, value: unknown, names: readonly string[]): void {
  if (value === undefined || (typeof value === 'string' && names.includes(value))) return;
  throw invalid(key, `found ${describe(value)}, must be one of ${names.join(', ')}`);
}

function invalid(key: string, problem: string): DensifyError {
  return densifyError('invalid-options', `option ${key}: ${problem}`, { key });
}
