import type { IContent } from '../base/content.js';
import { isDensifyError } from '../base/errors.js';
import { nodeSend } from '../gateway-node/send.js';
import { factorOf } from '../models/measured.js';
import { pricesOf } from '../models/prices.js';
import { fingerprint } from '../prove/action.js';
import { Client } from '../prove/client.js';
import { anthropic } from '../prove/endpoints/anthropic.js';
import { type Endpoint, LEAVABLE } from '../prove/endpoints/endpoint.js';
import { gemini } from '../prove/endpoints/gemini.js';
import { openai } from '../prove/endpoints/openai.js';
import { proofHtml } from '../prove/html.js';
import { Journal } from '../prove/journal.js';
import { type Errand, type Plan, planOf } from '../prove/plan.js';
import { askAll, MOST_RECALLS } from '../prove/prove.js';
import { Purse, type Rates } from '../prove/purse.js';
import { type Proof, proofOf, proofTable } from '../prove/report.js';
import { MADE_BY_DENSIFY } from '../replay/html.js';
import { readOptions } from '../replay/options.js';
import { redact } from '../summary/functions.js';
import type { TranscriptFormat } from '../transcripts/api.js';
import { readTranscript } from '../transcripts/index.js';
import { argumentsOf, numberOf } from './arguments.js';
import type { Command, Output } from './command.js';
import {
  appendText,
  columns,
  environment,
  refusalToReplace,
  refusalToReplaceInput,
  refusalToWrite,
  textIfThere,
  writeText,
} from './host.js';
import { conversationOf, type FoundLog, logText, namedLogs, nameOf, reasonOf } from './logs.js';

const USAGE = `densify prove LOGS…        checks whether the model still does the same after packing. It asks for
                           the next action at points of your logs: twice with the whole
                           history, and once with the packed one

  --url=URL                the endpoint: https://api.openai.com, https://api.anthropic.com,
                           https://generativelanguage.googleapis.com, or a
                           compatible one. Without it nothing is sent: you see plan and cost
  --model=NAME             the model
  --key-env=NAME           the environment variable that holds the key (OPENAI_API_KEY,
                           ANTHROPIC_API_KEY or GEMINI_API_KEY, by the API)
  --api=NAME               the endpoint's API: openai, anthropic or gemini; by default by the URL
  --limit=5                the most dollars to spend; required unless prices are 0
  --prices=3,15            dollars per million tokens of input and of output; by default those of
                           the model, if known
  --policies=a,b           as in replay (balanced,aggressive,masking); also masking,
                           head-and-tail and plain-digest, rules that other tools use
  --cuts=5                 points of each log
  --questions=3            recall questions at each point and for each policy (0)
  --state=FILE             keeps answers, so that the same command continues after an interruption
  --window=200000          the model's window in tokens
  --max-tokens=1024        tokens of a reply
  --temperature=0, --seed=1   sent where the API has them
  --without-tools          for models without tools: calls are written as text
  --parallel=4             questions at once
  --timeout=120            seconds for a reply
  --format=NAME            the logs' format; by default it is detected
  --json, --html=FILE      the report as JSON, and as a page
  --force                  let the page replace a file that densify did not make

densify sends logs only to the endpoint that you name. Reports, state files and messages hold names of
logs and tools, but no contents and no key.
`;

/** The command `densify prove`. */
export const proveCommand: Command = { usage: USAGE, run };

const ACCEPTED = {
  valued: [
    ...['url', 'model', 'key-env', 'api', 'limit', 'prices', 'policies', 'cuts', 'questions', 'state', 'window'],
    ...['max-tokens', 'temperature', 'seed', 'parallel', 'timeout', 'format', 'html'],
  ],
  switches: ['without-tools', 'json', 'force'],
};

const APIS = { openai, anthropic, gemini };
type Api = keyof typeof APIS;
const KEYS: Readonly<Record<Api, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GEMINI_API_KEY',
};
/** Tokens of a usual reply, and of the instructions and tools, for the estimate of a run's cost. */
const [REPLY, FRAME] = [300, 1_500];
/** Some models cost more for longer prompts, which the table of prices leaves out. */
const LONG_PROMPT = 200_000;
const POLICIES = ['balanced', 'aggressive', 'masking'];

interface Options {
  readonly found: readonly FoundLog[];
  readonly api: Api;
  readonly url: string | undefined;
  readonly model: string | undefined;
  readonly key: string | undefined;
  /** The variable that holds the key. */
  readonly variable: string;
  readonly limit: number | undefined;
  readonly rates: Rates | undefined;
  /** Whether the prices are the user's. */
  readonly hasOwnRates: boolean;
  readonly policies: ReturnType<typeof readOptions>['policies'];
  readonly numbers: Readonly<Record<keyof typeof NUMBERS, number>>;
  readonly state: string | undefined;
  readonly isWithoutTools: boolean;
  readonly format: TranscriptFormat | undefined;
  readonly isJson: boolean;
  readonly html: string | undefined;
}

/** Options with a number: what they are without one, and the least and most they may be. */
const NUMBERS = {
  cuts: [5, 1, 100_000],
  questions: [0, 0, 100],
  window: [200_000, 1_000, 100_000_000],
  'max-tokens': [1_024, 1, 1_000_000],
  temperature: [0, 0, 2],
  seed: [1, 0, 2 ** 31 - 1],
  parallel: [4, 1, 64],
  timeout: [120, 1, 3_600],
} as const;

/** Runs it; the exit code: 0, 1 if a log couldn't be read or the run stopped early, 2 if the options are wrong. */
async function run(given: readonly string[], output: Output): Promise<number> {
  try {
    const options = optionsOf(given);
    if (typeof options !== 'string') return await prove(options, output);
    output.printError(`densify: ${options}\n`);
  } catch (error) {
    if (!isDensifyError(error) || error.code !== 'invalid-options') throw error;
    output.printError(`densify: ${error.message}\n`);
  }
  return 2;
}

function optionsOf(given: readonly string[]): Options | string {
  const read = argumentsOf(given, ACCEPTED);
  if (typeof read === 'string') return redact(read);
  const { options, others: files } = read;
  if (files.length === 0) return 'found no logs, expected their files: densify prove LOG…';
  const numbers = numbersOf(options);
  if (typeof numbers === 'string') return numbers;
  const url = options.get('url');
  const isUrl = url === undefined || /^https?:\/\/[^\s@?#]+$/.test(url);
  if (!isUrl)
    return 'option --url: expected https://host/path, without a user, a key or a query; pass the key with --key-env';
  const api = (options.get('api') ?? apiOf(url)) as Api;
  if (!Object.hasOwn(APIS, api)) return `option --api: found ${shown(api)}, expected one of openai, anthropic, gemini`;
  const model = options.get('model');
  if (url !== undefined && (model === undefined || model === ''))
    return 'option --model: pass the name of the model to ask';
  const rates = ratesOf(options.get('prices'), model);
  if (typeof rates === 'string') return rates;
  const limit = options.has('limit') ? numberOf(options.get('limit')!) : undefined;
  if (Number.isNaN(limit))
    return `option --limit: found ${shown(options.get('limit')!)}, expected dollars, as in 5 or 0.50`;
  const variable = options.get('key-env') ?? KEYS[api];
  const key = environment()[variable]?.trim();
  if (options.has('key-env') && (key === undefined || key === '')) {
    // Somebody may have typed the key itself.
    const name = /^[A-Z_][A-Z0-9_]*$/.test(variable) ? ` ${variable}` : '';
    return `option --key-env: the environment variable${name} is empty or missing; pass the name of the one that holds the key`;
  }
  const found = namedLogs(files);
  if (found.length === 0) return redact(`found no logs in ${files.join(', ')}: name other folders, or the files`);
  const html = options.get('html');
  const refusal = refusalOf(options, [...files, ...found.map(({ path }) => path)]);
  if (refusal !== undefined) return refusal;
  const format = options.get('format') as TranscriptFormat | undefined;
  readTranscript('', format === undefined ? {} : { format });
  const names =
    options
      .get('policies')
      ?.split(',')
      .map((name) => name.trim()) ?? POLICIES;
  return {
    ...{ found, api, url, model, key: key === '' ? undefined : key, variable, limit, rates, numbers, format, html },
    policies: readOptions({ policies: names as never }).policies.filter(({ name }) => name !== 'none'),
    state: options.get('state'),
    hasOwnRates: options.has('prices'),
    isWithoutTools: options.has('without-tools'),
    isJson: options.has('json'),
  };
}

/** Why a file that the run would write must stay as it is. */
function refusalOf(options: ReadonlyMap<string, string>, inputs: readonly string[]): string | undefined {
  const mark = { mark: MADE_BY_DENSIFY, isForced: options.has('force') };
  for (const [name, refused] of [
    ['html', (path: string) => refusalToReplace(path, inputs, mark)],
    // A file of state that densify did not make is refused when it is read.
    ['state', (path: string) => refusalToReplaceInput(path, inputs)],
  ] as const) {
    const path = options.get(name);
    const refusal = path === undefined ? undefined : (refused(path) ?? refusalToWrite(path));
    if (refusal !== undefined) return `option --${name}: ${redact(refusal)}`;
  }
  return undefined;
}

/** Words of an option as a message may show them. */
const shown = (text: string): string => JSON.stringify(redact(text.slice(0, 60)));

function numbersOf(options: ReadonlyMap<string, string>): Options['numbers'] | string {
  const numbers: Record<string, number> = {};
  for (const [key, [usual, least, most]] of Object.entries(NUMBERS)) {
    const written = options.get(key);
    const number = written === undefined ? usual : numberOf(written);
    const isWhole = key === 'temperature' || Number.isInteger(number);
    if (!(number >= least && number <= most && isWhole)) {
      const kind = key === 'temperature' ? 'a number' : 'a whole number';
      return `option --${key}: found ${shown(written ?? '')}, expected ${kind} from ${least} to ${most}`;
    }
    numbers[key] = number;
  }
  return numbers as unknown as Options['numbers'];
}

function apiOf(url: string | undefined): Api {
  const host = /^https?:\/\/([^/]+)/.exec(url ?? '')?.[1] ?? '';
  if (/anthropic/.test(host)) return 'anthropic';
  return /googleapis/.test(host) ? 'gemini' : 'openai';
}

/** Prices that are given, or those of a known model. */
function ratesOf(written: string | undefined, model: string | undefined): Rates | undefined | string {
  if (written !== undefined) {
    const [input = NaN, output = NaN, ...others] = written.split(',').map(numberOf);
    if (!Number.isNaN(input + output) && others.length === 0) return { input, output };
    return `option --prices: found ${shown(written)}, expected two prices, as in 3,15`;
  }
  if (model === undefined) return undefined;
  const { uncached, write, output, family } = pricesOf(model);
  // Some providers write to their cache without being asked.
  return family === 'unknown' ? undefined : { input: Math.max(uncached, write), output };
}

interface Log {
  readonly name: string;
  readonly contents: readonly IContent[];
}

async function prove(options: Options, output: Output): Promise<number> {
  const { logs, failures } = readLogs(options, output);
  if (logs.length === 0) return 1;
  const { policies, numbers, isWithoutTools, url, model, rates } = options;
  const { cuts, questions, window } = numbers;
  const scene = { prices: { cached: 0.3, uncached: 3.75 }, provider: PROVIDERS[options.api] };
  const plan = planOf(
    logs.map(({ contents }) => contents),
    {
      ...{ policies, cuts, questions, isWithoutTools, scene },
      window: Math.max(1, Math.floor((window - numbers['max-tokens'] - FRAME) / tokenFactor(options))),
    },
  );
  const found = { plan, policies: policies.map(({ name }) => name), names: logs.map(({ name }) => name) };
  if (url === undefined || model === undefined) {
    output.printError(`${estimateOf(plan, plan.errands, options)}\n`);
    const proof = proofOf({ ...found, answer: () => undefined, model: undefined, stopped: undefined, without: [] });
    return reported(proof, options, output, failures);
  }
  if (rates === undefined) {
    output.printError(`densify: the price of ${shown(model)} isn't known: pass --prices=INPUT,OUTPUT\n`);
    return 2;
  }
  if (options.limit === undefined && rates.input + rates.output > 0) {
    output.printError('densify: pass --limit=DOLLARS, the most that the run may spend\n');
    return 2;
  }
  if (window > LONG_PROMPT && !options.hasOwnRates) {
    output.printError('densify: prompts over 200,000 tokens may cost more: pass --prices=INPUT,OUTPUT for them\n');
    return 2;
  }
  const journal = new Journal(paperOf(options.state), runOf(options, logs));
  const open = plan.errands.filter(({ key }) => journal.answer(key) === undefined);
  output.printError(`${estimateOf(plan, open, options)}\n`);
  const purse = new Purse(rates, options.limit ?? 0, journal.spent);
  const watch = watched(output, numbers.timeout);
  const client = new Client(
    APIS[options.api] as Endpoint,
    {
      ...{ url, model, key: options.key, maxTokens: numbers['max-tokens'], temperature: numbers.temperature },
      ...{ seed: numbers.seed, without: new Set(LEAVABLE.filter((name) => journal.without.includes(name))) },
    },
    { timeout: 1000 * numbers.timeout, tries: 5, pause: 1000, send: nodeSend },
    {
      refused: (name) => journal.refused(name),
      failed(message, attempt, tries) {
        watch.failed(message, attempt, tries);
      },
    },
  );
  if (options.key === undefined && !isLocal(url)) {
    output.printError(
      `densify: ${options.variable} is not set, so the requests carry no key; set it, or pass --key-env\n`,
    );
  }
  const total = plan.errands.length;
  const stopped = await askAll(plan.errands, {
    ...{ client, journal, purse, maxTokens: numbers['max-tokens'], parallel: numbers.parallel },
    onProgress(done) {
      watch.answered();
      progress(output, done, total, purse.spent);
    },
  }).finally(watch.stop);
  if (output.isTty) output.printError('\n');
  if (stopped !== undefined) {
    const detail = stopped.detail === undefined || stopped.detail === '' ? '' : `: ${stopped.detail}`;
    output.printError(`densify: ${stopped.message}${detail}\n${adviceOn(stopped.reason, options)}`);
  }
  output.printError(`spent: $${purse.spent.toFixed(4)} at most\n`);
  const proof = proofOf({ ...found, answer: (key) => journal.answer(key), model, stopped, without: client.without });
  return reported(proof, options, output, failures + (stopped === undefined ? 0 : 1));
}

/** Seconds of silence after which a line says that the run waits. */
const SILENCE = 30;

/** Says what a run waits for: with retries and a long --timeout it may else be silent for many minutes. */
function watched({ isTty, printError }: Output, timeout: number) {
  const say = (line: string) => printError(`${isTty ? '\n' : ''}densify: ${line}\n`);
  let [failures, silent] = [0, 0];
  const timer = setInterval(() => {
    silent += SILENCE;
    say(`no reply for ${silent} s; a request may take ${timeout} s (--timeout)`);
  }, 1000 * SILENCE);
  return {
    answered() {
      [failures, silent] = [0, 0];
    },
    /** The first failure in a row, the second, the fourth and so on. */
    failed(message: string, attempt: number, tries: number) {
      silent = 0;
      failures += 1;
      if (Math.log2(failures) % 1 === 0) say(`no answer: ${message} (try ${attempt} of ${tries})`);
    },
    stop: () => clearInterval(timer),
  };
}

/** Whether an endpoint is on this machine: models there need no key. */
const isLocal = (url: string): boolean => /^(?:localhost|127\..*|\[::1\])$/.test(new URL(url).hostname);

const PROVIDERS = { openai: 'openai', anthropic: 'anthropic', gemini: 'google' } as const;

/** The model's tokens divided by those that densify counts. */
const tokenFactor = ({ api, model }: Options): number => factorOf({ model, provider: PROVIDERS[api] });

function progress({ isTty, printError }: Output, done: number, total: number, spent: number): void {
  if (isTty) printError(`\r${done} of ${total} questions, $${spent.toFixed(2)} `);
  // Somebody may follow a file: a line each tenth of the way.
  else if (done > 0 && Math.floor((10 * done) / total) > Math.floor((10 * (done - 1)) / total))
    printError(`${done} of ${total} questions\n`);
}

function adviceOn(reason: string, { state, isWithoutTools }: Options): string {
  const on =
    state === undefined ? 'pass --state=FILE next time, so that you can continue' : 'run the same command to go on';
  if (reason === 'limit') return `densify: ${on.replace('to go on', 'with a higher --limit to go on')}\n`;
  const tools = isWithoutTools ? '' : '; if the model has no tools, pass --without-tools';
  return `densify: ${on}${tools}\n`;
}

function readLogs({ found, format }: Options, { printError }: Output): { logs: Log[]; failures: number } {
  const logs: Log[] = [];
  let failures = 0;
  for (const log of found) {
    try {
      const { contents } = conversationOf(logText(log), format);
      logs.push({ name: redact(nameOf(log, false)), contents });
    } catch (error) {
      failures += 1;
      printError(`densify: ${redact(nameOf(log, true))}: ${reasonOf(error)}\n`);
    }
  }
  return { logs, failures };
}

/** What the open questions will cost, in words. */
function estimateOf({ cuts, errands }: Plan, open: readonly Errand[], options: Options): string {
  const { rates, numbers } = options;
  const factor = tokenFactor(options);
  const inputOf = ({ tokens }: Errand) => factor * tokens + FRAME;
  const input = open.reduce((sum, errand) => sum + inputOf(errand), 0);
  const left = open.length < errands.length ? `, ${open.length} of them open` : '';
  const plan = `${cuts.length} cut points, ${errands.length} questions${left}, about ${Math.round(input / 1000)} thousand tokens of input`;
  if (rates === undefined) return plan;
  const price = (output: number, requestsOf: (errand: Errand) => number) =>
    open.reduce((sum, errand) => {
      return sum + (requestsOf(errand) * (inputOf(errand) * rates.input + output * rates.output)) / 1e6;
    }, 0);
  const most = price(numbers['max-tokens'], ({ recall }) => (recall.length === 0 ? 1 : 1 + MOST_RECALLS));
  return `${plan}: about $${price(REPLY, () => 1).toFixed(2)}, at most about $${most.toFixed(2)} without retries`;
}

/** A fingerprint of all that answers depend on. */
function runOf({ api, url, model, numbers, policies, isWithoutTools }: Options, logs: readonly Log[]): string {
  // How patient a run is changes no answer, and neither does how much of it is done at once.
  const { parallel: _, timeout: __, ...asked } = numbers;
  const names = policies.map(({ name }) => name);
  const texts = logs.map(({ name, contents }) => [name, fingerprint(JSON.stringify(contents))]);
  return fingerprint(JSON.stringify([1, api, url, model, asked, names, isWithoutTools, texts]));
}

function paperOf(path: string | undefined) {
  if (path === undefined) return { text: undefined, append: () => undefined };
  return { text: textIfThere(path), append: (line: string) => appendText(path, line) };
}

function reported(proof: Proof, { html, isJson }: Options, { print }: Output, failures: number): number {
  if (html !== undefined) writeText(html, proofHtml(proof));
  print(isJson ? `${JSON.stringify(proof)}\n` : proofTable(proof, columns()));
  return failures > 0 ? 1 : 0;
}
