// How conversations of real logs end in small windows, with a model that always answers well: a line for each strategy
// and window. `dead ends` are conversations that end in `over-limit` while another strategy makes them fit, or while their
// newest exchange fits alone.
//
//   node js-tests/bench/limits.mjs FOLDER...
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConversation, estimateTokens, requestSummary } from 'densify';
import { strategies } from 'densify/host';
import { readTranscript } from 'densify/transcripts';

const WINDOWS = [16_000, 32_000, 64_000, 128_000];
const NAMES = {
  'middle-out': ['overall_goal', 'key_knowledge', 'current_progress', 'active_tasks', 'open_questions'],
  'one-shot': ['overall_goal', 'key_knowledge', 'file_system_state', 'recent_actions', 'current_plan'],
};
const LAST = ['task_context', 'user_directives', 'errors_encountered', 'code_references'];
const HEADINGS = [
  'Goal',
  'Constraints & Preferences',
  'Progress\n### Done\nNone.\n\n### In Progress\nNone.\n\n### Blocked',
  'Key Decisions',
  'Next Steps',
  'Critical Context',
];
// As long as the summaries of real models are: some 600 tokens.
const SAID = 'The work on the parser goes on, and its tests are the next step. '.repeat(40);

/** A reply that holds all that is asked for. */
export function reply({ strategy }) {
  if (strategy === 'structured')
    return HEADINGS.map((heading, at) => `## ${heading}\n${at === 0 ? SAID : 'None.'}`).join('\n\n');
  const sections = [...NAMES[strategy], ...LAST].map((name, at) => `<${name}>${at === 0 ? SAID : 'None.'}</${name}>`);
  return `<state_snapshot>\n${sections.join('\n')}\n</state_snapshot>`;
}

/** The conversations of a folder with a manifest. */
export function logsOf(folder) {
  const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  return files.map(({ file }) => readTranscript(readFileSync(join(folder, file), 'utf8')).contents);
}

/** A note of one line that replaces all older messages. */
const NOTE = 50;
const BEFORE = { speaker: 'human', blocks: [{ type: 'text', text: '-' }] };

/** The tokens of the newest exchange: what a request that keeps one message leaves. */
export function newest(messages) {
  const options = { strategy: 'one-shot', preserve: { messages: 1 }, minMessages: 1, redact: false };
  const request = requestSummary([BEFORE, ...messages], options);
  return estimateTokens(request.kind === 'noop' ? messages : messages.slice(Math.max(0, request.plan.end - 1)));
}

/** What brings the same messages into the window, and keeps the newest exchange. */
async function wayOut(messages, options, { current, limit, left }) {
  // The provider's or the host's own tokens are not at issue here.
  if (current > limit && newest(left) + NOTE <= limit) return 'newest exchange';
  for (const { name: strategy } of strategies) {
    const talk = createConversation({ ...options, strategy, preserve: { messages: 1 }, intake: false });
    talk.addAll(messages);
    const { kind } = await talk.prepare({ summarize: async (request) => reply(request) });
    talk.dispose();
    if (kind === 'ready') return strategy;
  }
  return undefined;
}

/** How a conversation ends: `below` its threshold, `fits`, `dead-end` or `too-large`. */
export async function ending(messages, options) {
  const talk = createConversation({ ...options, intake: false });
  const gaveUp = new Set();
  let isDue = false;
  try {
    for (let at = 0; at < messages.length; at += 1) {
      talk.add(messages[at]);
      // A host sends once the results of a batch of calls are there.
      if (messages[at].speaker === 'ai' || messages[at + 1]?.speaker === 'tool') continue;
      const { current, threshold } = talk.tokens;
      isDue ||= current >= threshold;
      const step = await talk.prepare({ summarize: async (request) => reply(request) });
      if (step.kind === 'over-limit') {
        const other = await wayOut(talk.raw, options, { ...talk.tokens, left: talk.messages });
        return { kind: other === undefined ? 'too-large' : 'dead-end', gaveUp, step, other };
      }
      for (const { code, what } of step.warnings) if (code === 'gave-up') gaveUp.add(what);
    }
    return { kind: isDue ? 'fits' : 'below', gaveUp };
  } finally {
    talk.dispose();
  }
}

async function main(folders) {
  const logs = folders.flatMap(logsOf);
  console.log(`${logs.length} conversations, a model that always answers well\n`);
  console.log(
    'strategy              window  due  fit  too large  dead ends  gave up (top, first request, tail, model)',
  );
  let deadEnds = 0;
  for (const { name } of strategies) {
    for (const contextLimit of WINDOWS) {
      const ends = [];
      for (const messages of logs) ends.push(await ending(messages, { strategy: name, contextLimit }));
      const count = (kind) => ends.filter((end) => end.kind === kind).length;
      const gave = (what) => ends.filter(({ gaveUp }) => gaveUp.has(what)).length;
      const due = ends.length - count('below');
      const given = ['top', 'first-request', 'tail', 'model'].map((what) => String(gave(what)).padStart(3)).join(' ');
      deadEnds += count('dead-end');
      const cells = [due, count('fits'), count('too-large'), count('dead-end')];
      const widths = [4, 4, 10, 10];
      console.log(
        `${name.padEnd(20)} ${String(contextLimit / 1000).padStart(6)}k ${cells.map((cell, at) => String(cell).padStart(widths[at])).join(' ')}  ${given}`,
      );
    }
  }
  if (deadEnds > 0) process.exitCode = 1;
}

if (process.argv[1]?.endsWith('limits.mjs')) await main(process.argv.slice(2));
