// Properties of conversations: no operations, in any order, lose anything.
import {
  type Conversation,
  type ConversationOptions,
  type ConversationStep,
  createConversation,
  estimateTokens,
  type IContent,
  restoreConversation,
  type SummaryRequest,
  type SummaryTask,
} from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';
import { openCalls, stringsOf } from './support/facts.js';
import { mustBe } from './support/must-be.js';
import { goodReply } from './support/replies.js';
import { ai, call, human, response, tool } from './support/say.js';

const LIMIT = 2000;
const FILLER = 'a line that is long enough to be worth a summary\n';

type Strategy = NonNullable<ConversationOptions['strategy']>;

type Command =
  | { readonly kind: 'add'; readonly turns: number; readonly open: boolean }
  | { readonly kind: 'beforeSend'; readonly pending: number }
  | { readonly kind: 'complete'; readonly reply: 'good' | 'bad' | 'cut off' | 'empty' }
  | { readonly kind: 'fail' | 'cancel' | 'restore' | 'optimize' }
  | { readonly kind: 'rewind' | 'fork'; readonly at: number }
  | { readonly kind: 'digest' }
  | { readonly kind: 'threshold'; readonly threshold: number | undefined };

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('add'), turns: fc.integer({ min: 1, max: 4 }), open: fc.boolean() }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('beforeSend'), pending: fc.constantFrom(0, 0, 500, LIMIT) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('complete'),
      reply: fc.constantFrom('good', 'good', 'good', 'bad', 'cut off', 'empty'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('fail', 'cancel', 'optimize') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('rewind', 'fork'), at: fc.nat(1000) }) },
) as fc.Arbitrary<Command>;

const commands = fc.array(command, { minLength: 20, maxLength: 60, size: 'max' });

/** Other events. A digest says less than the messages that it replaces. */
const more: fc.Arbitrary<Command> = fc.oneof(
  { weight: 9, arbitrary: command },
  { weight: 1, arbitrary: fc.constant({ kind: 'digest' }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('threshold'), threshold: fc.constantFrom(undefined, 0.3, 0.9, 1) }),
  },
) as fc.Arbitrary<Command>;

/** The marks in a text; every text of a message has one of its own. */
const marksIn = (text: string): number[] => [...text.matchAll(/#(\d+)#/g)].map(([, mark]) => Number(mark));
const known = new WeakMap<object, readonly number[]>();

function marksOf(messages: readonly object[]): readonly number[] {
  return messages.flatMap((message) => {
    const marks = known.get(message) ?? stringsOf(message).flatMap(marksIn);
    known.set(message, marks);
    return marks;
  });
}

/** Makes messages of which every text has a mark. */
class Speaker {
  #mark = 0;
  #calls = 0;

  #text(filler = ''): string {
    this.#mark += 1;
    return `#${this.#mark}# ${filler}`;
  }

  turn(isOpen: boolean): IContent[] {
    const id = `c${(this.#calls += 1)}`;
    const asked = [
      human(this.#text('words '.repeat(20))),
      ai(this.#text(), call(id, 'run_shell_command', { command: id })),
    ];
    if (isOpen) return asked;
    const result = this.#text(FILLER.repeat(8));
    return [...asked, tool(response(id, 'run_shell_command', result)), ai(this.#text())];
  }
}

/** A model that names every mark that it was shown, and invents none. */
function reply(request: SummaryRequest, kind: 'good' | 'bad' | 'cut off' | 'empty'): string {
  if (kind === 'bad') return 'I can do that!';
  if (kind === 'empty') return ' \n';
  const marks = [...new Set(marksOf(request.messages))].sort((a, b) => a - b);
  const whole = goodReply(request, `The marks are ${marks.map((mark) => `#${mark}#`).join(' ')}`);
  // Behind the marks, so that what is taken nevertheless has them.
  return kind === 'good' ? whole : whole.slice(0, whole.lastIndexOf('#') + 20);
}

/** A conversation, and what there must be of it. */
class Run {
  readonly #options: ConversationOptions;
  readonly #isExact: boolean;
  readonly #speaker = new Speaker();
  #conversation: Conversation;
  #log: IContent[] = [];
  #task: SummaryTask | undefined;
  #isDigested = false;
  /** Conversations that were forked from: nothing happens to them any more. */
  readonly #left: { readonly conversation: Conversation; readonly was: string }[] = [];

  /** Calls of the counter until it fails. */
  #untilFailure = Infinity;
  readonly #isCounted: boolean;

  constructor(strategy: Strategy, window: number, isCounted = false) {
    // Shrunk results would hardly ever fill the window.
    // What is over the limit loses nothing here: that is in `behaviour-limits`.
    this.#options = { strategy, contextLimit: LIMIT, intake: false, summary: { window, giveUp: [] } };
    this.#isCounted = isCounted;
    if (isCounted) this.#options = { ...this.#options, countTokens: (text) => this.#count(text) };
    this.#isExact = strategy !== 'auto';
    this.#conversation = createConversation(this.#options);
  }

  #count(text: string): number {
    this.#untilFailure -= 1;
    if (this.#untilFailure < 0) throw new Error('the counter failed');
    return Math.ceil(text.length / 4);
  }

  do(command: Command): void {
    this.#do(command);
    this.#check();
  }

  /** Does something while the counter fails after so many calls; answers whether it did. */
  failsAfter(calls: number, command: Command): boolean {
    const log = [...this.#log];
    this.#untilFailure = calls;
    let failure: unknown;
    try {
      this.#do(command);
    } catch (error) {
      failure = error;
    }
    this.#untilFailure = Infinity;
    if (failure !== undefined) expect(failure).toMatchObject({ code: 'token-counter-failed' });
    // What was asked for was done, or it was not.
    if (this.#conversation.raw.length !== this.#log.length) this.#log = log;
    this.#check();
    return failure !== undefined;
  }

  #do(command: Command): void {
    const before = this.#conversation.messages;
    switch (command.kind) {
      case 'add': {
        for (let left = command.turns; left > 0; left -= 1) this.#add(this.#speaker.turn(command.open && left === 1));
        break;
      }
      case 'beforeSend':
        this.#settle(this.#conversation.beforeSend({ pendingTokens: command.pending }));
        break;
      case 'complete': {
        const outcome = this.#task?.complete(reply(this.#task.request, command.reply));
        // Nothing but a summary that is in the history changes it.
        if (outcome?.kind !== 'applied') expect(this.#conversation.messages).toBe(before);
        break;
      }
      case 'fail':
      case 'cancel':
        this.#task?.[command.kind]();
        expect(this.#conversation.messages).toBe(before);
        break;
      case 'optimize':
        this.#conversation.ensureOptimized();
        break;
      case 'digest':
        if (this.#conversation.digest().kind === 'applied') this.#isDigested = true;
        break;
      case 'threshold':
        this.#conversation.setThreshold(command.threshold);
        expect(this.#conversation.messages).toBe(before);
        break;
      case 'restore':
        this.#restore();
        break;
      case 'rewind':
        this.#log.length = command.at % (this.#log.length + 1);
        this.#conversation.rewind(this.#log.length);
        break;
      case 'fork':
        this.#fork(command.at % (this.#log.length + 1));
    }
  }

  #add(messages: IContent[]): void {
    this.#log.push(...messages);
    this.#conversation.add(...messages);
  }

  #settle(step: ConversationStep): void {
    if (step.kind === 'summarize') this.#task = step;
    if (step.kind === 'pending') this.#task = step.task;
    if (step.kind === 'ready') {
      this.#task = step.background ?? this.#task;
      expect(step.messages).toBe(this.#conversation.messages);
    }
  }

  #restore(): void {
    const was = JSON.stringify(this.#conversation.messages);
    const snapshot = JSON.parse(JSON.stringify(this.#conversation.snapshot())) as ReturnType<Conversation['snapshot']>;
    this.#conversation.dispose();
    this.#log = structuredClone(this.#log);
    this.#conversation = restoreConversation(snapshot, this.#log, this.#options);
    expect(JSON.stringify(this.#conversation.messages)).toBe(was);
  }

  #fork(at: number): void {
    const conversation = this.#conversation;
    this.#left.push({ conversation, was: JSON.stringify([conversation.messages, conversation.raw]) });
    this.#conversation = conversation.fork(at);
    this.#log = this.#log.slice(0, at);
    // A summary that is under way is the other one's.
    this.#task = undefined;
  }

  #check(): void {
    const { raw, messages, tokens, stats } = this.#conversation;
    if (!this.#isCounted) {
      expect(tokens.current).toBe(estimateTokens(messages));
      expect(stats.tokensBefore).toBe(estimateTokens(raw));
    }
    expect(raw).toHaveLength(this.#log.length);
    raw.forEach((message, at) => mustBe(message, this.#log[at]));
    this.#checkMarks(messages);
    // Pairs: what is open was open before.
    const open = openCalls(this.#log);
    for (const [id, count] of Object.entries(openCalls(messages))) mustBe(open[id], count, id);
  }

  /** Everything that was said is there, in its order and once, or in the one summary; and nothing else is. */
  #checkMarks(messages: readonly IContent[]): void {
    const isSummary = ({ metadata }: IContent): boolean => metadata?.isSummary === true;
    expect(messages.filter(isSummary).length).toBeLessThanOrEqual(1);
    const summed = new Set(marksOf(messages.filter(isSummary)));
    const places = messages.map((message) => this.#log.indexOf(message)).filter((at) => at >= 0);
    expect(places, 'in order, once').toEqual([...new Set(places)].sort((a, b) => a - b));
    const said = this.#isExact ? this.#log : this.#log.filter(({ speaker }) => speaker !== 'tool');
    const live = new Set(marksOf(messages));
    for (const mark of marksOf(said)) {
      if (!this.#isDigested && !live.has(mark) && !summed.has(mark)) throw new Error(`#${mark}# is lost`);
    }
    const ever = new Set(marksOf(this.#log));
    for (const mark of [...live, ...summed])
      if (!ever.has(mark)) throw new Error(`#${mark}# was never said, or taken back`);
  }

  /** Without further failures a full conversation gets its summary, or is too large for any, as it may give up nothing. */
  finish(): void {
    this.do({ kind: 'cancel' });
    this.do({ kind: 'add', turns: 20, open: false });
    const { summaries } = this.#conversation.stats;
    // A request may come in many parts.
    for (let tries = 0; tries < 60 && this.#conversation.stats.summaries === summaries; tries += 1) {
      const step = this.#conversation.beforeSend();
      this.#settle(step);
      this.#check();
      if (step.kind === 'over-limit') return;
      this.do({ kind: 'complete', reply: 'good' });
    }
    expect(this.#conversation.stats.summaries).toBe(summaries + 1);
  }

  end(): number {
    const { summaries } = this.#conversation.stats;
    this.#conversation.dispose();
    for (const { conversation, was } of this.#left) {
      expect(JSON.stringify([conversation.messages, conversation.raw]), 'a fork changed what it was made of').toBe(was);
      conversation.dispose();
    }
    return summaries;
  }
}

describe.each(['middle-out', 'one-shot', 'structured', 'auto'] as const)('%s', (strategy) => {
  test('any interleaving keeps all content, in order, exactly once, and keeps pairs', () => {
    let summaries = 0;
    check(
      40,
      fc.property(fc.constantFrom(2000, 50_000), commands, (window, list) => {
        const run = new Run(strategy, window);
        for (const one of list) run.do(one);
        summaries += run.end();
      }),
    );
    // How many there are is chance; without any the property would say nothing of summaries.
    expect(summaries).toBeGreaterThan(0);
  });

  test('a counter that fails loses nothing and locks nothing', () => {
    let [failures, summaries] = [0, 0];
    const failing = fc.array(fc.tuple(command, fc.nat(12)), { minLength: 20, maxLength: 60, size: 'max' });
    // How many summaries there are is chance: a few more runs, if there was none.
    for (let round = 0; round < 3 && summaries === 0; round += 1) {
      check(
        20,
        fc.property(fc.constantFrom(4000, 50_000), failing, (window, list) => {
          const run = new Run(strategy, window, true);
          for (const [one, calls] of list) {
            // Restarts are other people's: without a counter there is nothing to begin with.
            if (calls > 8 || one.kind === 'restore' || one.kind === 'fork') run.do(one);
            else if (run.failsAfter(calls, one)) failures += 1;
          }
          run.finish();
          summaries += run.end();
        }),
      );
    }
    expect(failures).toBeGreaterThan(0);
    expect(summaries).toBeGreaterThan(0);
  });

  test('digests and other thresholds in between leave pairs, order and what is new alone', () => {
    const lists = fc.array(more, { minLength: 20, maxLength: 60, size: 'max' });
    check(
      30,
      fc.property(fc.constantFrom(1200, 1600, 2500), lists, (window, list) => {
        const run = new Run(strategy, window);
        for (const one of list) run.do(one);
        run.end();
      }),
    );
  });
});
