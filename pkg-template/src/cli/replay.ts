import { isDensifyError } from '../base/errors.js';
import { MADE_BY_DENSIFY } from '../replay/html.js';
import { type ReplayOptions, type ReplayReport, replay, replayHtml, replayTable, sumReplays } from '../replay/index.js';
import { redact } from '../summary/functions.js';
import type { TranscriptFormat } from '../transcripts/api.js';
import { readTranscript } from '../transcripts/index.js';
import { argumentsOf, numberOf } from './arguments.js';
import type { Command, Output } from './command.js';
import { columns, printSlowly, refusalToReplace, refusalToWrite, stdin, writeText } from './host.js';
import { linesOf } from './lines.js';
import { conversationOf, type FoundLog, logText, namedLogs, nameOf, reasonOf } from './logs.js';

/** The command's options. `options` are those of `replay`. */
interface Options {
  readonly logs: readonly FoundLog[];
  readonly options: ReplayOptions;
  readonly format: TranscriptFormat | undefined;
  readonly json: boolean;
  readonly html: string | undefined;
  /** Whether the page may replace a file that densify did not make. */
  readonly isForced: boolean;
  /** Whether reports name files with their folders. */
  readonly isPaths: boolean;
  readonly isStdin: boolean;
}

/** The options that the command takes. */
const ACCEPTED = {
  valued: ['policies', 'window', 'prices', 'provider', 'format', 'html'],
  switches: ['json', 'paths', 'stdin', 'force'],
};

const USAGE = `densify replay LOGS…       prints what densify would have saved and lost on agents' logs
                           or folders of logs
densify replay --stdin     the same: one log per line in, one result per line out

  --policies=a,b           only these (none, intake, seed, lossless, balanced, aggressive,
                           high-density, top-down-truncation, digest, auto), with a flush
                           policy after a colon (balanced:when-it-pays, :always, :never, or
                           :20000 tokens), or budgets (budget:65% of the log, budget:40000);
                           also gateway (as \`densify gateway\` packs), and rules that other
                           tools use (masking, head-and-tail, plain-digest)
  --window=200000          the model's window in tokens
  --prices=0.3,3.75        dollars per million tokens: from the cache, and otherwise
  --provider=NAME          the provider whose rules are checked (anthropic, openai, google, …);
                           by default that of the logs' format or model
  --format=NAME            the logs' format (pi, claude-code, codex, opencode, gemini-cli,
                           copilot-cli, factory-droid, qwen-code, grok-cli, mini-swe-agent,
                           swe-agent, anthropic, openai-responses, gemini, openai-chat);
                           by default it is detected
  --json                   JSON instead of a table
  --html=FILE              a page with charts as well
  --force                  let the page replace a file that densify did not make
  --paths                  reports name files with their folders

densify sends nothing anywhere. Reports hold file names, but no contents of the logs.
Exit code 1: some logs or lines could not be read; the output names them.
`;

/** The command `densify replay`. */
export const replayCommand: Command = { usage: USAGE, run: runReplay };

/** Who gets the requests of agents that are made for one provider. */
const PROVIDERS: Readonly<Partial<Record<TranscriptFormat, ReplayOptions['provider']>>> = {
  'claude-code': 'anthropic',
  codex: 'openai',
  'gemini-cli': 'google',
  anthropic: 'anthropic',
  'openai-responses': 'openai',
  gemini: 'google',
};

/** Characters of the longest line that is read as a log. */
const LONGEST = 256 * 2 ** 20;

/** Replays logs; the exit code: 0, or 1 if a log couldn't be read, or 2 if the arguments are wrong. */
async function runReplay(given: readonly string[], output: Output): Promise<number> {
  const read = optionsOf(given);
  if (typeof read === 'string') {
    output.printError(`densify: ${read}\n`);
    return 2;
  }
  const { html, logs, isForced } = read;
  const files = logs.map(({ path }) => path);
  const refusal =
    html === undefined
      ? undefined
      : (refusalToReplace(html, files, { mark: MADE_BY_DENSIFY, isForced }) ?? refusalToWrite(html));
  if (refusal !== undefined) {
    output.printError(`densify: option --html: ${redact(refusal)}\n`);
    return 2;
  }
  try {
    replay([], read.options);
    readTranscript('', read.format === undefined ? {} : { format: read.format });
    return read.isStdin ? await filter(read, output) : replayLogs(read, output);
  } catch (error) {
    if (!isDensifyError(error) || error.code !== 'invalid-options') throw error;
    output.printError(`densify: ${error.message}\n`);
    return 2;
  }
}

function optionsOf(given: readonly string[]): Options | string {
  const found = argumentsOf(given, ACCEPTED);
  if (typeof found === 'string') return found;
  const { options: named, others: files } = found;
  const wrong = wrongNumber(named);
  if (wrong !== undefined) return wrong;
  const isStdin = named.has('stdin');
  if (isStdin === files.length > 0)
    return isStdin ? 'found --stdin and files, expected one of both' : 'found no logs: name them, or pass --stdin';
  if (isStdin && named.has('html')) return '--stdin makes no page: leave out --html';
  if (isStdin && named.has('paths')) return '--stdin names no files: leave out --paths';
  const prices = named.get('prices')?.split(',').map(numberOf) ?? [];
  const [cached = NaN, uncached = NaN] = prices;
  if (named.has('prices') && prices.length !== 2) {
    return `option --prices: expected two prices, as in 0.3,3.75, found ${prices.length}`;
  }
  const [policies, window] = [named.get('policies'), named.get('window')];
  const logs = namedLogs(files);
  if (logs.length === 0 && !isStdin)
    return redact(`found no logs in ${files.join(', ')}: name other folders, or the files`);
  return {
    logs,
    isStdin,
    json: named.has('json'),
    isPaths: named.has('paths'),
    html: named.get('html'),
    isForced: named.has('force'),
    format: named.get('format') as TranscriptFormat | undefined,
    options: {
      ...(policies === undefined ? {} : { policies: policies.split(',').map((name) => name.trim()) as never }),
      ...(named.has('provider') ? { provider: named.get('provider') as never } : {}),
      ...(window === undefined ? {} : { contextLimit: numberOf(window) }),
      ...(named.has('prices') ? { prices: { cached, uncached } } : {}),
    },
  };
}

/** The error for a wrong number, with the option's name and the given text. */
function wrongNumber(named: ReadonlyMap<string, string>): string | undefined {
  for (const [key, right, isRight] of [
    ['window', 'a whole number of tokens above 0', (number: number) => number > 0 && Number.isInteger(number)],
    ['prices', 'two numbers, as in 0.3,3.75', (number: number) => !Number.isNaN(number)],
  ] as const) {
    const written = named.get(key);
    const numbers = (key === 'window' ? [written] : written?.split(','))?.map((part) => numberOf(part ?? ''));
    if (written === undefined || numbers?.every(isRight) === true) continue;
    return `option --${key}: expected ${right}, found ${JSON.stringify(redact(written))}`;
  }
  return undefined;
}

function replayLogs(
  { logs, options, format, json, html, isPaths }: Options,
  { print, printError, isTty }: Output,
): number {
  const done: { name: string; report: ReplayReport }[] = [];
  let failures = 0;
  logs.forEach((log, at) => {
    // Folders say who works on what, and reports are shared.
    const [name, path] = [isPaths, true].map((isPath) => redact(nameOf(log, isPath))) as [string, string];
    try {
      if (isTty) printError(`\r${at + 1} of ${logs.length} `);
      const { report, warnings } = reportOf(logText(log), options, format);
      done.push({ name, report });
      if (warnings !== '') printError(`densify: ${path}: ${warnings}\n`);
    } catch (error) {
      failures += 1;
      printError(`densify: ${path}: ${reasonOf(error)}\n`);
    }
  });
  if (isTty) printError('\r');
  if (done.length === 0) return 1;
  const total = sumReplays(done.map(({ report }) => report));
  if (html !== undefined) writeText(html, replayHtml(total, done));
  if (json) print(`${JSON.stringify({ total, logs: done.map(({ name, report }) => ({ name, ...report })) })}\n`);
  else print(replayTable(total, { columns: columns() }));
  return failures > 0 ? 1 : 0;
}

/** A log a line in, a result a line out, also for lines that are none: who counts lines finds the log of each result. */
async function filter({ options, format }: Options, { printError }: Output): Promise<number> {
  let [number, failures] = [0, 0];
  for await (const line of linesOf(stdin(), LONGEST)) {
    number += 1;
    let result: object;
    try {
      if (line === undefined)
        throw new Error(`found a line of more than ${LONGEST} characters; read this log as a file`);
      if (line.trim() === '') throw new Error('found an empty line, expected a log');
      const { report, warnings } = reportOf(logOf(line), options, format);
      if (warnings !== '') printError(`densify: line ${number}: ${warnings}\n`);
      result = report;
    } catch (error) {
      failures += 1;
      result = { error: reasonOf(error) };
    }
    await printSlowly(`${JSON.stringify(result)}\n`);
  }
  return failures > 0 ? 1 : 0;
}

/** A line that is a JSON string holds a log of many lines; any other is the log. */
function logOf(line: string): string {
  if (!line.startsWith('"')) return line;
  const text: unknown = JSON.parse(line);
  return typeof text === 'string' ? text : line;
}

/** The outcome for a log, and its odd records. */
function reportOf(
  text: string,
  options: ReplayOptions,
  format: TranscriptFormat | undefined,
): { report: ReplayReport; warnings: string } {
  const { contents, format: found, warnings } = conversationOf(text, format);
  const said = warnings.map(
    ({ code, count, line }) => `${code} ${count === 1 ? '' : `${count} times, first `}at ${line}`,
  );
  return {
    report: replay(contents, { provider: PROVIDERS[found], ...options }),
    warnings: said.length === 0 ? '' : `read as ${found}, with warnings: ${said.join('; ')}`,
  };
}
