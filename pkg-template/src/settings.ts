import { densifyError } from './errors.js';
import type { Callbacks } from './types.js';

/** Options, taken apart: what the core reads, as JSON, and the functions, which stay here. */
export interface Settings<M> {
  readonly json: string;
  readonly callbacks: Callbacks<M>;
}

const CALLBACKS = ['protect', 'isFailure', 'countTokens'] as const;

/** Takes options apart; the core checks the rest, unknown keys included. */
export function readSettings<M>(options: object | undefined, ours: readonly string[] = []): Settings<M> {
  if (options === undefined) return { json: '{}', callbacks: {} };
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw densifyError('invalid-options', `options: found ${describe(options)}, expected an object`);
  }
  const rest: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const callbacks: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (isCallback(key)) callbacks[key] = checkCallback(key, value);
    else if (!ours.includes(key)) rest[key] = value;
  }
  return { json: toJson(rest), callbacks: callbacks as Callbacks<M> };
}

function isCallback(key: string): boolean {
  return (CALLBACKS as readonly string[]).includes(key);
}

function checkCallback(key: string, value: unknown): unknown {
  if (value === undefined || typeof value === 'function') return value;
  throw densifyError('invalid-options', `option ${key}: found ${describe(value)}, expected a function`, { key });
}

/** What JSON can't hold must not vanish on the way: the core shall refuse it by name. */
function toJson(options: object): string {
  try {
    return JSON.stringify(options, (_, value: unknown) =>
      typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint' ? describe(value) : value,
    );
  } catch (cause) {
    throw densifyError('invalid-options', 'options: they hold a cycle or throw when read', { cause });
  }
}

/** Names a value in an error. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
}
