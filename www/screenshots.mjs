// Makes the pictures of docs/ from the built playground, in headless Chromium; look at them before you commit them:
//
//   node screenshots.mjs [ADDRESS]
import { writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { launchOptions } from '../scripts/browser.mjs';

const address = process.argv[2] ?? 'http://127.0.0.1:4173/';
const root = new URL('../', import.meta.url);
const size = { width: 1400, height: 940 };

const browser = await chromium.launch(launchOptions());
const encoder = await browser.newPage();

/** PNG as WebP, by the browser's own encoder. */
async function webp(png) {
  const url = await encoder.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.8);
  }, png.toString('base64'));
  return Buffer.from(url.split(',')[1], 'base64');
}

async function picture(name, colorScheme, prepare) {
  const page = await browser.newPage({ viewport: size, colorScheme, reducedMotion: 'reduce' });
  await page.goto(address);
  await page.getByTestId('figures').getByText('%').first().waitFor();
  await prepare(page);
  await page.waitForTimeout(500);
  const file = new URL(`docs/playground-${name}.webp`, root);
  const bytes = await webp(await page.screenshot());
  writeFileSync(file, bytes);
  console.log(`docs/playground-${name}.webp: ${Math.round(bytes.length / 1000)} kB`);
  await page.close();
}

await picture('context', 'light', async (page) => {
  await page.getByRole('radio', { name: /Auto/ }).check();
  await page.locator('.ledger').getByText('shortened before first send').waitFor();
});
await picture('replay', 'light', async (page) => {
  await page.getByRole('link', { name: 'Replay' }).click();
  await page.getByRole('row', { name: /^auto/ }).waitFor();
});
await picture('chat', 'dark', async (page) => {
  await page.getByRole('link', { name: 'Chat' }).click();
  for (const end of [/Two tests still fail/, /package\.json is unchanged/]) {
    await page.getByRole('button', { name: 'Send the next request' }).click();
    await page.getByText(end).waitFor();
  }
});
await picture('compare', 'light', async (page) => {
  await page.getByRole('link', { name: 'Compare' }).click();
  await page.getByText('costs least').waitFor();
});
await picture('prompts', 'light', async (page) => {
  await page.getByRole('link', { name: 'Prompts' }).click();
  await page.getByRole('button', { name: 'Fill in an example' }).click();
  await page.getByRole('button', { name: 'Check and apply' }).click();
  await page.getByText('The reply is good').waitFor();
});
await browser.close();
