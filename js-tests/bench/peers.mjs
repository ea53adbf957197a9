/**
 * What people would install to keep a history small, turn by turn over one session, against the handle over the same
 * messages. None of them does just what densify does, so no bar is set: they cut results by age, or whole messages until
 * the rest fits, and each looks at the whole history in every turn.
 *
 * @import {Content} from './model.mjs'
 * @import {Context, Row} from './cases.mjs'
 */
import { ratioRow } from './cases.mjs';
import { session } from './histories.mjs';
import { interleaveAsync } from './measure.mjs';
import { pushEachTurn } from './session-drivers.mjs';

/** Types of the peers are no concern of ours. @param {string} name @returns {Promise<any>} */
const load = (name) => import(name);

const LIMIT = 100_000;
/** Results that the rules by age keep, on both sides. */
const KEPT = 20;

/** @param {unknown} value */
const textOf = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** @param {Content} content @returns {any[]} */
function toAiSdk({ speaker, blocks }) {
  const parts = blocks.map((block) => {
    if (block.type === 'tool_call')
      return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.parameters };
    if (block.type === 'tool_response') {
      const output = { type: block.error ? 'error-text' : 'text', value: textOf(block.result) };
      return { type: 'tool-result', toolCallId: block.callId, toolName: block.toolName, output };
    }
    if (block.type === 'thinking') return { type: 'reasoning', text: block.thought };
    if (block.type === 'media') return { type: 'file', mediaType: block.mimeType, data: block.data };
    return { type: 'text', text: block.text ?? block.code };
  });
  return [{ role: { human: 'user', ai: 'assistant', tool: 'tool' }[speaker], content: parts }];
}

/** @param {any} classes @returns {(content: Content) => any[]} */
const toLangChain =
  ({ AIMessage, HumanMessage, ToolMessage }) =>
  ({ speaker, blocks }) => {
    const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    if (speaker === 'human') return [new HumanMessage(text)];
    if (speaker === 'ai') {
      const calls = blocks.filter(({ type }) => type === 'tool_call');
      return [
        new AIMessage({
          content: text,
          tool_calls: calls.map(({ id, name, parameters }) => ({ id, name, args: parameters, type: 'tool_call' })),
        }),
      ];
    }
    return blocks
      .filter(({ type }) => type === 'tool_response')
      .map(
        ({ callId, toolName, result }) =>
          new ToolMessage({ content: textOf(result), tool_call_id: callId, name: toolName }),
      );
  };

/**
 * Every turn the whole history so far goes through a function; what it gives is what the model would be sent.
 * @param {(history: any[]) => any} shrink
 */
const wholeEachTurn = (shrink) => async (/** @type {any[][]} */ turns) => {
  const history = [];
  let sent = 0;
  for (const entries of turns) {
    history.push(...entries);
    sent = (await shrink(history)).length;
  }
  return sent;
};

/** @param {any} entry @param {any} options */
const conversationEachTurn = (entry, options) => (/** @type {any[][]} */ turns) => {
  const conversation = entry.createConversation(options);
  let sent = 0;
  for (const entries of turns) {
    conversation.add(...entries);
    sent = conversation.beforeSend().messages.length;
  }
  conversation.dispose();
  return sent;
};

/**
 * @param {Context} context
 * @returns {Promise<Row[]>}
 */
export async function peers({ quick, note }) {
  const turns = session({ turns: quick ? 50 : 200, seed: 77 });
  const name = `session of ${turns.length} turns, in the peers' own messages`;
  const [ai, core, langchain] = await Promise.all([load('ai7'), load('@langchain/core/messages'), load('langchain')]);
  const [ours, oursOfChain] = await Promise.all([load('densify/ai-sdk'), load('densify/langchain')]);
  const rules = { preset: 'seed', rules: { recencyPruning: true, recencyRetention: KEPT }, model: 'claude-3-5-haiku' };
  const count = langchain.countTokensApproximately;
  const clear = new langchain.ClearToolUsesEdit({ trigger: [{ tokens: 1 }], keep: { messages: KEPT } });
  const cleared = async (/** @type {any[]} */ history) => {
    const messages = [...history];
    await clear.apply({ messages, model: undefined, countTokens: count });
    return messages;
  };
  const pairs = [
    {
      peer: '`ai` pruneMessages',
      own: 'densify/ai-sdk createOptimizer',
      messages: () => turns.map((turn) => turn.flatMap(toAiSdk)),
      theirs: wholeEachTurn((messages) =>
        ai.pruneMessages({ messages, toolCalls: `before-last-${2 * KEPT}-messages` }),
      ),
      mine: pushEachTurn(ours.createOptimizer, rules, { messages: true }),
    },
    {
      peer: '`langchain` ClearToolUsesEdit',
      own: 'densify/langchain createOptimizer',
      messages: () => turns.map((turn) => turn.flatMap(toLangChain(core))),
      theirs: wholeEachTurn(cleared),
      mine: pushEachTurn(oursOfChain.createOptimizer, rules, { messages: true }),
    },
    {
      peer: '`@langchain/core` trimMessages',
      own: 'densify/langchain createConversation',
      messages: () => turns.map((turn) => turn.flatMap(toLangChain(core))),
      theirs: wholeEachTurn((messages) =>
        core.trimMessages(messages, { maxTokens: LIMIT, tokenCounter: count, strategy: 'last', startOn: 'human' }),
      ),
      mine: conversationEachTurn(oursOfChain, {
        strategy: 'top-down-truncation',
        contextLimit: LIMIT,
        optimize: { preset: 'seed' },
      }),
    },
  ];
  /** @type {Row[]} */
  const rows = [];
  for (const { peer, own, messages, theirs, mine } of pairs) {
    note(`${name}: ${peer}`);
    const timings = await interleaveAsync(
      [
        { name: 'peer', prepare: messages, run: theirs },
        { name: 'densify', prepare: messages, run: (/** @type {any} */ all) => lengthOf(mine(all)) },
      ],
      { rounds: quick ? 3 : 5, warmUps: 1 },
    );
    const [slow, fast] = timings.values();
    const row = ratioRow(name, `${peer} : ${own}`, slow, fast);
    rows.push({
      ...row,
      chart: `${peer.replaceAll('`', '')}, turn by turn`,
      detail: `${row.detail}; ${slow.last} : ${fast.last} messages sent at the end`,
    });
  }
  return rows;
}

/** @param {number | readonly unknown[]} sent */
const lengthOf = (sent) => (typeof sent === 'number' ? sent : sent.length);
