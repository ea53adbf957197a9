import { engine } from '../engine/client.js';
import { isBusy, open, problems, show, take } from './conversation.js';

const files = import.meta.glob<string>('../../../demo/conversations/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The conversations that come with the playground; each is fetched, from where the page is from, when it is chosen. */
export const demos = [
  { key: 'fix-webhook-retries', name: 'A bug hunt in a TypeScript service' },
  { key: 'nightly-load-outage', name: 'A night of shell commands and logs' },
  { key: 'pasted-notes-app', name: 'A chat about pasted files' },
  { key: 'flower-shop-i18n', name: 'Work in Japanese, Chinese and Korean' },
] as const;

const loaded = new Map<string, number>();

export async function openDemo(key: string): Promise<void> {
  const known = open.value.find(({ id }) => id === loaded.get(key));
  if (known) return show(known);
  const url = Object.entries(files).find(([path]) => path.endsWith(`/${key}.json`))?.[1];
  if (url === undefined) return;
  isBusy.value += 1;
  try {
    const response = await fetch(url);
    const read = await engine.readText(key, await response.text());
    if ('facts' in read) loaded.set(key, read.facts.id);
    take([read]);
  } catch (error) {
    problems.value = [`the demo conversation could not be loaded: ${String(error)}`];
  } finally {
    isBusy.value -= 1;
  }
}

export const demoOf = (id: number): string | undefined => [...loaded].find(([, known]) => known === id)?.[0];
