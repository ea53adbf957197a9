import { expect, test } from '@playwright/test';
import { expectAccessible, openPage, ready } from './support.js';

test('what was cut is found, read and forgotten; what is forgotten is never kept again', async ({ page }) => {
  const { faults } = await openPage(page, '#context?strategy=auto&contextLimit=24000&preset=seed');
  await ready(page);
  const panel = page.getByRole('region', { name: 'Removed content kept by recall' });
  await expect(panel).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Keep removed content searchable (recall)' }).check();
  await expect(panel).toContainText(/\d+ removed texts/);

  const list = page.getByRole('listbox', { name: 'Blocks of the history' });
  await list
    .getByRole('option')
    .filter({ hasText: /→.*read before a write/ })
    .first()
    .click();
  const inspector = page.getByRole('region', { name: 'The selected block' });
  const again = inspector.getByRole('button', { name: /^recall r/ });
  const reference = ((await again.textContent()) ?? '').replace('recall ', '');
  await again.click();
  const whole = panel.getByRole('region', { name: `Kept text ${reference}` });
  const before = await inspector.locator('del').first().textContent();
  await expect(whole.locator('pre')).toHaveText(before ?? '');

  const word = /[A-Za-z]{9,}/.exec(before ?? '')?.[0] ?? '';
  await panel.getByRole('searchbox').fill(word);
  await expect(panel.locator('.hits').getByRole('button').first()).toContainText(/r[0-9a-z]+/);
  await whole.getByRole('button', { name: 'Erase' }).click();
  await expect(panel).toContainText(`${reference} was erased permanently`);
  await expect(panel.locator('.hits')).not.toContainText(reference);

  // Another replay of the same conversation doesn't bring it back.
  await page.getByLabel(/^Compress at/).press('ArrowLeft');
  await expect(panel).not.toContainText('erased');
  await expect(panel).toContainText(/\d+ removed texts/);
  await list
    .getByRole('option')
    .filter({ hasText: /→.*read before a write/ })
    .first()
    .click();
  await expect(inspector.locator('del').first()).toHaveText(before ?? '');
  await expect(inspector.getByRole('button', { name: /^recall r/ })).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('axe finds no serious fault where kept texts are searched and read', async ({ page }) => {
  await openPage(page, '#context?strategy=auto&contextLimit=24000&recall=true');
  const panel = page.getByRole('region', { name: 'Removed content kept by recall' });
  await panel.getByRole('searchbox').fill('attempt');
  await panel.locator('.hits').getByRole('button').first().click();
  await expect(panel.getByRole('region', { name: /^Kept text/ })).toBeVisible();
  await expectAccessible(page);
});

test('the code that is copied keeps what is cut, too', async ({ page }) => {
  await openPage(page, '#export?strategy=digest&recall=true&contextLimit=16000');
  const code = page.locator('pre.code');
  await expect(code).toContainText("import { createRecall } from 'densify/recall';");
  await expect(code).toContainText('createRecall({ secret: crypto.randomUUID() })');
  await expect(code).toContainText(
    `createConversation({ strategy: 'digest', contextLimit: 16_000, optimize: { workspaceRoot: "/home/dev/hookline" }, recall })`,
  );
});
