// Measures how likely the small local model finds the next call that an agent really made:
//
//   node llm/likelihood.mjs FOLDER... [--points=110] [--window=1600] [--others] [--state=FILE]
//
// `--window`: the most characters of an excerpt.
//
// At each cut point it reads an excerpt of the history three times: whole, as `balanced` left it, and as masking of old results
// to the same size left it. With `--others` also as `aggressive` left it, and without its middle. Policies edit the history
// from the log's beginning. The measure was fixed before any policy was scored with it:
//
// - A policy can harm a call only by the names that it removed. So calls are chosen that repeat a name which stood in the
//   whole history and which `balanced` or masking removed. A name that stands elsewhere in what is left is no loss.
// - The excerpt has the messages in which these names stand and the newest ones, long ones in pieces: the small model has no
//   room for a whole history. A message that a policy changed or dropped is changed or missing there.
// - The call is scored up to the last such name, at most `CAP` tokens. A fixed length would end before the name in some calls,
//   and score much text behind it in others.
// - The bar judges the tokens of these names alone, where each first stands in the call. All other tokens are the call's form
//   and its author's style: any shorter history changes their likelihood. They are reported beside it.
// - A policy's loss at a point is the mean of log-likelihood with the whole excerpt less that with its own, in nats a token.
//   Each point has the same weight. Intervals draw whole sessions again.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { optimize } from 'densify';
import { readTranscript } from 'densify/transcripts';
import { createReader } from './engine.mjs';
import { lossesOf, lossesText } from './losses.mjs';
import { calling, droppedTo, excerpted, rendered, sampleOf, textOf, versionsOf } from './points.mjs';

/** The most tokens of a call that are scored. */
const CAP = 160;
const LEAST_SAVING = 0.03;
const PER_SESSION = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    points: { type: 'string', default: '110' },
    window: { type: 'string', default: '1600' },
    others: { type: 'boolean', default: false },
    state: { type: 'string', default: fileURLToPath(new URL('../target/likelihood.jsonl', import.meta.url)) },
  },
});
const window = Number(values.window);
const reader = await createReader({ contextSize: Math.min(8192, window + 1024) });
const sizes = new WeakMap();

/** The size of messages: characters of the text that a model reads. */
function measure(messages) {
  return messages.reduce((sum, message) => {
    if (!sizes.has(message)) sizes.set(message, rendered(message).text.length);
    return sum + sizes.get(message);
  }, 0);
}

const packWith = (preset) => (messages) => optimize(messages, { preset, flush: 'always' }).messages;

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
const points = sampleOf(logs, {
  ...{ points: Number(values.points), perSession: PER_SESSION, leastSaving: LEAST_SAVING, cap: CAP, window },
  ...{ measure, pack: packWith('balanced'), ends: reader.ends },
});
if (points.length === 0) {
  console.log('likelihood: skipped, found no call that a policy could harm');
  process.exit(0);
}

/** Log-likelihoods of an earlier run, by point and policy. */
function known() {
  if (!existsSync(values.state)) return new Map();
  const lines = readFileSync(values.state, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      try {
        const { key, logs: own } = JSON.parse(line);
        return [[key, own]];
      } catch {
        return []; // the last line of an interrupted run
      }
    }),
  );
}

const before = known();
mkdirSync(dirname(values.state), { recursive: true });

/** The log-likelihood of each token of a point's call that is scored, after some messages. */
async function scoresOf({ session, at, call, places, names, isName }, messages) {
  const texts = places.flatMap((place) => (messages[place] ? excerpted(messages[place], names) : []));
  const key = createHash('sha256')
    .update(JSON.stringify([session, at, texts, isName.length]))
    .digest('hex');
  if (!before.has(key)) {
    const found = await reader.logLikelihoods(texts, calling(call), isName.length);
    const rounded = found.map((each) => Number(each.toFixed(5)));
    before.set(key, rounded);
    appendFileSync(values.state, `${JSON.stringify({ key, logs: rounded })}\n`);
  }
  return before.get(key);
}

const scored = [];
for (const [number, point] of points.entries()) {
  const { session, full, packed, masked, target, names, isName } = point;
  const histories = { balanced: packed, masking: masked };
  if (values.others) {
    histories.aggressive = packWith('aggressive')(full);
    histories['head and tail'] = droppedTo(full, target, measure);
  }
  const whole = await scoresOf(point, full);
  const results = {};
  for (const [name, messages] of Object.entries(histories)) {
    const own = await scoresOf(point, versionsOf(full, messages));
    const text = textOf(messages);
    const removed = names.filter((each) => !text.includes(each.name));
    results[name] = {
      isRemoved: isName.map((_, token) => removed.some(({ tokens }) => tokens.includes(token))),
      lost: whole.map((each, token) => each - own[token]),
      left: measure(messages) / measure(full),
      removed: removed.length,
    };
  }
  scored.push({ session, results, isName, names: names.length });
  process.stderr.write(`likelihood: ${number + 1} of ${points.length}\n`);
}

const losses = lossesOf(scored);
process.stdout.write(lossesText(losses));
if (!losses.isMet) process.exitCode = 1;
