// `requestSummary` and `applySummary`, several compactions in a row.

import assert from 'node:assert/strict';
import { assertApplied, assertSame, assertStanding, assertWhole, stringsOf } from './checks.mjs';
import { LlmError } from './client.mjs';
import { turnsOf } from './conversations.mjs';

/** Repairs that are asked for before the caller gives up. */
const MAX_REPAIRS = 2;
export const PINS = ['Deploy only to staging-7', 'src/legacy/ stays as it is'];
export const NOTE = '/logs/session.jsonl';
/** The demo's first conversation begins with such words. */
const STANDING = /don't touch docs\/ until I ask for it/;

/**
 * Adds a conversation turn by turn and compacts whenever it is due. `plan(attempt, part, history)` says how each
 * reply comes about (see `lab.send`). Answers how many compactions there were of each outcome.
 */
export async function compactTurnByTurn(densify, lab, conversation, options, plan) {
  const outcomes = { applied: 0, compressed: 0, noop: 0 };
  const due = 0.85 * options.contextLimit;
  let history = Object.freeze([]);
  let state;
  for (const turn of turnsOf(conversation.contents)) {
    history = Object.freeze([...history, ...turn]);
    if (densify.estimateTokens(history) < due) continue;
    const how = (attempt, part) => plan(attempt, part, history);
    const given = { ...options, workspaceRoot: conversation.workspaceRoot };
    const { outcome, messages, ...rest } = await compact(densify, lab, history, given, state, how);
    outcomes[outcome] += 1;
    state = rest.state ?? state;
    if (outcome === 'applied') assertStanding(messages, standingWords(history));
    history = Object.freeze([...messages]);
  }
  return outcomes;
}

/** Words of the user that forbid something for good, where there are any. */
function standingWords(history) {
  const texts = history.filter(({ speaker }) => speaker === 'human').flatMap(stringsOf);
  return texts.flatMap((text) => text.match(STANDING) ?? []).slice(0, 1);
}

/** The note that a summary which the model wrote was applied. */
export const appliedOfModel = (strategy) => `${strategy}: applied, by the model`;

/** One compaction: parts, repairs, and the explicit way out if the model can't do it. */
async function compact(densify, lab, history, options, state, how) {
  let step = firstRequest(densify, lab, history, {
    ...options,
    pins: PINS,
    transcriptPath: NOTE,
    ...(state && { state }),
  });
  if (step.kind === 'noop') {
    lab.note(`noop: ${step.reason}`);
    return { outcome: 'noop', ...wayOut(densify, lab, history, options) };
  }
  for (let attempt = 0; attempt <= MAX_REPAIRS; ) {
    const { request } = step.request ? step : { request: step };
    checkRequest(request, history);
    // What is stored and read back is as good as the request itself.
    const chosen = how(attempt, request.part);
    const reply = await replyTo(lab, request, chosen);
    if (reply === undefined) {
      attempt += 1; // nothing has changed: the same request can be sent again
      continue;
    }
    const stored = request.mode === 'append' ? request : JSON.parse(JSON.stringify(request));
    step = densify.applySummary(stored, reply, history);
    lab.note(`${options.strategy}: ${step.kind}${step.findings ? codesOf(step.findings) : ''}`);
    if (step.kind === 'applied') {
      if (chosen.made === undefined) lab.note(appliedOfModel(options.strategy));
      return { outcome: 'applied', ...checkApplied(densify, history, step, options) };
    }
    assertSame(step.messages, history, step.kind);
    assert.notEqual(step.kind, 'conflict', 'nobody changed the history');
    attempt = step.kind === 'failed' ? attempt + 1 : 0;
    if (step.kind === 'failed') assert.ok(step.findings.some(({ level }) => level === 'failure'));
    if (step.kind === 'failed')
      assert.ok(chosen.made === undefined, `a good reply: ${JSON.stringify(step.findings)}\n${reply}`);
  }
  return { outcome: 'compressed', ...wayOut(densify, lab, history, options) };
}

/** While calls are open nothing can be appended; then the request has to be one of its own. */
function firstRequest(densify, lab, history, options) {
  try {
    const step = densify.requestSummary(history, options);
    if (step.kind === 'request') assert.equal(step.mode, options.mode, 'the mode is the one that was asked for');
    return step;
  } catch (error) {
    if (error.code !== 'open-calls' || options.mode !== 'append') throw error;
    lab.note('refused: open-calls');
    return densify.requestSummary(history, { ...options, mode: 'transcript' });
  }
}

/** A reply, or nothing if the endpoint gave none. */
async function replyTo(lab, request, how) {
  try {
    return await lab.send(request, how);
  } catch (error) {
    if (!(error instanceof LlmError) || lab.isOver()) throw error;
    lab.note(`no reply: ${error.kind}`);
    return undefined;
  }
}

/** The failures, or, if there are none, the warnings. */
function codesOf(findings) {
  const failures = findings.filter(({ level }) => level === 'failure');
  const codes = [...new Set((failures.length > 0 ? failures : findings).map(({ code }) => code))].sort();
  return codes.length === 0 ? '' : ` (${failures.length > 0 ? '' : 'warnings: '}${codes.join(', ')})`;
}

function checkRequest(request, history) {
  if (request.mode === 'append' && request.attempt === 0) {
    assertSame(request.messages.slice(0, history.length), history, 'append');
    assert.equal(request.messages.length, history.length + 1, 'append: one message more');
  }
  assert.equal(request.messages.at(-1).speaker, 'human', 'the instruction comes last');
  assert.ok(request.part >= 1 && request.part <= request.parts);
  assert.equal(JSON.parse(JSON.stringify(request)).version, 1);
}

function checkApplied(densify, history, { messages, state, summary, metadata, tokensBefore, tokensAfter }, options) {
  assertApplied(history, messages, { strategy: options.strategy, pins: PINS, note: NOTE });
  assert.ok(messages.includes(summary));
  assert.ok(tokensAfter < tokensBefore, `${tokensAfter} < ${tokensBefore} tokens`);
  assert.equal(tokensAfter, densify.estimateTokens(messages));
  assert.equal(metadata.originalMessageCount, history.length);
  assert.equal(metadata.compressedMessageCount, messages.length);
  assert.equal(metadata.llmCallMade, true);
  return { messages, state: JSON.parse(JSON.stringify(state)) };
}

/** Without a model: asked for by name, never done silently. */
function wayOut(densify, lab, history, { contextLimit, workspaceRoot }) {
  for (const strategy of ['high-density', 'top-down-truncation']) {
    const result = densify.compress(history, { strategy, contextLimit, workspaceRoot });
    if (result.kind === 'noop') continue;
    assertWhole(history, result.messages);
    lab.note(`way out: ${strategy}`);
    if (result.tokensAfter < 0.85 * contextLimit) return { messages: result.messages };
  }
  lab.note('way out: nothing more can go');
  return { messages: history };
}
