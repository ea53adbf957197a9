// `createConversation` and `prepare`: a conversation that grows, and endpoints that fail it.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertSame, assertStanding, assertSummaries, assertWhole } from './checks.mjs';
import { turnsOf } from './conversations.mjs';
import { NOTE, PINS } from './direct.mjs';
import { BAD, BROKEN, free, good, guided, MODEL_REPLIES } from './replies.mjs';

const CONTEXT_LIMIT = 1500;
const SHORT_MS = 200;
const MAX_FAILURES = 3;

function createTalk(densify, { workspaceRoot }, strategy, more = {}) {
  const summary = { window: 2400, replyTokens: 400, pins: PINS, transcriptPath: NOTE };
  const given = { strategy, contextLimit: CONTEXT_LIMIT, optimize: { workspaceRoot }, ...more };
  return densify.createConversation({ ...given, summary: { ...summary, ...more.summary } });
}

/** A whole conversation, turn by turn, with summaries by the model; messages come in while it writes. */
export async function growing(densify, lab, conversation, strategy) {
  const talk = createTalk(densify, conversation, strategy);
  const watch = watcher(lab, talk, strategy);
  const form = strategy === 'auto' ? 'middle-out' : strategy;
  const turns = turnsOf(conversation.contents);
  const added = [];
  const addTurn = () => {
    const turn = turns.shift() ?? [];
    talk.add(...turn);
    added.push(...turn);
  };
  const end = new AbortController();
  let replies = 0;
  const summarize = (request, { signal }) => {
    replies += 1;
    if (replies % 2 === 0) addTurn();
    if (replies > MODEL_REPLIES || !lab.mayStart())
      return lab.send(request, good(densify, form, talk.messages), { signal });
    return lab.send(request, replies === 1 ? free : guided(densify, form), { signal });
  };
  try {
    while (turns.length > 0) {
      addTurn();
      const step = await talk.prepare({ summarize, signal: end.signal, onProgress: watch.onProgress }).catch(asStep);
      if (lab.isOver()) throw new Error('no time left');
      checkTalk(densify, talk, added, strategy, step);
      if (step.kind !== 'ready' || step.warnings.length > 0) explicitWayOut(densify, lab, talk, added, strategy, step);
    }
    assert.equal(talk.stats.summaries, watch.count('applied'));
    assert.ok(watch.count('applied') > 0 && watch.count('started') > 1, `too few summaries: ${watch.tell()}`);
    return `${added.length} entries, ${watch.tell()}`;
  } finally {
    end.abort(); // what is made in the background for nobody
    talk.dispose();
  }
}

/** A summary that failed while the history can't be sent without it: `prepare` refuses. */
function asStep(error) {
  if (error.code !== 'summary-failed') throw error;
  return { kind: error.code };
}

/** Watches that a summary that failed or was given up leaves the history as it was. */
function watcher(lab, talk, strategy) {
  const counts = new Map();
  let before;
  let fault; // what a listener throws is swallowed
  const onProgress = ({ kind }) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    lab.note(`conversation, ${strategy}: ${kind}`);
    if (kind === 'started') before = [...talk.messages];
    if (kind !== 'failed' && kind !== 'cancelled') return;
    try {
      assertSame(talk.messages.slice(0, before.length), before, kind);
    } catch (error) {
      fault ??= error;
    }
  };
  return {
    onProgress,
    count: (kind) => counts.get(kind) ?? 0,
    tell() {
      if (fault) throw fault;
      return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing was due';
    },
  };
}

/** All that was added is there, in order, exactly once: as it was, or in the summary's place. */
function checkTalk(densify, talk, added, strategy, step) {
  const { messages } = talk;
  assertSame(talk.raw, added, 'raw');
  // A summary in the background was asked for behind what is to be sent, and `summarize` adds a turn.
  if (step.kind === 'ready') assertSame(messages.slice(0, step.messages.length), step.messages, 'what is to be sent');
  if (step.kind === 'ready' && strategy !== 'auto') assert.equal(step.messages.length, messages.length);
  const places = new Map(added.map((message, at) => [message, at]));
  const kept = messages.map((message) => places.get(message)).filter((at) => at !== undefined);
  assert.deepEqual(
    kept,
    [...new Set(kept)].sort((a, b) => a - b),
    'in order, exactly once',
  );
  assertWhole(added, messages);
  assertSummaries(messages, { pins: PINS, note: NOTE });
  if (talk.stats.summaries > 0 && messages.some((message) => message.metadata?.isSummary))
    assertStanding(messages, PINS);
  assert.equal(talk.tokens.current, densify.estimateTokens(messages), 'the count of the tokens is right');
  if (strategy !== 'auto' && talk.stats.summaries === 0 && talk.stats.compressions === 0)
    assertSame(messages, added, 'nothing was due');
}

/** What a host does if the model can't help: it asks for a deterministic strategy by name. */
function explicitWayOut(densify, lab, talk, added, strategy, step) {
  const why = step.kind === 'ready' ? step.warnings.map(({ code }) => code).join(', ') : step.kind;
  lab.note(`conversation, ${strategy}: ${why}`);
  const { tokensBefore, tokensAfter, kind } = talk.compress({ strategy: 'top-down-truncation' });
  assert.ok(kind === 'noop' || tokensAfter < tokensBefore);
  assertSame(talk.raw, added, 'raw');
  assertWhole(added, talk.messages);
}

/** A conversation for which a summary is due, and what was added to it. */
function dueTalk(densify, conversation, strategy, more) {
  const talk = createTalk(densify, conversation, strategy, more);
  const added = [];
  for (const turn of turnsOf(conversation.contents)) {
    talk.add(...turn);
    added.push(...turn);
    if (talk.tokens.current >= talk.tokens.threshold) return { talk, added };
  }
  throw new Error('the conversation is too short');
}

const REMARK = Object.freeze({
  speaker: 'human',
  blocks: Object.freeze([{ type: 'text', text: 'And one more thing.' }]),
});

/** Every kind of failure; after three in a row each is followed by silence until something is added; then it works. */
export async function droppedOut(densify, lab, conversation, strategy) {
  const limits = { contextLimit: 2 * CONTEXT_LIMIT, summary: { maxFailures: MAX_FAILURES } };
  const { talk, added } = dueTalk(densify, conversation, strategy, limits);
  const watch = watcher(lab, talk, strategy);
  const made = () => good(densify, strategy, talk.messages);
  let sent = 0;
  const prepare = (how) => {
    const summarize = (request, { signal }) => {
      sent += 1;
      return how === 'down' ? sendToNobody(lab, request, made()) : lab.send(request, how, { signal });
    };
    return talk.prepare({
      summarize,
      timeout: how.fault?.kind === 'hang' ? SHORT_MS : undefined,
      onProgress: watch.onProgress,
    });
  };
  for (const [at, how] of [...BROKEN, ...BAD, { fault: { kind: 'hang' } }, 'down'].entries()) {
    const sentBefore = sent;
    await leavesAlone(talk, how, () => prepare(how));
    lab.proxy.clear();
    assert.ok(sent > sentBefore, `${at}: the model was asked`);
    if (at < MAX_FAILURES - 1) continue;
    const sentInAll = sent;
    await prepare({ made: 'nobody asks for this' });
    assert.equal(sent, sentInAll, 'after so many failures in a row each new message is worth one try');
    talk.add(REMARK_AT(at));
    added.push(talk.raw.at(-1));
  }
  const step = await prepare(made());
  assert.equal(talk.stats.summaries, 1, 'and then it works');
  checkTalk(densify, talk, added, strategy, step);
  talk.dispose();
  return watch.tell();
}

async function sendToNobody(lab, request, how) {
  await lab.proxy.down();
  return lab.send(request, how).finally(() => lab.proxy.up());
}

/** A summary that fails leaves the history as it was, to the byte. */
async function leavesAlone(talk, how, prepare) {
  const before = [...talk.messages];
  const json = JSON.stringify(before);
  const step = await prepare();
  assertSame(talk.messages, before, JSON.stringify(how));
  assert.equal(JSON.stringify(talk.messages), json);
  assert.ok(step.kind === 'over-limit' || step.warnings.some(({ code }) => code === 'summary-failed'));
}

/** An entry of its own each time. */
const REMARK_AT = (at) => ({ ...REMARK, metadata: { at } });

/** The host gives up: by its signal, by the task, by a time limit; what came meanwhile stays, in order. */
export async function cancelled(densify, lab, conversation, strategy) {
  const { talk, added } = dueTalk(densify, conversation, strategy, { contextLimit: 2 * CONTEXT_LIMIT });
  const watch = watcher(lab, talk, strategy);
  const hang = { fault: { kind: 'hang' } };
  for (const way of ['signal', 'timeout', 'task']) {
    const before = [...talk.messages];
    const failures = talk.stats.failures;
    const remarks = [REMARK_AT(`${way} 1`), REMARK_AT(`${way} 2`)];
    const controller = new AbortController();
    const summarize = (request, { signal }) => {
      talk.add(remarks[0]);
      setTimeout(() => talk.add(remarks[1]), SHORT_MS / 4);
      if (way === 'signal') setTimeout(() => controller.abort(), SHORT_MS);
      return lab.send(request, hang, { signal });
    };
    if (way === 'task') giveUp(densify, talk, strategy, remarks);
    else {
      const timeout = way === 'timeout' ? SHORT_MS : undefined;
      const ended = talk.prepare({ summarize, signal: controller.signal, timeout, onProgress: watch.onProgress });
      if (way === 'signal') await assert.rejects(ended, (error) => error === controller.signal.reason);
      else await ended;
    }
    assertSame(talk.messages, [...before, ...remarks], way);
    added.push(...remarks);
    assertSame(talk.raw, added, way);
    assert.equal(talk.stats.failures - failures, way === 'timeout' ? 1 : 0, `${way}: only being late is a failure`);
  }
  await talk.prepare({ summarize: (request) => lab.send(request, good(densify, strategy, talk.messages)) });
  assert.equal(talk.stats.summaries, 1, 'and then it works');
  talk.dispose();
  return watch.tell();
}

function giveUp(densify, talk, strategy, remarks) {
  const task = talk.beforeSend();
  assert.equal(task.kind, 'summarize');
  talk.add(...remarks);
  assert.equal(talk.beforeSend().kind, 'pending');
  task.cancel();
  assert.equal(task.complete(good(densify, strategy, talk.messages).made).kind, 'ended');
}

/** The model's process is killed while it writes; another one takes over. */
export async function deaths(densify, lab, conversation) {
  const strategy = 'structured';
  const { talk, added } = dueTalk(densify, conversation, strategy, { contextLimit: 2 * CONTEXT_LIMIT });
  const watch = watcher(lab, talk, strategy);
  const before = [...talk.messages];
  let sent = 0;
  const summarize = async (request, { signal }) => {
    sent += 1;
    await lab.startModel();
    if (sent > 2) return lab.send(request, good(densify, strategy, talk.messages), { signal });
    const reply = lab.send(request, guided(densify, strategy), { signal });
    if (sent === 2) return reply;
    reply.catch(() => {});
    await sleep(2 * SHORT_MS);
    await (lab.isLocal ? lab.kill() : lab.proxy.down().then(lab.proxy.up));
    return reply;
  };
  await talk.prepare({ summarize, onProgress: watch.onProgress });
  assert.equal(watch.count('failed'), 1, 'a death is a failure');
  assertSame(talk.messages, before, 'the death');
  const step = await talk.prepare({ summarize, onProgress: watch.onProgress });
  assert.ok(sent > 1, 'it was asked again');
  checkTalk(densify, talk, added, strategy, step);
  talk.dispose();
  return watch.tell();
}
