import type { Sdk } from './sdks.js';
import { DEFAULTS, isConversed, type Settings } from './settings.js';
import { codeLiteral } from './text.js';

const literal = (value: unknown): string =>
  typeof value === 'number' && value >= 10_000
    ? String(value).replace(/\B(?=(\d{3})+$)/g, '_')
    : typeof value === 'string'
      ? `'${value}'`
      : String(value);

function object(entries: readonly (readonly [string, string])[]): string {
  return entries.length === 0
    ? ''
    : `{ ${entries.map(([key, value]) => (value === '' ? key : `${key}: ${value}`)).join(', ')} }`;
}

type Entries = [key: string, value: string][];

/** The options of the rules that differ from the package's defaults. */
function ruleOptions(settings: Settings): Entries {
  const { flush, flushTokens, preset } = settings;
  const switches = preset === 'seed' ? (['readWritePruning', 'fileDedupe', 'recencyPruning'] as const) : [];
  const entries: Entries = preset === DEFAULTS.preset ? [] : [['preset', literal(preset)]];
  const rules: Entries = switches
    .filter((key) => settings[key] !== DEFAULTS[key])
    .map((key) => [key, literal(settings[key])]);
  if (preset === 'seed' && settings.recencyPruning && settings.recencyRetention !== DEFAULTS.recencyRetention)
    rules.push(['recencyRetention', literal(settings.recencyRetention)]);
  if (rules.length > 0) entries.push(['rules', object(rules)]);
  if (flush === 'tokens') entries.push(['flush', `{ tokens: ${literal(flushTokens)} }`]);
  else if (flush !== (preset === 'seed' ? 'always' : DEFAULTS.flush)) entries.push(['flush', literal(flush)]);
  if (
    flush === 'when-it-pays' &&
    (settings.priceCached !== DEFAULTS.priceCached || settings.priceUncached !== DEFAULTS.priceUncached)
  )
    entries.push(['prices', `{ cached: ${settings.priceCached}, uncached: ${settings.priceUncached} }`]);
  return entries;
}

/** The options of `optimize`. */
const readingOptions = (settings: Settings, workspaceRoot: string): Entries => [
  ...ruleOptions(settings),
  ...(workspaceRoot === '/' ? [] : [['workspaceRoot', codeLiteral(workspaceRoot)] as [string, string]]),
];

const countOptions = ({ counting }: Settings): Entries =>
  counting === 'estimate' ? [] : [['countTokens', 'tokenizer.count']];

function windowOptions({ strategy, contextLimit, threshold, preserve }: Settings): Entries {
  const entries: Entries = [
    ['strategy', literal(strategy)],
    ['contextLimit', literal(contextLimit)],
  ];
  if (threshold !== DEFAULTS.threshold) entries.push(['threshold', literal(threshold)]);
  if (preserve !== DEFAULTS.preserve) entries.push(['preserve', literal(preserve)]);
  return entries;
}

const SUMMARIZE = `const step = await conversation.prepare({
  summarize: async ({ messages }) => ask(messages), // your model's answer, as a text
  fallback: 'digest', // a summary by rules, if the model makes none
});`;

/** Code around a conversation, which decides by itself what to do. */
function conversed(settings: Settings, workspaceRoot: string, entry: Sdk, [imports, load]: readonly string[]): string {
  const optimize = readingOptions(settings, workspaceRoot);
  const options = object([
    ...windowOptions(settings),
    ...countOptions(settings),
    ...(optimize.length > 0 ? [['optimize', object(optimize)] as [string, string]] : []),
    ...(settings.recall ? [['recall', ''] as [string, string]] : []),
  ]);
  const recall = settings.recall
    ? [
        "import { createRecall } from 'densify/recall';\n",
        'const recall = createRecall({ secret: crypto.randomUUID() });\n',
      ]
    : ['', ''];
  return `import { createConversation } from '${entry}';
${recall[0]}${imports}
${load}${recall[1]}const conversation = createConversation(${options});

// before every model call
conversation.addAll(history.slice(conversation.raw.length));
${settings.strategy === 'auto' ? SUMMARIZE : 'const step = conversation.beforeSend();'}
const { messages } = step.kind === 'ready' ? step : conversation;
`;
}

/** Code that repeats the playground's result with the package. */
export function snippet(settings: Settings, workspaceRoot = '/', entry: Sdk = 'densify'): string {
  const { strategy, contextLimit, threshold, counting } = settings;
  const tokens =
    counting === 'estimate'
      ? (['', ''] as const)
      : ([
          "import { loadTokenizer } from 'densify/tokens';\n",
          `const tokenizer = await loadTokenizer('${counting}');\n`,
        ] as const);
  if (isConversed(settings)) return conversed(settings, workspaceRoot, entry, tokens);
  const options = object([...readingOptions(settings, workspaceRoot), ...countOptions(settings)]);
  const head = `import { createOptimizer } from '${entry}';
${tokens[0]}
${tokens[1]}const optimizer = createOptimizer(${options});

// before every model call
`;
  if (strategy === 'optimize') return `${head}const { messages } = optimizer.optimize(history);\n`;
  return `${head}let { messages, tokensAfter } = optimizer.optimize(history);
if (tokensAfter >= ${literal(threshold)} * ${literal(contextLimit)}) {
  ({ messages } = optimizer.compress(${object(windowOptions(settings))}));
}
`;
}
