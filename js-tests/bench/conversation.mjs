/**
 * Summary requests and conversations: each against what anybody would pay anyway.
 *
 * @import {Content} from './model.mjs'
 * @import {Context, Row} from './cases.mjs'
 */
import { ratioRow } from './cases.mjs';
import { historyOf } from './histories.mjs';
import { interleave, median } from './measure.mjs';

/**
 * Building a request for 1,000 entries, against `JSON.stringify` of the same messages, and for several times as many.
 * @param {Context} context
 * @returns {Row[]}
 */
export function summaryRequests(context) {
  const name = 'summary request for 1,000 entries';
  const factor = context.quick ? 3 : 10;
  const entries = 1_000 * factor;
  return /** @type {const} */ (['transcript', 'append']).flatMap((mode) => {
    context.note(`${name}, ${mode}`);
    // The engine takes a dozen runs to compile both modules for good.
    const plan = {
      rounds: context.quick ? 7 : 21,
      warmUps: 14,
      needs: mode === 'transcript' ? (context.quick ? 8 : 14) : 6,
    };
    const [json, small, limit] = interleave(
      [stringifyContender(1_000, 1), requestContender(context.densify, mode, 1_000, 1), crossingContender(1_000)],
      plan,
    ).values();
    const [several, large] = interleave(
      [requestContender(context.densify, mode, 1_000, factor), requestContender(context.densify, mode, entries, 1)],
      { ...plan, warmUps: 2, needs: 2 },
    ).values();
    const perSmall = { ...several, median: several.median / factor, least: several.least / factor };
    return [
      ratioRow(name, `request : JSON.stringify (${mode})`, small, json, { most: 1.5 }),
      ratioRow(name, `every text as UTF-8, once : JSON.stringify (${mode})`, limit, json),
      ratioRow(name, `${entries.toLocaleString('en')} : 1,000 entries (${mode})`, large, perSmall, {
        most: 1.2 * factor,
      }),
    ];
  });
}

/**
 * @param {number} entries
 * @param {number} copies
 */
function fresh(entries, copies) {
  const history = historyOf({ entries, seed: 11 });
  return () => Array.from({ length: copies }, () => structuredClone(history));
}

/**
 * @param {number} entries
 * @param {number} copies
 */
function stringifyContender(entries, copies) {
  const run = (/** @type {Content[][]} */ histories) => histories.map((history) => JSON.stringify(history).length);
  return { name: 'JSON.stringify', prepare: fresh(entries, copies), run };
}

/**
 * The least work for a request with a fingerprint of its messages: arguments as JSON, and every text as bytes.
 * @param {number} entries
 */
function crossingContender(entries) {
  const room = new Uint8Array(1 << 16);
  const encoder = new TextEncoder();
  const bytesOf = (/** @type {any} */ { text, thought, parameters, result }) => {
    const payload = parameters ?? (typeof result?.output === 'string' ? result.output : result);
    const value = text ?? thought ?? payload ?? '';
    const whole = typeof value === 'string' ? value : JSON.stringify(value);
    let bytes = 0;
    for (let at = 0; at < whole.length; at += 16_384)
      bytes += encoder.encodeInto(whole.slice(at, at + 16_384), room).written;
    return bytes;
  };
  const run = (/** @type {Content[][]} */ histories) =>
    histories.map((history) =>
      history.reduce((sum, { blocks }) => blocks.reduce((all, one) => all + bytesOf(one), sum), 0),
    );
  return { name: 'texts', prepare: fresh(entries, 1), run };
}

/**
 * @param {any} densify
 * @param {'transcript' | 'append'} mode
 * @param {number} entries
 * @param {number} copies
 */
function requestContender({ requestSummary }, mode, entries, copies) {
  const options = { strategy: 'one-shot', mode, preserve: { messages: 0 } };
  const run = (/** @type {Content[][]} */ histories) =>
    histories.map((history) => {
      const request = requestSummary(closed(history, mode), options);
      if (request.kind !== 'request' || request.mode !== mode) throw new Error(`no request: ${request.reason}`);
      return request.messages.length;
    });
  return { name: `${entries} entries`, prepare: fresh(entries, copies), run };
}

/**
 * An `append` request is refused while calls are open; the generated histories leave some for late responses.
 * @param {Content[]} history
 * @param {'transcript' | 'append'} mode
 */
function closed(history, mode) {
  if (mode === 'transcript') return history;
  let { length } = history;
  while (length > 0 && history[length - 1].speaker !== 'human') length -= 1;
  return history.slice(0, length - 1);
}

/**
 * @param {Context} context
 * @param {number} entries
 * @param {string} strategy
 */
function conversationOf({ densify }, entries, strategy) {
  const conversation = densify.createConversation({
    strategy,
    contextLimit: 100_000_000,
    optimize: { preset: 'seed' },
  });
  for (const entry of historyOf({ entries, seed: 12 })) conversation.add(entry);
  conversation.beforeSend();
  return conversation;
}

/**
 * @param {Context} context
 * @returns {Row[]}
 */
export function conversations(context) {
  return [...idleRows(context), ...snapshotRows(context)];
}

/**
 * `beforeSend` with nothing to do: the history has its size, the call must not know it.
 * @param {Context} context
 * @returns {Row[]}
 */
function idleRows(context) {
  const calls = 1_000;
  return ['middle-out', 'auto'].map((strategy) => {
    context.note(`beforeSend with nothing to do, ${strategy}`);
    const contenders = [10_000, 100].map((entries) => {
      const conversation = conversationOf(context, entries, strategy);
      const run = () => {
        for (let call = 0; call < calls; call++) conversation.beforeSend();
      };
      return { name: `${entries} entries`, prepare: () => undefined, run };
    });
    const [large, small] = interleave(contenders, {
      rounds: context.quick ? 7 : 41,
      warmUps: context.quick ? 4 : 10,
    }).values();
    return ratioRow(
      `beforeSend with nothing to do, ${calls} times`,
      `10,000 : 100 entries (${strategy})`,
      large,
      small,
      {
        most: 2,
      },
    );
  });
}

/**
 * @param {Context} context
 * @returns {Row[]}
 */
function snapshotRows(context) {
  const name = 'snapshot of 10,000 entries';
  const { restoreConversation } = context.densify;
  return (context.quick ? ['high-density'] : ['middle-out', 'high-density']).flatMap((strategy) => {
    context.note(`${name}, ${strategy}`);
    const conversation = conversationOf(context, 10_000, strategy);
    const messages = JSON.stringify(conversation.raw);
    const stored = JSON.stringify(conversation.snapshot());
    const options = { strategy, contextLimit: 100_000_000 };
    const contender = {
      name: 'restore',
      prepare: () => ({ raw: JSON.parse(messages), snapshot: JSON.parse(stored) }),
      run: (/** @type {{raw: Content[], snapshot: any}} */ { raw, snapshot }) =>
        restoreConversation(snapshot, raw, options),
    };
    const { times, last } = /** @type {import('./measure.mjs').Timing<any>} */ (
      interleave([contender], { rounds: context.quick ? 9 : 31, warmUps: 4 }).get('restore')
    );
    const isSame = JSON.stringify(last.messages) === JSON.stringify(conversation.messages);
    const size = `${(stored.length / 1000).toFixed(0)} kB : ${(messages.length / 1000).toFixed(0)} kB`;
    return [
      {
        case: name,
        name: `restores (${strategy})`,
        value: isSame ? median(times) : NaN,
        unit: /** @type {const} */ ('ms'),
        bar: { most: 20 },
        detail: isSame ? `at least ${Math.min(...times).toFixed(1)} ms; all messages the same` : 'messages differ',
      },
      {
        case: name,
        name: `snapshot : messages, as JSON (${strategy})`,
        value: stored.length / messages.length,
        unit: /** @type {const} */ ('x'),
        bar: { most: 0.1 },
        detail: size,
      },
    ];
  });
}
