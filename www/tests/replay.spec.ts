import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { type ReplayReport, replay, sumReplays } from 'densify/replay';
import { readTranscript } from 'densify/transcripts';
import { drop, expectAccessible, openPage, ready } from './support.js';

const folder = new URL('../../js-tests/fixtures/transcripts/', import.meta.url);
const logs = ['claude-code.jsonl', 'codex.jsonl'].map((name) => ({
  name,
  text: readFileSync(new URL(name, folder), 'utf8'),
}));

test('dropped logs are sent again under every policy, as the package does it; the sum is told and taken along', async ({
  page,
}) => {
  const { faults, asked } = await openPage(page, '#context?contextLimit=8000');
  await ready(page);
  await drop(page, logs);
  await expect(page.getByLabel('Conversation')).toContainText('codex.jsonl');
  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(page.getByRole('heading', { level: 2 })).toContainText('2 logs');
  const options = { contextLimit: 8000, prices: { cached: 0.3, uncached: 3.75 } };
  const expected = sumReplays(logs.map(({ text }) => replay(readTranscript(text).contents, options)));
  const table = page.getByRole('region', { name: 'Policies' });
  const rows = table.getByRole('row');
  await expect(rows).toHaveCount(1 + expected.policies.length);
  const none = expected.policies[0];
  for (const { policy, tokens, prefixBreaks, regret } of expected.policies.slice(1)) {
    const cells = await rows
      .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${policy}( least cost)?$`) }) })
      .getByRole('cell')
      .allTextContents();
    expect([policy, cells[0], cells[3], cells[4]]).toEqual([
      policy,
      `${((tokens / (none?.tokens ?? 1)) * 100).toFixed(1)}%`,
      String(prefixBreaks),
      String(regret),
    ]);
  }
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as JSON' }).click();
  const report = JSON.parse(readFileSync(await (await started).path(), 'utf8')) as ReplayReport;
  expect(report).toEqual(expected);
  await expectAccessible(page);
  const own = new URL(page.url()).origin;
  expect(asked.filter((url) => !url.startsWith(own) && !url.startsWith('blob:'))).toEqual([]);
  expect(faults).toEqual([]);
});

test('without logs of one’s own the example is sent again; prices change the dollars', async ({ page }) => {
  await openPage(page, '#replay?contextLimit=16000');
  const auto = page.getByRole('row', { name: /^auto/ }).getByRole('cell').nth(1);
  await expect(auto).toHaveText(/^\$/, { timeout: 40_000 });
  const before = await auto.textContent();
  await page.getByLabel('Price per 1M new input tokens ($)').fill('30');
  await expect(auto).not.toHaveText(before ?? '', { timeout: 40_000 });
});
