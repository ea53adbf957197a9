import { isDensifyError } from '../base/errors.js';
import { type Advice, isObject, needObject, onlyKnown, optionError, readOption, wrongOption } from '../base/options.js';
import { hasLoneSurrogate } from '../base/utf16.js';
import type { Callbacks } from '../types.js';
import { CALLBACKS, OF_RULES } from './elsewhere.js';

/** Options, taken apart: the core's options as JSON, and the functions, which stay in JavaScript. */
export interface Settings<M> {
  readonly json: string;
  readonly callbacks: Callbacks<M>;
}

/** What a call knows of options. */
export interface Known extends Advice {
  /**
   * What the core reads.
   *
   * @default the core alone knows, and refuses the others
   */
  readonly core?: readonly string[];
  /** What stays here. */
  readonly ours?: readonly string[] | undefined;
  /** What was taken off before. */
  readonly taken?: readonly string[] | undefined;
  /**
   * The functions.
   *
   * @default those of rules
   */
  readonly functions?: readonly string[];
}

/** Takes options apart; the core checks the values of the rest. */
export function readSettings<M>(options: object | undefined, known: Known = {}): Settings<M> {
  if (options === undefined) return { json: '{}', callbacks: {} };
  needObject(options);
  const { core, ours = [], taken = [], functions = OF_RULES } = known;
  if (core !== undefined) onlyKnown(options, [...taken, ...core, ...functions, ...ours], known);
  const rest: string[] = [];
  const callbacks: Record<string, unknown> = {};
  for (const key of Object.keys(options)) {
    const value = readOption(options, key);
    if (CALLBACKS.includes(key)) callbacks[key] = checkCallback(key, value);
    else if (!ours.includes(key) && value !== undefined) rest.push(`${JSON.stringify(key)}:${toJson(key, value)}`);
  }
  return { json: `{${rest.join()}}`, callbacks: callbacks as Callbacks<M> };
}

function checkCallback(key: string, value: unknown): unknown {
  if (value === undefined || typeof value === 'function') return value;
  throw wrongOption(key, value, 'a function');
}

const A_TOOL = 'a tool definition {name, kind, …}: docs/tools.md';

/** SDKs' tool definitions describe parameters, not effects on files. */
function checkTools(tools: unknown): void {
  if (typeof tools !== 'object' || tools === null) return;
  if (!Array.isArray(tools)) throw wrongOption('tools', tools, `a list, each entry ${A_TOOL}`);
  for (const [at, tool] of (tools as readonly unknown[]).entries()) {
    const { kind } = (tool ?? { kind: null }) as { readonly kind?: unknown };
    if (kind === undefined)
      throw optionError(
        `tools.${at}.kind`,
        ": found nothing, expected a kind, such as 'read'. A tool definition is {name, kind, …}: docs/tools.md",
      );
  }
}

/** Values that JSON can't hold, by type, and the values to pass instead. */
const SOUND: Readonly<Record<string, string>> = {
  number: 'a finite number',
  string: 'a string without lone surrogates',
};

/** What JSON can't hold must not vanish on the way, or turn into something else. */
function toJson(key: string, option: unknown): string {
  // Its members are options of their own, so errors name them.
  if (key === 'rules' && isObject(option)) {
    const members = Object.keys(option).map((member) => {
      const name = `${key}.${member}`;
      const value = readOption(option, member, name);
      return value === undefined ? [] : [`${JSON.stringify(member)}:${toJson(name, value)}`];
    });
    return `{${members.flat().join()}}`;
  }
  try {
    if (key === 'tools') checkTools(option);
    return JSON.stringify(option, (_, value: unknown) => {
      if (fitsJson(value)) return value;
      const expected = SOUND[typeof value] ?? 'a JSON value';
      throw wrongOption(key, value, expected);
    });
  } catch (cause) {
    if (isDensifyError(cause)) throw cause;
    throw optionError(
      key,
      ": found a cycle or something that throws when it is read (see 'cause'), expected plain data",
      cause,
    );
  }
}

/** Whether JSON can hold a value, apart from what is inside it. */
function fitsJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return !hasLoneSurrogate(value);
  return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint';
}
