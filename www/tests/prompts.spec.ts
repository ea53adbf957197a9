import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { type IContent, requestSummary } from 'densify';
import { ModelServer } from './model-server.js';
import { expectAccessible, openPage } from './support.js';

const demo = JSON.parse(
  readFileSync(new URL('../../demo/conversations/fix-webhook-retries.json', import.meta.url), 'utf8'),
) as { contents: IContent[]; workspaceRoot: string };

test('the request is exactly the one that the package plans, and follows what is edited in place', async ({ page }) => {
  const { faults } = await openPage(page, '#prompts');
  const request = page.getByRole('region', { name: 'Request' });
  await expect(request).toContainText('You are the component that summarises');
  await page.getByRole('button', { name: 'Add a todo' }).click();
  await page.getByLabel('Todo 1', { exact: true }).fill('Dead letters get a page');
  await page.getByLabel('Instructions').fill('the retry schedule');
  await page.keyboard.press('Tab');
  await expect(request).toContainText('Dead letters get a page');
  await expect(request).toContainText('the retry schedule');
  await request.getByRole('button', { name: 'Prepare JSON' }).click();
  await request.getByRole('button', { name: 'Copy JSON' }).click();
  await expect(request.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as unknown;
  const planned = requestSummary(demo.contents, {
    strategy: 'middle-out',
    mode: 'transcript',
    workspaceRoot: demo.workspaceRoot,
    instructions: 'the retry schedule',
    todos: [{ content: 'Dead letters get a page', status: 'pending' }],
  });
  expect(planned.kind === 'request' && JSON.parse(JSON.stringify(planned.messages))).toEqual(copied);
  expect(faults).toEqual([]);
});

for (const strategy of ['middle-out', 'one-shot', 'structured']) {
  test(`a reply is checked: a poor one is refused with a request for a repair, a good one is applied (${strategy})`, async ({
    page,
  }) => {
    await openPage(page, '#prompts');
    await page.getByRole('radio', { name: strategy }).check();
    const reply = page.getByLabel('The model’s reply');
    await reply.fill('I am sorry, but no.');
    await page.getByRole('button', { name: 'Check and apply' }).click();
    const findings = page.getByRole('region', { name: 'Findings' });
    await expect(findings).toContainText('The reply can’t be used');
    await expect(findings.locator('li').first()).not.toBeEmpty();
    await expect(page.getByRole('region', { name: 'Request' })).toContainText('retry 1');
    await page.getByRole('button', { name: 'Fill in an example' }).click();
    await page.getByRole('button', { name: 'Check and apply' }).click();
    await expect(findings).toContainText('The reply is good');
    await expect(page.getByRole('region', { name: 'New history' })).toContainText(
      'A stand-in: here a model would have summarised.',
    );
  });
}

test('a prompt of one’s own replaces the built-in one, and a model is asked with the bare request', async ({
  page,
}) => {
  const server = new ModelServer();
  const url = await server.open();
  await openPage(page, '#prompts');
  await page.getByRole('button', { name: 'Edit the prompt' }).click();
  await page.getByLabel('Your prompt').fill('Say it in one word.');
  await page.keyboard.press('Tab');
  const request = page.getByRole('region', { name: 'Request' });
  await expect(request).toContainText('Say it in one word.');
  await page.getByText('Choose the model').click();
  await page.getByLabel('Address').fill(`${url}/v1`);
  await page.getByRole('button', { name: 'Ask the model' }).click();
  await expect(page.getByLabel('The model’s reply')).toHaveValue('Half of the answer');
  const [asked] = server.asked;
  expect(asked?.body.messages[0]).toMatchObject({
    role: 'user',
    content: expect.stringContaining('Say it in one word.'),
  });
  expect(asked?.body.tools).toBeUndefined();
  server.close();
});

test('axe finds no serious fault', async ({ page }) => {
  await openPage(page, '#prompts');
  await expect(page.getByRole('region', { name: 'Request' })).toContainText('You are the component');
  await page.getByRole('button', { name: 'Add a todo' }).click();
  await page.getByRole('button', { name: 'Fill in an example' }).click();
  await page.getByRole('button', { name: 'Check and apply' }).click();
  await expect(page.getByRole('region', { name: 'Findings' })).toBeVisible();
  await expectAccessible(page);
});
