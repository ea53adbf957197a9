// What real conversations cost under the policies of `densify/replay`, with a prompt cache: dollars of input in per cent of
// the log as it was sent, with the cache always warm and with gaps as they were, and the cheapest plan for a planner who
// knows the session's future.
//
//   node js-tests/bench/economics.mjs SHARED [OPTIONS]
//
//   --quick              every fourth log
//   --policies=a,b       policies of `densify/replay`
//   --prices=0.3,3.75    dollars for a million tokens from the cache, and else; by default those of Claude Sonnet 4.6, whose
//                        writes cost more in logs that ask the cache to live for an hour
//   --lookback=20        a host with breakpoints at the end of requests and at the anchor; blocks that are looked through
//   --no-optimum         without the planner
//   --chains             instead of single logs those of a project, one after the other, in a window of a million tokens
//   --save=FILE          the figures as JSON
//   --against=FILE       differences to figures that were saved before
//
// SHARED is the folder with `transcripts/` and `transcripts-new/`. A bar that is missed is named; if a log at some call
// costs more than 102% with the defaults, the exit code is 1.
import { fork } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pricesOf, replay } from 'densify/replay';
import { readTranscript } from 'densify/transcripts';
import { optima } from './economics-optimum.mjs';

const PROCESSES = 2;
const POLICIES = ['balanced', 'gateway', 'aggressive', 'balanced:always', 'auto'];
const PRESETS = ['balanced', 'aggressive'];
const CACHES = ['warm', 'gaps'];
/** What chains are measured in, and the tokens that they have at least. */
const LARGE_WINDOW = 1_000_000;
const CHAINED = 500_000;
const CHAINS = 'chains';
const LONG_SESSIONS = 'sessions of 400 calls and more';
/** A session of so many calls is a long one. */
const LONG = 400;
/** Above this share of the unedited dollars a log counts as dearer. */
const DEARER = 1.02;

/** What a log's requests cost: a cache that lives longer may have dearer writes. */
function pricesFor(contents) {
  const { cached, write, longCache } = pricesOf('claude-sonnet-4-6');
  const isLong = contents.some(({ metadata }) => metadata?.cacheTtl >= longCache.cacheTtl);
  return { cached, uncached: isLong ? longCache.write : write };
}

/** The figures of one log. */
function measured({ file, chain = [file] }, { policies, prices: given, lookback, isOptimum }) {
  const contents = chain.flatMap((each) => readTranscript(readFileSync(each, 'utf8')).contents);
  const prices = given ?? pricesFor(contents);
  const found = { file, requests: 0 };
  for (const cache of CACHES) {
    const cacheTtl = cache === 'warm' ? Infinity : undefined;
    const options = { prices, ...(lookback && { lookback }), ...(cacheTtl && { cacheTtl }) };
    if (chain.length > 1) options.contextLimit = LARGE_WINDOW;
    const report = replay(contents, { policies, ...options });
    found.requests = report.requests;
    found[cache] = Object.fromEntries(report.policies.map(({ policy, ...figures }) => [policy, figures]));
    found[`${cache}-cold`] = report.coldRequests;
    for (const preset of isOptimum ? PRESETS : []) {
      const { whole, partial } = optima(contents, { preset, prices, cacheTtl, isShrunk: true });
      const least = (dollars) => ({ dollars: Math.min(dollars, found[cache].none.dollars) });
      found[cache][`intake + ${preset}, best whole flushes`] = least(whole);
      found[cache][`intake + ${preset}, best partial flushes`] = least(partial);
    }
  }
  return found;
}

/** The figures of all logs, by as many processes as there are cores for. */
async function measuredAll(logs, options) {
  const sizeOf = ({ file, chain = [file] }) => chain.reduce((sum, each) => sum + statSync(each).size, 0);
  const open = [...logs].sort((one, other) => sizeOf(other) - sizeOf(one));
  const found = new Map();
  const work = () =>
    new Promise((resolve, reject) => {
      const child = fork(fileURLToPath(import.meta.url), ['--worker']);
      const next = () => {
        const log = open.shift();
        if (log === undefined) child.disconnect();
        else child.send({ log, options });
      };
      child.on('message', (figures) => {
        found.set(figures.file, figures);
        if (process.stderr.isTTY) process.stderr.write(`\r${found.size} of ${logs.length} logs `);
        next();
      });
      child.on('error', reject);
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      next();
    });
  await Promise.all(Array.from({ length: PROCESSES }, work));
  if (process.stderr.isTTY) process.stderr.write('\r');
  return logs.map(({ file }) => found.get(file));
}

/** The sets of logs: the conversations, then those of each current agent. */
function setsOf(shared, isQuick) {
  const read = (folder) => {
    const manifest = join(shared, folder, 'manifest.json');
    if (!existsSync(manifest)) return [];
    const { files } = JSON.parse(readFileSync(manifest, 'utf8'));
    return files.map(({ file, format }) => ({ file: join(shared, folder, file), format }));
  };
  const sets = new Map([['transcripts', read('transcripts')]]);
  for (const log of read('transcripts-new')) {
    const name = `transcripts-new: ${log.format}`;
    sets.set(name, [...(sets.get(name) ?? []), log]);
  }
  if (isQuick)
    for (const [name, logs] of sets)
      sets.set(
        name,
        logs.filter((_, at) => at % 4 === 0),
      );
  return sets;
}

/** The logs of a project one after the other, until there are enough tokens; projects with fewer are left out. */
function chainsOf(shared) {
  const { files } = JSON.parse(readFileSync(join(shared, 'transcripts', 'manifest.json'), 'utf8'));
  const projects = new Map();
  for (const log of files) {
    const [project] = log.source.split('@', 1);
    projects.set(project, [...(projects.get(project) ?? []), log]);
  }
  const chains = [...projects].flatMap(([project, logs]) => {
    let tokens = 0;
    const chain = logs.filter(({ approx_tokens: more }) => tokens < CHAINED && (tokens += more) > 0);
    return tokens < CHAINED
      ? []
      : [{ file: project, chain: chain.map(({ file }) => join(shared, 'transcripts', file)) }];
  });
  return new Map([[CHAINS, chains]]);
}

const percent = (part, whole) => (whole === 0 ? undefined : (100 * part) / whole);

/** The row of a policy. */
function rowOf(logs, cache, policy) {
  const each = logs.flatMap((log) => {
    const [own, none] = [log[cache][policy], log[cache].none];
    return none.dollars === 0 ? [] : [{ own, none, ratio: own.dollars / none.dollars }];
  });
  const sum = (read) => each.reduce((total, one) => total + read(one), 0);
  const ratios = each.map(({ ratio }) => ratio).sort((one, other) => one - other);
  const requests = logs.reduce((total, log) => total + log.requests, 0);
  const money = {
    total: percent(
      sum(({ own }) => own.dollars),
      sum(({ none }) => none.dollars),
    ),
    mean: percent(
      sum(({ ratio }) => ratio),
      each.length,
    ),
    median: 100 * ((ratios[(ratios.length - 1) >> 1] + ratios[ratios.length >> 1]) / 2),
    dearer: ratios.filter((ratio) => ratio > DEARER).length,
    worst: 100 * ratios.at(-1),
  };
  if (each[0]?.own.recollection === undefined) return money;
  const kept = (key) =>
    percent(
      sum(({ own }) => own.recollection[key].kept),
      sum(({ own }) => own.recollection[key].of),
    );
  return {
    ...money,
    'worst call': 100 * Math.max(...each.map(({ own }) => own.worst)),
    breaks: sum(({ own }) => own.prefixBreaks),
    regret: sum(({ own }) => own.regret),
    'regret/100': percent(
      sum(({ own }) => own.regret),
      requests,
    ),
    tokens: percent(
      sum(({ own }) => own.tokens),
      sum(({ none }) => none.tokens),
    ),
    identifiers: kept('identifiers'),
    'edited lines': kept('editedLines'),
    paths: kept('paths'),
    requests: kept('requests'),
    rejected: sum(({ own }) => own.rejected),
  };
}

const WHOLE = new Set(['dearer', 'breaks', 'regret', 'rejected']);

function shown(column, value, before) {
  if (value === undefined || Number.isNaN(value)) return '–';
  const digits = WHOLE.has(column) ? 0 : column === 'regret/100' ? 2 : 1;
  const text = value.toFixed(digits);
  if (before === undefined || before === null) return text;
  const change = (value - before).toFixed(digits);
  return Number(change) === 0 ? text : `${text} (${Number(change) > 0 ? '+' : ''}${change})`;
}

/** A table, with differences to figures of before. */
function tableOf(rows, before) {
  const columns = Object.keys(rows.find(([name]) => name === 'balanced')?.[1] ?? rows[0][1]);
  const cells = [
    ['', ...columns],
    ...rows.map(([name, row]) => [
      name,
      ...columns.map((column) => shown(column, row[column], before?.[name]?.[column])),
    ]),
  ];
  const widths = cells[0].map((_, at) => Math.max(...cells.map((row) => row[at].length)));
  const line = (row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])));
  return cells.map((row) => line(row).join('  ').trimEnd()).join('\n');
}

/** What users get: from `createOptimizer` and hooks, and from `densify run` and the gateway, which shorten new results, too. */
const DEFAULTS = ['balanced', 'gateway'];
/** The bars: set, cache, policy, column, and the most or the least. */
const BARS = [
  ...DEFAULTS.flatMap((policy) => [
    ['transcripts', 'warm', policy, 'total', '<=', 66],
    ['transcripts', 'warm', policy, 'mean', '<=', 77],
    ['transcripts', 'gaps', policy, 'total', '<=', 59],
    ['transcripts', 'gaps', policy, 'mean', '<=', 73],
    ['transcripts', 'gaps', policy, 'identifiers', '>=', 96.5],
    ['transcripts', 'gaps', policy, 'edited lines', '>=', 95],
    ['transcripts', 'gaps', policy, 'paths', '>=', 97.5],
    ['transcripts', 'gaps', policy, 'requests', '>=', 100],
    ['transcripts', 'gaps', policy, 'regret', '<=', 6],
  ]),
  ...[
    ['total', '<=', 27],
    ['identifiers', '>=', 95],
    ['edited lines', '>=', 92],
    ['paths', '>=', 85],
    ['requests', '>=', 100],
  ].map((bar) => [CHAINS, 'gaps', 'auto', ...bar]),
  ...[...DEFAULTS, 'auto'].map((policy) => [LONG_SESSIONS, 'gaps', policy, 'regret/100', '<=', 0.7]),
  ['transcripts', 'warm', 'aggressive', 'total', '<=', 63],
  ['transcripts', 'warm', 'aggressive', 'mean', '<=', 74.5],
  ['transcripts', 'gaps', 'aggressive', 'total', '<=', 57.5],
  ['transcripts', 'gaps', 'aggressive', 'mean', '<=', 71],
  ...['claude-code', 'codex', 'opencode', 'pi'].flatMap((agent) =>
    ['total', 'mean'].map((column) => [`transcripts-new: ${agent}`, 'gaps', 'balanced', column, '<', 100]),
  ),
];

function judge(tables, most) {
  console.log('\nbars\n');
  for (const [set, cache, policy, column, sign, bar] of BARS) {
    const figure = tables[`${set}, ${cache}`]?.[policy]?.[column];
    if (figure === undefined) continue;
    const isMet = sign === '>=' ? figure >= bar : sign === '<' ? figure < bar : figure <= bar;
    console.log(
      `${isMet ? 'met   ' : 'MISSED'}  ${set}, ${cache}, ${policy}: ${column} ${shown(column, figure)} ${sign} ${bar}`,
    );
  }
  for (const [name, rows] of Object.entries(tables)) {
    for (const preset of [...DEFAULTS, 'aggressive']) {
      const figure = rows[preset]?.['worst call'];
      if (figure === undefined) continue;
      if (figure <= most) continue;
      console.log(`MISSED  ${name}, ${preset}: worst log at any call ${figure.toFixed(1)} <= ${most}`);
      process.exitCode = 1;
    }
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      chains: { type: 'boolean', default: false },
      policies: { type: 'string' },
      prices: { type: 'string' },
      lookback: { type: 'string' },
      'no-optimum': { type: 'boolean', default: false },
      save: { type: 'string' },
      against: { type: 'string' },
    },
  });
  const [cached, uncached] = values.prices?.split(',').map(Number) ?? [];
  const lookback = values.lookback === undefined ? undefined : Number(values.lookback);
  const sets = values.chains ? chainsOf(positionals[0]) : setsOf(positionals[0], values.quick);
  const policies = values.policies?.split(',') ?? (values.chains ? ['balanced', 'auto'] : POLICIES);
  const options = {
    policies,
    prices: cached === undefined ? undefined : { cached, uncached },
    lookback,
    isOptimum: !values['no-optimum'] && !values.chains,
  };
  const all = [...sets.values()].flat();
  const figures = new Map((await measuredAll(all, options)).map((log) => [log.file, log]));
  const before = values.against && JSON.parse(readFileSync(values.against, 'utf8'));
  const tables = {};
  sets.set(
    LONG_SESSIONS,
    all.filter(({ file }) => figures.get(file).requests >= LONG),
  );
  for (const [set, logs] of sets) {
    if (logs.length === 0) continue;
    const found = logs.map(({ file }) => figures.get(file));
    for (const cache of CACHES) {
      const name = `${set}, ${cache}`;
      const policies = Object.keys(found[0][cache]).filter((policy) => policy !== 'none');
      const rows = policies.map((policy) => [policy, rowOf(found, cache, policy)]);
      tables[name] = Object.fromEntries(rows);
      const count = (read) => found.reduce((sum, log) => sum + read(log), 0);
      const of = `${found.length} logs, ${count((log) => log.requests)} calls, ${count((log) => log[`${cache}-cold`])} cold`;
      console.log(`\n${name}: ${of}, $${count((log) => log[cache].none.dollars).toFixed(2)} unedited\n`);
      console.log(tableOf(rows, before?.[name]));
    }
  }
  judge(tables, lookback === undefined ? 102 : 103);
  if (values.save) writeFileSync(values.save, `${JSON.stringify(tables, null, 1)}\n`);
}

if (process.argv[2] === '--worker') {
  process.on('message', ({ log, options }) => process.send(measured(log, options)));
} else if (process.argv[1]?.endsWith('economics.mjs')) {
  await main();
}
