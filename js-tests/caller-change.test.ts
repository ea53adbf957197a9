// A client that masks, edits or drops an old message has lost the provider's cache behind it: waiting edits there are free.
import { createOptimizer, type IContent } from 'densify';
import { describe, expect, test } from 'vitest';
import { formatOf, hooks, requestsOf } from './support/hooks.js';
import type { Message } from './support/loose.js';
import { exchange, lines } from './support/work.js';

const history: readonly IContent[] = [
  { speaker: 'human', blocks: [{ type: 'text', text: 'Fix the bug.' }] },
  ...Array.from({ length: 7 }, (_, at) =>
    exchange(String(at), 'bash', { command: `make ${at}` }, lines(`t${at}`, 0, 80).join('\n')),
  ).flat(),
];
const more = Array.from({ length: 7 }, (_, at) =>
  exchange(`more${at}`, 'bash', { command: `make more${at}` }, lines(`m${at}`, 0, 80).join('\n')),
).flat();
/** So dear that no flush pays by itself. */
const DEAR = { preset: 'aggressive', prices: { cached: 0.001, uncached: 1 } } as const;
const masked = (content: IContent): IContent => ({
  ...content,
  blocks: content.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result: '<masked>' } : block)),
});

describe.each([
  ['masks its second result', history.map((content, at) => (at === 4 ? masked(content) : content)), 4],
  ['drops its second exchange', history.filter((_, at) => at !== 3 && at !== 4), 3],
  [
    'parses all of it anew, with another text',
    structuredClone(history.map((content, at) => (at === 4 ? masked(content) : content))),
    4,
  ],
] as const)('a client that %s', (_, changed, at) => {
  test('gets the edits made that wait behind it, and no others', () => {
    using optimizer = createOptimizer<IContent>(DEAR);
    for (let end = 3; end <= history.length; end += 2) {
      expect(optimizer.optimize(history.slice(0, end)).messages).toStrictEqual(history.slice(0, end));
    }
    expect(optimizer.plan()?.saved).toBeGreaterThan(0);
    const { messages, flush, tokensBefore, tokensAfter } = optimizer.optimize(changed);
    expect(flush?.index).toBeGreaterThanOrEqual(at);
    expect(messages.slice(0, at)).toStrictEqual(changed.slice(0, at));
    expect(tokensAfter).toBeLessThan(tokensBefore * 0.6);
    // From there on the cache holds again.
    const more = [...changed, ...exchange('more', 'bash', { command: 'make more' }, lines('more', 0, 80).join('\n'))];
    expect(optimizer.optimize(more).messages.slice(0, messages.length)).toStrictEqual(messages);
  });
});

describe.each(hooks.map((hook) => [hook.name, hook] as const))('%s', (_, hook) => {
  const format = formatOf(hook);
  test('packs what stands behind a masked result', async () => {
    const send = hook.make({ ...format.known, ...DEAR });
    const size = (messages: readonly unknown[]) => JSON.stringify(messages).length;
    // Anthropic caches no short prefix: all that is left must be longer.
    const longer = [...history, ...more];
    const list = format.from(longer as never) as Message[];
    for (const request of requestsOf(list)) await send([...request]);
    const other = format.from(
      longer.map((content, at) => (at === 4 ? masked(content) : content)) as never,
    ) as Message[];
    const changed = list.map((message, at) => (size([message]) === size([other[at]]) ? message : other[at]!));
    expect(size(changed)).toBeLessThan(size(list));
    expect(size([...(await send([...changed]))])).toBeLessThan(size(changed) * 0.75);
  });
});
