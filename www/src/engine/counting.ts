import type { Counting } from '../lib/settings.js';
import type { CountTokens } from './facts.js';

const loaded = new Map<Counting, Promise<CountTokens>>();

/** What counts tokens so; a vocabulary is fetched when it is first asked for, from where the page is from. */
export async function counterOf(counting: Counting): Promise<CountTokens | undefined> {
  if (counting === 'estimate') return undefined;
  const known = loaded.get(counting);
  if (known) return known;
  const fresh = import('densify/tokens').then(async ({ loadTokenizer }) => {
    const tokenizer = await loadTokenizer(counting);
    return (text: string) => tokenizer.count(text);
  });
  loaded.set(counting, fresh);
  return fresh;
}
