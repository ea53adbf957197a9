// Builds demo/conversations/*.json from demo/scenarios: `node demo/build-conversations.mjs`.
//
// A scenario is a script of messages and tool calls, and archives of the files that the
// conversation starts with. The tools act on a virtual project, so reads, searches and diffs
// return its files as they are at that moment. Seeded: the output never varies.
// With `--check` nothing is written; the exit code says whether the committed files are current.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArchive, parseScript } from './builder/script.mjs';
import { playScript } from './builder/session.mjs';

const SCENARIOS = new URL('./scenarios/', import.meta.url);
const OUTPUT = new URL('./conversations/', import.meta.url);

function build(name) {
  const files = new Map();
  const steps = [];
  for (const file of readdirSync(new URL(`${name}/`, SCENARIOS)).sort()) {
    const text = readFileSync(new URL(`${name}/${file}`, SCENARIOS), 'utf8');
    if (file.endsWith('.files')) for (const [path, content] of parseArchive(text)) files.set(path, content);
    if (file.endsWith('.script')) steps.push(...parseScript(text));
  }
  return playScript(steps, files);
}

/** One entry a line: small, and still readable in a diff. */
function serialize({ contents, ...head }) {
  const fields = Object.entries(head).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const entries = contents.map((content) => JSON.stringify(content)).join(',\n');
  return `{\n${fields.join(',\n')},\n"contents": [\n${entries}\n]\n}\n`;
}

const check = process.argv.includes('--check');
for (const name of readdirSync(SCENARIOS).sort()) {
  const conversation = build(name);
  const json = serialize(conversation);
  const target = new URL(`${name}.json`, OUTPUT);
  if (check) {
    if (readFileSync(target, 'utf8') !== json) {
      console.error(`${name}.json is out of date: run node demo/build-conversations.mjs`);
      process.exitCode = 1;
    }
  } else {
    writeFileSync(target, json);
    console.log(
      `${name}.json: ${conversation.contents.length} entries, ${Math.round(Buffer.byteLength(json) / 1024)} kB`,
    );
  }
}
