// Writes down what the core says of itself once and for all (constants.rs prints it), so that the package can
// say it without an instance: node scripts/constants.mjs JSON FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [source, folder] = process.argv.slice(2);

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

/** Writes constants, of which each has its value and its type. */
function write(file, head, constants) {
  const values = Object.entries(constants).map(([name, [value]]) => `export const ${name} = ${frozen(value)};\n`);
  const declared = Object.entries(constants).map(
    ([name, [, type, doc]]) => `${doc ? `/** ${doc} */\n` : ''}export declare const ${name}: ${type};\n`,
  );
  writeFileSync(join(folder, `${file}.js`), values.join(''));
  writeFileSync(join(folder, `${file}.d.ts`), head + declared.join(''));
}

/** The type of a setting's value. */
const typeOf = ({ key, type, enumValues }) => {
  if (key === 'compression.strategy') return 'StrategyName';
  return type === 'enum' ? enumValues.map((value) => `'${value}'`).join(' | ') : type;
};

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
    | { readonly type: 'enum'; readonly enumValues: readonly string[]; readonly default?: undefined }
    | { readonly type: 'string'; readonly default?: string }
    | { readonly type: 'boolean'; readonly default?: boolean }
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

const core = JSON.parse(readFileSync(source, 'utf8'));
write('constants', "import type { ErrorCode, StrategyInfo, StrategyName } from './densify.js';\n", {
  strategies: [
    core.strategies,
    'readonly StrategyInfo[]',
    'The strategies, for a command or a dialog: the name, the trigger and whether a model is needed, of each.',
  ],
  defaultStrategy: [core.defaultStrategy, 'StrategyName', 'The strategy of a conversation that names none.'],
  errorCodes: [core.errorCodes, 'readonly ErrorCode[]', 'The codes that errors of this package have: `error.code`.'],
  flushingPresets: [core.flushingPresets, 'readonly string[]', "The presets whose default for `flush` is 'always'."],
  keyParameters: [core.keyParameters, 'readonly string[]', 'The parameters that tell what a call was about, in order.'],
  tryingKeys: [
    core.tryingKeys,
    'readonly string[]',
    'The parameters, beside those that the documents name, by which a call may only show what it would do.',
  ],
  failureStatuses: [
    core.failureStatuses,
    'readonly string[]',
    'What a structured result has for a `status` where the call may have done nothing.',
  ],
  bracketedLimit: [
    core.bracketedLimit,
    'number',
    'Longest payload that can be a pointer or a summary line, in UTF-16 code units.',
  ],
  pointer: [core.pointer, 'string', 'Stands for a pruned result: the first of the texts of edits.'],
  longArgument: [core.longArgument, 'number', 'Strings of so many UTF-16 code units and more are long.'],
  writtenKeys: [
    core.writtenKeys,
    'readonly string[]',
    'Parameters of what a call puts into its file, of which a later result can show all.',
  ],
  ...Object.fromEntries(
    Object.entries(core.optionKeys).map(([verb, keys]) => [
      `${verb}Keys`,
      [keys, 'readonly string[]', `The keys of what the core reads of the options of \`${verb}\`.`],
    ]),
  ),
});
const { streamVersion, rules, leading, editKinds, editWords, steps, summaryEnds, ...numbers } = core.protocol;
const union = (names) => names.map((name) => `'${name}'`).join(' | ');
const members = (numbered) =>
  Object.entries(numbered)
    .map(([name, number]) => `readonly ${name}: ${number};`)
    .join(' ');
const DOCS = {
  SPEAKER: 'Numbers of the speakers.',
  KIND: 'Numbers of the kinds of blocks.',
  LEAF: "Numbers of a block's strings.",
  FLAG: 'Flags of units and blocks that an adapter sets.',
  CAPABILITY: 'What a provider demands beyond pairs; `Capabilities` in the core says what each means.',
};
const kinds = `/**
 * The action of an edit. It drops a message or a block, sets a payload to a text, cuts or replaces a span of a text, or
 * removes the line numbers in a span.
 */
export type EditKind = ${union(editKinds)};
/** Where an edit comes from. */
export type Rule = ${union(rules)};
/** What comes next in a conversation. */
export type StepName = ${union(steps)};
/** What came of a summary. */
export type SummaryEnd = ${union(summaryEnds)};
`;
write('protocol', kinds, {
  streamVersion: [streamVersion, 'number', 'The version of the stream; the core refuses any other.'],
  RULES: [rules, 'readonly Rule[]', 'The rules, in the order of their numbers.'],
  LEADING: [leading, 'readonly Rule[]', 'The rules whose edits may lead to others.'],
  EDIT_KINDS: [editKinds, 'readonly EditKind[]', 'The kinds of edits, in the order of their numbers.'],
  EDIT_WORDS: [editWords, 'readonly number[]', "So many words follow an edit's anchor, by the edit's kind."],
  STEPS: [steps, 'readonly StepName[]', 'What comes next in a conversation, in the order of the numbers.'],
  ENDS: [summaryEnds, 'readonly SummaryEnd[]', 'What can come of a summary, in the order of the numbers.'],
  ...Object.fromEntries(
    Object.entries(numbers).map(([name, numbered]) => [name, [numbered, `{ ${members(numbered)} }`, DOCS[name]]]),
  ),
});
write('summary-constants', settingTypes(core.settings), {
  settings: [
    core.settings,
    'readonly SettingInfo[]',
    'The registry of settings, for a command or a dialog: each default stands here.',
  ],
});
