import { batch, computed, effect, signal } from '@preact/signals';
import type { KeptPiece } from '../conversed/api.js';
import { engine } from '../engine/client.js';
import { plural } from '../lib/text.js';
import { facts, replay } from './conversation.js';

/** How many texts were kept of what is looked at. */
export const keptTexts = computed(() => replay.value?.kept ?? 0);
export const words = signal('');
export const found = signal<readonly KeptPiece[]>([]);
/** The piece that is looked at, from its beginning on. */
export const piece = signal<KeptPiece | undefined>(undefined);
/** What came of the last action. */
export const said = signal('');

let newest = 0;

/** What was found belongs to one replay. */
export function keepRecall(): () => void {
  return effect(() => {
    if (replay.value) clear();
  });
}

function clear(): void {
  newest += 1;
  batch(() => {
    found.value = [];
    piece.value = undefined;
    words.value = '';
    said.value = '';
  });
}

export async function search(text: string): Promise<void> {
  const id = facts.peek()?.id;
  newest += 1;
  const mine = newest;
  words.value = text;
  const list = id === undefined || text.trim() === '' ? [] : await engine.searchKept(id, text.trim());
  if (mine !== newest) return;
  batch(() => {
    found.value = list;
    said.value = text.trim() === '' ? '' : list.length === 0 ? 'No match.' : plural(list.length, 'match', 'matches');
  });
}

/** Looks at a kept text, or at more of the one that is looked at. */
export async function look(reference: string): Promise<void> {
  const id = facts.peek()?.id;
  const known = piece.peek()?.reference === reference ? piece.peek() : undefined;
  if (id === undefined || (known && known.next === undefined)) return;
  const more = await engine.recalled(id, reference, known?.next ?? 0);
  batch(() => {
    said.value = more ? '' : 'Already erased.';
    piece.value = more && known ? { ...more, text: known.text + more.text, offset: 0 } : more;
  });
}

/** Erases a kept text for good: no later replay keeps it again. */
export async function forget(reference: string): Promise<void> {
  const id = facts.peek()?.id;
  if (id === undefined) return;
  const isGone = await engine.erase(id, reference);
  batch(() => {
    piece.value = undefined;
    found.value = found.value.filter((one) => one.reference !== reference);
    said.value = isGone ? `${reference} was erased permanently.` : 'Already erased.';
  });
}
