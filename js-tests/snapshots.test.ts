// Snapshots that were damaged or made up: a typed error or a correct restore, never anything else.
import {
  type Conversation,
  type ConversationOptions,
  type ConversationSnapshot,
  createConversation,
  type IContent,
  isDensifyError,
  restoreConversation,
} from 'densify';
import { errorCodes } from 'densify/host';
import { describe, expect, test } from 'vitest';
import { checksum } from './support/checksum.js';
import { Agent, random } from './support/conversations.js';
import { goodReply } from './support/replies.js';
import { TIMES } from './support/times.js';

const MUTATIONS = 500 * TIMES;
const SEED = Number(process.env.DENSIFY_SEED ?? Math.floor(Math.random() * 2 ** 31));

interface Case {
  readonly options: ConversationOptions;
  readonly raw: readonly IContent[];
  readonly snapshot: ConversationSnapshot;
  readonly messages: string;
}

/** A conversation with edits, compressions and summaries in it. */
function madeBy(strategy: ConversationOptions['strategy'], seed: number): Case {
  const options: ConversationOptions = { strategy, contextLimit: 2500, optimize: { rules: { recencyPruning: true } } };
  const made = createConversation(options);
  const agent = new Agent(seed);
  for (let turn = 0; turn < 30; turn += 1) {
    made.add(...agent.turn());
    const step = made.beforeSend();
    if (step.kind === 'summarize') step.complete(goodReply(step.request));
  }
  return caseOf(options, made);
}

function caseOf(options: ConversationOptions, made: Conversation): Case {
  const snapshot = JSON.parse(JSON.stringify(made.snapshot())) as ConversationSnapshot;
  return { options, raw: made.raw, snapshot, messages: JSON.stringify(made.messages) };
}

const CASES: readonly Case[] = [
  madeBy('high-density', 1),
  madeBy('middle-out', 2),
  madeBy('structured', 3),
  madeBy('auto', 4),
  caseOf({ contextLimit: 100 }, createConversation({ contextLimit: 100 })),
];

/** A restored conversation, or nothing if the error is a typed one. */
function restored({ options, raw }: Case, snapshot: unknown): Conversation | undefined {
  try {
    return restoreConversation(snapshot as ConversationSnapshot, raw, options);
  } catch (thrown) {
    if (isDensifyError(thrown) && errorCodes.includes(thrown.code)) return undefined;
    throw thrown;
  }
}

const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 32,
  2 ** 53,
  1e308,
  '',
  'x',
  '////',
  'AAAA',
  '__proto__',
  [],
  [[]],
  {},
  [null],
  [-1],
  { length: 9 },
  'A'.repeat(64),
]; // prettier-ignore

type Next = (below: number) => number;

/** One of them, as an object of its own: it may be changed further. */
const hostile = (next: Next): unknown => structuredClone(HOSTILE[next(HOSTILE.length)]);

/** All places in a value, as the objects and keys that lead to them. */
function placesOf(value: unknown): { readonly at: Record<string, unknown>; readonly key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const at = value as Record<string, unknown>;
  return Object.keys(at).flatMap((key) => [{ at, key }, ...placesOf(at[key])]);
}

/** Changes one value somewhere. */
function mutate(snapshot: unknown, next: Next): void {
  const places = placesOf(snapshot);
  const { at, key } = places[next(places.length)]!;
  const old = at[key];
  const other = places[next(places.length)]!;
  switch (next(6)) {
    case 0:
      Reflect.deleteProperty(at, key);
      break;
    case 1:
      at[key] = hostile(next);
      break;
    case 2:
      at[key] = structuredClone(other.at[other.key]);
      break;
    case 3:
      if (Array.isArray(old)) at[key] = next(2) === 0 ? [...(old as unknown[]), ...(old as unknown[])] : old.slice(1);
      else at[key] = hostile(next);
      break;
    default:
      if (typeof old === 'number') at[key] = next(2) === 0 ? old + next(5) - 2 : next(2 ** 31);
      else if (typeof old === 'string') at[key] = changed(old, next);
      else at[key] = hostile(next);
  }
}

const SIGNS = 'ABCDEFGHabcdefgh01234567+/=';

/** A text with one sign changed, taken out or put in. */
function changed(text: string, next: Next): string {
  const at = next(text.length + 1);
  const sign = SIGNS[next(SIGNS.length)] ?? '';
  return text.slice(0, at) + (next(3) > 0 ? sign : '') + text.slice(at + next(2));
}

const nextOf = (seed: number): Next => {
  const number = random(seed);
  return (below) => Math.floor(number() * below);
};

describe(`mutated snapshots (DENSIFY_SEED=${SEED})`, () => {
  test('a snapshot as it was restores what was', () => {
    for (const one of CASES) expect(JSON.stringify(restored(one, one.snapshot)?.messages)).toBe(one.messages);
  });

  test('a changed one is a typed error, or restores what was', () => {
    const next = nextOf(SEED);
    const texts = CASES.map(({ snapshot }) => JSON.stringify(snapshot));
    let errors = 0;
    for (let left = MUTATIONS; left > 0; left -= 1) {
      const at = next(CASES.length);
      const one = CASES[at]!;
      const snapshot = JSON.parse(texts[at]!) as ConversationSnapshot;
      for (let changes = next(2); changes >= 0; changes -= 1) mutate(snapshot, next);
      const made = restored(one, snapshot);
      if (made === undefined) errors += 1;
      else if (JSON.stringify(made.messages) !== one.messages) throw new Error(JSON.stringify(snapshot));
      made?.dispose();
    }
    expect(errors).toBeGreaterThan(MUTATIONS / 2);
  });

  test('one that was made up, with the right sum, is a typed error or a conversation that works', () => {
    const next = nextOf(SEED + 1);
    const texts = CASES.map(({ snapshot }) => JSON.stringify(snapshot));
    for (let left = MUTATIONS; left > 0; left -= 1) {
      const at = next(CASES.length);
      const one = CASES[at]!;
      const { checksum: _, ...body } = JSON.parse(texts[at]!) as Record<string, unknown>;
      for (let changes = next(2); changes >= 0; changes -= 1) mutate(body, next);
      const forged = { ...body, checksum: checksum(JSON.stringify(body)) };
      try {
        use(restored(one, forged), one);
      } catch (thrown) {
        throw new Error(`${String(thrown)}: ${JSON.stringify(forged)}`, { cause: thrown });
      }
    }
  });

  test('what is no snapshot at all', () => {
    for (const one of CASES) {
      for (const no of [...HOSTILE, undefined, 7n, Symbol('x'), () => 1, new Map(), CASES]) {
        expect(restored(one, no)).toBeUndefined();
      }
    }
  });
});

/** Does everything that a conversation can do. Errors with a code are allowed. */
function use(made: Conversation | undefined, { raw }: Case): void {
  if (made === undefined) return;
  const half = Math.floor(raw.length / 2);
  const actions = [
    () => made.messages.length,
    () => made.tokens,
    () => made.stats,
    () => made.beforeSend(),
    () => made.add({ speaker: 'human', blocks: [{ type: 'text', text: 'more' }] }),
    () => made.ensureOptimized(),
    () => made.snapshot(),
    () => made.rewind(half),
    () => made.messages.length,
    () => made.compress(),
  ];
  for (const action of actions) {
    try {
      action();
    } catch (thrown) {
      // It says what it is, and it isn't our own fault.
      if (isDensifyError(thrown) && thrown.code !== 'core-failed') continue;
      throw thrown;
    }
  }
  made.dispose();
}
