/**
 * Real sessions with exact tokens at every turn, edits applied: a rescan that recounts its whole history after an edit, as
 * agents do that keep no counts by block, against the handle.
 *
 * @import {Content} from './model.mjs'
 * @import {Context, Row} from './cases.mjs'
 */
import { ratioRow } from './cases.mjs';
import { session } from './histories.mjs';
import { interleave } from './measure.mjs';
import { rescanOptimize } from './rescan.mjs';
import { counters, realContents } from './token-peers.mjs';
import { blockTokens } from './tokens.mjs';

/** Of a synthetic session, where there are no real ones. */
const TURNS = 150;
/** The fastest of npm, and the one that is installed most. */
const PEERS = ['ai-tokenizer', 'gpt-tokenizer'];

/** Tools of pi and Claude Code under the names that the baselines know, so that the same rules find the same reads and writes. */
const NAMES = new Map(
  Object.entries({
    read: 'read_file',
    Read: 'read_file',
    write: 'write_file',
    Write: 'write_file',
    edit: 'replace',
    Edit: 'replace',
    bash: 'run_shell_command',
    Bash: 'run_shell_command',
  }),
);

/** @param {Content} content @returns {Content} */
function renamed(content) {
  const blocks = content.blocks.map((block) => {
    const key = block.type === 'tool_call' ? 'name' : 'toolName';
    const name = NAMES.get(block[key]);
    return name === undefined ? block : { ...block, [key]: name };
  });
  return { ...content, blocks };
}

/** The entries of each turn: a request or a model's answer with all that follows it until the next. @param {readonly Content[]} contents */
function turnsOf(contents) {
  /** @type {Content[][]} */
  const turns = [];
  for (const content of contents) {
    if (content.speaker === 'ai' || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(content);
  }
  return turns;
}

/** The longest real sessions, or synthetic ones where there are none. @param {number} count */
async function sessions(count) {
  const histories = (await realContents(['pi', 'claude-code'])).map((contents) => turnsOf(contents.map(renamed)));
  if (histories.length === 0) return { origin: 'synthetic', turns: [session({ turns: TURNS, seed: 3 })] };
  const size = (/** @type {unknown} */ turns) => JSON.stringify(turns).length;
  const longest = histories.toSorted((a, b) => b.length - a.length || size(b) - size(a)).slice(0, count);
  return { origin: 'real', turns: longest };
}

/**
 * What a block of a log costs, as densify sees it: `error` is the reader's mark of a failed call, which no model
 * gets beside the result, and of media nobody counts texts.
 * @param {any} densify
 * @param {(text: string) => number} count
 */
function tokensOfBlock({ estimateTokens }, count) {
  return (/** @type {any} */ block) => {
    if (block.type === 'media') return estimateTokens([{ speaker: 'human', blocks: [block] }]);
    return blockTokens(block.type === 'tool_response' ? { ...block, error: undefined } : block, count);
  };
}

/**
 * New entries are counted as they come; an edit makes all of it be counted again.
 * @param {any} options
 * @param {(block: any) => number} tokens
 */
function recountAfterEdits(options, tokens) {
  const entryTokens = (/** @type {Content} */ { blocks }) => blocks.reduce((sum, block) => sum + tokens(block), 0);
  const tokensOf = (/** @type {readonly Content[]} */ contents) =>
    contents.reduce((sum, content) => sum + entryTokens(content), 0);
  return (/** @type {Content[][]} */ turns) => {
    /** @type {Content[]} */
    let history = [];
    let total = 0;
    const seen = [];
    for (const entries of turns) {
      history.push(...entries);
      const { messages, changed } = rescanOptimize(history, options);
      total = changed ? tokensOf(messages) : total + tokensOf(entries);
      history = /** @type {Content[]} */ (messages);
      seen.push(total);
    }
    return seen;
  };
}

/**
 * @param {(options: any) => any} createOptimizer
 * @param {any} options
 */
function handle(createOptimizer, options) {
  return (/** @type {Content[][]} */ turns) => {
    const optimizer = createOptimizer(options);
    const seen = [];
    for (const entries of turns) {
      optimizer.push(...entries);
      const { messages, tokensAfter } = optimizer.optimize();
      if (messages.length > 0) seen.push(tokensAfter); // an agent sends the messages: the edits are applied
    }
    optimizer.dispose();
    return seen;
  };
}

/**
 * The floor: it counts each block once, decides nothing and edits nothing. No handle can be quicker.
 * @param {(block: any) => number} tokens
 */
const countEachBlock = (tokens) => (/** @type {Content[][]} */ turns) =>
  turns.map((entries) =>
    entries.reduce((sum, { blocks }) => blocks.reduce((all, block) => all + tokens(block), sum), 0),
  );

/**
 * @param {Context} context
 * @returns {Promise<Row[]>}
 */
export async function realSessions({ densify, quick, note }) {
  const { origin, turns } = await sessions(quick ? 1 : 3);
  const own = await named('densify/tokens').load();
  const peers = await Promise.all(
    PEERS.slice(0, quick ? 1 : PEERS.length).map(async (name) => ({ name, count: await named(name).load() })),
  );
  /** @type {Row[]} */
  const rows = [];
  for (const recencyPruning of [true, false]) {
    const options = { preset: 'seed', rules: { recencyPruning, recencyRetention: 3 } };
    const label = `recency pruning ${recencyPruning ? 'on' : 'off'}`;
    const lengths = turns.map(({ length }) => length).join(', ');
    const name = `${origin} sessions of ${lengths} turns, exact tokens each turn`;
    note(`${name}, ${label}`);
    const all = (/** @type {(turns: Content[][]) => number[]} */ run) => (/** @type {Content[][][]} */ several) =>
      several.map(run);
    const prepare = () => structuredClone(turns);
    const timings = interleave(
      [
        ...peers.map((peer) => ({
          name: peer.name,
          prepare,
          run: all(recountAfterEdits(options, tokensOfBlock(densify, peer.count))),
        })),
        {
          name: 'handle',
          prepare,
          run: all(handle(densify.createOptimizer, { ...options, countTokens: own })),
        },
        { name: 'limit', prepare, run: all(countEachBlock(tokensOfBlock(densify, own))) },
      ],
      { rounds: quick ? 3 : 5, warmUps: 1 },
    );
    const ours = /** @type {import('./measure.mjs').Timing<number[][]>} */ (timings.get('handle'));
    const fastest = peers
      .map((peer) => ({ peer: peer.name, timing: /** @type {typeof ours} */ (timings.get(peer.name)) }))
      .toSorted((a, b) => a.timing.median - b.timing.median);
    rows.push(
      ...fastest.map(({ peer, timing }, rank) => ({
        ...ratioRow(
          name,
          `rescan, recounting by ${peer} : handle (${label})`,
          timing,
          ours,
          rank === 0 && recencyPruning ? { least: 100 } : undefined,
        ),
        chart: rank === 0 ? `rescan with ${peer}, ${label}` : undefined,
      })),
      ratioRow(
        name,
        `handle : each block counted once, nothing else (${label})`,
        ours,
        /** @type {typeof ours} */ (timings.get('limit')),
        { most: 1.5 },
      ),
      ratioRow(
        name,
        `rescan, recounting by ${fastest[0].peer} : each block counted once, nothing else (${label})`,
        fastest[0].timing,
        /** @type {typeof ours} */ (timings.get('limit')),
      ),
      sameTokens(name, fastest[0].timing.last, ours.last),
    );
  }
  return rows;
}

/** @param {string} name */
const named = (name) => /** @type {(typeof counters)[number]} */ (counters.find((counter) => counter.name === name));

/** @param {string} name @param {number[][]} peer @param {number[][]} own @returns {Row} */
function sameTokens(name, peer, own) {
  const isSame = JSON.stringify(peer) === JSON.stringify(own);
  const last = own.map((tokens) => tokens.at(-1)).join(', ');
  const detail = isSame
    ? `at each turn; ${last} at the end`
    : `${peer.map((tokens) => tokens.at(-1)).join(', ')} : ${last}`;
  return { case: name, name: 'same tokens', value: isSame ? 1 : NaN, unit: 'ok', bar: { least: 1 }, detail };
}
