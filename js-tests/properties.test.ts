import { type IContent, optimize } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, malformedHistory, options } from './support/arbitrary.js';
import { check } from './support/check.js';
import { Oracle, type OracleOptions } from './support/oracle.js';

function equalsOracle(entries: readonly IContent[], settings: OracleOptions): void {
  const oracle = new Oracle(settings);
  oracle.push(...entries);
  const { metadata, unbalanced } = oracle.run();
  const result = optimize(entries, settings);
  expect(result.messages).toStrictEqual(oracle.messages);
  expect(result.metadata).toStrictEqual(metadata);
  expect(result.warnings.map(({ index }) => index)).toStrictEqual(unbalanced);
}

describe('optimize, statelessly', () => {
  test('gives what the naive oracle gives', () => {
    check(1_000, fc.property(history(), options, equalsOracle));
  });

  test('gives what the naive oracle gives for malformed histories', () => {
    check(1_000, fc.property(malformedHistory, options, equalsOracle));
  });
});
