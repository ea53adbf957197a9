// The linter finds planted faults in each kind of text.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
mkdirSync('target', { recursive: true });
const folder = mkdtempSync('target/prose-test-');
after(() => rmSync(folder, { recursive: true, force: true }));

const HARD = 'Whoever keeps the history elsewhere, which is said to be wise, takes what is left of it.';
const MISSPELLED = 'It removes repeeted tool results.';
const TERM = 'It fits the context length of the model.';
const LONG =
  'It removes a result and then another result and then a third one and then a fourth one and then a fifth one ' +
  'and then a sixth one and then a seventh one and then the last one of them.';
const CLEAR = 'It removes it, and reads the rest of it anew.';
const FINE = 'It removes repeated tool results.';

const KINDS = {
  'page.md': (text) => `# A page\n\n${text}\n`,
  'comment.rs': (text) => `/// ${text}\npub fn f() {}\n`,
  'message.rs': (text) => `pub fn f() -> &'static str {\n    "${text}"\n}\n`,
  'comment.ts': (text) => `/** ${text} */\nexport const a = 1;\n`,
  'message.ts': (text) => `export const a = \`${text}\`;\n`,
  'page.html': (text) => `<html>\n<p>${text}</p>\n</html>\n`,
  'manifest.json': (text) => `{\n  "description": "${text}"\n}\n`,
  'page.tsx': (text) => `export const Page = () => <p class="hint">${text.replace('It', '<b>It</b>')}</p>;\n`,
};

/** The exit code of the linter over the files, and its findings by file. */
function lint(texts) {
  const paths = Object.entries(texts).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const { status, stdout } = spawnSync('node', ['scripts/prose.mjs', ...paths], { encoding: 'utf8' });
  const findings = (name) => stdout.split('\n').filter((line) => line.startsWith(join(folder, name)));
  return { status, findings };
}

const of = (text) => Object.fromEntries(Object.entries(KINDS).map(([name, make]) => [name, make(text)]));

test('passes if all is well', () => {
  const { status, findings } = lint(of(FINE));
  assert.deepEqual([status, ...Object.keys(KINDS).flatMap(findings)], [0]);
});

const planted = lint(of(`${HARD} ${MISSPELLED} ${TERM} ${LONG} ${CLEAR}`));

for (const name of Object.keys(KINDS)) {
  test(`${name}: each planted fault is found`, () => {
    const found = planted.findings(name).join('\n');
    assert.equal(planted.status, 1);
    assert.match(found, /hard to read/);
    assert.match(found, /term: "context length", write "context window"/);
    // Rust's strings are often lists of words to look for.
    if (name !== 'message.rs') {
      assert.match(found, /spelling: "repeeted"/);
      assert.match(found, /: 40 words, at most 3[06]: It removes a result/);
    }
    if (!name.startsWith('comment')) assert.match(found, /"anew", write "again"/);
  });
}

test('wide code and a picture without an alternative text are found', () => {
  const { status, findings } = lint({ 'wide.md': `# A page\n\n\`\`\`ts\n${'x'.repeat(101)}\n\`\`\`\n\n![](a.svg)\n` });
  const found = findings('wide.md').join('\n');
  assert.equal(status, 1);
  assert.match(found, /code of 101 columns/);
  assert.match(found, /alternative text/);
});
