// Load-tests `densify gateway` as users start it, against a scripted provider in a process of its own:
//
//   node load.mjs [--quick]
//
// Prints whether answers differ in a byte, the latency that the gateway adds at 200,000 tokens of history, requests a second of 50,000 tokens, and the memory
// of 1,000 sessions at once. Exit code 1 if a bar is missed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import autocannon from 'autocannon';
import { exchangeOf, printOf, startAnswering } from './answers.mjs';
import { session, sized } from './sessions.mjs';

const CLI = new URL('../node_modules/densify/dist/cli.js', import.meta.url).pathname;
const isQuick = process.argv.includes('--quick');
const BARS = { median: 10, p99: 30, perSecond: 300, megabytes: 1024 };
let missed = 0;

/** Starts a program that says where it listens. */
async function started(args, env = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const url = await new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk;
        const found = /at (http:\S+?:\d+)/.exec(text);
        if (found !== null) resolve(found[1]);
      });
    }
    child.on('close', () => reject(new Error(text)));
  });
  const stop = () =>
    new Promise((resolve) => {
      child.on('close', resolve);
      child.kill('SIGTERM');
    });
  return { url, pid: child.pid, stop };
}

const provider = await started([new URL('provider.mjs', import.meta.url).pathname]);
const gateway = () => started([CLI, 'gateway', '--port=0', `--upstream=anthropic=${provider.url}`]);

/** Milliseconds of CPU, and the most memory in MB, of a process. */
function usageOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
  return { cpu: (Number(stat[11]) + Number(stat[12])) * 10, megabytes: Number(peak) / 1024 };
}

const agent = new Agent({ keepAlive: true });

/** Sends a request, and returns how many milliseconds it took. */
function timed(url, body) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const asked = request(url, { method: 'POST', agent, headers: { 'content-length': body.length } }, (answer) => {
      answer.resume();
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(performance.now() - start) : reject(new Error(`${answer.statusCode}`)),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const quantile = (list, share) =>
  [...list].sort((one, other) => one - other)[Math.min(list.length - 1, Math.floor(list.length * share))];

function say(what, isMet) {
  if (!isMet) missed += 1;
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}`);
}

/** One session that has 200,000 tokens and grows by a step with each request; each is sent directly, too. */
async function latency() {
  const own = await gateway();
  const count = isQuick ? 40 : 200;
  const { bodies, tokens } = sized(200_000, count);
  const [direct, through] = [[], []];
  // The session as it grew: the gateway knows it, as it does where an agent runs behind it from the start.
  for (const body of sized(200_000, 0).growing) await timed(`${own.url}/anthropic/v1/messages`, body);
  const before = usageOf(own.pid).cpu;
  for (const [at, body] of bodies.entries()) {
    // In turns, so that neither has the quieter machine.
    const ways = [
      async () => direct.push(await timed(`${provider.url}/v1/messages`, body)),
      async () => through.push(await timed(`${own.url}/anthropic/v1/messages`, body)),
    ];
    if (at % 2 === 1) ways.reverse();
    for (const way of ways) await way();
  }
  const cpu = (usageOf(own.pid).cpu - before) / bodies.length;
  const added = through.map((value, at) => value - direct[at]);
  const [median, p99] = [quantile(added, 0.5), quantile(added, 0.99)];
  await own.stop();
  say(
    `latency added at ${Math.round(tokens / 1000)}k tokens, ${bodies.length} requests: median ${median.toFixed(1)} ms (bar ${BARS.median}), ` +
      `99th percentile ${p99.toFixed(1)} ms (bar ${BARS.p99}); ${cpu.toFixed(1)} ms of CPU each; ` +
      `directly ${quantile(direct, 0.5).toFixed(1)} and ${quantile(direct, 0.99).toFixed(1)} ms`,
    median <= BARS.median && p99 <= BARS.p99,
  );
}

/** Sends the requests of many sessions, each in its own order, over a number of connections. */
async function cannon(url, sessions, { connections, amount }) {
  let next = 0;
  const result = await autocannon({
    url,
    method: 'POST',
    connections,
    amount,
    timeout: 120,
    headers: { 'content-type': 'application/json' },
    setupClient(client) {
      const bodies = sessions(next++);
      let at = 0;
      const advance = () => {
        client.setBody(bodies.at(at % bodies.length));
        at += 1;
      };
      advance();
      client.on('response', advance);
    },
  });
  if (result.non2xx > 0 || result.errors > 0) say(`${result.non2xx} bad answers, ${result.errors} errors`, false);
  return result;
}

async function throughput() {
  const own = await gateway();
  const lists = Array.from({ length: 16 }, (_, seed) => sized(50_000, 60, seed).bodies);
  const { tokens } = sized(50_000, 0);
  const url = `${own.url}/anthropic/v1/messages`;
  await cannon(url, (at) => lists[at % lists.length], { connections: 16, amount: 200 }); // warm
  const before = usageOf(own.pid);
  const amount = isQuick ? 600 : 4000;
  const { duration, latency: times } = await cannon(url, (at) => lists[at % lists.length], { connections: 16, amount });
  const { cpu, megabytes } = usageOf(own.pid);
  const perSecond = amount / duration;
  await own.stop();
  say(
    `${Math.round(perSecond)} requests a second of ${Math.round(tokens / 1000)}k tokens (bar ${BARS.perSecond}), 16 connections; ` +
      `${((cpu - before.cpu) / amount).toFixed(2)} ms of CPU each, so two cores bear ${Math.round((2000 * amount) / (cpu - before.cpu))} a second; ` +
      `median ${times.p50} ms, 99th percentile ${times.p99} ms, ${Math.round(megabytes)} MB`,
    perSecond >= BARS.perSecond,
  );
}

async function memory() {
  const own = await gateway();
  const idle = usageOf(own.pid).megabytes;
  const url = `${own.url}/anthropic/v1/messages`;
  const rounds = isQuick ? 2 : 5;
  await cannon(url, (seed) => session(seed, 25_000, rounds), { connections: 1000, amount: 1000 * rounds });
  const { megabytes } = usageOf(own.pid);
  await own.stop();
  say(
    `1,000 sessions at once, ${rounds} requests of 25k tokens each: at most ${Math.round(megabytes)} MB (bar ${BARS.megabytes}), idle ${Math.round(idle)} MB`,
    megabytes <= BARS.megabytes,
  );
}

/** Answers of every kind through the gateway and directly, over 16 connections: they must not differ in a byte. */
async function bytes() {
  const answering = await startAnswering();
  const names = ['anthropic', 'openai', 'gemini'].map((name) => `${name}=${answering.url}`).join(',');
  const own = await started([CLI, 'gateway', '--port=0', `--upstream=${names}`]);
  const count = isQuick ? 500 : 5000;
  const connections = new Agent({ keepAlive: true, maxSockets: 16 });
  let next = 0;
  const different = [];
  const compare = async () => {
    while (next < count) {
      const number = next++;
      const { path } = exchangeOf(number);
      const direct = await printOf(answering.url, number, connections, path.replace(/^\/\w+/, ''));
      if ((await printOf(own.url, number, connections, path)) !== direct) different.push(number);
    }
  };
  await Promise.all(Array.from({ length: 16 }, compare));
  await own.stop();
  connections.destroy();
  answering.close();
  say(`${count} answers, ${different.length} different in a byte ${different.slice(0, 5)}`, different.length === 0);
}

console.log(`${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}`);
await bytes();
await latency();
await throughput();
await memory();
await provider.stop();
process.exit(missed === 0 ? 0 : 1);
