/** The density rules of the documents: their proposals, and how to apply them. */
import type { ContentLike } from '../base/content.js';
import { densifyError } from '../base/errors.js';
import { describe, refuse } from '../base/options.js';
import { densityKeys } from '../generated/constants.js';
import type { DensityConfig } from '../generated/densify.js';
import { neutralAs } from '../messages/neutral.js';
import { DROPPED } from '../session/live-list.js';
import type { DensityResult } from '../types.js';
import { CALLBACKS } from './elsewhere.js';
import { withSession } from './functions.js';
import { checkList, listFrom } from './optimizer.js';
import { densityMetadata } from './results.js';
import { readSettings } from './settings.js';
import { sharedEngine } from './shared-engine.js';

/** The density rules' proposals for a raw history, as removals and replacements by index. */
export function proposeDensity<M extends ContentLike>(history: readonly M[], config: DensityConfig): DensityResult<M> {
  checkList(history);
  refuse(config, CALLBACKS, 'the density rules do not use it; leave it out');
  const { json } = readSettings<M>(config, { core: densityKeys, functions: [] });
  return withSession(
    { engine: sharedEngine(), adapter: neutralAs<M>() },
    { messages: history, callbacks: {} },
    ({ glue }) => glue.OptimizerHandle.forDensity(json),
    (session) => {
      const run = session.run(true);
      const removals: number[] = [];
      const replacements = new Map<number, M>();
      session.live.entries.forEach((message, index) => {
        if (message === DROPPED) removals.push(index);
        else if (message !== session.raw[index]) replacements.set(index, message);
      });
      return { removals, replacements, metadata: densityMetadata(run) };
    },
  );
}

/** Applies a density result after checking that it fits the history: replacements first, then removals. */
export function applyDensityResult<M extends ContentLike>(history: readonly M[], result: DensityResult<M>): M[] {
  checkList(history);
  const entries = listFrom(history, 0);
  const { removals, replacements } = readDensity(result);
  checkDensity(entries.length, removals, [...replacements.keys()]);
  const removed = new Set(removals);
  const kept: M[] = [];
  entries.forEach((entry, index) => {
    if (!removed.has(index)) kept.push(replacements.get(index) ?? entry);
  });
  return kept;
}

/** A density result as it is now, if it is one. */
function readDensity<M extends ContentLike>(
  result: DensityResult<M>,
): { removals: readonly number[]; replacements: ReadonlyMap<number, M> } {
  const { removals, replacements } = (result ?? {}) as Partial<DensityResult<M>>;
  const map = mapFrom<M>(replacements);
  if (!Array.isArray(removals) || map === undefined) {
    throw densifyError(
      'invalid-density-result',
      `result: found ${describe(result)}, expected {removals: number[], replacements: Map}`,
    );
  }
  const list: readonly unknown[] = listFrom(removals, 0);
  for (const index of [...list, ...map.keys()]) {
    if (typeof index === 'number') continue;
    throw densifyError(
      'invalid-density-result',
      `removals or replacements: found the index ${describe(index)}, expected a number`,
    );
  }
  for (const [index, entry] of map) {
    if (typeof entry === 'object' && entry !== null) continue;
    const message = `replacements: found ${describe(entry)} for message ${index}, expected a message`;
    throw densifyError('invalid-density-result', message, { index });
  }
  return { removals: list as readonly number[], replacements: map };
}

/** Checks that a density result fits a history: whole numbers within it, none twice, none both removed and replaced. */
function checkDensity(length: number, removals: readonly number[], replaced: readonly number[]): void {
  const taken = new Set<number>();
  for (const [list, what] of [[removals, 'removals'] as const, [replaced, 'replacements'] as const]) {
    for (const index of list) {
      if (!(Number.isInteger(index) && index >= 0 && index < length)) {
        const expected = `a whole number from 0 to ${Math.max(0, length - 1)}`;
        throw densifyError('invalid-density-result', `${what}: found index ${index}, expected ${expected}`);
      }
      if (taken.has(index)) {
        const expected = 'each index once, in removals or in replacements';
        const message = `${what}: found index ${index} a second time, expected ${expected}`;
        throw densifyError('invalid-density-result', message, { index });
      }
      taken.add(index);
    }
  }
}

/** A copy of a map, of another realm too. */
function mapFrom<M>(value: unknown): Map<number, M> | undefined {
  try {
    return new Map(Map.prototype.entries.call(value as Map<number, M>) as MapIterator<[number, M]>);
  } catch {
    return undefined;
  }
}
