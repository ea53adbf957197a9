// The rest of a history, independent of its format: two decisions are the same if they leave the same rest.
import type { IContent } from 'densify';
import { expect } from 'vitest';
import type { Said } from './formats.js';

const NOTE = /\[… (?:the same|the same as the next|shown again later|shown later, as edited): [^\]]*\]/g;
export const POINTED = '[Removed: it is included again later]';

/** What is left of a history: lists by kind, since formats order a message's blocks differently. */
function leftOf(said: readonly Said[]) {
  const of = (kind: Said['kind'], side?: Said['side']) =>
    said.filter((one) => one.kind === kind && (side === undefined || one.side === side));
  return {
    calls: of('call').map(({ what }) => what),
    // Which of two results that show the same a note names depends on the messages that they stand in.
    results: of('result').map(({ what, text = '' }) => `${what}: ${text.replaceAll(NOTE, '[…]')}`),
    // Providers refuse blank texts, so what an edit left of one goes there.
    human: of('text', 'human')
      .map(({ what }) => what)
      .filter((text) => text.trim() !== '' && text !== POINTED),
    ai: of('text', 'ai').map(({ what }) => what),
    thoughts: of('thought')
      .map(({ what }) => what)
      .join('\n'),
    media: of('media').length,
  };
}

/** Formats whose provider takes no thinking that ends a message of the model: what a drop would leave so goes too. */
export const LEADS: ReadonlySet<string> = new Set(['anthropic', 'ai-sdk', 'ai-sdk/prompt', 'langchain', 'pi']);

export const isThought = ({ blocks }: IContent): boolean => blocks.some(({ type }) => type === 'thinking');

/** The same is left, except for thinking that may not be last. */
export function expectSame(name: string, left: readonly Said[], expected: readonly Said[]): void {
  const [found, wanted] = [leftOf(left), leftOf(expected)];
  if (!LEADS.has(name)) return expect(found).toEqual(wanted);
  const all = wanted.thoughts.split('\n');
  let at = -1;
  for (const thought of found.thoughts === '' ? [] : found.thoughts.split('\n')) {
    at = all.indexOf(thought, at + 1);
    expect(at, thought).toBeGreaterThan(-1);
  }
  expect({ ...found, thoughts: '' }).toEqual({ ...wanted, thoughts: '' });
}
