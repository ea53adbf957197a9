import { expect, test } from '@playwright/test';

// What the small model writes is never asserted: only the path, and what must be true of every answer.
test.setTimeout(150_000);

test('the small model inside the page is fetched when it is asked for, answers, and is stopped', async ({
  page,
  baseURL,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('./#chat');
  await page.getByLabel('Model', { exact: true }).selectOption('local');
  await expect(page.getByRole('button', { name: 'Load the small model' })).toBeVisible();
  expect(asked.some((url) => url.endsWith('.gguf') || url.includes('wllama'))).toBe(false);
  await page.getByRole('button', { name: 'Load the small model' }).click();
  await expect(page.getByText('Ready.')).toBeVisible({ timeout: 120_000 });
  await page.getByLabel('Your message').fill('Say hello in one short sentence.');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('log').locator('.said-by.agent .speech').first()).toHaveText(/\S/);
  await page.getByLabel('Your message').fill('Now tell me a very long story about a river.');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log').locator('.said-by.agent[aria-busy] .speech')).toHaveText(/\S/, {
    timeout: 60_000,
  });
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'Context' })).toContainText('2 of 2 user messages kept');
  expect(asked.filter((url) => !url.startsWith(baseURL ?? '') && !url.startsWith('blob:'))).toEqual([]);
});
