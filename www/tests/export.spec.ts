import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import * as densify from 'densify';
import { loadTokenizer } from 'densify/tokens';
import { drop, expectAccessible, openPage, ready } from './support.js';

const demo = JSON.parse(
  readFileSync(new URL('../../demo/conversations/fix-webhook-retries.json', import.meta.url), 'utf8'),
) as { contents: densify.IContent[] };

async function download(page: Page, button: string): Promise<string> {
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFileSync(await (await started).path(), 'utf8');
}

type Session = (history: readonly densify.IContent[]) => Promise<readonly densify.IContent[]>;
const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

/** A model that isn't available: a digest replaces its summary. */
const ask = (): never => {
  throw new Error('no model');
};

/** Runs the copied code as an agent would: before every model call. */
async function run(code: string): Promise<readonly densify.IContent[]> {
  const [head = '', loop = ''] = code.replaceAll(/^import .*\n/gm, '').split('// before every model call\n');
  const known = {
    createOptimizer: densify.createOptimizer,
    createConversation: densify.createConversation,
    loadTokenizer,
    ask,
  };
  const build = new AsyncFunction(
    ...Object.keys(known),
    `${head} return async (history) => { ${loop} return messages; };`,
  );
  const session = (await build(...Object.values(known))) as Session;
  for (const [index, content] of demo.contents.entries()) {
    const before = demo.contents[index - 1];
    if (content.speaker === 'ai' && before && before.speaker !== 'ai') await session(demo.contents.slice(0, index));
  }
  return session(demo.contents);
}

// A window in which auto needs no summary of a model: here one is cancelled, there it would fail.
for (const [strategy, counting, window] of [
  [/Auto/, 'estimate', 48_000],
  [/Digest/, 'estimate', 16_000],
  [/Rules only/, 'estimate', undefined],
  [/High density/, 'estimate', 16_000],
  [/High density/, 'o200k_base', 48_000],
  [/Truncation/, 'estimate', 16_000],
] as const) {
  test(`the copied code gives exactly the messages that are exported: ${strategy.source}, ${counting}`, async ({
    page,
  }) => {
    await openPage(page);
    await ready(page);
    await page.getByRole('radio', { name: strategy }).check();
    if (window) await page.getByLabel('Context window').selectOption(String(window));
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Token counting').selectOption(counting);
    await page.getByRole('link', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Copy the code' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const code = await page.evaluate(() => navigator.clipboard.readText());
    const { contents } = JSON.parse(await download(page, 'Download shortened')) as { contents: unknown };
    expect(contents).toEqual(JSON.parse(JSON.stringify(await run(code))));
  });
}

test('settings are read back from their JSON; what is wrong is named, and then nothing is taken', async ({ page }) => {
  await openPage(page, '#export?strategy=digest&contextLimit=16000&flush=never');
  const box = page.getByRole('textbox', { name: 'The settings as JSON' });
  await expect(box).toHaveValue(/"strategy": "digest"/);
  const exported = await box.inputValue();
  await box.fill('{"strategy": "auto", "contextLimit": "big", "tresh\u202eold": 1}');
  await page.getByRole('button', { name: 'Use these settings' }).click();
  const alert = page.getByRole('region', { name: 'Settings' }).getByRole('alert');
  await expect(alert).toContainText('contextLimit: found "big", expected a number from 500 to 10000000');
  await expect(alert).toContainText('tresh\\u{202e}old: an unknown key, expected one of strategy');
  await expect(page.locator('pre.code')).toContainText("strategy: 'digest'");
  await box.fill('[1]');
  await page.getByRole('button', { name: 'Use these settings' }).click();
  await expect(alert).toContainText('isn’t a JSON object');
  await box.fill('{"strategy": "auto", "recall": true}');
  await page.getByRole('button', { name: 'Use these settings' }).click();
  await expect(alert).toHaveCount(0);
  await expect(page.locator('pre.code')).toContainText("strategy: 'auto', contextLimit: 16_000");
  await expect(page.locator('pre.code')).toContainText("flush: 'never'");
  await expect(box).toHaveValue(/"recall": true/);
  await box.fill(exported);
  await page.getByRole('button', { name: 'Use these settings' }).click();
  await expect(page.locator('pre.code')).toContainText("strategy: 'digest'");
});

test('settings are dropped like a log, alone or beside one', async ({ page }) => {
  await openPage(page);
  await ready(page);
  await drop(page, [
    { name: 'settings.json', text: '{"strategy": "top-down-truncation", "contextLimit": 8000}' },
    { name: 'mine.json', text: JSON.stringify([{ role: 'user', content: 'Hello' }]) },
  ]);
  await expect(page.getByRole('radio', { name: /Truncation/ })).toBeChecked();
  await expect(page.getByLabel('Context window')).toHaveValue('8000');
  await expect(page.locator('.headline h2')).toHaveText('mine.json');
  await drop(page, [{ name: 'wrong.json', text: '{"strategy": "best"}' }]);
  await expect(page.getByRole('status').first()).toContainText(
    'wrong.json: strategy: found "best", expected one of optimize, auto',
  );
  await expect(page.getByRole('radio', { name: /Truncation/ })).toBeChecked();
});

test('messages are exported for other programs too, and chat completions are read again', async ({ page }) => {
  await openPage(page, '#export');
  await expect(page.getByRole('button', { name: 'Download shortened' })).toBeEnabled();
  await page.getByRole('combobox', { name: /^Form/ }).selectOption('anthropic');
  const { messages } = JSON.parse(await download(page, 'Download shortened')) as {
    messages: { role: string; content: { type: string }[] }[];
  };
  expect(messages.map(({ role }) => role)).toEqual(messages.map((_, at) => (at % 2 === 0 ? 'user' : 'assistant')));
  expect(messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_use').length).toBeGreaterThan(
    50,
  );
  await page.getByRole('combobox', { name: /^Form/ }).selectOption('openai');
  const text = await download(page, 'Download original');
  await drop(page, [{ name: 'again.json', text }]);
  await page.getByRole('link', { name: 'Context' }).click();
  await expect(page.locator('.headline h2')).toHaveText('again.json');
  await ready(page);
  const calls = demo.contents.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'tool_call');
  expect((JSON.parse(text) as { tool_calls?: unknown[] }[]).flatMap(({ tool_calls = [] }) => tool_calls)).toHaveLength(
    calls.length,
  );
});

test('every form holds every call with its result', async ({ page }) => {
  await openPage(page, '#export');
  const picker = page.getByRole('combobox', { name: /^Form/ });
  await expect(page.getByRole('button', { name: 'Download original' })).toBeEnabled();
  const calls = demo.contents.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])),
  );
  for (const form of ['anthropic', 'openai', 'openai-responses', 'gemini', 'ai-sdk', 'langchain', 'pi']) {
    await picker.selectOption(form);
    const text = await download(page, 'Download original');
    for (const id of calls) expect(text.split(JSON.stringify(id))).toHaveLength(3);
  }
});

test('what a provider would reject is told: nothing of a compressed conversation, and a torn call by its place', async ({
  page,
}) => {
  await openPage(page, '#export');
  const messages = page.getByRole('region', { name: 'Messages' });
  const picker = page.getByRole('combobox', { name: /^Form/ });
  const forms = await picker
    .getByRole('option')
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(forms).toEqual(['densify', 'anthropic', 'openai', 'openai-responses', 'gemini', 'ai-sdk', 'langchain', 'pi']);
  for (const form of forms) {
    await picker.selectOption(form);
    await expect(messages).toContainText('The provider would accept the shortened messages.');
  }
  await picker.selectOption('anthropic');
  const torn = demo.contents.slice(0, 2);
  await drop(page, [{ name: 'torn.json', text: JSON.stringify(torn) }]);
  await expect(messages).toContainText(/The provider would reject \d+ things? in the shortened messages/);
  await expect(messages.locator('.findings')).toContainText('messages.1');
});

test('a link holds the settings and nothing else, and opens with them', async ({ page }) => {
  await openPage(page, '#context?preset=seed');
  await ready(page);
  await page.getByRole('radio', { name: /Truncation/ }).check();
  await page.getByRole('checkbox', { name: 'Older results of each tool' }).check();
  await page.getByRole('link', { name: 'Export' }).click();
  const link = await page.getByLabel('Link with these settings').inputValue();
  expect(new URL(link).hash).toBe(
    '#context?strategy=top-down-truncation&preset=seed&contextLimit=48000&recencyPruning=true',
  );
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('radio', { name: /Truncation/ })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Older results of each tool' })).toBeChecked();
});

test('what a link says beyond the settings is left out', async ({ page }) => {
  const { faults } = await openPage(
    page,
    '#context?strategy=%3Cscript%3E&contextLimit=-5&threshold=9&flush=when-it-pays&__proto__=1&endpoint=http://evil.test&recencyRetention=7',
  );
  await ready(page);
  await page.getByRole('link', { name: 'Export' }).click();
  const link = await page.getByLabel('Link with these settings').inputValue();
  expect(new URL(link).hash).toBe('#context?contextLimit=48000&recencyRetention=7');
  expect(faults).toEqual([]);
});

test('a report holds nothing of the content unless it is asked for; then without credentials', async ({ page }) => {
  const key = `sk-ant-api03-${'Ab1'.repeat(30)}`;
  const contents = demo.contents.map((content) => structuredClone(content));
  contents.splice(8, 0, {
    speaker: 'ai',
    blocks: [{ type: 'text', text: `the key is ${key}, and WORD_OF_THE_CONTENT` }],
  });
  await openPage(page, '#context?preset=seed');
  await drop(page, [{ name: 'secret-project.json', text: JSON.stringify({ contents }) }]);
  await expect(page.getByLabel('Conversation')).toContainText('secret-project.json');
  await page.getByRole('radio', { name: /Truncation/ }).check();
  await ready(page);
  await expect(page.locator('.ledger')).toContainText('truncated');
  await page.getByRole('link', { name: 'Export' }).click();
  const plain = await download(page, 'Download the report');
  for (const word of ['secret-project', 'hookline', 'webhook', 'WORD_OF_THE_CONTENT', key])
    expect(plain).not.toContain(word);
  expect(plain).toContain('tokens without densify');
  await page.getByLabel(/with the texts that were cut/).check();
  const full = await download(page, 'Download the report');
  expect(full).toContain('WORD_OF_THE_CONTENT');
  expect(full).not.toContain(key);
  expect(full).toContain('[REDACTED: ');
});

test('axe finds no serious fault', async ({ page }) => {
  await openPage(page, '#export');
  await expectAccessible(page);
});

test('code is offered for the message types that the package reads, by their entries', async ({ page }) => {
  const { exports } = JSON.parse(
    readFileSync(new URL('../node_modules/densify/package.json', import.meta.url), 'utf8'),
  ) as {
    exports: Readonly<Record<string, unknown>>;
  };
  await openPage(page, '#export');
  const picker = page.getByLabel('SDK', { exact: true });
  const offered = await picker
    .getByRole('option')
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(offered).toContain('densify');
  for (const entry of offered) {
    expect(Object.keys(exports)).toContain(entry.replace('densify', '.'));
    await picker.selectOption(entry);
    await expect(page.locator('pre.code').first()).toContainText(`import { createOptimizer } from '${entry}';`);
  }
});

test('from a log of one’s own to the code in the clipboard: two actions', async ({ page }) => {
  await openPage(page);
  await ready(page);
  const log = readFileSync(new URL('../../js-tests/fixtures/transcripts/claude-code.jsonl', import.meta.url), 'utf8');
  await drop(page, [{ name: 'my-session.jsonl', text: log }]);
  await expect(page.locator('.headline h2')).toHaveText('my-session.jsonl');
  await page.getByRole('button', { name: 'Copy the code' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    "strategy: 'high-density', contextLimit: 8000",
  );
});
