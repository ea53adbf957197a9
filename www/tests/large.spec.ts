import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { drop, openPage, ready } from './support.js';

/** Ten thousand messages: reads and writes of some files. */
function largeLog(): string {
  const messages: unknown[] = [];
  for (let at = 0; messages.length < 10_000; at += 1) {
    const path = `/work/src/file${at % 60}.ts`;
    const isWrite = at % 5 === 4;
    const args = isWrite ? { file_path: path, content: 'x = 1;\n'.repeat(20) } : { file_path: path };
    const call = {
      id: `c${at}`,
      type: 'function',
      function: { name: isWrite ? 'write_file' : 'read_file', arguments: JSON.stringify(args) },
    };
    if (at % 50 === 0) messages.push({ role: 'user', content: `Part ${at}` });
    messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    messages.push({
      role: 'tool',
      tool_call_id: `c${at}`,
      content: isWrite ? 'Written.' : `${at} ${'const a = 1;\n'.repeat(60)}`,
    });
  }
  return JSON.stringify(messages.slice(0, 10_000));
}

test('ten thousand entries: only the rows in sight are in the page, at either end and after each step', async ({
  page,
}) => {
  const { faults } = await openPage(page);
  await ready(page);
  await drop(page, [{ name: 'large.json', text: largeLog() }]);
  await expect(page.locator('.headline h2')).toHaveText('large.json');
  await ready(page);
  const list = page.getByRole('listbox', { name: 'Blocks of the history' });
  const rows = list.getByRole('option');
  await list.focus();
  await page.keyboard.press('End');
  await expect(rows.last()).toHaveAttribute('aria-posinset', '10000');
  expect(await rows.count()).toBeLessThan(60);
  const slider = page.getByRole('slider', { name: 'Model call' });
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('End');
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('PageDown');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  expect(faults).toEqual([]);
});

test('logs of every format that the package reads are opened, several at once', async ({ page }) => {
  const folder = new URL('../../js-tests/fixtures/transcripts/', import.meta.url);
  const names = readdirSync(folder);
  await openPage(page);
  await ready(page);
  await drop(
    page,
    names.map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') })),
  );
  // The page says what was odd about them.
  await expect(page.getByRole('status').first()).toContainText(
    /codex\.jsonl: Skipped 1 record of an unknown kind \(line or message \d+\)\./,
  );
  const own = page.getByLabel('Conversation').locator('optgroup[label=Yours] option');
  // One of them is refused: densify doesn't read its format.
  await expect(own).toHaveCount(names.length - 1);
  for (const title of await own.allTextContents()) {
    await page.getByLabel('Conversation').selectOption(title);
    await expect(page.locator('.headline h2')).toHaveText(title);
    await ready(page);
  }
});
