import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Opens the page, and records its errors and its requests. */
export async function openPage(
  page: Page,
  hash = '',
): Promise<{ readonly asked: string[]; readonly faults: string[] }> {
  const asked: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`./${hash}`);
  return { asked, faults };
}

/** Waits until the conversation is replayed. */
export async function ready(page: Page): Promise<void> {
  await expect(page.getByTestId('figures')).toContainText('%');
}

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/** Drops files as a user would. */
export async function drop(
  page: Page,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles(files.map(({ name, text }) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })));
}

export const numberOf = (text: string | null): number => Number((text ?? '').replace(/[^\d]/g, ''));
