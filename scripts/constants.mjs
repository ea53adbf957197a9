// Writes down what the modules say of themselves once and for all, so that the package can say it
// without an instance: node scripts/constants.mjs FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);

async function instance(glueFile, wasm) {
  const { createGlue } = await import(pathToFileURL(resolve(folder, glueFile)).href);
  const glue = createGlue();
  glue.initSync({ module: new WebAssembly.Module(readFileSync(join(folder, wasm))) });
  return glue;
}

/** A value as code that freezes it, and that a bundler may leave out. */
function frozen(value) {
  if (typeof value !== 'object') return JSON.stringify(value);
  const code = Array.isArray(value)
    ? `[${value.map(frozen).join()}]`
    : `{${Object.entries(value)
        .map(([key, one]) => `${JSON.stringify(key)}:${frozen(one)}`)
        .join()}}`;
  return `/*#__PURE__*/Object.freeze(${code})`;
}

/** Writes constants, of which each has its JSON and its type, which comes from the types of the same module. */
function write(file, head, constants) {
  const values = Object.entries(constants).map(
    ([name, [json]]) => `export const ${name} = ${frozen(JSON.parse(json))};\n`,
  );
  const declared = Object.entries(constants).map(
    ([name, [, type, doc]]) => `${doc ? `/** ${doc} */\n` : ''}export declare const ${name}: ${type};\n`,
  );
  writeFileSync(join(folder, `${file}.js`), values.join(''));
  writeFileSync(join(folder, `${file}.d.ts`), head + declared.join(''));
}

/** The type of a setting's value. */
const typeOf = ({ type }) => (type === 'enum' ? 'StrategyName' : type);

/** The types that follow from the registry: the resolved settings, and the other names of their keys. */
function settingTypes(registry) {
  const members = registry.map((setting) => {
    const { key, description, noDefaultFor = [] } = setting;
    const value = 'default' in setting ? JSON.stringify(setting.default) : 'none';
    const except = noDefaultFor.map((name) => `, for '${name}' none`).join('');
    const isOptional = !('default' in setting) || noDefaultFor.length > 0;
    const type = isOptional ? `?: ${typeOf(setting)} | undefined` : `: ${typeOf(setting)}`;
    return `    /**\n     * ${description}.\n     *\n     * @default ${value}${except}\n     */\n    readonly '${key}'${type};\n`;
  });
  const aliases = registry.flatMap(({ key, aliases }) =>
    aliases.map((alias) => `    readonly '${alias}': '${key}';\n`),
  );
  return `import type { StrategyName } from './densify.js';

/** The settings that are in force, as \`resolveSettings\` gives them. */
export interface Settings {
${members.join('')}}

/** The other names under which a layer may have a setting. */
export interface SettingAliases {
${aliases.join('')}}

/** What is set in one place: any of the settings, under any of their names. */
export type SettingsLayer = {
    readonly [Key in keyof Settings]?: Settings[Key] | undefined;
} & {
    readonly [Alias in keyof SettingAliases]?: Settings[SettingAliases[Alias]] | undefined;
};

/** What there is to know of a setting. */
export type SettingInfo = {
    /** Its name. */
    readonly key: keyof Settings;
    /** Where an agent's settings have it. */
    readonly category: 'cli-behavior';
    /** What it does, in a sentence. */
    readonly description: string;
    /** What to type, where that doesn't speak for itself. */
    readonly hint?: string;
    /** Whether it is saved with a profile. */
    readonly persistToProfile: boolean;
    /** Other names of the same setting. */
    readonly aliases: readonly (keyof SettingAliases)[];
} & (
    | { readonly type: 'enum'; readonly enumValues: readonly StrategyName[]; readonly default: StrategyName }
    | { readonly type: 'string'; readonly default?: string }
    | { readonly type: 'boolean'; readonly default: boolean }
    | {
          readonly type: 'number';
          readonly default?: number;
          /** Strategies that have a default of their own in place of this one. */
          readonly noDefaultFor?: readonly StrategyName[];
          /** Where the number must lie; \`minExcluded\`: above \`min\`. */
          readonly range?: { readonly min: number; readonly minExcluded: boolean; readonly max: number };
      }
);

`;
}

const core = await instance('glue.js', 'core.wasm');
write('constants', "import type { ErrorCode, StrategyInfo } from './densify.js';\n", {
  strategies: [core.strategies(), 'readonly StrategyInfo[]'],
  errorCodes: [core.errorCodes(), 'readonly ErrorCode[]'],
  keyParameters: [core.keyParameters(), 'readonly string[]'],
});

const summary = await instance('summary-glue.js', 'summary.wasm');
const settings = summary.settings();
write('summary-constants', settingTypes(JSON.parse(settings)), {
  summaryStreamVersion: [summary.streamVersion(), 'number'],
  settings: [
    settings,
    'readonly SettingInfo[]',
    'The registry of settings, for a command or a dialog: each default stands here.',
  ],
});
