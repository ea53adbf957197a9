import { isDensifyError } from '../base/errors.js';
import { MADE_BY_DENSIFY } from '../replay/html.js';
import { redact } from '../summary/functions.js';
import { readTranscript } from '../transcripts/index.js';
import { argumentsOf, numberOf } from './arguments.js';
import type { Command, Output } from './command.js';
import { answer, columns, refusalToReplace, refusalToWrite, writeText } from './host.js';
import {
  AGENT_NAMES,
  eachSession,
  type FoundLog,
  findLogs,
  logSize,
  logText,
  namedLogs,
  nameOf,
  reasonOf,
  UNKNOWN_FORMAT,
} from './logs.js';
import { figuresOf, type Session } from './savings-figures.js';
import { savingsHtml, savingsJson, savingsText } from './savings-report.js';

const ACCEPTED = { valued: ['agents', 'prices', 'html'], switches: ['yes', 'json', 'paths', 'force'] };

const USAGE = `densify savings             prints what your agents' sessions on this machine cost, and what
                            densify would have saved; asks before it reads
densify savings LOGS…       the same for these logs or folders

  --yes                     read without asking
  --agents=a,b              only these (${AGENT_NAMES.slice(0, 5).join(', ')},
                            ${AGENT_NAMES.slice(5).join(', ')})
  --prices=0.3,3.75         dollars per million tokens: from the cache, and otherwise; without
                            it those of each session's model
  --json                    JSON instead of a table, with every session
  --html=FILE               a page with charts as well
  --force                   let the page replace a file that densify did not make
  --paths                   name sessions with their folders

densify only reads the logs. It sends nothing anywhere, and prints file names but no contents.
Exit code 1: some logs could not be read; their names are printed.
`;

/** The command `densify savings`. */
export const savingsCommand: Command = { usage: USAGE, run: runSavings };

/** The largest log that is read, in bytes: it must fit into memory as text, and as what is made of it. */
const LARGEST = 200 * 2 ** 20;

interface Options {
  readonly prices: { readonly cached: number; readonly uncached: number } | undefined;
  readonly agents: readonly string[];
}

async function runSavings(given: readonly string[], output: Output): Promise<number> {
  const found = argumentsOf(given, ACCEPTED);
  const wrong = (problem: string): number => {
    output.printError(`densify: ${redact(problem)}\n`);
    return 2;
  };
  if (typeof found === 'string') return wrong(found);
  const { options, others } = found;
  const read = optionsOf(options);
  if (typeof read === 'string') return wrong(read);
  const html = options.get('html');
  const written = { mark: MADE_BY_DENSIFY, isForced: options.has('force') };
  const refusalOf = (path: string, inputs: readonly FoundLog[]) =>
    refusalToReplace(path, [...others, ...inputs.map((log) => log.path)], written) ?? refusalToWrite(path);
  const named = others.length > 0 ? namedLogs(others) : undefined;
  const refusal = html === undefined ? undefined : refusalOf(html, named ?? []);
  if (refusal !== undefined) return wrong(`option --html: ${refusal}`);
  const logs = named ?? (await asked(read.agents, options.has('yes'), output));
  if (typeof logs === 'string') return wrong(logs);
  if (logs === undefined) return 0;
  const replaced = html === undefined ? undefined : refusalOf(html, logs);
  if (replaced !== undefined) return wrong(`option --html: ${replaced}`);
  const savings = savingsOf(logs, read, { ...output, isPaths: options.has('paths') });
  if (savings.sessions.length === 0) {
    if (savings.empty > 0 || savings.skipped.length === 0)
      output.printError('densify: no model was called in these logs, so there is nothing to count; name other logs\n');
    return savings.skipped.length > 0 ? 1 : 0;
  }
  if (html !== undefined) writeText(html, savingsHtml(savings));
  output.print(options.has('json') ? savingsJson(savings) : savingsText(savings, columns()));
  return savings.skipped.length > 0 ? 1 : 0;
}

function optionsOf(options: ReadonlyMap<string, string>): Options | string {
  const named = options
    .get('agents')
    ?.split(',')
    .map((name) => name.trim());
  // Their commands are shorter: `claude`, `gemini`.
  const agents = named?.map((name) => AGENT_NAMES.find((each) => each.startsWith(`${name}-`)) ?? name) ?? AGENT_NAMES;
  const unknown = agents.find((name) => !AGENT_NAMES.includes(name));
  if (unknown !== undefined)
    return `option --agents: found ${JSON.stringify(unknown)}, expected some of ${AGENT_NAMES.join(', ')}`;
  const written = options.get('prices');
  const numbers = written?.split(',').map(numberOf) ?? [];
  const [cached, uncached] = numbers;
  if (written === undefined) return { agents, prices: undefined };
  if (numbers.length !== 2 || cached === undefined || uncached === undefined || numbers.some(Number.isNaN)) {
    return `option --prices: found ${JSON.stringify(written)}, expected two numbers, as in 0.3,3.75`;
  }
  return { agents, prices: { cached, uncached } };
}

/** The logs on this machine, if the user lets them be read; nothing if not. */
async function asked(
  agents: readonly string[],
  isAllowed: boolean,
  output: Output,
): Promise<readonly FoundLog[] | string | undefined> {
  const { logs, folders } = findLogs(agents);
  if (logs.length === 0) return `found no logs of ${agents.join(', ')}: pass log files or folders`;
  if (isAllowed) return eachSession(logs);
  const question = `densify found ${logs.length === 1 ? '1 log' : `${logs.length} logs`} in\n${folders.map((folder) => `  ${folder}\n`).join('')}`;
  if (!output.isTty)
    return `${question}Run it with --yes to read them. They are only read, and nothing is sent anywhere.`;
  output.printError(`${question}They are only read, and nothing is sent anywhere. Read them? [y/N] `);
  return /^y(?:es)?$/i.test((await answer()).trim()) ? eachSession(logs) : undefined;
}

function savingsOf(logs: readonly FoundLog[], { prices }: Options, output: Output & { readonly isPaths: boolean }) {
  const sessions: Session[] = [];
  const skipped: { name: string; reason: string }[] = [];
  let empty = 0;
  logs.forEach((log, at) => {
    const name = redact(nameOf(log, output.isPaths));
    if (output.isTty) output.printError(`\r${at + 1} of ${logs.length} logs `);
    try {
      if (logSize(log) > LARGEST)
        throw new Error(`found more than ${LARGEST / 2 ** 20} MB, which is too large to read: split the log`);
      const text = logText(log);
      if (text.trim() === '') {
        empty += 1;
        return;
      }
      const { contents, format } = readTranscript(text);
      if (format === undefined) throw new Error(UNKNOWN_FORMAT);
      const figures = figuresOf(contents, prices);
      if (figures === undefined) empty += 1;
      else sessions.push({ agent: log.agent === '' ? format : log.agent, name, ...figures });
    } catch (error) {
      const reason = reasonOf(error);
      skipped.push({ name, reason });
      output.printError(`${output.isTty ? '\r' : ''}densify: ${redact(nameOf(log, true))}: ${reason}\n`);
      // A fault of ours is none of the log's: the other logs would only hide it.
      if (isDensifyError(error) && error.code === 'invalid-options') throw error;
    }
  });
  if (output.isTty) output.printError('\r');
  return { sessions, skipped, empty };
}
