// No example does what the documents advise against: people copy examples.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);
/** Options that the guides advise against, as code switches them on. */
const ADVISED_AGAINST = /recencyPruning['"]?\s*:\s*true/;

const filesIn = (folder: string, name: RegExp): string[] =>
  readdirSync(fileURLToPath(new URL(folder, ROOT)), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`);

const files = [
  'README.md',
  ...filesIn('docs', /\.md$/),
  ...filesIn('examples', /\.(?:ts|mts|js|mjs|py|rs|md)$/),
  ...filesIn('pkg-template/src', /\.ts$/),
];

test('no example switches on what the guides advise against', () => {
  expect(files.length).toBeGreaterThan(50);
  const isAgainst = (file: string) => ADVISED_AGAINST.test(readFileSync(new URL(file, ROOT), 'utf8'));
  expect(files.filter(isAgainst)).toEqual([]);
});

test('the first example is a loop with a handle, and what caching means for it stands beside it', () => {
  const [, code = '', after = ''] =
    /```ts\n([\s\S]*?)```\n([\s\S]*?)\n#/.exec(readFileSync(new URL('README.md', ROOT), 'utf8')) ?? [];
  expect(code).toContain('createOptimizer');
  expect(code).toContain('cache_control: {');
  expect(after).toMatch(/cache/);
});

test('each example for Anthropic asks for a cache', () => {
  const examples = filesIn('examples', /\.ts$/).filter((file) => file.includes('/anthropic/'));
  expect(examples.length).toBeGreaterThan(1);
  const asks = (file: string) => /\bcache_control: \{/.test(readFileSync(new URL(file, ROOT), 'utf8'));
  expect(examples.filter((file) => !asks(file))).toEqual([]);
});
