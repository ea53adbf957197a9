// What hosts and stores do to histories.
import fc from 'fast-check';
import { bagOf, type Message } from './loose.js';

export type Wound = { readonly at: number; readonly kind: string; readonly value: unknown };

/** What is done to some messages of a history. */
export const damage = fc.array(
  fc.record({
    at: fc.nat(30),
    kind: fc.constantFrom('drop', 'twice', 'swap', 'replace', 'content', 'part', 'cut'),
    value: fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text)),
  }),
  { maxLength: 4 },
);

/** A history after what hosts and stores do to histories. */
export function damaged(messages: readonly Message[], wounds: readonly Wound[]): Message[] {
  const list = [...messages];
  for (const { at, kind, value } of wounds) {
    if (list.length === 0) break;
    const index = at % list.length;
    const message = bagOf(list[index]);
    const key = 'parts' in message ? 'parts' : 'content';
    const content = message[key];
    if (kind === 'drop') list.splice(index, 1);
    if (kind === 'twice') list.splice(index, 0, structuredClone(message));
    if (kind === 'swap' && index + 1 < list.length) list.splice(index, 2, bagOf(list[index + 1]), message);
    if (kind === 'replace') list[index] = value as Message;
    if (kind === 'content') list[index] = { ...message, [key]: value };
    if (kind === 'part' && Array.isArray(content))
      list[index] = { ...message, [key]: [...(content as unknown[]), value] };
    if (kind === 'cut' && Array.isArray(content)) list[index] = { ...message, [key]: content.slice(1) as unknown };
  }
  return list;
}

/** Whether an entry can be said in a format at all. */
export function sane(entry: unknown): boolean {
  const { speaker, blocks } = bagOf(entry);
  return typeof speaker === 'string' && (blocks as unknown[]).every((block) => typeof bagOf(block).type === 'string');
}
