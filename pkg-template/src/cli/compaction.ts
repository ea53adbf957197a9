/** How an agent's own compaction and densify work together, by what the agent's settings say. */
import { type Bag, bag, jsonIn } from './agents/agent.js';
import { claudeFolder, claudeVariables } from './agents/claude.js';
import { codexSettings } from './agents/codex.js';
import { geminiSettings } from './agents/gemini.js';
import { opencodeSettings } from './agents/opencode.js';
import { piFolder } from './agents/pi.js';
import { type Environment, joined } from './host.js';

const LATER = 'it summarises a long session later, because it counts the packed history';
const OFF = 'its own summaries are off: densify packs, but a session can still outgrow the window';

const isOn = (value: unknown): boolean => /^(?:1|true|yes|on)$/i.test(String(value));

/** One phrase for each agent; nothing for an unknown one. */
export function compactionOf(name: string, env: Environment): string | undefined {
  return PHRASES[name]?.(env);
}

const PHRASES: Readonly<Record<string, (env: Environment) => string>> = {
  claude(env) {
    const { autoCompactEnabled } = jsonIn(joined(claudeFolder(env), 'settings.json'));
    const variables = { ...env, ...claudeVariables(env) } as Bag;
    const isOff = isOn(variables.DISABLE_AUTO_COMPACT) || isOn(variables.DISABLE_COMPACT);
    return autoCompactEnabled === false || isOff ? OFF : LATER;
  },
  codex(env) {
    const limit = codexSettings(env)?.model_auto_compact_token_limit;
    const isNumber = typeof limit === 'number' || typeof limit === 'bigint';
    return isNumber ? `it summarises a long session at ${limit} tokens of the packed history, so later` : LATER;
  },
  gemini() {
    const { compressionThreshold } = bag(geminiSettings().model);
    const at = typeof compressionThreshold === 'number' ? `at ${compressionThreshold * 100}% of the window` : 'later';
    return `it clears old tool output itself and densify packs the rest; it summarises ${at}, by the packed size`;
  },
  opencode(env) {
    const { auto, prune } = bag(opencodeSettings(env).compaction);
    if (auto === false || isOn(env.OPENCODE_DISABLE_AUTOCOMPACT)) return OFF;
    const pruned = prune === true ? '; it also clears old tool output itself' : '';
    return `${LATER}, and gets facts that densify found${pruned}`;
  },
  pi(env) {
    const { enabled } = bag(jsonIn(joined(piFolder(env), 'settings.json')).compaction);
    return enabled === false ? OFF : LATER;
  },
};
