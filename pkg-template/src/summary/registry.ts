import { densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';
import type { Settings, SettingsLayer } from '../generated/summary-constants.js';
import { summaries } from './functions.js';
import { redactingErrors } from './redaction.js';

export type { SettingAliases, SettingInfo, Settings, SettingsLayer } from '../generated/summary-constants.js';

/**
 * The settings that are in force, given what was set for the session, in the profile, and for good: an
 * earlier layer goes before a later one, and all of them before the defaults of the registry (`settings`).
 * What is `undefined` passes to the next layer; `null`, a value that can't be and a key that is none are
 * errors (`invalid-setting`) that name key, value and layer, overridden or not.
 *
 * @example
 * const resolved = resolveSettings([{ 'compression.strategy': 'auto' }, profile.settings, stored]);
 * const conversation = createConversation({ ...conversationOptions(resolved), contextLimit: 200_000 });
 */
export function resolveSettings(layers: readonly (SettingsLayer | undefined)[]): Settings {
  // What an error says of a setting may be a credential.
  return redactingErrors(summaries().redact, () => resolved(layers));
}

function resolved(layers: readonly (SettingsLayer | undefined)[]): Settings {
  if (!Array.isArray(layers)) {
    throw densifyError('invalid-setting', `layers: found ${describe(layers)}, expected a list of objects`, {
      key: 'layers',
    });
  }
  // Each value is read once: an accessor may not give another one after the check.
  const read = Array.from(layers as readonly unknown[], entriesOf);
  const json = `[${read.map(toJson).join()}]`;
  type Place = readonly [key: string, layer: number, nameOrDefault: unknown];
  const places = JSON.parse(summaries().call((glue) => glue.resolveSettings(json))) as readonly Place[];
  const entries = places.map(([key, layer, what]) => [key, layer < 0 ? what : read[layer]?.get(what as string)]);
  return Object.fromEntries(entries) as Settings;
}

/** What a layer sets; `undefined` if it isn't one. */
function entriesOf(layer: unknown, index: number): ReadonlyMap<string, unknown> {
  if (layer === undefined) return new Map();
  const name = `layer ${index}`;
  if (typeof layer !== 'object' || layer === null || Array.isArray(layer)) {
    throw densifyError('invalid-setting', `${name}: found ${describe(layer)}, expected an object`);
  }
  try {
    const entries = Object.keys(layer).map((key) => [key, (layer as Record<string, unknown>)[key]] as const);
    return new Map(entries.filter(([, value]) => value !== undefined));
  } catch (cause) {
    throw densifyError('invalid-setting', `${name} throws when it is read`, { cause });
  }
}

function toJson(entries: ReadonlyMap<string, unknown>, layer: number): string {
  const pairs = Array.from(entries, ([name, value]) => `${quoted(name)}:${primitive(name, value, layer)}`);
  return `{${pairs.join()}}`;
}

/** Settings are plain values; anything else would arrive as something that it isn't. */
function primitive(name: string, value: unknown, layer: number): string {
  if (typeof value === 'number' ? Number.isFinite(value) : typeof value === 'boolean' || value === null) {
    return String(value);
  }
  const isText = typeof value === 'string';
  if (isText && !SURROGATE.test(value)) return JSON.stringify(value);
  const found = isText ? 'a text with half of a character' : describe(value);
  return summaries().call((glue) => {
    glue.refuseSetting(layer, name, found);
    return '';
  });
}

const SURROGATE = /\p{Surrogate}/u;

/** A name as JSON; a broken one is unknown anyhow. */
function quoted(name: string): string {
  return JSON.stringify(name.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** What `conversationOptions` gives. */
export interface SettingsOptions {
  readonly strategy: Settings['compression.strategy'];
  readonly threshold: Settings['compression.threshold'];
  readonly preserve: Settings['compression.preserve'];
  /** The settings are the documents', and so are the rules that they switch. */
  readonly optimize: {
    readonly preset: 'seed';
    readonly readWritePruning: Settings['compression.density.readWritePruning'];
    readonly fileDedupe: Settings['compression.density.fileDedupe'];
    readonly recencyPruning: Settings['compression.density.recencyPruning'];
    readonly recencyRetention: Settings['compression.density.recencyRetention'];
  };
  readonly summary: {
    readonly topPreserve: Settings['compression.topPreserve'];
    readonly profile: Settings['compression.profile'];
  };
}

/**
 * Resolved settings as options of `createConversation`; its `optimize` is what `optimize` and
 * `createOptimizer` take, its `threshold` and `preserve` are what `compress` takes.
 *
 * @example
 * const { optimize: options } = conversationOptions(resolveSettings([session, profile]));
 * const { messages } = optimize(history, options);
 */
export function conversationOptions(settings: Settings): SettingsOptions {
  return {
    strategy: settings['compression.strategy'],
    threshold: settings['compression.threshold'],
    preserve: settings['compression.preserve'],
    optimize: {
      preset: 'seed',
      readWritePruning: settings['compression.density.readWritePruning'],
      fileDedupe: settings['compression.density.fileDedupe'],
      recencyPruning: settings['compression.density.recencyPruning'],
      recencyRetention: settings['compression.density.recencyRetention'],
    },
    summary: {
      topPreserve: settings['compression.topPreserve'],
      profile: settings['compression.profile'],
    },
  };
}
