import { batch, computed, effect, signal } from '@preact/signals';
import type { Replay } from '../engine/api.js';
import type { NamesAtHand } from '../engine/names.js';
import { engine } from '../engine/client.js';
import { type Bill, billOf, billWithout, EXAMPLE_PRICES, type Prices } from '../lib/cost.js';
import type { Settings } from '../lib/settings.js';
import { facts, settings } from './conversation.js';
import { view } from './route.js';

/** A way to run densify, to be compared with others. */
export interface Variant {
  readonly name: string;
  readonly settings: Settings;
}

export const prices = signal<Prices>(EXAMPLE_PRICES);

/** The usual choices, in the window that was chosen, and what the user has tuned if it is none of them. */
export const variants = computed<readonly Variant[]>(() => {
  const yours = settings.value;
  const { contextLimit, threshold, preserve } = yours;
  const base: Settings = {
    ...yours,
    preset: 'seed',
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: false,
    flush: 'always',
  };
  const usual: Variant[] = [
    { name: 'Rules only', settings: { ...base, strategy: 'optimize' } },
    { name: 'Rules, edits wait', settings: { ...base, strategy: 'optimize', flush: 'tokens' } },
    { name: 'Rules and old results', settings: { ...base, strategy: 'optimize', recencyPruning: true } },
    { name: 'Lossless rules', settings: { ...base, strategy: 'optimize', preset: 'lossless' } },
    { name: 'Balanced rules', settings: { ...base, strategy: 'optimize', preset: 'balanced' } },
    { name: 'Aggressive rules', settings: { ...base, strategy: 'optimize', preset: 'aggressive' } },
    { name: 'High density', settings: { ...base, strategy: 'high-density' } },
    { name: 'High density, edits wait', settings: { ...base, strategy: 'high-density', flush: 'tokens' } },
    { name: 'Truncation', settings: { ...base, strategy: 'top-down-truncation' } },
  ].map(({ name, settings: one }) => ({ name, settings: { ...one, contextLimit, threshold, preserve } as Settings }));
  return usual.some((one) => isSame(one.settings, yours)) ? usual : [...usual, { name: 'Yours', settings: yours }];
});

export const isSame = (a: Settings, b: Settings): boolean =>
  Object.keys(a).every((key) => a[key as keyof Settings] === b[key as keyof Settings]);

interface Run {
  readonly replay: Replay;
  readonly names: NamesAtHand;
}
const runs = signal<ReadonlyMap<Variant, Run>>(new Map());

/** One row of the comparison. */
export interface Row {
  readonly variant: Variant;
  readonly run: Replay | undefined;
  readonly names: NamesAtHand | undefined;
  readonly bill: Bill | undefined;
  /** Whether every request fits the window. */
  readonly fits: boolean;
}

export const rows = computed<readonly Row[]>(() =>
  variants.value.map((variant) => {
    const { replay: run, names } = runs.value.get(variant) ?? { replay: undefined, names: undefined };
    const bill = run && billOf(run, prices.value);
    return { variant, run, names, bill, fits: bill !== undefined && bill.peak <= variant.settings.contextLimit };
  }),
);

export const without = computed<Bill | undefined>(() => {
  const run = rows.value.find((row) => row.run)?.run;
  return run && billWithout(run, prices.value);
});

/** The row that costs least, of those that fit the window. */
export const winner = computed<Row | undefined>(() => {
  const known = rows.value.filter((row) => row.bill);
  if (known.length < rows.value.length) return undefined;
  const fitting = known.filter((row) => row.fits);
  return (fitting.length > 0 ? fitting : known).reduce<Row | undefined>(
    (best, row) => ((row.bill?.cost ?? 0) < (best?.bill?.cost ?? Number.POSITIVE_INFINITY) ? row : best),
    undefined,
  );
});

let newest = 0;

/** Runs the variants while they are looked at, one after the other; each is shown as soon as it is there. */
export function keepComparing(): () => void {
  return effect(() => {
    const [known, wanted, isSeen] = [facts.value, variants.value, view.value === 'compare'];
    if (!known || !isSeen) return;
    newest += 1;
    void compare(known.id, wanted, newest);
  });
}

async function compare(id: number, wanted: readonly Variant[], mine: number): Promise<void> {
  const found = new Map<Variant, Run>();
  runs.value = found;
  for (const variant of wanted) {
    const run = await engine.compare(id, variant.settings);
    if (mine !== newest) return;
    found.set(variant, run);
    runs.value = new Map(found);
  }
}

export function use(variant: Variant): void {
  batch(() => (settings.value = variant.settings));
  location.hash = 'context';
}
