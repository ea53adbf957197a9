// Callers dispose of handles and tenants; nothing relies on finalizers.
import { createDensify, createOptimizer, type IContent } from 'densify';
import { expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { human } from './support/say.js';

test('a disposed handle says so, whatever is asked of it', () => {
  const optimizer = createOptimizer<IContent>({ preset: 'seed' });
  optimizer.push(human('hi'));
  const late = optimizer.optimize();
  optimizer.dispose();
  const disposed: unknown = expect.objectContaining({ name: 'DensifyError', code: 'disposed' });
  const uses = [
    () => optimizer.optimize(),
    () => optimizer.optimize([human('hi')]),
    () => optimizer.push(human('hi')),
    () => optimizer.flush(),
    () => optimizer.compress({ strategy: 'high-density', contextLimit: 1 }),
    () => late.tokensBefore,
  ];
  for (const use of uses) expect(use).toThrow(disposed as Error);
  optimizer.dispose();
  optimizer.invalidate();
  expect(optimizer.bytes).toBeGreaterThanOrEqual(0);
});

test('using', () => {
  let escaped;
  {
    using optimizer = createOptimizer<IContent>({ preset: 'seed' });
    escaped = optimizer;
    expect(optimizer.optimize([human('hi')]).changed).toBe(false);
  }
  expect(() => escaped.optimize()).toThrow(expect.objectContaining({ code: 'disposed' }) as Error);
  {
    using tenant = createDensify();
    tenant.estimateTokens('hi');
    expect(tenant.memoryBytes()).toBeGreaterThan(0);
  }
});

test('a thousand conversations opened and disposed leave no memory behind', () => {
  const tenant = createDensify();
  const history = conversation(1, 30);
  const open = (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      using optimizer = tenant.createOptimizer<IContent>({ preset: 'seed', rules: { recencyPruning: true } });
      optimizer.optimize(history);
      optimizer.compress({ strategy: 'high-density', contextLimit: 2_000 });
    }
    return tenant.memoryBytes();
  };
  const first = open(100);
  expect(open(900)).toBeLessThanOrEqual(first * 1.2);
});

test('so do functions without state, and handles that an error left unborn', () => {
  const tenant = createDensify();
  const history = conversation(2, 30);
  const call = (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      tenant.optimize(history, { preset: 'seed', rules: { recencyPruning: true } });
      tenant.compress(history, { strategy: 'top-down-truncation', contextLimit: 2_000 });
      expect(() => tenant.optimize(history, { preset: 'seed', protect: () => JSON.parse('{') as boolean })).toThrow();
      expect(() => tenant.compress(history, { strategy: 'high-density', contextLimit: -1 })).toThrow();
    }
    return tenant.memoryBytes();
  };
  const first = call(50);
  expect(call(450)).toBeLessThanOrEqual(first * 1.2);
});

test('so do handles that are rebuilt again and again', () => {
  const tenant = createDensify();
  const optimizer = tenant.createOptimizer<IContent>({ preset: 'seed' });
  const [one, other] = [conversation(3, 80), conversation(4, 80)];
  const rebuild = (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      optimizer.optimize(one);
      optimizer.optimize(other);
    }
    return tenant.memoryBytes();
  };
  const first = rebuild(20);
  expect(rebuild(200)).toBeLessThanOrEqual(first * 1.2);
  expect(optimizer.bytes).toBeLessThan(1e6);
});
