// The types of settings as users meet them.
import { createConversation, type IContent, optimize, type StrategyName } from 'densify';
import {
  conversationOptions,
  parseSetting,
  resolveSettings,
  type SettingInfo,
  type Settings,
  type SettingsLayer,
  settings,
} from 'densify/host';
import { expectTypeOf, test } from 'vitest';

test('what is resolved has the types of the registry', () => {
  const resolved = resolveSettings([]);
  expectTypeOf(resolved).toEqualTypeOf<Settings>();
  expectTypeOf(resolved['compression.strategy']).toEqualTypeOf<StrategyName>();
  expectTypeOf(resolved['compression.threshold']).toEqualTypeOf<number | undefined>();
  expectTypeOf(resolved['compression.profile']).toEqualTypeOf<string | undefined>();
  expectTypeOf(resolved['compression.topPreserve']).toEqualTypeOf<number>();
  expectTypeOf(resolved['compression.density.fileDedupe']).toEqualTypeOf<boolean>();
  expectTypeOf(resolved['compression.density.recencyRetention']).toEqualTypeOf<number>();
  // @ts-expect-error read only
  resolved['compression.threshold'] = 1;
});

test('layers hold any of the settings under any of their names', () => {
  const layer: SettingsLayer = { 'compression.threshold': 0.5, strategy: 'auto', topPreserveThreshold: undefined };
  resolveSettings([layer, undefined, { 'compression-threshold': 0.5 }] as const);
  // @ts-expect-error a slip of the pen
  resolveSettings([{ 'compression.treshold': 0.5 }]);
  // @ts-expect-error no such strategy
  resolveSettings([{ 'compression.strategy': 'sandwich' }]);
  // @ts-expect-error not a number
  resolveSettings([{ 'compression-threshold': '0.5' }]);
  // @ts-expect-error null is not undefined
  resolveSettings([{ 'compression.profile': null }]);
  // @ts-expect-error layers are a list
  resolveSettings({ 'compression.threshold': 0.5 });
});

test('the registry tells by the type what else a setting has', () => {
  expectTypeOf(settings).toEqualTypeOf<readonly SettingInfo[]>();
  expectTypeOf<SettingInfo['key']>().toEqualTypeOf<keyof Settings>();
  for (const setting of settings) {
    if (setting.type === 'enum') expectTypeOf(setting.enumValues).toExtend<readonly string[]>();
    if (setting.type === 'boolean') expectTypeOf(setting.default).toEqualTypeOf<boolean | undefined>();
    if (setting.type === 'number') expectTypeOf(setting.default).toEqualTypeOf<number | undefined>();
  }
});

test('what a user types has the type of its setting', () => {
  const parsed = parseSetting('compression.threshold', '0.7');
  if (parsed.key === 'compression.threshold') expectTypeOf(parsed.value).toEqualTypeOf<number>();
  if (parsed.key === 'compression.strategy') expectTypeOf(parsed.value).toEqualTypeOf<StrategyName>();
});

test('a whole profile is a layer where other keys are ignored, and nowhere else', () => {
  interface Profile {
    readonly temperature: number;
    readonly chatCompression?: { readonly strategy: string };
  }
  const profile: Profile = { temperature: 0.5 };
  expectTypeOf(resolveSettings([profile], { ignoreUnknown: true })).toEqualTypeOf<Settings>();
  resolveSettings([{ compression: { strategy: 'auto' } }]);
  // @ts-expect-error no setting
  resolveSettings([{ temperature: 0.5 }]);
});

test('options of settings are options', () => {
  const options = conversationOptions(resolveSettings([]));
  createConversation<IContent>({ ...options, contextLimit: 1000 });
  optimize([] as IContent[], options.optimize);
  expectTypeOf(options.strategy).toEqualTypeOf<StrategyName>();
  expectTypeOf(options.threshold).toEqualTypeOf<number | undefined>();
  expectTypeOf(options).not.toBeAny();
});
