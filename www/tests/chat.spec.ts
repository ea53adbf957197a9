import { expect, type Page, test } from '@playwright/test';
import { ModelServer } from './model-server.js';
import { expectAccessible, numberOf, openPage } from './support.js';

test.use({ contextOptions: { reducedMotion: 'reduce' } }); // the scripted agent then doesn't wait

async function choose(page: Page, url: string, dialect: 'openai' | 'anthropic' = 'openai', key = ''): Promise<void> {
  await page.getByLabel('Model', { exact: true }).selectOption('endpoint');
  await page.getByLabel(/^API/).selectOption(dialect);
  await page.getByLabel('Address').fill(`${url}/v1`);
  await page.getByLabel('Model name').fill('test-model');
  if (key !== '') await page.getByLabel('Key, if it needs one').fill(key);
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Your message').fill(text);
  await page.keyboard.press('Enter');
}

test('the scripted agent works on its project, and densify keeps its context within the window', async ({ page }) => {
  const { faults, asked } = await openPage(page, '#chat?preset=seed');
  const context = page.getByRole('region', { name: 'Context' });
  for (const calls of [/failed/, /All tests pass/, /I would start with/]) {
    await page.getByRole('button', { name: 'Send the next request' }).click();
    await expect(page.getByRole('log')).toContainText(calls);
    await expect(page.getByRole('button', { name: 'Start over' })).toBeVisible();
    await expect
      .poll(async () =>
        numberOf(((await context.locator('.meter-head .number').textContent()) ?? '').split(' of')[0] ?? ''),
      )
      .toBeLessThan(8000 * 0.85);
  }
  await expect(context.locator('.ledger')).toContainText('1 compression');
  await expect(page.getByRole('region', { name: 'Todos' })).toContainText('Codes on the receipt (completed)');
  await page.getByRole('log').locator('summary').first().click();
  await expect(page.getByRole('log').locator('details[open] pre').last()).toContainText('src/money.ts');
  await page.getByRole('link', { name: 'Look closer' }).click();
  await expect(page.locator('.headline h2')).toHaveText('Your chat');
  expect(asked.every((url) => new URL(url).origin === new URL(page.url()).origin)).toBe(true);
  expect(faults).toEqual([]);
});

for (const dialect of ['openai', 'anthropic'] as const) {
  test(`a model of one's own uses the project's tools (${dialect}); the key goes to its origin only`, async ({
    page,
  }) => {
    const [server, other] = [new ModelServer(), new ModelServer()];
    const [url, elsewhere] = [await server.open(), await other.open()];
    const { faults } = await openPage(page, '#chat');
    await choose(page, url, dialect, 'the-key');
    await say(page, 'please read the cart');
    await expect(page.getByRole('log')).toContainText('Half of the answer');
    expect(server.asked.length).toBe(2);
    expect(JSON.stringify(server.asked[1]?.body.messages)).toContain('export class Cart');
    expect(server.asked[0]?.headers[dialect === 'openai' ? 'authorization' : 'x-api-key']).toContain('the-key');
    expect(server.asked[0]?.body.tools).toHaveLength(6);
    await page.getByLabel('Address').fill(`${elsewhere}/v1`);
    await expect(page.getByLabel('Key, if it needs one')).toHaveValue('');
    await say(page, 'hello');
    await expect.poll(() => other.asked.length).toBe(1);
    expect(JSON.stringify(other.asked[0]?.headers)).not.toContain('the-key');
    expect(faults).toEqual([]);
    server.close();
    other.close();
  });
}

test('a key is remembered only where that is asked for, for the origin that it was typed for, and forgotten again', async ({
  page,
}) => {
  const key = page.getByLabel('Key, if it needs one');
  const box = page.getByLabel('remember the key in this browser');
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await openPage(page, '#chat');
  await choose(page, 'http://localhost:9001', 'openai', 'the-key');
  expect(await stored()).not.toContain('the-key');
  await box.check();
  expect(await stored()).toContain('the-key');
  await page.reload();
  await choose(page, 'http://localhost:9002');
  await expect(key).toHaveValue('');
  await expect(box).not.toBeChecked();
  await choose(page, 'http://localhost:9001');
  await expect(key).toHaveValue('the-key');
  await box.uncheck();
  expect(await stored()).not.toContain('the-key');
  await expect(key).toHaveValue('the-key');
  await page.reload();
  await choose(page, 'http://localhost:9001');
  await expect(key).toHaveValue('');
});

test('an answer is stopped: what was said stays, and the server hears of it', async ({ page }) => {
  const server = new ModelServer();
  await openPage(page, '#chat');
  await choose(page, await server.open());
  await say(page, 'talk for ever');
  await expect(page.getByRole('log')).toContainText('Half of the answer');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible();
  await expect(page.getByRole('log')).toContainText('Half of the answer');
  await expect.poll(() => server.wasLeft).toBe(true);
  server.close();
});

test('an answer that is an error says what to do, and trying again goes on', async ({ page }) => {
  await openPage(page, '#chat');
  for (const [status, advice] of [
    [401, 'The key was not accepted'],
    [404, 'Does the address end in /v1'],
    [429, 'Wait a little'],
    [500, 'The server failed'],
  ] as const) {
    const server = new ModelServer();
    await choose(page, await server.open());
    await say(page, `status ${status}`);
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(advice);
    await expect(alert).toContainText('said by the server');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('log').getByText('Half of the answer')).toBeVisible();
    await expect(alert).toHaveCount(0);
    await page.getByRole('button', { name: 'Start over' }).click();
    server.close();
  }
});

test('nobody at the address: the message says what to look at', async ({ page }) => {
  await openPage(page, '#chat');
  await choose(page, 'http://127.0.0.1:9');
  await say(page, 'hello');
  await expect(page.getByRole('alert')).toContainText(
    'No answer from http://127.0.0.1:9. Is the server running, and does it allow this page (CORS',
  );
});

test('starting over leaves nothing of the chat, and another conversation is looked at', async ({ page }) => {
  await openPage(page, '#chat');
  await page.getByRole('button', { name: 'Send the next request' }).click();
  await expect(page.getByLabel('Conversation')).toHaveValue(/^\d+$/);
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByRole('log')).toHaveCount(0);
  await expect(page.getByLabel('Conversation')).toHaveValue('fix-webhook-retries');
  await page.getByLabel('Conversation').selectOption('pasted-notes-app');
  await expect(page.locator('.headline h2')).toContainText('notes app');
});

test('axe finds no serious fault', async ({ page }) => {
  await openPage(page, '#chat');
  await page.getByRole('button', { name: 'Send the next request' }).click();
  await expect(page.getByRole('button', { name: 'Start over' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Model', { exact: true }).selectOption('endpoint');
  await expectAccessible(page);
});
