// Every case, in the order in which they are run: first what costs no time, then rounds with the model.

import assert from 'node:assert/strict';
import { miniature } from './conversations.mjs';
import { appliedOfModel, compactTurnByTurn } from './direct.mjs';
import { proves } from './proving.mjs';
import { BAD, BROKEN, free, good, guided, MODEL_REPLIES } from './replies.mjs';
import { cancelled, deaths, droppedOut, growing } from './talks.mjs';

const STRATEGIES = ['middle-out', 'one-shot', 'structured'];
const MODES = ['transcript', 'append'];
const PAIRS = MODES.flatMap((mode) => STRATEGIES.map((strategy) => ({ strategy, mode })));
const ROUNDS = 2;

export function allCases(densify, lab, conversations) {
  const nth = (list, at) => list[at % list.length];
  const small = conversations.map(miniature);
  const made = PAIRS.map((pair) => ({
    name: `${nameOf(pair)}, made-up replies`,
    run: () => madeUp(densify, lab, conversations, pair),
  }));
  const broken = STRATEGIES.flatMap((strategy) => [
    {
      name: `conversation, ${strategy}: endpoint out of order`,
      run: () => droppedOut(densify, lab, small[0], strategy),
    },
    { name: `conversation, ${strategy}: cancelled, late`, run: () => cancelled(densify, lab, small[1], strategy) },
  ]);
  const rounds = Array.from({ length: ROUNDS }, (_, round) => [
    ...PAIRS.map((pair, at) => modelCase(densify, lab, nth(small, round * PAIRS.length + at), pair)),
    ...['auto', ...STRATEGIES].map((strategy, at) => talkCase(densify, lab, nth(small, round * 4 + at + 2), strategy)),
  ]);
  const death = { name: 'a server that dies and comes back', run: () => deaths(densify, lab, small[0]) };
  const answers = { name: `${lab.name} answers`, run: () => hello(lab) };
  const proven = { name: 'prove, from logs to report', run: () => proves(lab) };
  const first = [
    ...made,
    ...broken,
    answers,
    ...(lab.isLocal ? [proven] : []),
    death,
    ...interleave(rounds[0], PAIRS.length),
  ];
  const fruitful = { name: 'what the model wrote was used', run: () => wasUsed(lab) };
  // Without those that are needed nothing is shown; further rounds are run as long as there is time.
  const needed = [...first, fruitful].map((one) => ({ ...one, isNeeded: true }));
  return [...needed, ...rounds.slice(1).flat()];
}

/** Replies that the model filled into a form were applied: of which strategies says how good it is. */
function wasUsed(lab) {
  const used = STRATEGIES.filter((strategy) => lab.notes.has(appliedOfModel(strategy)));
  assert.ok(used.length > 0, 'no reply of the model was ever applied');
  return used.join(', ');
}

/** Requests and conversations in turn, so that both had their share when time runs out. */
function interleave(list, middle) {
  const [left, right] = [list.slice(0, middle), list.slice(middle)];
  return left.flatMap((item, at) => (at < right.length ? [item, right[at]] : [item]));
}

const nameOf = ({ strategy, mode }) => `requests, ${strategy}, ${mode}`;

const modelCase = (densify, lab, conversation, pair) => ({
  name: `${nameOf(pair)}, ${lab.name}: ${conversation.name}`,
  run: () => withModel(densify, lab, conversation, pair),
});

const talkCase = (densify, lab, conversation, strategy) => ({
  name: `conversation, ${strategy}, ${lab.name}: ${conversation.name}`,
  run: () => growing(densify, lab, conversation, strategy),
});

/** Whoever answers nothing at all makes every other case pass by its way out. */
async function hello(lab) {
  const request = {
    messages: [{ speaker: 'human', blocks: [{ type: 'text', text: 'Say hello.' }] }],
    replyTokens: 100,
  };
  for (const mode of ['at once', 'streamed'])
    assert.notEqual((await lab.send(request)).trim(), '', `nothing was answered, ${mode}`);
  return 'at once and streamed';
}

/** All conversations as they are, in parts, with every fault; no model is asked. */
async function madeUp(densify, lab, conversations, pair) {
  const faults = [...BAD, ...BROKEN];
  const sum = { applied: 0, compressed: 0, noop: 0 };
  let compactions = 0;
  for (const conversation of conversations) {
    const contextLimit = Math.max(2500, Math.ceil(densify.estimateTokens(conversation.contents) / 6));
    const parts = pair.mode === 'append' ? 1 / 4 : 1 + (compactions % 3);
    const window = Math.max(2500, Math.ceil(contextLimit / parts));
    const options = { ...pair, contextLimit, window, replyTokens: 400 };
    const outcomes = await compactTurnByTurn(densify, lab, conversation, options, (attempt, part, history) => {
      if (attempt === 0 && part === 1) compactions += 1;
      const isBad = compactions % 7 === 6 || (compactions % 3 === 1 && attempt === 0 && part === 1);
      return isBad ? faults[(compactions + attempt) % faults.length] : good(densify, pair.strategy, history);
    }).catch((error) => {
      error.message = `${conversation.name}: ${error.message}`;
      throw error;
    });
    for (const [outcome, count] of Object.entries(outcomes)) sum[outcome] += count;
  }
  assert.ok(sum.applied >= conversations.length, `too few summaries: ${tell(sum)}`);
  return `${conversations.length} conversations, ${tell(sum)}`;
}

/**
 * A whole conversation. The model's replies: as it likes, then, as a repair and for the next compaction, filled into a
 * form. Further ones are made up: the model is slow.
 */
async function withModel(densify, lab, conversation, pair) {
  const window = pair.mode === 'append' ? 6000 : 2400;
  const options = { ...pair, contextLimit: 1500, window, replyTokens: 400 };
  const form = guided(densify, pair.strategy);
  let replies = 0;
  const outcomes = await compactTurnByTurn(densify, lab, conversation, options, (_attempt, _part, history) => {
    replies += 1;
    if (replies > MODEL_REPLIES || !lab.mayStart()) return good(densify, pair.strategy, history);
    return replies === 1 ? free : form;
  });
  assert.ok(
    outcomes.applied > 0 && outcomes.applied + outcomes.compressed > 1,
    `too few compactions: ${tell(outcomes)}`,
  );
  return tell(outcomes);
}

export const tell = (outcomes) => {
  const parts = Object.entries(outcomes).filter(([, count]) => count > 0);
  return parts.map(([outcome, count]) => `${count} ${outcome}`).join(', ') || 'nothing was due';
};
