import { expect, test } from '@playwright/test';
import { drop, expectAccessible, numberOf, openPage, ready } from './support.js';

test('the strategies stand side by side, the winner is the cheapest that fits, and its code is copied', async ({
  page,
}) => {
  const { faults } = await openPage(page);
  await ready(page);
  await page.getByRole('link', { name: 'Compare' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('Least cost');
  const lines = page.getByRole('row');
  const costs = new Map<string, number>();
  for (const line of await lines.all()) {
    const cells = await line.getByRole('cell').allTextContents();
    if (cells.length < 8 || cells.some((text) => text.includes('too big'))) continue;
    costs.set((await line.getByRole('rowheader').textContent()) ?? '', Number(/\$([\d.]+)/.exec(cells[5] ?? '')?.[1]));
  }
  const cheapest = [...costs].sort((a, b) => a[1] - b[1])[0]?.[0] ?? '';
  expect(cheapest).toContain('least cost');
  await result.getByRole('button', { name: 'Copy its code' }).click();
  await expect(result.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /import \{ create(Optimizer|Conversation) \} from 'densify'/,
  );
  expect(faults).toEqual([]);
});

test('prices are the user’s: with a free cache and dear new tokens the order follows', async ({ page }) => {
  await openPage(page, '#compare');
  const cost = page
    .getByRole('row', { name: /^Without densify/ })
    .getByRole('cell')
    .nth(5);
  await expect(cost).toHaveText(/\$\d/);
  const before = numberOf(await cost.textContent());
  await page.getByLabel('Price per 1M new input tokens ($)').fill('30');
  await expect.poll(async () => numberOf(await cost.textContent())).toBeGreaterThan(before);
});

test('a row is taken over: the context view then shows it', async ({ page }) => {
  await openPage(page, '#compare?contextLimit=24000');
  await page.getByRole('button', { name: 'Use: Truncation' }).click();
  await expect(page.getByRole('radio', { name: /Truncation/ })).toBeChecked();
  await ready(page);
  await expect(page.locator('.ledger')).toContainText('truncated');
});

test('seed rules are the preset as it comes: they cut as much as its policy in Replay', async ({ page }) => {
  await openPage(page, '#compare');
  const row = page.getByRole('row', { name: /^Seed rules (?!\+)/ });
  await expect(row.getByRole('cell').nth(5)).toHaveText(/\$\d/);
  const cost = /\$[\d.]+/.exec((await row.getByRole('cell').nth(5).textContent()) ?? '')?.[0];
  const older = page.getByRole('row', { name: /^Seed rules \+/ });
  await expect(older).toContainText(/results, all but the newest 3 of each tool/);
  await page.getByText('What the strategies do').click();
  await expect(page.getByText('two rules: a read goes once its file was written').first()).toBeVisible();
  await page.getByRole('link', { name: 'Replay' }).click();
  const replayed = page.getByRole('row', { name: /^seed/ }).getByRole('cell').nth(1);
  await expect(replayed).toHaveText(cost ?? 'no cost');
});

test('axe finds no serious fault', async ({ page }) => {
  await openPage(page, '#compare');
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Least cost');
  await expectAccessible(page);
});

test('names that the agent used after they were cut are missing from those at hand', async ({ page }) => {
  const contents = [
    { speaker: 'human', blocks: [{ type: 'text', text: 'Find the harbour.' }] },
    { speaker: 'ai', blocks: [{ type: 'text', text: 'It is called kelp_harbour_seven.' }] },
    ...Array.from({ length: 60 }, () => [
      { speaker: 'human', blocks: [{ type: 'text', text: 'Tell me more, in many plain words please. '.repeat(30) }] },
      { speaker: 'ai', blocks: [{ type: 'text', text: 'More and more plain words. '.repeat(30) }] },
    ]).flat(),
    { speaker: 'human', blocks: [{ type: 'text', text: 'What was it called?' }] },
    { speaker: 'ai', blocks: [{ type: 'text', text: 'kelp_harbour_seven' }] },
  ];
  await openPage(page, '#compare?contextLimit=8000');
  await drop(page, [{ name: 'harbour.json', text: JSON.stringify(contents) }]);
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('harbour');
  const cell = (name: RegExp) => page.getByRole('row', { name }).getByRole('cell').nth(8);
  await expect(cell(/^Seed rules (?!\+)/)).toHaveText('100.0%');
  await expect(cell(/^Truncation/)).toHaveText('0.0%');
});
