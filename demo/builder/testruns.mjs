// Reports of test runners over the test files of the virtual project. Which tests exist is read
// from the files; which of them fail, and how, is said by the script.

export function vitest({ session, project, failures }, only, verbose = false) {
  const paths = only.length > 0 ? only : project.paths().filter((path) => path.endsWith('.test.ts'));
  const suites = paths.map((path) => ({ path, tests: vitestNames(project.read(path)) }));
  for (const failure of failures) locate(project, suites, failure);
  const isFailed = (path, test) => failures.some((failure) => failure.path === path && failure.test === test.name);
  const out = ['', ` RUN  v2.1.4 ${project.root}`, ''];
  for (const { path, tests } of suites) out.push(...suiteLines(session, path, tests, isFailed, verbose));
  if (failures.length > 0) out.push(...failureLines(project, failures));
  const counts = (failed, all) => `${failed > 0 ? `${failed} failed | ` : ''}${all - failed} passed (${all})`;
  const total = suites.reduce((sum, { tests }) => sum + tests.length, 0);
  out.push('', ` Test Files  ${counts(new Set(failures.map((failure) => failure.path)).size, suites.length)}`);
  out.push(`      Tests  ${counts(failures.length, total)}`);
  out.push(`   Start at  ${new Date(session.time).toISOString().slice(11, 19)}`);
  out.push(`   Duration  ${session.random.int(480, 1900)}ms`);
  return out.join('\n');
}

/** The tests of a file, in order, each with its `describe`. */
function vitestNames(source) {
  const tests = [];
  let group = '';
  for (const [, kind, , name] of source.matchAll(/^\s*(describe|it|\](?: as const)?\))\((['"`])(.+?)\2,/gm)) {
    if (kind === 'describe') group = name;
    else if (kind === 'it') tests.push({ group, name, title: name });
    else tests.push(...tableRows(source, name).map((row) => ({ group, name: name.replace('%s', row), title: name })));
  }
  return tests;
}

/** The rows of `it.each([…])(name, …)`, by their first column. */
function tableRows(source, name) {
  const table = source.slice(0, source.indexOf(name)).split('it.each([').at(-1);
  return [...table.matchAll(/^\s*\['(.+?)'/gm)].map((match) => match[1]);
}

function locate(project, suites, failure) {
  const suite = suites.find(({ tests }) => tests.some((test) => test.name === failure.test));
  if (!suite) throw new Error(`no test is called ${failure.test}`);
  const { group, title } = suite.tests.find((test) => test.name === failure.test);
  const lines = project.read(suite.path).split('\n');
  const start = lines.findIndex((line) => line.includes(title));
  const line = lines.findIndex((text, index) => index >= start && text.includes(failure.snippet));
  if (line < 0) throw new Error(`${suite.path} has no ${failure.snippet}`);
  Object.assign(failure, { path: suite.path, group, line });
}

function suiteLines({ random }, path, tests, isFailed, verbose) {
  const failed = tests.filter((test) => isFailed(path, test));
  const note = failed.length > 0 ? ` | ${failed.length} failed` : '';
  const head = ` ${failed.length > 0 ? '❯' : '✓'} ${path} (${tests.length} tests${note}) ${random.int(4, 160)}ms`;
  const listed = verbose ? tests : failed;
  const line = (test) => `   ${isFailed(path, test) ? '×' : '✓'} ${test.group} > ${test.name} ${random.int(1, 24)}ms`;
  return [head, ...listed.map(line)];
}

function failureLines(project, failures) {
  const out = ['', `⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${failures.length} ⎯⎯⎯⎯⎯⎯⎯`];
  for (const { test, group, message, path, line, snippet, expected, received } of failures) {
    out.push('', ` FAIL  ${path} > ${group} > ${test}`, message);
    if (expected !== undefined) out.push('', '- Expected', '+ Received', '', `- ${expected}`, `+ ${received}`);
    const lines = project.read(path).split('\n');
    const column = lines[line].indexOf(snippet);
    out.push('', ` ❯ ${path}:${line + 1}:${column + 1}`);
    for (let i = Math.max(0, line - 3); i <= Math.min(lines.length - 1, line + 1); i++) {
      out.push(`    ${String(i + 1).padStart(4)}| ${lines[i]}`);
      if (i === line) out.push(`        | ${' '.repeat(column)}^`);
    }
  }
  return out;
}

const GREEN = '\u001b[32m';
const RED = '\u001b[31m';
const RESET = '\u001b[0m';

/** Coloured, as pytest prints it with --color=yes: real logs hold escape sequences. */
export function pytest({ session, project, failures }, only) {
  const paths = only.length > 0 ? only : project.paths().filter((path) => /(^|\/)test_[^/]+\.py$/.test(path));
  const suites = paths.map((path) => ({
    path,
    tests: [...project.read(path).matchAll(/^def (test_\w+)/gm)].map((match) => match[1]),
  }));
  const total = suites.reduce((sum, { tests }) => sum + tests.length, 0);
  const out = [
    `${'='.repeat(29)} test session starts ${'='.repeat(29)}`,
    'platform linux -- Python 3.12.4, pytest-8.2.2, pluggy-1.5.0',
    `rootdir: ${project.root}`,
    'configfile: pyproject.toml',
    `collected ${total} items`,
    '',
  ];
  const isFailed = (test) => failures.some((failure) => failure.test === test);
  for (const { path, tests } of suites) {
    for (const test of tests)
      out.push(`${path}::${test} ${isFailed(test) ? `${RED}FAILED${RESET}` : `${GREEN}PASSED${RESET}`}`);
  }
  if (failures.length > 0) out.push('', `${'='.repeat(35)} FAILURES ${'='.repeat(35)}`);
  for (const { test, message, snippet, expected, received } of failures) {
    out.push(
      `${RED}${'_'.repeat(20)} ${test} ${'_'.repeat(20)}${RESET}`,
      '',
      `>       ${snippet}`,
      `${RED}E       ${message}${RESET}`,
    );
    if (expected !== undefined)
      out.push(`${RED}E       expected: ${expected}${RESET}`, `${RED}E       received: ${received}${RESET}`);
  }
  const colour = failures.length > 0 ? RED : GREEN;
  const counts = `${failures.length > 0 ? `${failures.length} failed, ` : ''}${total - failures.length} passed`;
  out.push(
    '',
    `${colour}${'='.repeat(25)} ${counts} in ${(session.random.int(40, 400) / 100).toFixed(2)}s ${'='.repeat(25)}${RESET}`,
  );
  return out.join('\n');
}
