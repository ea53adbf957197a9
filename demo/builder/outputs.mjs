// What shell commands print. A body is literal text; a line that begins with `!` calls one of
// the generators below, which look at the virtual project.

import { LOGS } from './logs.mjs';
import { pytest, vitest } from './testruns.mjs';

export function shellOutput(session, body) {
  const state = { session, project: session.project, exitCode: 0, failures: [] };
  const out = [];
  for (const line of body.split('\n')) {
    const match = /^!([a-z]+)(?: (.*))?$/.exec(line);
    const text = match ? generate(state, match[1], match[2] ?? '') : line;
    if (text !== undefined) out.push(text);
  }
  return { output: out.join('\n'), exitCode: state.exitCode };
}

function generate(state, name, args) {
  const generator = GENERATORS[name];
  if (!generator) throw new Error(`unknown generator !${name}`);
  return generator(state, args);
}

const words = (args) => args.split(' ').filter(Boolean);

const GENERATORS = {
  exit: (state, args) => {
    state.exitCode = Number(args);
    return undefined;
  },
  /** A test that the next run reports as failed: name | message | code it fails at | expected | received */
  fail: (state, args) => {
    const [test, message, snippet, expected, received] = args.split(' | ');
    state.failures.push({ test, message, snippet, expected, received });
    state.exitCode = 1;
    return undefined;
  },
  vitest: (state, args) => vitest(state, words(args)),
  verbose: (state, args) => vitest(state, words(args), true),
  pytest: (state, args) => pytest(state, words(args)),
  gitdiff: ({ project }, args) => project.gitDiff(words(args)),
  gitstatus: ({ project }) => project.gitStatus(),
  commit: ({ project, session }, args) => project.commit(args, session.random.token(7)),
  gitlog: ({ project }) => project.log(),
  cat: ({ project }, args) => project.read(args).trimEnd(),
  lines: ({ project }, args) => {
    const [path, from, to] = words(args);
    return project
      .read(path)
      .split('\n')
      .slice(Number(from) - 1, Number(to))
      .join('\n');
  },
  wc: ({ project }, args) =>
    words(args)
      .map((path) => `${String(project.read(path).split('\n').length - 1).padStart(6)} ${path}`)
      .join('\n'),
  log: ({ session }, args) => {
    const [kind, count, ...rest] = words(args);
    if (!(kind in LOGS)) throw new Error(`unknown log ${kind}`);
    return LOGS[kind](session, Number(count), ...rest).join('\n');
  },
};
