import { expect, test } from '@playwright/test';

test('the first screen tells what densify did, and leads to the command for an agent', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByTestId('story')).toContainText(/called its model [\d,]+ times?\. densify sent [\d,.]+/);
  await page.getByRole('link', { name: 'Is it worth it for me?' }).click();
  await expect(page.getByRole('heading', { name: 'Is it worth it for me?' })).toBeVisible();
  await expect(page.getByText('npx densify savings')).toBeVisible();
  await page.getByLabel('Your agent').selectOption('Codex');
  await expect(page.getByText('npx densify run -- codex', { exact: true })).toBeVisible();
});
