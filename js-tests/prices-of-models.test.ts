// Flush decisions use the prices of the named model, unless the caller passes others.
import { readdirSync, readFileSync } from 'node:fs';
import type { IContent } from 'densify';
import * as anthropic from 'densify/anthropic';
import * as langchain from 'densify/langchain';
import { pricesOf } from 'densify/replay';
import { describe, expect, test } from 'vitest';
import { formatOf, session } from './support/hooks.js';
import type { Message } from './support/loose.js';

const { from } = formatOf({ format: 'anthropic' });
const bundled = new URL('../demo/conversations/', import.meta.url);
const [first = ''] = readdirSync(bundled);
const { contents } = JSON.parse(readFileSync(new URL(first, bundled), 'utf8')) as { contents: IContent[] };
const history = from(contents);

/** Where a handle flushes, call by call. */
function flushes(options: object): readonly (number | undefined)[] {
  using optimizer = anthropic.createOptimizer<anthropic.AnthropicMessageLike>({
    generation: 'adaptive-thinking',
    ...options,
  });
  return history.flatMap((message, at) => {
    optimizer.push(message as never);
    if (message.role === 'assistant' || history[at + 1]?.role !== 'assistant') return [];
    return [optimizer.optimize().flush?.index];
  });
}

const at = (model: string) => {
  const { cached, write } = pricesOf(model);
  return { cached, uncached: write };
};

describe('a handle', () => {
  test.each(['claude-fable-5-1', 'claude-opus-4-6', 'deepseek-v4-flash', 'a-model-of-nobody'])('%s', (model) => {
    expect(flushes({ model })).toEqual(flushes({ prices: at(model) }));
  });

  test('flushes less often where a miss costs more', () => {
    const count = (options: object) => flushes(options).filter((index) => index !== undefined).length;
    expect(count({ model: 'claude-opus-4-6' })).toBeGreaterThan(count({ model: 'claude-fable-5-1' }));
    expect(flushes({})).toEqual(flushes({ prices: { cached: 0.1, uncached: 1.25 } }));
  });

  test('goes by the prices that it is given', () => {
    const prices = { cached: 0.25, uncached: 1 };
    expect(flushes({ model: 'claude-fable-5-1', prices })).toEqual(flushes({ prices }));
    expect(flushes({ model: 'claude-fable-5-1', prices: undefined })).toEqual(flushes({ model: 'claude-fable-5-1' }));
  });

  test('a model that is given away has the usual prices', () => {
    expect(flushes({ model: 'mimo-v2.5-free' })).toEqual(flushes({}));
  });
});

test('a call without a memory gives what a handle gives', () => {
  for (const model of ['claude-fable-5-1', 'claude-opus-4-6']) {
    const options = { model, generation: 'adaptive-thinking' } as const;
    using optimizer = anthropic.createOptimizer(options);
    let made: readonly unknown[] = [];
    history.forEach((message, place) => {
      optimizer.push(message as never);
      if (message.role !== 'assistant' && history[place + 1]?.role === 'assistant')
        made = optimizer.optimize().messages;
    });
    const end = history.findLastIndex(({ role }) => role === 'assistant');
    const given = history.slice(0, end) as never as anthropic.AnthropicMessageLike[];
    expect(anthropic.optimize(given, options).messages).toEqual(made);
    const request = { model, messages: given, cache_control: { type: 'ephemeral' } } as const;
    expect(anthropic.optimizeRequest(request, options).request.messages).toEqual(made);
  }
});

test('of a model without prices a hook tells once', async () => {
  const codes = async (options: object, model: string) => {
    const told: string[] = [];
    const onWarning = (warning: unknown) => void told.push((warning as { code: string }).code);
    const hook = langchain.wrapModelCall({ ...options, onWarning });
    const messages = formatOf({ format: 'langchain' }).from(session('one', 4)) as Message[] as never[];
    for (let call = 0; call < 3; call += 1)
      await hook({ messages, model: { model } }, async (request) => request.messages);
    return told;
  };
  expect(await codes({}, 'my-model')).toEqual(['model-unpriced']);
  expect(await codes({ prices: { cached: 1, uncached: 2 } }, 'my-model')).toEqual([]);
  expect(await codes({ flush: 'always' }, 'my-model')).toEqual([]);
  expect(await codes({}, 'claude-opus-4-6')).toEqual([]);
});
