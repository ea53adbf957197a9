// Runs real agents through densify against a scripted provider, and compares each run with one without densify.
//
//   node test-agents.mjs [--long | --setup] [--flush=POLICY,...] [AGENT]...
//
// `--setup` runs only what needs the gateway at its usual port. `--long` adds sessions of 320 steps in all presets: over
// 5,000 requests with all agents. `--flush` adds a session of 40 steps by each policy.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agents, EDITED, environmentOf, INNER, runnable, script, workspace } from './agents.mjs';
import { PACKAGES } from './packages.mjs';
import { startProvider } from './provider.mjs';

const PACKAGE = new URL('../node_modules/densify', import.meta.url).pathname;
const CLI = join(PACKAGE, 'dist/cli.js');
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
/** Milliseconds that one run of an agent may take, on a busy machine. */
const AT_MOST = process.argv.includes('--long') ? 900_000 : 180_000;

const failures = [];
const missed = [];
const sums = { requests: 0, refused: 0 };

function expect(what, isTrue, details = '') {
  if (isTrue) return;
  failures.push(what);
  console.log(`  FAILED ${what} ${details}`);
}

/** A bar that is missed is reported; the agent works all the same. */
function bar(what, isMet) {
  if (isMet) return;
  missed.push(what);
  console.log(`  MISSED ${what}`);
}

/** Runs a command to its end. */
function execute([command, ...args], { cwd, env, stdin = 'ignore' }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: [stdin, 'pipe', 'pipe'], detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), AT_MOST);
    child.on('error', (error) => (output += String(error)));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? signal, output });
    });
  });
}

/** Runs a command until `isTime`, then sends what a terminal sends for Ctrl+C, and later SIGTERM. */
async function cancelled([command, ...args], { cwd, env }, isTime) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const closed = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const end = Date.now() + AT_MOST;
  while (!isTime() && Date.now() < end && child.exitCode === null) await pause(50);
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGKILL']) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    process.kill(-child.pid, signal);
    await Promise.race([closed, pause(4000)]);
  }
  return { code: await closed, output };
}

/** A run of an agent in a home of its own; `steps` are what happens there, one after the other. */
async function scene(name, title, { steps = 40, script: own, faults, login = {}, isCompared = false, more = {}, act }) {
  const agent = { name, ...agents[name] };
  const root = mkdtempSync(join(tmpdir(), 'densify-agents-'));
  const folders = { root, ...workspace(root) };
  agent.prepare(folders);
  login.prepare?.(folders);
  const isInner = ({ messages, input }) => JSON.stringify(messages?.[0] ?? input?.[0] ?? '').includes(INNER);
  const provider = await startProvider({ script: own ?? script(folders.work, steps), isInner, faults });
  const env = environmentOf(agent, folders, { ...more, ...login.more });
  const densify = (...args) => execute([process.execPath, CLI, ...args], { cwd: folders.work, env });
  const line = (args, options = []) => [
    'run',
    ...options,
    `--upstream=${agent.upstream(provider.url)}`,
    '--',
    agent.path,
    ...args,
  ];
  const run = (args, options) => densify(...line(args, options));
  const hangs = () => provider.state.hanging > 0;
  const cancel = (args) => cancelled([process.execPath, CLI, ...line(args)], { cwd: folders.work, env }, hangs);
  /** The same without densify. */
  const bare = (args) => {
    const { env: own = {}, args: more = [] } = agent.direct(provider.url, folders);
    return [[agent.path, ...more, ...args], { cwd: folders.work, env: { ...env, ...own } }];
  };
  const direct = (args = agent.args(folders)) => execute(...bare(args));
  const cancelDirect = (args) => cancelled(...bare(args), hangs);
  try {
    const done = await act({ agent, folders, provider, env, run, cancel, direct, cancelDirect, densify });
    const { requests, refused, unknown, sent, cost } = provider.state;
    sums.requests += requests;
    if (!isCompared) {
      sums.refused += refused.length;
      expect(`${name}, ${title}: no request is refused`, refused.length === 0, JSON.stringify(refused[0]));
    }
    console.log(
      `  ${title}: ${requests} requests, ${Math.round(sent / 1000)}k tokens, cost ${Math.round(cost / 1000)}k${unknown.length ? `, other: ${[...new Set(unknown)].slice(0, 3)}` : ''}`,
    );
    return { ...provider.state, ...done };
  } finally {
    await provider.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

const isDone = ({ code, output }) => code === 0 && output.includes('All done.');
const tail = ({ code, output }) => `exit ${code}: ${output.slice(-600)}`;

/** All files of a folder, by path. */
export function filesIn(folder) {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path), 'base64')]),
  );
}

async function testAgent(name) {
  const one = (title, options) => scene(name, title, options);
  const plain = await one('without densify', {
    act: async ({ direct }) => {
      const ended = await direct();
      expect(
        `${name} runs without densify; a new version may have changed its wire format`,
        isDone(ended),
        tail(ended),
      );
      return {};
    },
  });
  const packed = await one('run', {
    act: async ({ agent, folders, run }) => {
      const ended = await run(agent.args(folders));
      expect(`${name} runs`, isDone(ended), tail(ended));
      expect(
        `${name}: one closing line`,
        (ended.output.match(/^densify: \d+ requests, sent/gm) ?? []).length === 1,
        tail(ended),
      );
      const edited = readFileSync(join(folders.work, 'src', 'file2.ts'), 'utf8').includes(EDITED[1]);
      return { edited };
    },
  });
  const has = (...tools) => tools.some((tool) => packed.tools.has(tool));
  if (has('Edit', 'replace', 'edit')) expect(`${name} edits a file by its own tool`, packed.edited);
  else console.log('  it has no tool for edits: commands write files');
  if (has('Agent', 'Task', 'task')) expect(`${name}: a sub-agent ran`, packed.inner > 0);
  else console.log('  it has no tool for sub-agents');
  const [tokens, dollars] = [packed.sent / plain.sent, packed.cost / plain.cost].map((part) => Math.round(part * 100));
  console.log(`  run sends ${tokens}% of the tokens, for ${dollars}% of the dollars`);
  expect(`${name}: tokens are fewer`, tokens < 85, `${tokens}%`);
  bar(`${name}: tokens are at most 65% (they are ${tokens}%)`, tokens <= 65);
  expect(
    `${name}: dollars are not above the unpacked run`,
    packed.cost <= plain.cost,
    `${packed.cost} of ${plain.cost}`,
  );
  expect(`${name}: no circle with "unchanged" stubs`, packed.stubs <= plain.stubs, `${packed.stubs} of ${plain.stubs}`);
  for (const policy of policies) {
    const flushed = await one(`run --flush=${policy}`, {
      act: async ({ agent, folders, run }) => {
        const ended = await run(agent.args(folders), [`--flush=${policy}`]);
        expect(`${name} runs with ${policy}`, isDone(ended), tail(ended));
        return {};
      },
    });
    const [sent, cost] = [flushed.sent / plain.sent, flushed.cost / plain.cost].map((part) => Math.round(part * 100));
    console.log(`  --flush=${policy} sends ${sent}% of the tokens, for ${cost}% of the dollars`);
  }
  if (isLong) {
    for (const preset of ['lossless', 'balanced', 'aggressive']) {
      await one(`run --preset=${preset}, 320 steps`, {
        steps: 320,
        act: async ({ agent, folders, run }) => {
          const ended = await run(agent.args(folders), [`--preset=${preset}`]);
          expect(`${name} runs with ${preset}`, isDone(ended), tail(ended));
          console.log(`  ${/^densify: .* requests, (.*)$/m.exec(ended.output)?.[1]}`);
          return {};
        },
      });
    }
  }
  if (agents[name].bound !== undefined) {
    const { bound } = await one('bound thinking', {
      act: async ({ agent, folders, run }) => {
        const ended = await run(agent.bound(agent.args(folders)));
        expect(`${name} runs with bound thinking`, isDone(ended), tail(ended));
        return {};
      },
    });
    expect(`${name}: thinking was bound`, bound > 100, String(bound));
    // Each run has a gateway of its own, which doesn't know what another one sent.
    await one('bound thinking, resumed', {
      act: async ({ agent, folders, run }) => {
        const first = await run(agent.bound(agent.args(folders)));
        const second = await run(agent.bound(agent.resume(folders)), ['--preset=aggressive']);
        expect(`${name} goes on with bound thinking`, isDone(first) && isDone(second), tail(second));
        return {};
      },
    });
  }
  await testCancellation(name);
  await one('run --observe', {
    steps: 12,
    act: async ({ agent, folders, run }) => {
      const ended = await run(agent.args(folders), ['--observe', '--json']);
      expect(`${name} runs under --observe`, isDone(ended), tail(ended));
      const figures = JSON.parse(/^\{"requests".*\}$/m.exec(ended.output)?.[0] ?? '{}');
      expect(`${name}: --json ends with figures`, figures.requests > 10, tail(ended));
      return {};
    },
  });
  // Every kind of failure once, at requests that come one after the other.
  const faulty = { 3: 429, 6: 500, 9: 529, 12: 'breaks', 15: 'dies', 18: 503 };
  await one('failing provider', {
    steps: 20,
    faults: (number) =>
      agents[name].breaks === false && typeof faulty[number] === 'string' ? undefined : faulty[number],
    act: async ({ agent, folders, run }) => {
      const ended = await run(agent.args(folders));
      expect(`${name} gets over failures of the provider`, isDone(ended), tail(ended));
      return {};
    },
  });
  if (agents[name].resume !== undefined) {
    await one('resume', {
      steps: 25,
      act: async ({ agent, folders, run }) => {
        const first = await run(agent.args(folders));
        const second = await run(agent.resume(folders));
        expect(`${name} goes on with a session`, isDone(first) && isDone(second), tail(second));
        return {};
      },
    });
  }
  if (agents[name].login !== undefined) {
    const { bearer } = await one('login', {
      steps: 12,
      login: agents[name].login,
      act: async ({ agent, folders, run }) => {
        const ended = await run(agent.args(folders));
        expect(`${name} runs with a login's token`, isDone(ended), tail(ended));
        return {};
      },
    });
    expect(`${name}: the token reaches the provider`, bearer > 10);
  }
}

/** A cancel in mid-stream, and a resume. A refusal counts where the same session without densify has none. */
async function testCancellation(name) {
  const cancelledAt = (title, isDirect) =>
    scene(name, title, {
      steps: 12,
      isCompared: true,
      faults: (number) => (number === 6 ? 'hangs' : undefined),
      act: async ({ agent, folders, provider, cancel, cancelDirect, direct, run }) => {
        const ended = await (isDirect ? cancelDirect : cancel)(agent.args(folders));
        expect(`${name} ends when it is cancelled`, ended.code !== 'SIGKILL', tail(ended));
        expect(`${name}: the provider sees the cancellation`, provider.state.cancelled === 1, tail(ended));
        if (agent.resume === undefined) return { goesOn: true, codes: '' };
        const again = await (isDirect ? direct : run)(agent.resume(folders));
        const codes = provider.state.refused.flatMap(({ findings }) => findings.map(({ code }) => code)).join(' ');
        return { goesOn: isDone(again), codes, again };
      },
    });
  const packed = await cancelledAt('cancelled in mid-stream', false);
  if (packed.goesOn && packed.codes === '') return;
  // How much the agent has taken in when it is cancelled is chance: one of some runs without densify must be the same.
  let isSame = false;
  for (let time = 0; time < 5 && !isSame; time += 1) {
    const plain = await cancelledAt('cancelled, without densify', true);
    isSame = packed.codes === plain.codes && packed.goesOn === plain.goesOn;
  }
  expect(`${name} goes on after a cancel as it does without densify`, isSame, `${packed.codes} ${tail(packed.again)}`);
  if (isSame) console.log(`  refused without densify too: ${packed.codes}`);
  else sums.refused += 1;
}

/** The process of the gateway that a hook has started, by the file of its key. */
function gatewayProcess({ home }, env) {
  const path = join(env.XDG_STATE_HOME ?? join(home, '.local', 'state'), 'densify', 'gateway.key');
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[1]) : undefined;
}

const isAnswering = () =>
  fetch('http://127.0.0.1:8787/healthz').then(
    ({ ok }) => ok,
    () => false,
  );

/** Under `setup`, and after `--undo`: then nothing of it may be left. Hooks start the gateway, and start it again. */
async function testSetup(name) {
  await scene(name, 'setup, then --undo', {
    steps: 40,
    act: async ({ agent, folders, provider, env, densify }) => {
      const isInProcess = agent.name === 'pi' || agent.name === 'opencode';
      const point = isInProcess ? agent.direct(provider.url, folders) : {};
      const own = { ...env, ...point.env, DENSIFY_UPSTREAM: agent.upstream(provider.url) };
      const before = filesIn(folders.home);
      const set = await densify('setup', agent.name, '--yes');
      expect(`${name} is set up`, set.code === 0, tail(set));
      const changed = filesIn(folders.home);
      const touched = Object.keys(changed).filter((path) => changed[path] !== before[path]);
      const run = (args) =>
        execute([agent.path, ...(point.args ?? []), ...(agent.trusted ?? []), ...args], {
          cwd: folders.work,
          env: own,
        });
      expect(`${name}: no gateway runs before`, isInProcess || !(await isAnswering()));
      const ended = await run(agent.args(folders));
      expect(`${name} runs under setup`, isDone(ended), tail(ended));
      const { sent, requests } = provider.state;
      if (!isInProcess) {
        const started = gatewayProcess(folders, env);
        expect(`${name}: its hook has started the gateway`, started > 0 && (await isAnswering()));
        if (started > 0) process.kill(started, 'SIGKILL');
        const again = await run((agent.resume ?? agent.args)(folders));
        expect(`${name}: its hook starts the gateway again`, isDone(again) && (await isAnswering()), tail(again));
      }
      const undone = await densify('setup', agent.name, '--undo');
      const after = filesIn(folders.home);
      const left = touched.filter((path) => after[path] !== before[path]);
      expect(
        `${name}: --undo leaves no trace`,
        touched.length > 0 && undone.code === 0 && left.length === 0,
        `${left} ${tail(undone)}`,
      );
      expect(`${name}: --undo ends the gateway`, isInProcess || !(await isAnswering()), tail(undone));
      provider.state.steps.clear();
      provider.state.sent = 0;
      provider.state.requests = 0;
      const { env: directEnv = {}, args = [] } = agent.direct(provider.url, folders);
      const plain = await execute([agent.path, ...args, ...agent.args(folders)], {
        cwd: folders.work,
        env: { ...env, ...directEnv },
      });
      expect(`${name} runs after --undo`, isDone(plain), tail(plain));
      expect(
        `${name}: setup packs (${Math.round((100 * sent) / provider.state.sent)}% of the tokens)`,
        sent < provider.state.sent * 0.95,
        `${sent} of ${provider.state.sent}`,
      );
      provider.state.requests += requests;
      return {};
    },
  });
}

/** The mod of Claude Code: the package as a plug-in, without a gateway. */
async function testMod() {
  const prompt = 'Never touch the folder vendor. Run the tests.';
  const command = 'seq -f "test case_%g ... ok" 300 # cargo test';
  const sent = {};
  for (const isOn of [false, true]) {
    let asked = '';
    const steps = (step, { body }) => {
      const last = JSON.stringify(body.messages.slice(-3));
      if (last.includes('Do NOT call any tools')) asked = last;
      return step < 12 && asked === '' ? [{ name: 'Bash', args: { command, description: 'tests' } }] : 'All done.';
    };
    const more = isOn ? ['--plugin-dir', PACKAGE] : [];
    await scene('claude', isOn ? 'mod' : 'without a mod', {
      script: steps,
      act: async ({ agent, folders, provider, direct }) => {
        const args = (text, begin = []) =>
          [...more, ...begin, ...agent.args(folders)].map((each, at, all) => (all[at - 1] === '-p' ? text : each));
        const ended = await direct(args(prompt));
        expect('claude runs with the mod', isDone(ended), tail(ended));
        sent[isOn] = provider.state.sent;
        if (!isOn) return {};
        await direct(args('/compact', ['-c']));
        expect(
          'the mod tells facts to the summary',
          asked.includes('- Never touch the folder vendor.'),
          asked.slice(-600),
        );
        return {};
      },
    });
  }
  const share = Math.round((100 * sent.true) / sent.false);
  expect(`the mod shortens results (${share}% of the tokens)`, share < 85);
  const digested = {
    script: (step) => (step < 30 ? [{ name: 'Bash', args: { command, description: 'tests' } }] : 'All done.'),
  };
  await scene('claude', 'mod with a digest', {
    ...digested,
    more: { DENSIFY_COMPACTION: 'digest' },
    act: async ({ agent, folders, provider, direct }) => {
      const plugin = ['--plugin-dir', PACKAGE];
      await direct([...plugin, ...agent.args(folders)]);
      const { requests } = provider.state;
      const args = agent.args(folders).map((each, at, all) => (all[at - 1] === '-p' ? '/compact' : each));
      const ended = await direct([...plugin, '-c', ...args]);
      expect('a digest asks no model', ended.code === 0 && provider.state.requests === requests, tail(ended));
      return {};
    },
  });
}

const isLong = process.argv.includes('--long');
const isSetupOnly = process.argv.includes('--setup');
const policies = /^--flush=(.+)$/m.exec(process.argv.join('\n'))?.[1].split(',') ?? [];
const asked = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const started = Date.now();
for (const name of asked.length > 0 ? asked : Object.keys(agents)) {
  if (agents[name] === undefined) throw new Error(`unknown agent ${name}, expected one of ${Object.keys(agents)}`);
  if (!runnable(agents[name])) {
    expect(`${name} is installed`, false, 'run make test-agents');
    continue;
  }
  console.log(`${name} (${dependencies[PACKAGES[name]]})`);
  if (!isSetupOnly) await testAgent(name);
  await testSetup(name);
  if (name === 'claude' && !isSetupOnly) await testMod();
}
console.log(`${sums.requests} requests, ${sums.refused} refused, ${Math.round((Date.now() - started) / 1000)} s`);
if (missed.length > 0) console.log(`${missed.length} bars missed:\n${missed.map((each) => `  ${each}`).join('\n')}`);
console.log(
  failures.length === 0
    ? 'all agents work'
    : `${failures.length} failures:\n${failures.map((each) => `  ${each}`).join('\n')}`,
);
process.exit(failures.length === 0 ? 0 : 1);
