// Conversations under random sequences of events: no message is lost, doubled or put out of order.
import {
  type Conversation,
  type ConversationOptions,
  createConversation,
  estimateTokens,
  type IContent,
  isDensifyError,
  restoreConversation,
  type SummaryTask,
} from 'densify';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mustBe } from './support/must-be.js';
import { goodReply } from './support/replies.js';
import { ai, call, human, read, response, tool, write } from './support/say.js';
import { TIMES } from './support/times.js';

const SEED = Number(process.env['DENSIFY_SEED'] ?? Date.now() % 1e9);
const LINE = 'a line that is long enough to be worth a summary, and then some more of it\n';

/** An event. `at` is a place in the log, in percent. */
type Event =
  | { readonly kind: 'add'; readonly what: number; readonly size: number }
  | { readonly kind: 'send'; readonly pending: number }
  | { readonly kind: 'good' | 'bad' | 'fail' | 'cancel' | 'compress' | 'restore' | 'optimize' | 'fork' }
  | { readonly kind: 'rewind' | 'branch'; readonly at: number };

const part = fc.integer({ min: 0, max: 100 });
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('add'), what: fc.nat(5), size: fc.nat(60) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send'), pending: fc.constantFrom(0, 0, 0, 100) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('good') }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('bad', 'fail', 'cancel', 'restore', 'optimize', 'fork') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compress') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('rewind', 'branch'), at: part }) },
) as fc.Arbitrary<Event>;

const events = fc.array(event, { minLength: 5, maxLength: 80, size: 'max' });

/** A conversation, and what is known of it without it. */
class Trial {
  readonly options: ConversationOptions;
  conversation: Conversation;
  log: IContent[] = [];
  task: SummaryTask | undefined;
  #calls = 0;

  constructor(options: ConversationOptions) {
    this.options = options;
    this.conversation = createConversation(options);
  }

  do(next: Event): void {
    const { conversation } = this;
    switch (next.kind) {
      case 'add': {
        const entries = this.#entries(next.what, next.size);
        conversation.add(...entries);
        this.log.push(...entries);
        return;
      }
      case 'send': {
        const step = conversation.beforeSend({ pendingTokens: next.pending });
        if (step.kind === 'summarize') this.task = step;
        else if (step.kind === 'ready') this.task = step.background ?? this.task;
        else if (step.kind === 'pending') expect(step.task.isOpen).toBe(true);
        return;
      }
      case 'good':
        return this.#complete(true);
      case 'bad':
        return this.#complete(false);
      case 'fail':
      case 'cancel': {
        const before = conversation.messages;
        this.task?.[next.kind]();
        expect(conversation.messages).toBe(before);
        return;
      }
      case 'compress':
        conversation.compress({ strategy: 'high-density' });
        return;
      case 'optimize':
        conversation.ensureOptimized();
        return;
      case 'restore':
        return this.#restore();
      case 'fork':
        return this.#go(conversation.fork(), this.log.length, conversation.messages);
      case 'rewind':
      case 'branch':
        return this.#back(next.kind, Math.floor((this.log.length * next.at) / 100));
    }
  }

  #complete(isGood: boolean): void {
    if (this.task === undefined) return;
    const before = this.conversation.messages;
    const { request } = this.task;
    const result = this.task.complete(isGood ? goodReply(request) : 'no');
    if (result.kind !== 'applied') {
      expect(this.conversation.messages).toBe(before);
      return;
    }
    const kept = new Set(before);
    const own = result.messages.filter((message) => !kept.has(message));
    expect(own.length).toBeGreaterThanOrEqual(1);
    expect(own.length).toBeLessThanOrEqual(2);
    expect(own.filter(({ metadata }) => metadata?.['isSummary'] === true)).toHaveLength(1);
    this.#inOrder(
      result.messages.filter((message) => kept.has(message)),
      before,
    );
    // What was added meanwhile is all there.
    const queued = before.slice(request.plan.end);
    expect(result.messages.slice(result.messages.length - queued.length)).toEqual(queued);
  }

  #inOrder(some: readonly IContent[], all: readonly IContent[]): void {
    let at = -1;
    for (const message of some) {
      const next = all.indexOf(message, at + 1);
      expect(next).toBeGreaterThan(at);
      at = next;
    }
  }

  #restore(): void {
    const { conversation } = this;
    const snapshot = JSON.parse(JSON.stringify(conversation.snapshot())) as ReturnType<Conversation['snapshot']>;
    const log = JSON.parse(JSON.stringify(this.log)) as IContent[];
    const restored = restoreConversation(snapshot, log, this.options);
    this.log = log;
    const { tokens, messages, stats, isDirty } = conversation;
    expect(restored.tokens).toEqual(tokens);
    expect(restored.isDirty).toBe(isDirty);
    expect({ ...restored.stats, milliseconds: 0, queued: 0 }).toEqual({ ...stats, milliseconds: 0, queued: 0 });
    this.#go(restored, log.length, messages);
  }

  #back(kind: 'rewind' | 'branch', at: number): void {
    if (kind === 'rewind') {
      const fork = this.conversation.fork(at);
      this.conversation.rewind(at);
      expect(this.conversation.messages).toEqual(fork.messages);
      fork.dispose();
      if (this.task !== undefined) expect(this.task.isOpen).toBe(false);
      this.log.length = at;
      this.task = undefined;
    } else {
      const before = this.conversation.messages;
      const fork = this.conversation.fork(at);
      expect(this.conversation.messages).toBe(before);
      this.#go(fork, at, fork.messages);
    }
  }

  #go(conversation: Conversation, at: number, messages: readonly IContent[]): void {
    expect(conversation.messages).toEqual(messages);
    this.conversation = conversation;
    this.log = this.log.slice(0, at);
    this.task = undefined;
  }

  /** What always holds. */
  check(): void {
    const { messages, raw, curated, tokens } = this.conversation;
    expect(raw.length).toBe(this.log.length);
    raw.forEach((message, at) => mustBe(message, this.log[at]));
    // In order, each at most once.
    const numbers = messages.flatMap(({ metadata }) => (typeof metadata?.['n'] === 'number' ? [metadata['n']] : []));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(numbers.length + messages.filter(({ metadata }) => metadata?.['n'] === undefined).length).toBe(
      messages.length,
    );
    expect(curated.every((message) => messages.includes(message))).toBe(true);
    expect(tokens.current).toBe(estimateTokens(messages));
    // What `auto` shrank before it was ever sent costs what it became.
    if (this.options.strategy !== 'auto') expect(this.conversation.stats.tokensBefore).toBe(estimateTokens(raw));
    this.#pairs(messages);
  }

  /** Each response behind its call; and a call that was answered is. */
  #pairs(messages: readonly IContent[]): void {
    const answered = new Set<string>();
    for (const { blocks } of this.log)
      for (const block of blocks) if (block.type === 'tool_response') answered.add(block.callId);
    const open = new Set<string>();
    for (const { blocks } of messages) {
      for (const block of blocks) {
        if (block.type === 'tool_call') open.add(block.id);
        else if (block.type === 'tool_response') mustBe(open.delete(block.callId), true);
      }
    }
    for (const id of open) mustBe(answered.has(id), false);
  }

  #entries(what: number, size: number): IContent[] {
    const id = `c${(this.#calls += 1)}`;
    const path = `src/${this.#calls % 3}.ts`;
    const made = {
      0: () => [human(`request ${id} ${LINE.repeat(size)}`)],
      1: () => read(id, path, LINE.repeat(size * 2)),
      2: () => write(id, path),
      3: () => [ai(`done ${id}`, { type: 'thinking', thought: 'hm' })],
      4: () => [
        ai(call(`${id}a`, 'grep'), call(`${id}b`, 'ls')),
        tool(response(`${id}a`, 'grep', LINE.repeat(size))),
        tool(response(`${id}b`, 'ls', LINE)),
      ],
      5: () => [ai()],
    }[what];
    return (made?.() ?? []).map((entry) => ({ ...entry, metadata: { n: (this.#numbers += 1) } }));
  }

  #numbers = 0;
}

const STRATEGIES = ['middle-out', 'one-shot', 'structured', 'auto', 'high-density', 'top-down-truncation'] as const;

test.each(STRATEGIES)('%s: any interleaving keeps everything, in order, once, and its pairs', (strategy) => {
  const property = fc.property(events, fc.constantFrom(undefined, 2500), (happened, window) => {
    const summary = window === undefined ? { window: 1e6 } : { window };
    const trial = new Trial({ strategy, contextLimit: 2500, summary, optimize: { rules: { recencyPruning: true } } });
    for (const next of happened) {
      trial.do(next);
      trial.check();
    }
  });
  fc.assert(property, { numRuns: 60 * TIMES, seed: SEED });
});

/** A conversation with a bit of everything, and its snapshot. */
function lived(): { readonly conversation: Conversation; readonly options: ConversationOptions } {
  const options: ConversationOptions = {
    strategy: 'auto',
    contextLimit: 2500,
    intake: false,
    summary: { window: 1e6 },
  };
  const trial = new Trial(options);
  for (let at = 0; at < 60; at += 1) {
    trial.do({ kind: 'add', what: at % 5, size: at % 9 });
    trial.do({ kind: 'send', pending: 0 });
    trial.do({ kind: 'good' });
  }
  expect(trial.conversation.stats.summaries).toBeGreaterThan(0);
  return { conversation: trial.conversation, options };
}

/** Changes a value somewhere inside. */
function mutated(value: unknown, path: readonly number[], by: unknown, at = 0): unknown {
  if (typeof value === 'string' && typeof by === 'string' && value !== '') {
    const place = (path[at] ?? 0) % value.length;
    return value.slice(0, place) + by + value.slice(place + 1);
  }
  if (typeof value !== 'object' || value === null || at >= path.length) return by;
  const keys = Object.keys(value);
  const key = keys[(path[at] ?? 0) % keys.length];
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
  if (by === undefined) delete copy[key];
  else copy[key] = mutated((value as Record<string, unknown>)[key], path, by, at + 1);
  return copy;
}

test('a snapshot that was changed is a typed error, or restores what was there', () => {
  const { conversation, options } = lived();
  const snapshot = JSON.parse(JSON.stringify(conversation.snapshot())) as ReturnType<Conversation['snapshot']>;
  const { raw } = conversation;
  const expected = JSON.stringify([conversation.messages, conversation.tokens]);
  const values = fc.constantFrom<unknown>(0, 1, -1, 1.5, 2 ** 31, null, '', 'A', '//', [], {}, true, undefined);
  const property = fc.property(fc.array(fc.nat(500), { minLength: 1, maxLength: 6 }), values, (path, by) => {
    try {
      const restored = restoreConversation(mutated(snapshot, path, by) as typeof snapshot, raw, options);
      expect(JSON.stringify([restored.messages, restored.tokens])).toBe(expected);
      restored.dispose();
    } catch (thrown) {
      if (!isDensifyError(thrown)) throw thrown;
      expect(thrown.code).toBe('invalid-snapshot');
    }
  });
  fc.assert(property, { numRuns: 1000 * TIMES, seed: SEED });
});

test('a snapshot of messages one of which was changed is an error that names it', () => {
  const { conversation, options } = lived();
  const snapshot = conversation.snapshot();
  const { raw } = conversation;
  raw.forEach((message, at) => {
    const changed = raw.with(at, { ...message, blocks: [...message.blocks, { type: 'text', text: '' }] });
    expect(() => restoreConversation(snapshot, changed, options)).toThrow(
      expect.objectContaining({ code: 'invalid-snapshot', index: at }) as Error,
    );
  });
});
