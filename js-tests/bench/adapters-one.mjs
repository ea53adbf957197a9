/**
 * Prints, as JSON, the milliseconds of a session in the neutral form and in formats, which take turns:
 * `node --expose-gc adapters-one.mjs '{"formats", "preset", "turns", "rounds", "warmUps", "rest"}'`. A process that meets
 * one format alone is what an application is that speaks to one provider.
 *
 * @import {Content} from './model.mjs'
 */
import { RULES } from './cases.mjs';
import { FORMATS } from './formats.mjs';
import { session } from './histories.mjs';
import { allow, interleave } from './measure.mjs';
import { pushEachTurn } from './session-drivers.mjs';

const { formats, preset, turns, rounds, warmUps, rest } = JSON.parse(process.argv[2] ?? '{}');

/** @param {unknown} result */
const textOf = (result) => (typeof result === 'string' ? result : (JSON.stringify(result) ?? ''));

const neutral = session({ turns, seed: 2_026 });
// Results as texts on both sides: that is what the formats have.
for (const block of /** @type {any[]} */ (neutral.flat().flatMap(({ blocks }) => blocks))) {
  if (block.type === 'tool_response') block.result = textOf(block.result);
}

/** @type {import('./formats.mjs').Spoken} */
const UNTRANSLATED = { entry: 'densify', options: {}, translate: (/** @type {Content[][]} */ given) => given };
const rules = preset === undefined ? RULES : { preset, workspaceRoot: RULES.workspaceRoot };

/** @param {string} name */
async function contender(name) {
  const { entry, options, translate } = FORMATS[name] ?? UNTRANSLATED;
  const { createOptimizer } = await import(entry);
  const translated = /** @type {Content[][]} */ (translate(neutral));
  const run = pushEachTurn(createOptimizer, { ...rules, ...options }, { messages: true });
  return { name, prepare: () => structuredClone(translated), run };
}

allow({ seconds: Infinity, rest });
const contenders = [];
for (const name of ['neutral', ...formats]) contenders.push(await contender(name));
const timings = interleave(contenders, { rounds, warmUps });
console.log(JSON.stringify([...timings.values()].map(({ times }) => times)));
