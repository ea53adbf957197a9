/**
 * Prints, as JSON, the milliseconds of a session in one format, round by round, in a process that has met no other: so
 * does an application that speaks to one provider. `node --expose-gc adapters-one.mjs FORMAT TURNS ROUNDS`.
 *
 * @import {Content} from './model.mjs'
 */
import { RULES } from './cases.mjs';
import { session } from './histories.mjs';
import { pushEachTurn } from './session-drivers.mjs';

const [format = 'neutral', turns = '500', rounds = '5'] = process.argv.slice(2);

/** @param {unknown} result */
const textOf = (result) => (typeof result === 'string' ? result : (JSON.stringify(result) ?? ''));

/** @param {Content} content */
function toAnthropic({ speaker, blocks }) {
  const content = blocks.map((/** @type {any} */ block) => {
    switch (block.type) {
      case 'tool_call':
        return { type: 'tool_use', id: block.id, name: block.name, input: block.parameters };
      case 'tool_response':
        return {
          type: 'tool_result',
          tool_use_id: block.callId,
          content: textOf(block.result),
          is_error: Boolean(block.error),
        };
      case 'thinking':
        return { type: 'thinking', thinking: block.thought, signature: block.signature };
      case 'media':
        return { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } };
      default:
        return { type: 'text', text: block.text ?? block.code };
    }
  });
  return [{ role: speaker === 'ai' ? 'assistant' : 'user', content }];
}

/** @param {Content} content */
function toOpenAI({ speaker, blocks }) {
  /** @type {any[]} */
  const all = [...blocks];
  if (speaker === 'tool') {
    return all
      .filter(({ type }) => type === 'tool_response')
      .map(({ callId, result }) => ({ role: 'tool', tool_call_id: callId, content: textOf(result) }));
  }
  const text = all.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const calls = all
    .filter(({ type }) => type === 'tool_call')
    .map(({ id, name, parameters }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(parameters) },
    }));
  return [
    {
      role: speaker === 'ai' ? 'assistant' : 'user',
      content: text,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ];
}

/** @type {Record<string, {entry: string, translate: (content: Content) => object[], options: object}>} */
const FORMATS = {
  neutral: { entry: 'densify', translate: (content) => [content], options: {} },
  anthropic: { entry: 'densify/anthropic', translate: toAnthropic, options: { generation: 'no-thinking' } },
  openai: { entry: 'densify/openai', translate: toOpenAI, options: {} },
};

const { entry, translate, options } = /** @type {(typeof FORMATS)[string]} */ (FORMATS[format]);
const { createOptimizer } = await import(entry);
const neutral = session({ turns: Number(turns), seed: 2_026 });
// Results as texts on both sides: that is what the formats have.
for (const block of /** @type {any[]} */ (neutral.flat().flatMap(({ blocks }) => blocks))) {
  if (block.type === 'tool_response') block.result = textOf(block.result);
}
const translated = neutral.map((turn) => turn.flatMap(translate));
const run = pushEachTurn(createOptimizer, { ...RULES, ...options }, {});
const times = [];
for (let round = -12; round < Number(rounds); round += 1) {
  const input = structuredClone(translated);
  globalThis.gc?.();
  const start = performance.now();
  run(/** @type {any} */ (input));
  if (round >= 0) times.push(performance.now() - start);
}
console.log(JSON.stringify(times));
