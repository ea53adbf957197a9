// Settings: the registry as data, and which value is in force.
import { compress, createConversation, createOptimizer, optimize } from 'densify';
import {
  conversationOptions,
  parseSetting,
  resolveSettings,
  type Settings,
  type SettingsLayer,
  settings,
  strategies,
} from 'densify/host';
import { createRecall } from 'densify/recall';
import { describe, expect, test } from 'vitest';
import { ai, human, read, write } from './support/say.js';
import { thrownBy } from './support/thrown.js';

/** Layers that TypeScript would refuse. */
const wrong = (...layers: unknown[]): SettingsLayer[] => layers as SettingsLayer[];

const DEFAULTS: Settings = {
  'compression.strategy': 'middle-out',
  'compression.preserve': 0.3,
  'compression.topPreserve': 0.2,
  'compression.density.readWritePruning': true,
  'compression.density.fileDedupe': true,
  'compression.density.recencyPruning': false,
  'compression.density.recencyRetention': 3,
  'compression.recall': false,
};

describe('the registry', () => {
  test('is data that nobody can change', () => {
    const parts: unknown[] = [settings];
    for (const part of parts) {
      if (typeof part !== 'object' || part === null) continue;
      expect(Object.isFrozen(part)).toBe(true);
      parts.push(...Object.values(part));
    }
    expect(parts.length).toBeGreaterThan(50);
    expect(JSON.parse(JSON.stringify(settings))).toEqual(settings);
    expect(Object.isFrozen(strategies)).toBe(true);
  });

  test('has what a command or a dialog needs', () => {
    expect(settings.map(({ key }) => key)).toEqual([
      'compression.strategy',
      'compression.profile',
      'compression.threshold',
      'compression.preserve',
      'compression.topPreserve',
      'compression.density.readWritePruning',
      'compression.density.fileDedupe',
      'compression.density.recencyPruning',
      'compression.density.recencyRetention',
      'compression.preset',
      'compression.flush',
      'compression.intake',
      'compression.recall',
    ]);
    for (const setting of settings) {
      expect(setting).toMatchObject({ category: 'cli-behavior', persistToProfile: true });
      expect(setting.description).not.toBe('');
    }
    expect(settings[0]).toMatchObject({
      type: 'enum',
      enumValues: strategies.map(({ name }) => name),
      default: 'middle-out',
    });
    expect(settings[1]).toMatchObject({ type: 'string', hint: 'profile name' });
    expect(settings[2]).toMatchObject({ type: 'number', range: { min: 0, minExcluded: true, max: 1 } });
    for (const at of [1, 2, 9, 10, 11]) expect(settings[at]).not.toHaveProperty('default');
  });

  test('holds the defaults that are in force', () => {
    const defaults = settings.flatMap((setting) => ('default' in setting ? [[setting.key, setting.default]] : []));
    expect(resolveSettings([])).toEqual(Object.fromEntries(defaults));
    expect(resolveSettings([])).toEqual(DEFAULTS);
  });
});

describe('layers', () => {
  test('ephemeral goes before profile before persistent before the default, setting by setting', () => {
    const ephemeral = { 'compression.profile': 'flash' };
    const profile = { 'compression.profile': 'pro', 'compression.threshold': 0.7 };
    const persistent = { 'compression.threshold': 0.6, 'compression.strategy': 'one-shot' } as const;
    expect(resolveSettings([ephemeral, profile, persistent])).toEqual({
      ...DEFAULTS,
      'compression.profile': 'flash',
      'compression.threshold': 0.7,
      'compression.strategy': 'one-shot',
    });
  });

  test('undefined passes to the next layer, a layer that is undefined too', () => {
    const layers: (SettingsLayer | undefined)[] = [
      undefined,
      { 'compression.threshold': undefined, strategy: undefined },
      { 'compression.threshold': 0.5 },
    ];
    expect(resolveSettings(layers)).toEqual({ ...DEFAULTS, 'compression.threshold': 0.5 });
    expect(resolveSettings([{}, undefined, {}])).toEqual(DEFAULTS);
  });

  test('aliases are names of the same setting, and the result has the key alone', () => {
    const layer = {
      'compression-threshold': 0.5,
      'compression-preserve-threshold': 0.25,
      topPreserveThreshold: 0.1,
      densityFileDedupe: false,
    };
    const chatCompression = { contextPercentageThreshold: 0.6, strategy: 'auto', profile: 'flash' } as const;
    expect(resolveSettings([layer, {}, chatCompression])).toEqual({
      ...DEFAULTS,
      'compression.threshold': 0.5,
      'compression.preserve': 0.25,
      'compression.topPreserve': 0.1,
      'compression.density.fileDedupe': false,
      'compression.strategy': 'auto',
      'compression.profile': 'flash',
    });
    expect(resolveSettings([{}, chatCompression])['compression.threshold']).toBe(0.6);
  });

  test('numbers come back to the last digit', () => {
    for (const number of [1 / 3, 0.1 + 0.2, Number.MIN_VALUE, 1e-7, 1]) {
      expect(resolveSettings([{ 'compression.threshold': number }])['compression.threshold']).toBe(number);
    }
    const retention = Number.MAX_VALUE;
    const layer = { 'compression.density.recencyRetention': retention };
    expect(resolveSettings([layer])['compression.density.recencyRetention']).toBe(retention);
  });

  test('are read once and never changed', () => {
    let reads = 0;
    const layer = Object.freeze({
      get 'compression.threshold'(): number {
        reads += 1;
        return reads === 1 ? 0.5 : 7;
      },
    });
    expect(resolveSettings(Object.freeze([layer]))['compression.threshold']).toBe(0.5);
    expect(reads).toBe(1);
  });

  test('structured keeps no tail unless one is set', () => {
    const structured = { 'compression.strategy': 'structured' } as const;
    expect(resolveSettings([structured])).not.toHaveProperty(['compression.preserve']);
    expect(resolveSettings([structured, { 'compression.preserve': 0.3 }])).toHaveProperty(
      ['compression.preserve'],
      0.3,
    );
  });
});

describe('whole profiles', () => {
  const profile = {
    'context-limit': 200_000,
    'auth-key': 'secret',
    compression: { strategy: 'auto', density: { recencyRetention: 5 }, unknown: 1 },
    chatCompression: { contextPercentageThreshold: 0.6 },
    ui: { theme: 'dark' },
  };

  test('are taken with their other keys ignored, and objects as well as dotted keys', () => {
    expect(resolveSettings([{ 'compression.preserve': 0.5 }, profile], { ignoreUnknown: true })).toEqual({
      ...DEFAULTS,
      'compression.strategy': 'auto',
      'compression.preserve': 0.5,
      'compression.threshold': 0.6,
      'compression.density.recencyRetention': 5,
    });
    // What no setting has isn't even read.
    const trap = Object.defineProperty({}, 'auth-key', { enumerable: true, get: () => expect.unreachable() as never });
    expect(resolveSettings([trap], { ignoreUnknown: true })).toEqual(DEFAULTS);
  });

  test('are errors without the option, nested keys too', () => {
    expect(thrownBy(() => resolveSettings(wrong(profile))).message).toContain('an unknown key in layer 0');
    const nested = { compression: { stratgy: 'auto' } };
    expect(thrownBy(() => resolveSettings(wrong(nested)))).toMatchObject({ key: 'compression.stratgy' });
    const half = wrong({ compression: { strategy: 'auto' }, strategy: 'one-shot' });
    expect(thrownBy(() => resolveSettings(half)).message).toContain('both name one setting');
    for (const compression of [5, [], null, 'on']) {
      const message = expect.stringMatching(/^setting compression: found .* in layer 0, expected an object/) as string;
      for (const ignoreUnknown of [false, true])
        expect(thrownBy(() => resolveSettings([{ compression }], { ignoreUnknown } as never))).toMatchObject({
          message,
        });
    }
    for (const options of [{ ignoreUnknown: 1 }, { ignore: true }])
      expect(thrownBy(() => resolveSettings([], options as never)).code).toBe('invalid-options');
  });
});

test('a dotted key and a nested one that disagree are an error that names both', () => {
  const layer = { 'compression.threshold': 0.5, compression: { threshold: 0.6 } };
  expect(thrownBy(() => resolveSettings([layer]))).toMatchObject({
    code: 'invalid-setting',
    key: 'compression.threshold',
    message: expect.stringContaining('found 0.5 and 0.6 in layer 0') as string,
  });
  expect(resolveSettings([{ ...layer, 'compression.threshold': 0.6 }])['compression.threshold']).toBe(0.6);
});

describe('what a user types', () => {
  test.each([
    ['compression.strategy', 'Auto', 'compression.strategy', 'auto'],
    ['compression-threshold', ' 0.7 ', 'compression.threshold', 0.7],
    ['compression.threshold', '70 %', 'compression.threshold', 0.7],
    ['compression.topPreserve', '.25', 'compression.topPreserve', 0.25],
    ['compression.density.fileDedupe', 'off', 'compression.density.fileDedupe', false],
    ['compression.recall', 'YES', 'compression.recall', true],
    ['compression.density.recencyRetention', '1e1', 'compression.density.recencyRetention', 10],
    ['compression.flush', 'when-cold', 'compression.flush', 'when-cold'],
    ['profile', 'My Model', 'compression.profile', 'My Model'],
  ])('%s %o', (name, text, key, value) => {
    expect(parseSetting(name, text)).toEqual({ key, value });
    expect(resolveSettings([{ [key]: value }])).toHaveProperty([key], value);
  });

  test.each([
    ['compression.treshold', '0.7', 'compression.treshold: found an unknown key, the nearest is compression.threshold'],
    ['compression.threshold', '1.7', "compression.threshold: found '1.7', expected a number above 0, at most 1"],
    ['compression.threshold', '', 'compression.threshold: found nothing, expected a number above 0, at most 1'],
    ['compression.intake', 'maybe', "compression.intake: found 'maybe', expected true or false"],
    ['compression.preset', 'balanc', "compression.preset: found 'balanc', expected one of seed, lossless"],
    ['compression.profile', ' ', "compression.profile: found nothing, expected a text that isn't empty"],
    ['', '', 'found nothing, expected a setting such as compression.strategy, and its value'],
    ['compression.threshold', '0x1', 'expected a number above 0, at most 1'],
    ['compression.threshold', 'NaN', 'expected a number above 0, at most 1'],
  ])('%s %o is an error', (name, text, message) => {
    const error = thrownBy(() => parseSetting(name, text));
    expect(error.code).toBe('invalid-setting');
    expect(error.message).toContain(message);
  });

  const typed: Readonly<Record<string, readonly [good: string, value: unknown, bad: string]>> = {
    'compression.strategy': ['one-shot', 'one-shot', 'two-shot'],
    'compression.profile': ['flash', 'flash', ''],
    'compression.threshold': ['85%', 0.85, '0'],
    'compression.preserve': ['30 %', 0.3, '-1'],
    'compression.topPreserve': ['0.2', 0.2, '101%'],
    'compression.density.readWritePruning': ['no', false, 'never'],
    'compression.density.fileDedupe': ['1', true, '2'],
    'compression.density.recencyPruning': ['on', true, 'maybe'],
    'compression.density.recencyRetention': ['5', 5, '5%'],
    'compression.preset': ['balanced', 'balanced', 'best'],
    'compression.flush': ['when-cold', 'when-cold', 'sometimes'],
    'compression.intake': ['off', false, 'some'],
    'compression.recall': ['true', true, 'all'],
  };

  test.each(settings.map(({ key }) => key))('%s takes a good value and refuses a bad one', (key) => {
    const [good, value, bad] = typed[key]!;
    expect(parseSetting(key, good)).toEqual({ key, value });
    expect(thrownBy(() => parseSetting(key, bad))).toMatchObject({ code: 'invalid-setting', key });
  });

  test('what is no text', () => {
    for (const given of [
      [1, 'a'],
      ['a', 1],
      ['a', '\ud800'],
    ] as never[][])
      expect(thrownBy(() => parseSetting(given[0]!, given[1]!)).code).toBe('invalid-setting');
  });
});

describe('what is wrong is said by key, value and layer', () => {
  const cases: readonly (readonly [string, unknown, string, string])[] = [
    ['compression.strategy', 'sandwich', "'sandwich'", 'one of middle-out, top-down-truncation'],
    ['compression.strategy', null, 'null', 'one of middle-out'],
    ['compression.profile', '', "''", "a text that isn't empty"],
    ['compression.profile', '\ud800', 'a string with a lone surrogate', 'a text'],
    ['compression.threshold', 0, '0', 'a number above 0, at most 1'],
    ['compression.threshold', '0.8', "'0.8'", 'a number above 0, at most 1'],
    ['compression.threshold', NaN, 'NaN', 'a number above 0, at most 1'],
    ['compression.threshold', 1n, 'a bigint', 'a number above 0, at most 1'],
    ['compression.preserve', 1.5, '1.5', 'a number from 0 to 1'],
    ['compression.preserve', { tokens: 5 }, 'an object', 'a number from 0 to 1'],
    ['compression.topPreserve', [0.2], 'a list', 'a number from 0 to 1'],
    ['compression.density.fileDedupe', 'true', "'true'", 'true or false'],
    ['compression.density.fileDedupe', () => true, 'a function', 'true or false'],
    ['compression.density.recencyRetention', Infinity, 'Infinity', 'a finite number'],
    ['compression.density.recencyRetention', Symbol('3'), 'a symbol', 'a finite number'],
  ];

  test.each(cases)('%s %o', (key, value, found, expected) => {
    for (const [layers, layer] of [
      [[{ [key]: value }], 'layer 0 (ephemeral)'],
      [[{ strategy: 'auto' }, { [key]: value }], 'layer 1 (profile)'],
      [[undefined, {}, { [key]: value }], 'layer 2 (persistent)'],
    ] as const) {
      const error = thrownBy(() => resolveSettings(wrong(...layers)));
      expect(error).toMatchObject({ code: 'invalid-setting', key });
      expect(error.message).toContain(`setting ${key}: found ${found} in ${layer}, expected ${expected}`);
    }
  });

  test('also under an alias, and where an earlier layer overrides it', () => {
    for (const value of [2, NaN]) {
      const layers = wrong({ 'compression.threshold': 0.5 }, { 'compression-threshold': value });
      const error = thrownBy(() => resolveSettings(layers));
      expect(error).toMatchObject({ code: 'invalid-setting', key: 'compression.threshold' });
      expect(error.message).toContain(`compression.threshold (here compression-threshold): found ${value} in layer 1`);
    }
  });

  test('two names of one setting that disagree', () => {
    const layer = { 'compression.threshold': 0.5, contextPercentageThreshold: 0.6 };
    expect(thrownBy(() => resolveSettings([layer])).message).toContain('both name one setting');
  });

  test.each([
    ['compression.treshold', 'compression.threshold'],
    ['compression.density.fileDedup', 'compression.density.fileDedupe'],
    ['topPreserve', 'compression.topPreserve'],
    ['stratgy', 'compression.strategy'],
    ['strategy\ud800', 'compression.strategy'],
  ])('the unknown key %s, with the nearest', (key, nearest) => {
    for (const value of [1, NaN, null]) {
      const error = thrownBy(() => resolveSettings(wrong({}, { [key]: value })));
      const shown = key.replace('\ud800', '\ufffd');
      expect(error).toMatchObject({ code: 'invalid-setting', key: shown });
      expect(error.message).toBe(
        `setting ${shown}: found an unknown key in layer 1 (profile), the nearest is ${nearest}`,
      );
    }
  });

  test('names of Object are unknown keys like others', () => {
    for (const text of ['{"__proto__": 1}', '{"constructor": 1}', '{"toString": null}'])
      expect(thrownBy(() => resolveSettings(wrong(JSON.parse(text)))).code).toBe('invalid-setting');
  });

  test.each([null, 5, 'auto', [], () => ({})])('a layer that is none: %s', (layer) => {
    const error = thrownBy(() => resolveSettings(wrong({}, layer)));
    expect(error.code).toBe('invalid-setting');
    expect(error.message).toContain('layer 1');
  });

  test('layers that are no list', () => {
    for (const layers of [undefined, null, {}, 'auto'])
      expect(thrownBy(() => resolveSettings(layers as unknown as SettingsLayer[])).code).toBe('invalid-setting');
  });

  test('a layer that throws', () => {
    const layer = {
      get strategy(): never {
        throw new Error('no');
      },
    };
    expect(thrownBy(() => resolveSettings([layer])).code).toBe('invalid-setting');
  });
});

describe('options of what is in force', () => {
  const history = [human('Fix it.'), ...read('1', 'a.ts'), ...write('2', 'a.ts'), ai('Done.')];

  test('every setting arrives', () => {
    const values: Settings = {
      'compression.strategy': 'auto',
      'compression.profile': 'flash',
      'compression.threshold': 0.5,
      'compression.preserve': 0.25,
      'compression.topPreserve': 0.1,
      'compression.density.readWritePruning': false,
      'compression.density.fileDedupe': false,
      'compression.density.recencyPruning': true,
      'compression.density.recencyRetention': 7,
      'compression.preset': 'seed',
      'compression.flush': 'never',
      'compression.intake': true,
      'compression.recall': true,
    };
    expect(Object.keys(values)).toEqual(settings.map(({ key }) => key));
    const recall = createRecall({ secret: 's'.repeat(32) });
    const options = conversationOptions(values, { recall });
    const { optimize: density, summary, ...rest } = options;
    const { rules, ...others } = density;
    const flat: Record<string, unknown> = { ...rest, ...others, ...rules, ...summary };
    const expected = Object.entries(values).map(([key, value]) => [key.slice(key.lastIndexOf('.') + 1), value]);
    expect(flat).toEqual({ ...Object.fromEntries(expected), recall });
    expect(conversationOptions({ ...values, 'compression.recall': false }, { recall })).not.toHaveProperty('recall');
  });

  test('recall that is on needs a store', () => {
    const resolved = resolveSettings([{ 'compression.recall': true }]);
    expect(thrownBy(() => conversationOptions(resolved))).toMatchObject({
      code: 'invalid-setting',
      key: 'compression.recall',
      message: expect.stringContaining('conversationOptions(settings, { recall })') as string,
    });
  });

  test('without a preset the density rules are in force, with another one its own', () => {
    expect(conversationOptions(resolveSettings([])).optimize.preset).toBe('seed');
    const { optimize: rules } = conversationOptions(resolveSettings([{ 'compression.preset': 'balanced' }]));
    expect(rules).toEqual({ preset: 'balanced' });
  });

  test('createConversation takes them', () => {
    const resolved = resolveSettings([{ 'compression.strategy': 'auto', 'compression.threshold': 0.5 }]);
    const conversation = createConversation({ ...conversationOptions(resolved), contextLimit: 1000 });
    expect(conversation.tokens).toMatchObject({ limit: 1000, threshold: 500, target: 300 });
    const unset = conversationOptions(resolveSettings([]));
    const other = createConversation({ ...unset, contextLimit: 1000 });
    expect(other.tokens.threshold).toBe(
      strategies.find(({ name }) => name === 'middle-out')!.trigger.defaultThreshold * 1000,
    );
    conversation.dispose();
    other.dispose();
  });

  test('so do optimize, createOptimizer and compress', () => {
    const on = conversationOptions(resolveSettings([]));
    const off = conversationOptions(resolveSettings([{ 'compression.density.readWritePruning': false }]));
    expect(optimize(history, on.optimize).messages).toEqual(optimize(history, { preset: 'seed' }).messages);
    expect(optimize(history, on.optimize).changed).toBe(true);
    expect(optimize(history, off.optimize).changed).toBe(false);
    const optimizer = createOptimizer<(typeof history)[number]>(off.optimize);
    expect(optimizer.optimize(history).changed).toBe(false);
    optimizer.dispose();
    const { threshold, preserve } = on;
    const budget = { strategy: 'high-density', contextLimit: 20 } as const;
    expect(compress(history, { ...budget, threshold, preserve }).messages).toEqual(compress(history, budget).messages);
  });
});
