// Well-formed histories on which the documents and their reference implementation agree.
import type { IContent } from 'densify';
import { applyDensityResult, type DensityConfig, proposeDensity } from 'densify/host';
import { describe, expect, test } from 'vitest';
import { sharedJson } from './support/shared.js';
import { frozen } from './support/simulation.js';

interface Vector {
  readonly history: IContent[];
  readonly config: DensityConfig;
  readonly expected: {
    readonly removals: readonly number[];
    readonly replacements: readonly (readonly [number, IContent])[];
    readonly metadata: Readonly<Record<string, number>>;
  };
}

const vectors = sharedJson<Vector[]>('vectors/optimize.json', 'vectors.test.ts') ?? [];
const numbered = vectors.map((vector, number) => [number, frozen(vector)] as const);

describe.skipIf(vectors.length === 0)('vectors', () => {
  test('there are 200', () => {
    expect(vectors).toHaveLength(200);
  });

  test.each(numbered)('vector %i: what is proposed is exactly what is expected', (_, { history, config, expected }) => {
    const { removals, replacements, metadata } = proposeDensity(history, config);
    expect({ removals, replacements: [...replacements], metadata }).toStrictEqual(expected);
  });

  test.each(numbered)(
    'vector %i: applied, each entry is replaced, removed or the caller’s own',
    (_, { history, config, expected }) => {
      const applied = applyDensityResult(history, proposeDensity(history, config));
      const replaced = new Map(expected.replacements);
      const left = history
        .map((entry, index) => ({ entry, index }))
        .filter(({ index }) => !expected.removals.includes(index));
      expect(applied).toStrictEqual(left.map(({ entry, index }) => replaced.get(index) ?? entry));
      left.forEach(({ entry, index }, at) => {
        if (!replaced.has(index)) expect(applied[at]).toBe(entry);
      });
    },
  );
});
