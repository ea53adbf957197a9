// Measures how likely the small local model finds the next call that an agent really made:
//
//   node llm/likelihood.mjs FOLDER... [--points=110] [--windows=800,1200,1600,2000,2500] [--state=FILE]
//
// At each cut point it reads a slice of the log three times: whole, packed by `balanced`, and with old results masked to the
// same size. A policy's loss is the log-likelihood that the call lost, in nats for each of its first tokens.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { estimateTokens, optimize } from 'densify';
import { readTranscript } from 'densify/transcripts';
import { createReader } from './engine.mjs';
import { calling, rendered, sampleOf, withInterval } from './points.mjs';

/** Tokens of a call that are scored: its tool, its path or command, the beginning of an edit. */
const SCORED = 24;
const LEAST_SAVING = 0.03;
const PER_SESSION = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    points: { type: 'string', default: '110' },
    windows: { type: 'string', default: '800,1200,1600,2000,2500' },
    state: { type: 'string', default: fileURLToPath(new URL('../target/likelihood.jsonl', import.meta.url)) },
  },
});
const windows = values.windows.split(',').map(Number);
const measure = (messages) => estimateTokens(messages);
const pack = (messages) => optimize(messages, { preset: 'balanced', flush: 'always' }).messages;

/** All files below some folders. */
function* filesIn(paths) {
  for (const path of paths.toSorted()) {
    if (statSync(path).isDirectory()) yield* filesIn(readdirSync(path).map((name) => join(path, name)));
    else yield path;
  }
}

function contentsOf(path) {
  try {
    return readTranscript(readFileSync(path, 'utf8')).contents;
  } catch {
    return [];
  }
}

const logs = [...filesIn(positionals)].map((path) => ({ session: basename(path), contents: contentsOf(path) }));
const options = { windows, leastSaving: LEAST_SAVING, measure, pack };
const sample = sampleOf(logs, { ...options, points: Number(values.points), perSession: PER_SESSION });
// Short slices first: a run that is cut short has scored the most.
const points = sample.toSorted((one, other) => measure(one.full) - measure(other.full));
if (points.length === 0) {
  console.log('likelihood: skipped, found no call that a policy could harm');
  process.exit(0);
}

/** Scores of an earlier run, by point. */
function known() {
  if (!existsSync(values.state)) return new Map();
  const lines = readFileSync(values.state, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      try {
        const { key, scores } = JSON.parse(line);
        return [[key, scores]];
      } catch {
        return []; // the last line of an interrupted run
      }
    }),
  );
}

const before = known();
mkdirSync(dirname(values.state), { recursive: true });
let reader;
const scored = [];
for (const [number, { session, from, at, call, full, packed, masked }] of points.entries()) {
  const sizes = [full, packed, masked].map(measure);
  const key = JSON.stringify([session, from, at, sizes]);
  let scores = before.get(key);
  if (scores === undefined) {
    reader ??= await createReader();
    scores = {};
    for (const [name, messages] of Object.entries({ full, balanced: packed, masking: masked }))
      scores[name] = await reader.logLikelihood(messages.map(rendered), calling(call), SCORED);
    appendFileSync(values.state, `${JSON.stringify({ key, scores })}\n`);
  }
  scored.push({ session, scores, sizes });
  process.stderr.write(`likelihood: ${number + 1} of ${points.length}\n`);
}

const bySession = new Map();
for (const each of scored) bySession.set(each.session, [...(bySession.get(each.session) ?? []), each]);
const groups = [...bySession.values()];
const mean = (list, value) => list.reduce((sum, each) => sum + value(each), 0) / list.length;
const loss = (policy) => (list) => mean(list, ({ scores }) => scores.full - scores[policy]);
const number = ({ value, low, high }) => `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
const [balanced, masking] = ['balanced', 'masking'].map((policy) => withInterval(groups, loss(policy)));
const difference = withInterval(groups, (list) => loss('masking')(list) - loss('balanced')(list));
const verdict =
  masking.value > 0
    ? `balanced loses ${(balanced.value / masking.value).toFixed(2)} of what masking loses`
    : 'masking loses nothing, so nothing is shown';
const left = (at) => `${(100 * mean(scored, ({ sizes }) => sizes[at] / sizes[0])).toFixed(0)}%`;
console.log(`${scored.length} cut points of ${groups.length} sessions, ${Math.max(...windows)} tokens at most, ${SCORED} tokens of each call scored
log-likelihood lost, nats a token, with 95% intervals by session:
  balanced  ${number(balanced)}   ${left(1)} of the tokens left
  masking   ${number(masking)}   ${left(2)} of the tokens left
  masking - balanced  ${number(difference)}
${verdict}; the bar is at most 0.33 of it`);
if (!(masking.value > 0 && balanced.value <= masking.value / 3)) process.exitCode = 1;
