import { densifyError } from '../base/errors.js';
import { describe, isObject, onlyKnown, wrongOption } from '../base/options.js';
import { hasLoneSurrogate } from '../base/utf16.js';
import type { Settings, SettingsLayer } from '../generated/summary-constants.js';
import { settings } from '../generated/summary-constants.js';
import { summaries } from './functions.js';
import { redactingErrors } from './redaction.js';

export type { SettingAliases, SettingInfo, Settings, SettingsLayer } from '../generated/summary-constants.js';

/** A layer of settings: dotted keys, or objects in their place (`{ compression: { strategy: 'auto' } }`). */
export type SettingsInput = SettingsLayer & {
  readonly compression?: object | undefined;
  readonly chatCompression?: object | undefined;
};

/** Options of `resolveSettings`. */
export interface ResolveOptions {
  /**
   * Ignores keys that no setting has, as a whole profile of an agent has many.
   *
   * @default false: they are errors, since they may be misspelled
   */
  readonly ignoreUnknown?: boolean | undefined;
}

/**
 * The settings in force, from layers such as the session's, the profile's and the stored ones. An earlier layer overrides
 * a later one, and all of them override the defaults of the registry (`settings`). `undefined` passes to the next layer;
 * `null`, a wrong value and an unknown key are errors (`invalid-setting`) that name key, value and layer.
 *
 * @example
 * const layers = [{ 'compression.strategy': 'auto' }, profile.settings, stored];
 * const resolved = resolveSettings(layers, { ignoreUnknown: true });
 * const conversation = createConversation({ ...conversationOptions(resolved), contextLimit: 200_000 });
 */
export function resolveSettings(
  layers: readonly (object | undefined)[],
  options: ResolveOptions & { readonly ignoreUnknown: true },
): Settings;
export function resolveSettings(layers: readonly (SettingsInput | undefined)[], options?: ResolveOptions): Settings;
export function resolveSettings(layers: readonly (object | undefined)[], options: ResolveOptions = {}): Settings {
  onlyKnown(options, ['ignoreUnknown']);
  const { ignoreUnknown = false } = options as { readonly ignoreUnknown?: unknown };
  if (typeof ignoreUnknown !== 'boolean') throw wrongOption('ignoreUnknown', ignoreUnknown, 'a boolean');
  // What an error says of a setting may be a credential.
  return redactingErrors(summaries().redact, () => resolved(layers, ignoreUnknown));
}

/** What `parseSetting` read. */
export type ParsedSetting = {
  readonly [Key in keyof Settings]-?: { readonly key: Key; readonly value: NonNullable<Settings[Key]> };
}[keyof Settings];

/**
 * Reads the text that a user types after `/set`: a key or one of its other names, and a value such as `on`, `0.7`,
 * `70%` or a name. For a wrong one it throws `invalid-setting`, whose message a command line can print.
 *
 * @example
 * const { key, value } = parseSetting('compression.threshold', '70%');
 * session = { ...session, [key]: value };
 */
export function parseSetting(key: string, text: string): ParsedSetting {
  for (const [name, value] of Object.entries({ key, text })) {
    if (typeof value === 'string' && !hasLoneSurrogate(value)) continue;
    const message = `${name}: found ${describe(value)}, expected text`;
    throw densifyError('invalid-setting', message, { key: name });
  }
  if (key.trim() === '') {
    const message = `key: found nothing, expected a setting such as ${settings[0]!.key}, and its value`;
    throw densifyError('invalid-setting', message, { key: 'key' });
  }
  return redactingErrors(summaries().redact, () => {
    const [found, value] = summaries().call((glue) => glue.parseSetting(key, text));
    const { type } = settings.find((setting) => setting.key === found)!;
    const parsed = type === 'number' ? numberOf(value as string) : value;
    return { key: found as keyof Settings, value: parsed } as ParsedSetting;
  });
}

/** A number that the core has checked. */
function numberOf(text: string): number {
  const digits = text.trim();
  return digits.endsWith('%') ? Number(digits.slice(0, -1)) / 100 : Number(digits);
}

/** The names that settings have, and what precedes the dots in them. */
const NAMES: ReadonlySet<string> = new Set(settings.flatMap(({ key, aliases }) => [key, ...aliases]));
const PREFIXES: ReadonlySet<string> = new Set(
  [...NAMES].flatMap((name) => {
    const parts = name.split('.');
    return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'));
  }),
);

function resolved(layers: readonly (object | undefined)[], ignoresUnknown: boolean): Settings {
  if (!Array.isArray(layers)) {
    throw densifyError('invalid-setting', `layers: found ${describe(layers)}, expected a list of objects`, {
      key: 'layers',
    });
  }
  // Each value is read once: an accessor may not give another one after the check.
  const read = Array.from(layers as readonly unknown[], (layer, index) => entriesOf(layer, index, ignoresUnknown));
  read.forEach(checkPlain);
  const json = JSON.stringify(read.map((entries) => Object.fromEntries(entries)));
  const places = summaries().call((glue) => glue.resolveSettings(json));
  const entries = places.map(([key, layer, what]) => [key, layer < 0 ? what : read[layer]?.get(what as string)]);
  return Object.fromEntries(entries) as Settings;
}

/** What a layer sets; `undefined` if it isn't one. */
function entriesOf(layer: unknown, index: number, ignoresUnknown: boolean): ReadonlyMap<string, unknown> {
  if (layer === undefined) return new Map();
  const name = `layer ${index}`;
  if (!isObject(layer)) {
    throw densifyError('invalid-setting', `${name}: found ${describe(layer)}, expected an object`);
  }
  const entries = readEntries(layer, name, ignoresUnknown);
  for (const [key, value] of entries) {
    if (NAMES.has(key) || !PREFIXES.has(key)) continue;
    const message = `setting ${key}: found ${describe(value)} in ${name}, expected an object that holds settings`;
    throw densifyError('invalid-setting', message, { key });
  }
  const read = new Map(entries);
  const twice = entries.find(([key, value]) => !Object.is(read.get(key), value));
  if (twice === undefined) return read;
  const [key, value] = twice;
  const both = `found ${describe(value)} and ${describe(read.get(key))} in ${name}, expected one value`;
  throw densifyError('invalid-setting', `setting ${key}: ${both}: remove the dotted key or the nested one`, { key });
}

function readEntries(layer: object, name: string, ignoresUnknown: boolean): readonly Entry[] {
  try {
    return flat(layer, '', ignoresUnknown).filter(([, value]) => value !== undefined);
  } catch (cause) {
    throw densifyError(
      'invalid-setting',
      `${name}: found something that throws when it is read (see 'cause'), expected plain data`,
      { cause },
    );
  }
}

type Entry = readonly [key: string, value: unknown];

/** The members of an object by their dotted keys. What no setting has is read only where it is to be refused. */
function flat(object: object, path: string, ignoresUnknown: boolean): readonly Entry[] {
  return Object.keys(object).flatMap((name) => {
    const key = path + name;
    const isPrefix = PREFIXES.has(key);
    if (ignoresUnknown && !isPrefix && !NAMES.has(key)) return [];
    const value = (object as Readonly<Record<string, unknown>>)[name];
    const isNested = isPrefix && isObject(value);
    return isNested ? flat(value, `${key}.`, ignoresUnknown) : [[key, value] as const];
  });
}

/** Settings are plain values; anything else would arrive as something that it isn't. */
function checkPlain(entries: ReadonlyMap<string, unknown>, layer: number): void {
  for (const [name, value] of entries) {
    const isText = typeof value === 'string';
    const isPlain = isText || value === null || typeof value === 'boolean' || Number.isFinite(value);
    if (isPlain && !(isText && hasLoneSurrogate(value)) && !hasLoneSurrogate(name)) continue;
    const found = isText ? 'a string with a lone surrogate' : describe(value);
    summaries().call((glue) => glue.refuseSetting(layer, name, found));
  }
}
