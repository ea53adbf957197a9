import { expect, test } from '@playwright/test';
import { expectAccessible, openPage, ready } from './support.js';

test('the first screen tells what densify did, and leads to the command for an agent', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByTestId('story')).toContainText(/called its model [\d,]+ times?\. densify sent [\d,.]+/);
  await page.getByRole('link', { name: 'Is it worth it for me?' }).click();
  await expect(page.getByRole('heading', { name: 'Is it worth it for me?' })).toBeVisible();
  await expect(page.getByText('npx densify savings')).toBeVisible();
  await page.getByLabel('Your agent').selectOption('Codex');
  await expect(page.getByText('npx densify run -- codex', { exact: true })).toBeVisible();
  await page.getByLabel('Your agent').selectOption('another agent');
  await expect(page.getByText('npx densify gateway', { exact: true })).toBeVisible();
  await expect(page.getByText('/openai/v1')).toBeVisible();
  await page.getByLabel('Your agent').selectOption('my own code');
  await page.getByRole('link', { name: 'Export' }).last().click();
  await expect(page.getByRole('button', { name: /copy/i }).first()).toBeVisible();
});

test('the story and the chart come before the settings, for keys and for screen readers', async ({ page }) => {
  await openPage(page);
  await ready(page);
  const places = await page.evaluate(() => {
    const all = [...document.querySelectorAll('*')];
    return ['[data-testid=story]', '[role=slider]', 'input[type=radio]'].map((one) =>
      all.indexOf(document.querySelector(one) ?? document.body),
    );
  });
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(new Set(places).size).toBe(3);
  const stage = await page.getByRole('region', { name: 'Overview' }).boundingBox();
  const controls = await page.getByRole('complementary', { name: 'Settings' }).boundingBox();
  // What comes later in the document is not further left.
  expect(controls?.x).toBeGreaterThan(stage?.x ?? Infinity);
});

test('axe finds no serious fault', async ({ page }) => {
  await openPage(page, '#worth');
  await expect(page.getByRole('heading', { name: 'Is it worth it for me?' })).toBeVisible();
  await expectAccessible(page);
});
