// Summaries that `prepare` makes in the background: their outcomes, and the callbacks that report them.
import {
  type Conversation,
  type ConversationOptions,
  type ConversationWarning,
  createConversation,
  type PreparedStep,
  type PrepareOptions,
  type SummaryProgress,
} from 'densify';
import { describe, expect, test } from 'vitest';
import { answer, LONG, options } from './support/conversing.js';
import { goodReply } from './support/replies.js';
import { ai, human } from './support/say.js';

/** A conversation of the strategy `auto` between its soft threshold and its hard one. */
function soft(more: Partial<ConversationOptions> = {}): Conversation {
  const conversation = createConversation({ ...options, strategy: 'auto', ...more });
  const { limit, threshold } = conversation.tokens;
  for (let at = 0; conversation.tokens.current < 0.7 * limit; at += 1) {
    conversation.add(human(`${at} ${LONG.repeat(6)}`), ai(`answer ${at}`));
  }
  expect(conversation.tokens.current).toBeLessThan(threshold);
  return conversation;
}

/** Makes it so long that the hard threshold is reached. */
function fill(conversation: Conversation): void {
  conversation.add(human(LONG.repeat(70)));
}

/** What `prepare` returns once its background summary is done. */
async function prepared(conversation: Conversation, asks: PrepareOptions): Promise<PreparedStep> {
  const step = await conversation.prepare(asks);
  await new Promise((resolve) => setTimeout(resolve, 5));
  return step;
}

function warnings(step: PreparedStep): readonly ConversationWarning[] {
  if (step.kind !== 'ready') throw new Error(step.kind);
  return step.warnings;
}

const down = { summarize: () => Promise.reject(new Error('no network')) };
const failed = (message: string): object => ({
  code: 'summary-failed',
  error: { code: 'summary-failed', message: `the summary failed: ${message}` },
  offer: 'digest',
});

describe('a summary in the background', () => {
  test('that fails is told by the next step, once, which begins another', async () => {
    const conversation = soft();
    const { messages } = conversation;
    expect(warnings(await prepared(conversation, down))).toEqual([]);
    const told: SummaryProgress[] = [];
    const step = await prepared(conversation, { summarize: answer, onProgress: (progress) => told.push(progress) });
    expect(warnings(step)).toMatchObject([failed('no network')]);
    expect(step.kind === 'ready' && step.messages).toBe(messages);
    expect(told.map(({ kind }) => kind)).toContain('started');
    expect(warnings(await conversation.prepare({ summarize: answer }))).toEqual([]);
    expect(conversation.stats).toMatchObject({ failures: 1 });
  });

  test('whose failures stop the trying: the warning says why the last one failed', async () => {
    const conversation = soft();
    const seen = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const summarize = () => Promise.reject(new Error(`failure ${turn}`));
      seen.push(warnings(await prepared(conversation, { summarize })));
    }
    const error = { code: 'summary-failed', message: 'the summary failed: failure 2' };
    expect(seen).toMatchObject([
      [],
      [failed('failure 0')],
      [failed('failure 1')],
      [{ code: 'summaries-stopped', error, offer: 'digest' }],
      [],
    ]);
    // Over the limit it is the reason that nothing is tried.
    const over = conversation.beforeSend({ pendingTokens: 4_000 });
    expect(over).toMatchObject({ kind: 'over-limit', reason: 'summaries-stopped', error });
    conversation.add(human('more'));
    const tried = await conversation.prepare({ summarize: answer, pendingTokens: 1_500 });
    expect(warnings(tried)).toMatchObject([{ code: 'threshold-unreachable' }]);
  });

  test('whose replies can’t be used: what was found in them is said', async () => {
    const conversation = soft();
    const told: SummaryProgress[] = [];
    const summarize = () => Promise.resolve('no');
    await prepared(conversation, { summarize, onProgress: (progress) => told.push(progress) });
    expect(told.map(({ kind }) => kind)).toEqual(['started', 'repair', 'repair', 'failed']);
    for (const { kind, findings } of told) {
      if (kind === 'started') expect(findings).toEqual([]);
      else expect(findings).toContainEqual(expect.objectContaining({ level: 'failure' }));
    }
    const why = expect.stringMatching(/^the summary failed: the model's replies can't be used: ./) as string;
    expect(told.map(({ error }) => error?.message)).toEqual([undefined, undefined, undefined, why]);
    const step = await prepared(conversation, { summarize: answer });
    expect(warnings(step)).toMatchObject([{ code: 'summary-failed', error: { message: why } }]);
  });

  test('that is given up is no failure, and another one is begun', async () => {
    const conversation = soft();
    const controller = new AbortController();
    const never = () => new Promise<string>(() => undefined);
    const told: SummaryProgress[] = [];
    const onProgress = (progress: SummaryProgress) => void told.push(progress);
    await conversation.prepare({ summarize: never, signal: controller.signal, onProgress });
    controller.abort(new Error('the user left'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(told).toMatchObject([{ kind: 'started' }, { kind: 'cancelled', findings: [] }]);
    expect(warnings(await prepared(conversation, { summarize: answer, onProgress }))).toEqual([]);
    expect(told.slice(2)).toMatchObject([{ kind: 'started', isBackground: true }, { kind: 'applied' }]);
    expect(conversation.stats.failures).toBe(0);
  });

  test('is in the history as soon as it is there', async () => {
    const conversation = soft();
    const { current } = conversation.tokens;
    const step = await prepared(conversation, { summarize: answer });
    expect(step.kind === 'ready' && step.messages).not.toBe(conversation.messages);
    expect(conversation.stats.summaries).toBe(1);
    expect(conversation.tokens.current).toBeLessThan(current);
    expect(await conversation.prepare(down)).toMatchObject({ kind: 'ready', messages: conversation.messages });
    expect(conversation.stats.failures).toBe(0);
  });

  test('is awaited at the hard threshold', async () => {
    const conversation = soft();
    let reply: (text: string) => void = () => undefined;
    let asked = 0;
    const summarize: PrepareOptions['summarize'] = (request) => {
      asked += 1;
      return new Promise((resolve) => (reply = () => resolve(goodReply(request))));
    };
    await prepared(conversation, { summarize });
    fill(conversation);
    const told: SummaryProgress[] = [];
    const waiting = conversation.prepare({ summarize, onProgress: (progress) => told.push(progress) });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(conversation.stats.summaries).toBe(0);
    reply('');
    expect(warnings(await waiting)).toEqual([]);
    expect(told).toMatchObject([{ kind: 'applied', isBackground: true }]);
    expect({ asked, ...conversation.stats }).toMatchObject({ asked: 1, summaries: 1 });
  });

  test('that fails while it is awaited is told by that call alone', async () => {
    const conversation = soft();
    let fail: (error: Error) => void = () => undefined;
    const summarize = () => new Promise<string>((_, reject) => (fail = reject));
    await prepared(conversation, { summarize });
    fill(conversation);
    const waiting = conversation.prepare({ summarize });
    await new Promise((resolve) => setTimeout(resolve, 5));
    fail(new Error('no network'));
    expect(warnings(await waiting)).toMatchObject([failed('no network')]);
    expect(warnings(await conversation.prepare({ summarize: answer }))).toEqual([]);
  });

  test('of messages that were changed under it is told as well', async () => {
    const conversation = soft();
    const summarize: PrepareOptions['summarize'] = (request) => {
      const { raw } = conversation;
      const middle = raw.length / 2;
      Object.assign(raw[middle - (middle % 2)]!, human('another request'));
      return Promise.resolve(goodReply(request));
    };
    const told: SummaryProgress[] = [];
    await prepared(conversation, { summarize, onProgress: (progress) => told.push(progress) });
    const message = expect.stringContaining('was changed while it was summarised') as string;
    expect(told.at(-1)).toMatchObject({ kind: 'conflict', error: { message } });
    const step = await prepared(conversation, { summarize: answer });
    expect(warnings(step)).toMatchObject([{ code: 'summary-failed', error: { message } }]);
    expect(conversation.stats.failures).toBe(0);
  });

  test('why it failed is told without credentials', async () => {
    const conversation = soft();
    const key = `sk-ant-api03-${'a1B2'.repeat(20)}`;
    const told: SummaryProgress[] = [];
    const summarize = () => Promise.reject(new Error(`refused: ${key}`));
    await prepared(conversation, { summarize, onProgress: (progress) => told.push(progress) });
    const [warning] = warnings(await prepared(conversation, { summarize: answer }));
    for (const error of [told.at(-1)?.error, warning?.code === 'summary-failed' ? warning.error : undefined]) {
      expect(String(error)).toContain('refused');
      expect(`${String(error)} ${String((error as Error).cause)}`).not.toContain(key);
    }
  });
});

test('what was found in a reply that is applied is told', async () => {
  const conversation = soft({ summary: { window: 50_000 } });
  fill(conversation);
  const told: SummaryProgress[] = [];
  const step = await conversation.prepare({
    summarize: (request) => Promise.resolve(goodReply(request, 'The work on src/nobody/ever/named.ts goes on.')),
    onProgress: (progress) => told.push(progress),
  });
  expect(step.kind).toBe('ready');
  expect(told.at(-1)).toMatchObject({
    kind: 'applied',
    findings: [{ code: 'unknown-path', level: 'warning', text: 'src/nobody/ever/named.ts' }],
  });
});
