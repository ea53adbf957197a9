// One strategy that needs a model: the request, and what the small model of `make test-llm` makes of it.

import { setTimeout as sleep } from 'node:timers/promises';
import { toChat } from '../llm/chat.mjs';
import { complete } from '../llm/client.mjs';
import { miniature } from '../llm/conversations.mjs';
import { isInstalled } from '../llm/engine.mjs';
import { MODEL_NAME, startLocalModel } from '../llm/local-model.mjs';
import { guided } from '../llm/replies.mjs';
import { clip, thousands, visible, wrap } from './text.mjs';

const STRATEGY = 'middle-out';
/** The model reads about 300 tokens a second. */
const EXCERPT_TOKENS = 2000;
const WINDOW = 6000;
const REPLY_TOKENS = 500;
const TIME_LIMIT_MS = 60_000;
const SHOWN_LINES = 24;

/** Shows the request for the beginning of a conversation; with the summary if the model is there. */
export async function showSummary(screen, densify, { title, workspaceRoot, ...conversation }) {
  const history = beginning(densify, miniature(conversation).contents);
  const options = { strategy: STRATEGY, workspaceRoot, window: WINDOW, replyTokens: REPLY_TOKENS };
  const request = densify.requestSummary(history, options);
  if (request.kind === 'noop') return;
  const canRun = isInstalled() && request.parts === 1;
  head(screen, title, `the first ${history.length} entries, long texts cut`);
  if (!canRun) return printRequest(screen, densify, request);
  try {
    printApplied(screen, densify, history, await summarise(densify, request, history));
  } catch (error) {
    screen.write(`   ${screen.paint('yellow', clip(visible(error.message), screen.width - 3, screen.signs.more))}`);
    printRequest(screen, densify, request);
  }
}

function beginning(densify, contents) {
  let tokens = 0;
  const end = contents.findIndex((content) => (tokens += densify.estimateTokens([content])) > EXCERPT_TOKENS);
  return contents.slice(0, end < 0 ? contents.length : Math.max(1, end));
}

function head({ write, paint, width, signs }, title, note) {
  write();
  write(paint('cyan', signs.rule.repeat(width)));
  write(` ${paint('bold', `${STRATEGY}, by a model`)}  ${paint('dim', note)}`);
  write(` ${clip(visible(title), width - 2, signs.more)}`);
}

/** The reply and what became of it, within the time limit. */
async function summarise(densify, request, history) {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const late = sleep(TIME_LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new Error('the model did not start in time');
  });
  const from = performance.now();
  const model = await Promise.race([startLocalModel(), late]);
  try {
    const endpoint = { url: model.url, model: MODEL_NAME };
    const options = { maxTokens: REPLY_TOKENS, signal, ...guided(densify, STRATEGY) };
    const { text } = await complete(endpoint, toChat(request.messages), options);
    return { result: densify.applySummary(request, text, history), text, ms: performance.now() - from };
  } finally {
    await model.stop();
  }
}

function printApplied(screen, densify, history, { result, text, ms }) {
  const { write, paint, signs } = screen;
  const note = `${MODEL_NAME}, held to the form of a summary; it is too small to write a good one`;
  write(`   ${paint('dim', note)}  ${paint('cyan', `${(ms / 1000).toFixed(1)} s`)}`);
  if (result.kind !== 'applied') {
    for (const { level, code, message } of result.findings) write(`   ${paint('yellow', level)} ${code}: ${message}`);
    return printText(screen, text);
  }
  write(`   ${thousands(result.tokensBefore)} ${signs.arrow} ${thousands(result.tokensAfter)} tokens`);
  write(`   ${history.length} ${signs.arrow} ${result.messages.length} entries`);
  for (const { level, code } of result.findings) write(`   ${paint('yellow', level)} ${code}`);
  const [summary] = result.summary.blocks;
  printText(screen, summary.text);
}

function printRequest(screen, densify, { messages, parts }) {
  const { write, paint } = screen;
  const count = `${messages.length} messages, ${thousands(densify.estimateTokens(messages))} tokens`;
  const note = `no model here (scripts/llm-setup.sh gets one): the request, shortened`;
  write(`   ${paint('dim', `${note}; ${count}${parts > 1 ? `, part 1 of ${parts}` : ''}`)}`);
  for (const { speaker, blocks } of messages) {
    write(`   ${paint('bold', speaker)}`);
    printText(screen, blocks.map(({ text = '' }) => text).join('\n'), Math.ceil(SHOWN_LINES / messages.length));
  }
}

/** The first lines of a text. */
function printText({ write, paint, width, signs }, text, most = SHOWN_LINES) {
  const lines = text.split('\n', most * 4).filter((line) => line.trim() !== '');
  const rows = lines.flatMap((line) => wrap(visible(line.slice(0, width * 16)), width - 6)).slice(0, most);
  for (const row of rows) write(`   ${paint('dim', signs.side)} ${clip(row, width - 6, signs.more)}`);
  const rest = text.length - rows.join('\n').length;
  if (rest > 0) write(`   ${paint('dim', `${signs.side} ${signs.more} ${thousands(rest)} more characters`)}`);
}
