import type { Sdk } from './sdks.js';
import { codeLiteral } from './text.js';
import { DEFAULTS, type Settings } from './settings.js';

const literal = (value: unknown): string =>
  typeof value === 'number' && value >= 10_000
    ? String(value).replace(/\B(?=(\d{3})+$)/g, '_')
    : typeof value === 'string'
      ? `'${value}'`
      : String(value);

function object(entries: readonly (readonly [string, string])[]): string {
  return entries.length === 0 ? '' : `{ ${entries.map(([key, value]) => `${key}: ${value}`).join(', ')} }`;
}

/** The options of the rules that differ from the package's defaults. */
function ruleOptions(settings: Settings, workspaceRoot: string): string {
  const { flush, flushTokens, preset } = settings;
  const keys =
    preset === 'seed' ? (['readWritePruning', 'fileDedupe', 'recencyPruning'] as const) : (['preset'] as const);
  const entries: [string, string][] = keys
    .filter((key) => settings[key] !== DEFAULTS[key])
    .map((key) => [key, literal(settings[key])]);
  if (preset === 'seed' && settings.recencyPruning && settings.recencyRetention !== DEFAULTS.recencyRetention)
    entries.push(['recencyRetention', literal(settings.recencyRetention)]);
  if (flush === 'never') entries.push(['flush', "'never'"]);
  if (flush === 'tokens') entries.push(['flush', `{ tokens: ${literal(flushTokens)} }`]);
  if (settings.counting !== 'estimate') entries.push(['countTokens', 'tokenizer.count']);
  if (workspaceRoot !== '/') entries.push(['workspaceRoot', codeLiteral(workspaceRoot)]);
  return object(entries);
}

/** Code that does with the package what the playground shows. */
export function snippet(settings: Settings, workspaceRoot = '/', entry: Sdk = 'densify'): string {
  const { strategy, contextLimit, threshold, preserve } = settings;
  const [tokens, load] =
    settings.counting === 'estimate'
      ? ['', '']
      : [
          "import { loadTokenizer } from 'densify/tokens';\n",
          `const tokenizer = await loadTokenizer('${settings.counting}');\n`,
        ];
  const head = `import { createOptimizer } from '${entry}';\n${tokens}\n${load}const optimizer = createOptimizer(${ruleOptions(settings, workspaceRoot)});\n\n// before every call of the model\n`;
  if (strategy === 'optimize') return `${head}const { messages } = optimizer.optimize(history);\n`;
  const entries: [string, string][] = [
    ['strategy', literal(strategy)],
    ['contextLimit', literal(contextLimit)],
  ];
  if (threshold !== DEFAULTS.threshold) entries.push(['threshold', literal(threshold)]);
  if (preserve !== DEFAULTS.preserve) entries.push(['preserve', literal(preserve)]);
  return `${head}let { messages, tokensAfter } = optimizer.optimize(history);
if (tokensAfter >= ${literal(threshold)} * ${literal(contextLimit)}) {
  ({ messages } = optimizer.compress(${object(entries)}));
}
`;
}
