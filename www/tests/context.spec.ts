import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { createOptimizer, estimateTokens, type IContent } from 'densify';
import { loadTokenizer } from 'densify/tokens';
import { expectAccessible, numberOf, openPage, ready } from './support.js';

const demo = JSON.parse(
  readFileSync(new URL('../../demo/conversations/fix-webhook-retries.json', import.meta.url), 'utf8'),
) as { contents: IContent[]; workspaceRoot: string };

test('the first view shows a conversation before and after, and asks nobody but its own server', async ({
  page,
  baseURL,
}) => {
  const { asked, faults } = await openPage(page);
  await ready(page);
  const [before, after] = await page.locator('.figure b').allTextContents();
  expect(numberOf(before ?? '')).toBe(estimateTokens(demo.contents));
  expect(numberOf(after ?? '')).toBeLessThan(48_000 * 0.85);
  expect(asked.every((url) => url.startsWith(baseURL ?? ''))).toBe(true);
  expect(faults).toEqual([]);
});

test('the first view needs at most 300 kB of JavaScript and wasm', async ({ page, request }) => {
  const { asked } = await openPage(page);
  await ready(page);
  const sizes = await Promise.all(
    asked
      .filter((url) => /\.(js|wasm)$/.test(url))
      .map(async (url) => gzipSync(await (await request.get(url)).body()).length),
  );
  expect(sizes.length).toBeGreaterThanOrEqual(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
});

test('the figures of the rules are those that the package gives', async ({ page }) => {
  await openPage(page, '#context?preset=seed&flush=always');
  await ready(page);
  await page.getByRole('radio', { name: /Rules only/ }).check();
  // For rules that look into results, the page shows the cuts of each call.
  using optimizer = createOptimizer<IContent>({ workspaceRoot: demo.workspaceRoot, preset: 'seed' });
  const { tokensAfter } = optimizer.optimize(demo.contents);
  await expect(page.locator('.figure.with b')).toHaveText(tokensAfter.toLocaleString('en-US'));
});

test('tokens are counted exactly when that is asked for, and only then the vocabulary is fetched', async ({ page }) => {
  const { asked, faults } = await openPage(page);
  await ready(page);
  const first = asked.length;
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Token counting').selectOption('o200k_base');
  const { count } = await loadTokenizer('o200k_base');
  const exact = estimateTokens(demo.contents, { countTokens: count });
  expect(exact).not.toBe(estimateTokens(demo.contents));
  await expect(page.locator('.figure b').first()).toHaveText(exact.toLocaleString('en-US'));
  expect(asked.length).toBeGreaterThan(first);
  expect(faults).toEqual([]);
});

test('arrow keys go through the calls of the model, and the figures follow', async ({ page }) => {
  await openPage(page);
  await ready(page);
  const slider = page.getByRole('slider', { name: 'Model call' });
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await expect(page.locator('.figure b').first()).toHaveText('128');
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', /^call 2 of 150: .* tokens with densify, .* without$/);
  await page.keyboard.press('End');
  // The log ends with the model's answer, which no call followed.
  await expect(slider).toHaveAttribute('aria-valuetext', /^after the last call: /);
  await expect(page.getByTestId('figures')).toContainText('after the last call');
  await expect(page.getByTestId('story')).toContainText('called its model 150 times');
  await expect(page.locator('.figure b').first()).toHaveText(estimateTokens(demo.contents).toLocaleString('en-US'));
});

test('the cuts replay one by one: each step says what it cut, and the last one ends where the figures were', async ({
  page,
}) => {
  await openPage(page, '#context?preset=seed&flush=always');
  await ready(page);
  const after = page.locator('.figure.with b');
  const end = (await after.textContent()) ?? '';
  const player = page.getByRole('region', { name: 'Replay of the cuts' });
  await player.getByRole('button', { name: 'Before the first cut' }).click();
  await expect(after).toHaveText(estimateTokens(demo.contents).toLocaleString('en-US'));
  await player.getByRole('button', { name: 'Next cut' }).click();
  await expect(player).toContainText(/Cut 1 of \d+: read before a write, message #\d+, −\d+ tokens/);
  await expect(page.getByRole('region', { name: 'The selected block' })).toContainText(
    'The file was written after this read.',
  );
  await player.getByRole('button', { name: 'All cuts' }).click();
  await expect(after).toHaveText(end);
});

test('a block shows what was cut down to the text, by which rule, and what decided it', async ({ page }) => {
  await openPage(page, '#context?preset=seed&flush=always');
  await ready(page);
  await page.getByLabel('only cuts').check();
  const list = page.getByRole('listbox', { name: 'Blocks of the history' });
  await list.focus();
  await page.keyboard.press('Home');
  await list.getByRole('option').filter({ hasText: 'one-line result' }).first().click();
  const inspector = page.getByRole('region', { name: 'The selected block' });
  await expect(inspector.locator('.why')).toContainText('every result outside the tail became one line');
  await expect(inspector.locator('.text.after')).toContainText(/^\[.+ — success/);
  await expect(inspector.locator('del').first()).not.toBeEmpty();
  const decided = inspector.getByRole('button', { name: /^decided after message #\d+/ });
  const cause = numberOf(((await decided.textContent()) ?? '').split(':')[0] ?? '');
  await decided.click();
  await expect(inspector.getByRole('heading', { level: 2 })).toContainText(new RegExp(`^Message #${cause}[,:]`));
});

test('keys walk through the blocks', async ({ page }) => {
  await openPage(page);
  await ready(page);
  const list = page.getByRole('listbox', { name: 'Blocks of the history' });
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('option', { selected: true })).toContainText('Two separate symptoms');
  await expect(page.getByRole('region', { name: 'The selected block' })).toContainText(
    /Message #1(, block \d+)?: thinking/,
  );
});

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds no serious fault (${theme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await openPage(page);
    await ready(page);
    await expectAccessible(page);
  });
}

test('a narrow screen scrolls only down, in every view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openPage(page);
  await ready(page);
  for (const view of ['Context', 'Compare', 'Replay', 'Chat', 'Prompts', 'Export']) {
    await page.getByRole('link', { name: view }).click();
    await expect(page.locator('main section').first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
});

test('a set of rules that is tuned as one: what it makes of a result is what is shown', async ({ page }) => {
  await openPage(page);
  await ready(page);
  const ledger = page.locator('.ledger');
  await page.getByRole('radio', { name: /Rules only/ }).check();
  const rules = page.getByRole('combobox', { name: /^Preset/ });
  await expect(rules).toHaveValue('balanced');
  await rules.selectOption('lossless');
  await expect(page.getByRole('checkbox', { name: 'Stale reads' })).toHaveCount(0);
  await expect(ledger).toContainText('repeated lines');
  await page.getByRole('link', { name: 'Export' }).click();
  await expect(page.locator('pre.code').first()).toContainText("createOptimizer({ preset: 'lossless'");
  await page.getByRole('link', { name: 'Context' }).click();
  await rules.selectOption('seed');
  await expect(ledger).not.toContainText('repeated lines');
});
