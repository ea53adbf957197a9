// A result's edits, made one message at a time by the caller, give the result's messages.
import { applyEdits, compress, createOptimizer, type Edit, type IContent, optimize } from 'densify';
import { expect, test } from 'vitest';
import { Agent } from './support/conversations.js';
import { work } from './support/work.js';

/** What somebody has who makes the edits of each message themselves. */
function made(history: readonly IContent[], edits: readonly Edit[]): (IContent | undefined)[] {
  return history.map((message, at) =>
    applyEdits(
      message,
      edits.filter(({ index }) => index === at),
    ),
  );
}

const agent = new Agent(21);
const turns = Array.from({ length: 200 }, () => agent.turn()).flat();
/** Where results repeat each other's lines. */
const repeating = work(21);

test.each(['seed', 'lossless', 'balanced', 'aggressive'] as const)('the rules of %s', (preset) => {
  const history = preset === 'lossless' ? repeating : turns;
  const { messages, edits } = optimize(history, {
    preset,
    flush: 'always',
    ...(preset === 'seed' ? { rules: { recencyPruning: true } } : {}),
  });
  expect(edits.length).toBeGreaterThan(10);
  const own = made(history, edits);
  expect(own.filter((message) => message !== undefined)).toEqual(messages);
  const touched = new Set(edits.map(({ index }) => index));
  history.forEach((message, index) => {
    if (!touched.has(index)) expect(own[index]).toBe(message);
  });
});

test('a compression behind an optimization', () => {
  using optimizer = createOptimizer<IContent>({ preset: 'balanced', flush: 'always' });
  optimizer.push(...turns);
  const edits = [...optimizer.optimize().edits];
  const result = optimizer.compress({ strategy: 'high-density', contextLimit: 50_000 });
  edits.push(...result.edits);
  expect(made(turns, edits).filter((message) => message !== undefined)).toEqual(result.messages);
});

test('a list of edits is what is wanted', () => {
  expect(() => applyEdits({ speaker: 'ai', blocks: [] }, undefined as never)).toThrow(/edits: found undefined/);
});

test('no input is changed', () => {
  const before = structuredClone(turns);
  const { edits } = compress(turns, { strategy: 'high-density', contextLimit: 20_000 });
  made(turns, edits);
  expect(turns).toEqual(before);
  expect(applyEdits({ speaker: 'ai', blocks: [] }, [])).toEqual({ speaker: 'ai', blocks: [] });
});
