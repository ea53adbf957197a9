import { densifyError, isDensifyError } from '../base/errors.js';
import { describe, wrongOption } from '../base/options.js';
import type { RedactOption } from './types.js';

/** Takes credentials out of a text. */
export interface Redact {
  (text: string): string;
  /** Credentials never span lines, so many texts can be searched as one. */
  readonly isByLine?: boolean;
}

/** What an option says; `builtIn` is ours. */
export function redactionOf(option: RedactOption['redact'], builtIn: Redact): Redact {
  if (option === undefined || option === true) return builtIn;
  if (option === false) return (text) => text;
  if (typeof option !== 'function') {
    throw wrongOption('redact', option, 'true, false or a function');
  }
  return (text) => {
    let redacted: unknown;
    try {
      redacted = option(text);
    } catch (cause) {
      throw densifyError(
        'callback-failed',
        "option redact: your function threw (see 'cause'); it must return a text for every text",
        { cause },
      );
    }
    if (typeof redacted === 'string') return redacted;
    throw densifyError(
      'callback-failed',
      `option redact: your function returned ${describe(redacted)}, expected a string`,
    );
  };
}

/** Members whose values are words and numbers of ours. */
const OURS = new Set(['kind', 'version', 'strategy', 'mode', 'fingerprint', 'level', 'code', 'section', 'speaker']);

/** Plain data in which every text is redacted: the same where there is nothing to redact. */
export function redactAll<T>(value: T, redact: Redact): T {
  if (redact.isByLine === true) {
    const lines = textsOf(value, []).join('\n');
    if (redact(lines) === lines) return value;
  }
  return eachRedacted(value, redact);
}

function eachRedacted<T>(value: T, redact: Redact): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => eachRedacted(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => {
    return [key, OURS.has(key) ? item : eachRedacted(item, redact)] as const;
  });
  return Object.fromEntries(entries) as T;
}

/** The texts in plain data that may hold something to redact. */
function textsOf(value: unknown, texts: string[]): string[] {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) if (!OURS.has(key)) textsOf(item, texts);
  }
  return texts;
}

/** Runs an action; what an error says leaves as well, so it is redacted. */
export function redactingErrors<T>(redact: Redact, action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    if (isDensifyError(thrown) && thrown.code !== 'callback-failed') {
      const message = redact(thrown.message);
      if (message !== thrown.message) thrown.message = message;
      // An option's name may be anything.
      const key = thrown.key === undefined ? undefined : redact(thrown.key);
      if (key !== thrown.key) Object.assign(thrown, { key });
      // It begins with the message.
      const stack = thrown.stack === undefined ? undefined : redact(thrown.stack);
      if (stack !== undefined && stack !== thrown.stack) thrown.stack = stack;
    }
    throw thrown;
  }
}
