import { readFileSync } from 'node:fs';
import { type BrowserContext, expect, test } from '@playwright/test';
import { ModelServer } from './model-server.js';
import { drop, openPage, ready } from './support.js';

const MARKS = [
  '</script><script>window.hit=1</script>',
  '<img src=x onerror="window.hit=2">',
  '"><svg onload=window.hit=3>',
  'javascript:window.hit=4//',
  '\u202Egnp.exe\u2066\u200Bhidden',
  '\u001B[31mred\u001B]8;;http://evil.test\u0007link\u001B]8;;\u0007',
  '<style>@import url(http://evil.test/a.css)</style>',
  '{{constructor.constructor("window.hit=5")()}}',
  '__proto__',
  '\uD800 lone',
];
const EVIL = MARKS.join(' ');

/** Every field that a log can fill. */
const contents = [
  { speaker: 'human', blocks: [{ type: 'text', text: EVIL }], metadata: { [EVIL]: EVIL } },
  {
    speaker: 'ai',
    blocks: [
      { type: 'thinking', thought: EVIL, signature: EVIL },
      { type: 'text', text: EVIL },
      { type: 'code', code: EVIL, language: EVIL },
      { type: 'tool_call', id: EVIL, name: EVIL, parameters: { file_path: EVIL, [EVIL]: EVIL } },
      { type: EVIL, [EVIL]: EVIL },
    ],
  },
  {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: EVIL, toolName: EVIL, result: { output: EVIL }, error: EVIL }],
  },
  {
    speaker: 'human',
    blocks: [{ type: 'media', mimeType: EVIL, data: EVIL, encoding: 'url', caption: EVIL, filename: EVIL }],
  },
  ...MARKS.flatMap((mark, index) => [
    {
      speaker: 'ai',
      blocks: [{ type: 'tool_call', id: `c${index}`, name: 'read_file', parameters: { file_path: `/${mark}` } }],
    },
    {
      speaker: 'tool',
      blocks: [{ type: 'tool_response', callId: `c${index}`, toolName: 'read_file', result: `${mark} `.repeat(400) }],
    },
  ]),
  { speaker: 'human', blocks: [{ type: 'text', text: 'go on' }] },
];
const wellFormed = EVIL.replace('\uD800', '');
const text = JSON.stringify({ title: wellFormed, description: wellFormed, workspaceRoot: wellFormed, contents });

/** Invisible and turning characters, and those of terminals. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/;

test('a hostile log is shown as the text that it is: nothing runs, nothing is asked for, nothing hides', async ({
  page,
  baseURL,
}) => {
  const { asked, faults } = await openPage(page, '#context?contextLimit=2000');
  await ready(page);
  await drop(page, [{ name: `${EVIL.replaceAll('/', '_').slice(0, 100)}.json`, text }]);
  await expect(page.locator('.headline h2')).toContainText('<script>');
  await ready(page);
  const list = page.getByRole('listbox', { name: 'Blocks of the history' });
  await list.focus();
  await page.keyboard.press('Home');
  for (let row = 0; row < 12; row += 1) {
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('region', { name: 'Its text' })).not.toBeEmpty();
    expect(await page.locator('body').innerText()).not.toMatch(UNSEEN);
  }
  for (const view of ['Compare', 'Prompts', 'Export', 'Context']) {
    await page.getByRole('link', { name: view }).click();
    expect(await page.locator('body').innerText()).not.toMatch(UNSEEN);
  }
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  expect(
    await page.evaluate(
      () =>
        document.querySelectorAll('main img, main script, main style, main [onerror], main a[href^="javascript"]')
          .length,
    ),
  ).toBe(0);
  expect(asked.filter((url) => !url.startsWith(baseURL ?? '') && !url.startsWith('blob:'))).toEqual([]);
  expect(faults).toEqual([]);
});

test('a workspace with half a character in it is none, and the log is read all the same', async ({ page }) => {
  await openPage(page);
  await ready(page);
  await drop(page, [{ name: 'half.json', text: JSON.stringify({ workspaceRoot: EVIL, contents }) }]);
  await expect(page.locator('.headline h2')).toHaveText('half.json');
  await ready(page);
});

test('fields of wrong types are shown as well as can be, and are never an error', async ({ page }) => {
  const odd: unknown[] = [null, 7, true, [], {}, { toString: 1, valueOf: 1 }, ['<b>']];
  const fields = [
    'text',
    'code',
    'thought',
    'id',
    'name',
    'parameters',
    'callId',
    'toolName',
    'result',
    'error',
    'mimeType',
    'data',
    'encoding',
    'filename',
  ];
  const types = ['text', 'code', 'thinking', 'tool_call', 'tool_response', 'media', ''];
  const blocks = types.flatMap((type) =>
    odd.map((value) => ({ type, ...Object.fromEntries(fields.map((field) => [field, value])) })),
  );
  const log = blocks.flatMap((block) => ['ai', 'tool', 'human'].map((speaker) => ({ speaker, blocks: [block] })));
  const { faults } = await openPage(page);
  await ready(page);
  await drop(page, [{ name: 'odd.json', text: JSON.stringify({ contents: log }) }]);
  await expect(page.locator('.headline h2')).toHaveText('odd.json');
  await ready(page);
  const list = page.getByRole('listbox', { name: 'Blocks of the history' });
  await list.focus();
  await page.keyboard.press('Home');
  for (let row = 0; row < 20; row += 1) {
    await expect(page.getByRole('region', { name: 'Its text' })).toBeVisible();
    await page.keyboard.press('PageDown');
  }
  expect(faults).toEqual([]);
});

test('a hostile model is shown as the text that it is, its tool names and todos too', async ({ page }) => {
  const server = new ModelServer();
  const { faults, asked } = await openPage(page, '#chat');
  const address = await server.open();
  await page.getByLabel('Model', { exact: true }).selectOption('endpoint');
  await page.getByLabel('Address').fill(`${address}/v1`);
  await page.getByLabel('Your message').fill(`be evil: ${wellFormed}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log').locator('summary').first()).toContainText('<script>');
  await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible();
  expect(await page.locator('body').innerText()).not.toMatch(UNSEEN);
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  expect(await page.evaluate(() => document.querySelectorAll('main img, main script, main style').length)).toBe(0);
  const origins = new Set(asked.filter((url) => !url.startsWith('blob:')).map((url) => new URL(url).origin));
  expect([...origins].sort()).toEqual([new URL(page.url()).origin, address].sort());
  expect(faults).toEqual([]);
  server.close();
});

test('kept texts of a hostile log are shown as the texts that they are: found, read, with the tool’s name', async ({
  page,
}) => {
  const { faults } = await openPage(page, '#context?contextLimit=2000&strategy=auto&recall=true');
  await ready(page);
  await drop(page, [{ name: 'evil.json', text }]);
  await expect(page.locator('.headline h2')).toContainText('<script>');
  const panel = page.getByRole('region', { name: 'Removed content kept by recall' });
  for (const word of ['onerror', 'javascript', 'hidden', 'link', 'proto']) {
    await panel.getByRole('searchbox').fill(word);
    const hits = panel.locator('.hits').getByRole('button');
    await hits.first().click();
    await expect(panel.getByRole('region', { name: /^Kept text/ }).locator('pre')).toContainText(word);
    expect(await page.locator('body').innerText()).not.toMatch(UNSEEN);
  }
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  expect(await page.evaluate(() => document.querySelectorAll('main img, main script, main style').length)).toBe(0);
  expect(faults).toEqual([]);
});

test('a replay of hostile logs shows their names as texts, in the page and in its report', async ({
  page,
  context,
}) => {
  const { faults, asked } = await openPage(page, '#replay?contextLimit=2000');
  await drop(page, [
    { name: 'evil.json', text },
    { name: `${wellFormed.replaceAll('/', '_').slice(0, 90)}.json`, text: JSON.stringify(contents) },
  ]);
  await expect(page.getByRole('heading', { level: 2 })).toContainText('2 logs', { timeout: 40_000 });
  await expect(page.getByRole('region', { name: 'Log by log' })).toContainText('<script>');
  expect(await page.locator('body').innerText()).not.toMatch(UNSEEN);
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the report' }).click();
  const report = readFileSync(await (await started).path(), 'utf8');
  expect(report).not.toMatch(UNSEEN);
  expect(report).toContain('&lt;script&gt;');
  expect(await opened(report, context)).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(new URL(page.url()).origin) && !url.startsWith('blob:'))).toEqual([]);
  expect(faults).toEqual([]);
});

/** Opens a report by itself; what it did that it should not. */
async function opened(report: string, context: BrowserContext): Promise<string[]> {
  const other = await context.newPage();
  const done: string[] = [];
  other.on('request', (request) => request.url() === 'http://report.test/' || done.push(request.url()));
  await other.route('http://report.test/', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: report }),
  );
  await other.goto('http://report.test/');
  const found = await other.evaluate(() => [
    ...[...document.querySelectorAll('script, img, iframe, link, [onload], [onerror]')].map(
      ({ outerHTML }) => outerHTML,
    ),
    ...('hit' in window ? ['it ran'] : []),
  ]);
  return [...done, ...found];
}

test('a report of a hostile log runs nothing either, opened by itself', async ({ page, context }) => {
  await openPage(page, '#context?contextLimit=2000');
  await drop(page, [{ name: 'evil.json', text }]);
  await expect(page.locator('.headline h2')).toContainText('<script>');
  await ready(page);
  await page.getByRole('link', { name: 'Export' }).click();
  await page.getByLabel(/with the texts that were cut/).check();
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the report' }).click();
  const report = readFileSync(await (await started).path(), 'utf8');
  expect(report).not.toMatch(UNSEEN);
  expect(report).toContain('&lt;img src=x onerror=');
  expect(await opened(report, context)).toEqual([]);
});

test('the page’s policy lets no script of a log’s run, even if it got into the page', async ({ page }) => {
  await openPage(page);
  await ready(page);
  const blocked = await page.evaluate(async () => {
    const reasons: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => reasons.push(event.effectiveDirective));
    try {
      document.body.innerHTML += '<img src=x onerror="window.hit=1">';
    } catch {
      reasons.push('trusted-types');
    }
    await fetch('http://127.0.0.1:1/').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100)); // reports of violations come later
    return reasons;
  });
  expect(blocked).toContain('trusted-types');
  expect(blocked).toContain('connect-src');
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
});

test('the policy is in the page for any static host, and a header beside it where it is served here', async ({
  page,
  request,
}) => {
  const response = await request.get('./');
  const inPage = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(await response.text())?.[1] ?? '';
  expect(inPage).toContain("default-src 'none'");
  expect(inPage).toMatch(/script-src 'self' 'wasm-unsafe-eval';/);
  expect(inPage).toMatch(/connect-src 'self';/);
  expect(inPage).not.toContain('unsafe-inline');
  expect(response.headers()['content-security-policy']).toBe(`${inPage}; frame-ancestors 'none'`);
  // On a host that knows nothing of headers, the page is as strict.
  await page.route('**/*', async (route) => {
    const answer = await route.fetch();
    const { 'content-security-policy': _, ...headers } = answer.headers();
    await route.fulfill({ response: answer, headers });
  });
  const { faults } = await openPage(page);
  await ready(page);
  expect(faults).toEqual([]);
  expect(await page.evaluate(() => fetch('http://127.0.0.1:1/').catch(() => 'refused'))).toBe('refused');
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    try {
      script.textContent = 'window.hit = 1';
      document.head.append(script);
    } catch {
      return 'trusted-types';
    }
    return (window as { hit?: number }).hit;
  });
  expect(ran).not.toBe(1);
});

test('what is no log says so, file by file, and the others are opened', async ({ page }) => {
  await openPage(page);
  await ready(page);
  await drop(page, [
    { name: 'noise.jsonl', text: 'not json\n\u0000\u0001' },
    { name: 'empty.json', text: '' },
    {
      name: 'good.json',
      text: JSON.stringify([
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
      ]),
    },
  ]);
  const notice = page.getByRole('status').first();
  await expect(notice).toContainText('noise.jsonl: densify cannot read this log. Supported: logs of Claude Code');
  await expect(notice).toContainText('empty.json: ');
  await expect(page.locator('.ledger')).toContainText('Nothing to cut');
  await expect(page.locator('.headline h2')).toHaveText('good.json');
});
