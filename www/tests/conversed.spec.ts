import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { IContent } from 'densify';
import { replay as replayed } from 'densify/replay';
import { Conversed, type keeping } from '../src/conversed/conversed.js';
import { factsOf } from '../src/engine/facts.js';
import { Timeline } from '../src/engine/timeline.js';
import { RULES } from '../src/lib/kinds.js';
import { DEFAULTS, isConversed, type Settings } from '../src/lib/settings.js';
import { statesAt } from '../src/state/states.js';

const folder = new URL('../../demo/conversations/', import.meta.url);
const demos = readdirSync(folder).map((name) => ({
  name,
  contents: (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { contents: IContent[] }).contents,
}));

function replayOf(contents: readonly IContent[], part: Partial<Settings>, kept?: ReturnType<typeof keeping>) {
  const facts = factsOf({ id: 1, title: '', description: '', workspaceRoot: '/' }, contents);
  const settings = { ...DEFAULTS, ...part };
  const full = isConversed(settings)
    ? new Conversed(facts, contents).run(settings, '/', kept)
    : new Timeline(facts, contents).run(settings, '/');
  return { facts, ...full };
}

for (const part of [
  { strategy: 'auto' },
  { strategy: 'auto', preset: 'balanced', flush: 'when-it-pays' },
  { strategy: 'auto', flush: 'tokens', recall: true },
  { strategy: 'digest' },
  { strategy: 'digest', recall: true },
  { strategy: 'high-density' },
  { strategy: 'optimize', preset: 'aggressive' },
] as const) {
  test(`what is shown of each block adds up to what is sent, at every call: ${JSON.stringify(part)}`, () => {
    for (const { name, contents } of demos) {
      const { facts, replay } = replayOf(contents, { ...part, contextLimit: 16_000 });
      expect(replay.editBlock.length, name).toBeGreaterThan(0);
      facts.calls.forEach((_, call) => {
        const edits = replay.editCall.findIndex((one) => one > call);
        const { before, after } = statesAt(facts, replay, call, edits < 0 ? replay.editCall.length : edits);
        expect([call, before, after], name).toEqual([call, replay.before[call], replay.after[call]]);
      });
    }
  });
}

test('what a digest stands for is put down to it alone, and requests that it quotes are kept', () => {
  for (const { name, contents } of demos) {
    for (const contextLimit of [16_000, 48_000]) {
      const { replay } = replayOf(contents, { strategy: 'digest', contextLimit });
      expect([name, ...new Set([...replay.editRule].map((rule) => RULES[rule]?.key))]).toEqual(
        replay.compressions.length > 0 ? [name, 'digest'] : [name],
      );
      if (contextLimit === 48_000) expect([name, replay.requestsKept]).toEqual([name, replay.requests]);
    }
  }
});

test('tokens and cache of auto and digest are those that densify/replay finds', () => {
  for (const { name, contents } of demos) {
    for (const strategy of ['auto', 'digest'] as const) {
      const { replay, facts } = replayOf(contents, { strategy, contextLimit: 16_000 });
      const report = replayed(contents, { policies: [strategy], contextLimit: 16_000 });
      const found = report.policies.find(({ policy }) => policy === strategy);
      // The picture has one call more: the one that would come next.
      if (report.requests !== facts.calls.length - 1) continue;
      const sum = (values: Uint32Array): number => values.subarray(0, -1).reduce((total, value) => total + value, 0);
      expect([sum(replay.after), sum(replay.cached)], name).toEqual([found?.tokens, found?.cachedTokens]);
    }
  }
});
