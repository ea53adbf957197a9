// The unions of the TypeScript types, as values; errors.test.ts compares them with the core.
import type { CompressOptions, ErrorCode, StrategyName } from 'densify';

/** A list that names every member of a union once, or it doesn't compile. */
function every<Union extends string>() {
  return <const List extends readonly Union[]>(
    ...list: List & (Exclude<Union, List[number]> extends never ? unknown : never)
  ): readonly Union[] => list;
}

export const ERROR_CODES = every<ErrorCode>()(
  'invalid-options',
  'unknown-strategy',
  'strategy-needs-model',
  'invalid-density-result',
  'invalid-messages',
  'token-counter-failed',
  'callback-failed',
  'invalid-stream',
  'disposed',
  'stale-result',
  'core-failed',
  'wasm-unavailable',
  'invalid-request',
  'open-calls',
  'window-too-small',
  'invalid-prompt',
  'invalid-path',
  'invalid-setting',
  'invalid-reply',
  'invalid-snapshot',
  'summary-failed',
);

export const STRATEGIES = every<StrategyName>()(
  'middle-out',
  'top-down-truncation',
  'one-shot',
  'high-density',
  'structured',
  'digest',
  'auto',
);

export const DETERMINISTIC = every<CompressOptions['strategy']>()('top-down-truncation', 'high-density');
