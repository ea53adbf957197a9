import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { Replay } from '../engine/api.js';
import { engine } from '../engine/client.js';
import type { NamesAtHand } from '../engine/names.js';
import { type Bill, billOf, billWithout, type Prices } from '../lib/cost.js';
import type { Settings } from '../lib/settings.js';
import { facts, sent, settings } from './conversation.js';
import { view } from './route.js';

/** A way to run densify, to be compared with others. */
export interface Variant {
  readonly name: string;
  readonly settings: Settings;
}

const prices = computed<Prices>(() => ({
  fresh: settings.value.priceUncached,
  cached: settings.value.priceCached,
}));

/** The usual choices in the chosen window, and the user's own settings if they differ. */
export const variants = computed<readonly Variant[]>(() => {
  const yours = settings.value;
  const { contextLimit, threshold, preserve } = yours;
  const base: Settings = {
    ...yours,
    preset: 'balanced',
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: false,
    flush: 'when-it-pays',
    recall: false,
  };
  // The preset's own flush, which Replay uses as well.
  const seed: Settings = { ...base, strategy: 'optimize', preset: 'seed', flush: 'always' };
  const usual: Variant[] = [
    { name: 'Auto', settings: { ...base, strategy: 'auto' } },
    { name: 'Seed rules', settings: seed },
    { name: 'Seed rules + older results', settings: { ...seed, recencyPruning: true } },
    { name: 'Lossless rules', settings: { ...base, strategy: 'optimize', preset: 'lossless' } },
    { name: 'Balanced rules', settings: { ...base, strategy: 'optimize' } },
    { name: 'Balanced, edited immediately', settings: { ...base, strategy: 'optimize', flush: 'always' } },
    { name: 'Aggressive rules', settings: { ...base, strategy: 'optimize', preset: 'aggressive' } },
    { name: 'High density', settings: { ...base, strategy: 'high-density' } },
    { name: 'Digest', settings: { ...base, strategy: 'digest' } },
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
/** What is known, by the conversation and the settings: prices move bills, and seldom what is cut. */
const runs = signal<ReadonlyMap<string, Run>>(new Map());
const keyOf = ({ settings: { priceCached, priceUncached, ...rest } }: Variant): string =>
  JSON.stringify([rest, rest.flush === 'when-it-pays' && [priceCached, priceUncached]]);

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
    const { replay: run, names } = runs.value.get(keyOf(variant)) ?? { replay: undefined, names: undefined };
    const bill = run && billOf(run, prices.value, sent.value);
    return { variant, run, names, bill, fits: bill !== undefined && bill.peak <= variant.settings.contextLimit };
  }),
);

export const without = computed<Bill | undefined>(() => {
  const run = rows.value.find((row) => row.run)?.run;
  return run && billWithout(run, prices.value, sent.value);
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
let compared: unknown;

/** Runs the variants while they are looked at, one after the other; each is shown as soon as it is there. */
export function keepComparing(): () => void {
  return effect(() => {
    const [known, wanted, isSeen] = [facts.value, variants.value, view.value === 'compare'];
    if (!known || !isSeen) return;
    newest += 1;
    if (compared !== known) untracked(() => (runs.value = new Map()));
    compared = known;
    void compare(known.id, wanted, newest);
  });
}

async function compare(id: number, wanted: readonly Variant[], mine: number): Promise<void> {
  for (const variant of wanted) {
    const key = keyOf(variant);
    if (runs.peek().has(key)) continue;
    const run = await engine.compare(id, variant.settings);
    if (mine !== newest) return;
    runs.value = new Map([...runs.peek(), [key, run]]);
  }
}

export function use(variant: Variant): void {
  batch(() => (settings.value = variant.settings));
  location.hash = 'context';
}
