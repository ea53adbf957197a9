/**
 * What a provider's format costs beside the neutral one: the same sessions through the handle, turn by turn.
 *
 * @import {Content} from './model.mjs'
 */
import { RULES, ratioRow } from './cases.mjs';
import { session } from './histories.mjs';
import { interleave } from './measure.mjs';
import { pushEachTurn } from './session-drivers.mjs';

/** The formats' entries; a stand-in has none. @param {string} name */
const entry = (name) => import(`densify/${name}`).catch(() => undefined);
const anthropic = await entry('anthropic');
const openai = await entry('openai');

/** The bar for formats whose calls hold objects, and for those whose calls hold JSON text. */
const OBJECTS = { most: 1.25 };
const TEXTS = { most: 2.5 };

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

/**
 * @param {import('./cases.mjs').Context} context
 * @returns {import('./cases.mjs').Row[]}
 */
export function adapters({ densify, quick, note }) {
  if (anthropic === undefined || openai === undefined) return [];
  const neutral = session({ turns: quick ? 500 : 2_000, seed: 2_026 });
  // Results as texts on both sides: that is what the formats have.
  for (const block of /** @type {any[]} */ (neutral.flat().flatMap(({ blocks }) => blocks))) {
    if (block.type === 'tool_response') block.result = textOf(block.result);
  }
  const name = `session of ${neutral.length} turns in a provider's format`;
  note(name);
  const known = { generation: 'no-thinking' };
  /** @param {any[][]} turns */
  const fresh = (turns) => (/** @type {boolean} */ warmingUp) =>
    structuredClone(warmingUp ? turns.slice(0, 250) : turns);
  /** @param {(content: Content) => object[]} translate */
  const translated = (translate) => neutral.map((turn) => turn.flatMap(translate));
  const timings = interleave(
    [
      { name: 'neutral', prepare: fresh(neutral), run: pushEachTurn(densify.createOptimizer, RULES, {}) },
      {
        name: 'anthropic',
        prepare: fresh(translated(toAnthropic)),
        run: pushEachTurn(anthropic.createOptimizer, { ...RULES, ...known }, {}),
      },
      {
        name: 'openai',
        prepare: fresh(translated(toOpenAI)),
        run: pushEachTurn(openai.createOptimizer, RULES, {}),
      },
    ],
    { rounds: quick ? 3 : 7, warmUps: 2 },
  );
  const [plain, native, texts] = timings.values();
  return [
    ratioRow(name, 'anthropic : neutral', native, plain, OBJECTS),
    ratioRow(name, 'openai (arguments are JSON text) : neutral', texts, plain, TEXTS),
  ];
}
