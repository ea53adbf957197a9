// Conversations that ask the model themselves: what `prepare` does with replies, failures, time and signals.
import { createConversation, type SummaryProgress, type SummaryRequest } from 'densify';
import { describe, expect, test } from 'vitest';
import { answer, full, LIMIT, LONG, options, turns } from './support/conversing.js';
import { goodReply } from './support/replies.js';
import { human } from './support/say.js';

function thrown(): never {
  throw new Error('the disk is gone');
}

describe('prepare', () => {
  test('has summaries made until the messages can be sent', async () => {
    const conversation = full();
    const told: SummaryProgress['kind'][] = [];
    const step = await conversation.prepare({ summarize: answer, onProgress: ({ kind }) => told.push(kind) });
    expect(step).toMatchObject({ kind: 'ready', warnings: [] });
    expect(told).toEqual(['started', 'applied']);
    expect(conversation.stats.summaries).toBe(1);
  });

  test('goes on without a summary that failed, as long as the history fits', async () => {
    const conversation = createConversation(options);
    conversation.add(...turns(20));
    const before = conversation.messages;
    expect(conversation.tokens.current).toBeLessThan(LIMIT);
    const step = await conversation.prepare({ summarize: () => Promise.reject(new Error('no network')) });
    expect(step).toMatchObject({ kind: 'ready', warnings: [{ code: 'summary-failed' }] });
    expect(conversation.messages).toBe(before);
  });

  test('else it is an error that says why', async () => {
    const conversation = full();
    const before = conversation.messages;
    const error = expect.objectContaining({
      code: 'summary-failed',
      message: 'the summary failed: no network',
    }) as Error;
    await expect(conversation.prepare({ summarize: () => Promise.reject(new Error('no network')) })).rejects.toEqual(
      error,
    );
    expect(conversation.messages).toBe(before);
  });

  test.each([
    ['none that it could show', new Map([['compression/middle-out.md', ' ']])],
    ['none that can be read', () => thrown()],
  ])('a prompt file with %s is a warning, and a digest takes the place of the summary', async (_, prompts) => {
    const conversation = full({ summary: { window: 50_000, prompts } });
    const step = await conversation.prepare({ summarize: answer });
    if (step.kind !== 'ready') throw new Error(step.message);
    const errors = step.warnings.flatMap((warning) => (warning.code === 'summary-failed' ? [warning.error] : []));
    expect(errors).toMatchObject([{ code: 'invalid-prompt', key: expect.stringContaining('compression/') as string }]);
    expect(conversation.tokens.current).toBeLessThanOrEqual(LIMIT);
    expect(() => conversation.summarize()).toThrow(/compression\/middle-out\.md/);
  });

  test('of replies that can’t be used it names what failed, and no warnings', async () => {
    const conversation = full();
    // Larger than the part that it replaces. A section is missing too, but that alone would be no failure.
    const reply = (request: SummaryRequest) =>
      goodReply(request, 'many words '.repeat(3_000)).replace(/<active_tasks>[\s\S]*<\/active_tasks>/, '');
    const message = expect.stringMatching(
      /^the summary failed: the model's replies can't be used: the summary would take \d+ tokens and replaces \d+$/,
    );
    await expect(
      conversation.prepare({ summarize: (request) => Promise.resolve(reply(request)) }),
    ).rejects.toMatchObject({ message });
  });

  test('makes a digest where none can be had, if that is wanted', async () => {
    const conversation = full();
    const summarize = () => Promise.reject(new Error('no network'));
    const step = await conversation.prepare({ summarize, fallback: 'digest' });
    const error = expect.objectContaining({ message: 'the summary failed: no network' }) as Error;
    expect(step).toMatchObject({ kind: 'ready', warnings: [{ code: 'fell-back', strategy: 'digest', error }] });
    expect(conversation.tokens.current).toBeLessThan(LIMIT);
    const again = full();
    await expect(again.prepare({ summarize, fallback: 'other' as never })).rejects.toMatchObject({ key: 'fallback' });
    for (let left = 3; left > 0; left -= 1) await again.prepare({ summarize }).catch(() => undefined);
    expect(again.beforeSend()).toMatchObject({ kind: 'over-limit', reason: 'summaries-stopped' });
    const stopped = await again.prepare({ summarize, fallback: 'digest' });
    expect(stopped).toMatchObject({ kind: 'ready', warnings: [{ code: 'fell-back', strategy: 'digest' }] });
  });

  test('can be given up, and takes only so long', async () => {
    const conversation = full();
    const never = () => new Promise<string>(() => undefined);
    const controller = new AbortController();
    const waiting = conversation.prepare({ summarize: never, signal: controller.signal });
    conversation.add(human('meanwhile'));
    controller.abort(new Error('the user left'));
    await expect(waiting).rejects.toBe(controller.signal.reason);
    expect(conversation.stats.failures).toBe(0);
    await expect(conversation.prepare({ summarize: never, timeout: 5 })).rejects.toMatchObject({
      message: "the summary failed: the model took longer than 5 ms; raise 'timeout' to wait longer",
    });
    expect(conversation.messages.at(-1)).toEqual(human('meanwhile'));
  });

  test('who prepares twice waits for one summary', async () => {
    const conversation = full();
    let asked = 0;
    const slow = async (request: SummaryRequest) => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return goodReply(request);
    };
    const steps = await Promise.all([1, 2].map(() => conversation.prepare({ summarize: slow })));
    expect(steps.map(({ kind }) => kind)).toEqual(['ready', 'ready']);
    expect(asked).toBe(1);
  });

  test('who stops it gets the reason of the signal, and nothing failed', async () => {
    const conversation = full();
    const controller = new AbortController();
    const summarize = (_: SummaryRequest, { signal }: { signal: { aborted: boolean } }) =>
      new Promise<string>((_resolve, reject) => {
        controller.abort();
        setTimeout(() => reject(new Error(`the client stopped: ${signal.aborted}`)), 1);
      });
    const stopped = conversation.prepare({ summarize, signal: controller.signal });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    await expect(stopped).rejects.toBe(controller.signal.reason);
    expect(conversation.stats.failures).toBe(0);
    expect(await conversation.prepare({ summarize: answer })).toMatchObject({ kind: 'ready' });
  });

  test('who waits for another’s summary hears how it goes', async () => {
    const conversation = full();
    const told: string[] = [];
    const hear = (name: string) => (progress: SummaryProgress) => {
      told.push(`${name} ${progress.kind}`);
      throw new Error('a listener disturbs nobody');
    };
    const steps = await Promise.all(
      ['one', 'two'].map((name) => conversation.prepare({ summarize: answer, onProgress: hear(name) })),
    );
    expect(steps.map(({ kind }) => kind)).toEqual(['ready', 'ready']);
    expect(told).toEqual(['one started', 'two started', 'one applied', 'two applied']);
  });

  test('one function that listens to both hears everything once', async () => {
    const conversation = full();
    const told: string[] = [];
    const onProgress = ({ kind }: SummaryProgress) => void told.push(kind);
    await Promise.all([1, 2].map(() => conversation.prepare({ summarize: answer, onProgress })));
    expect(told).toEqual(['started', 'applied']);
  });

  test('who waits for another’s summary keeps a signal and a time-out of its own', async () => {
    const conversation = full();
    const first = conversation.prepare({
      summarize: async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return goodReply(request);
      },
    });
    const controller = new AbortController();
    const second = conversation.prepare({ summarize: answer, signal: controller.signal });
    controller.abort(new Error('the user left'));
    await expect(second).rejects.toBe(controller.signal.reason);
    expect(await first).toMatchObject({ kind: 'ready', warnings: [] });

    const other = full();
    const never = () => new Promise<string>(() => undefined);
    void other.prepare({ summarize: never });
    await expect(other.prepare({ summarize: answer, timeout: 5 })).rejects.toMatchObject({
      message: "the summary failed: the model took longer than 5 ms; raise 'timeout' to wait longer",
    });
    expect(await other.prepare({ summarize: answer, timeout: Infinity })).toMatchObject({ kind: 'ready' });
  });

  test('what another gave up is made again', async () => {
    const conversation = full();
    const controller = new AbortController();
    const never = () => new Promise<string>(() => undefined);
    const first = conversation.prepare({ summarize: never, signal: controller.signal });
    const second = conversation.prepare({ summarize: answer });
    controller.abort(new Error('the user left'));
    await expect(first).rejects.toBe(controller.signal.reason);
    expect(await second).toMatchObject({ kind: 'ready', warnings: [] });
    expect(conversation.stats).toMatchObject({ summaries: 1, failures: 0 });
  });

  test('called by what it calls, it waits for the same summary', async () => {
    const conversation = full();
    let asked = 0;
    const others: Promise<unknown>[] = [];
    const prepare = (): Promise<unknown> => {
      const other = () => {
        if (asked < 10) others.push(prepare());
      };
      return conversation.prepare({
        summarize: async (request) => {
          asked += 1;
          other();
          return Promise.resolve(goodReply(request));
        },
        onProgress: other,
      });
    };
    expect(await prepare()).toMatchObject({ kind: 'ready' });
    await Promise.all(others);
    expect(asked).toBe(1);
  });

  test('messages that change under each summary are an error, not a model called for ever', async () => {
    const conversation = full();
    let asked = 0;
    const summarize = async (request: SummaryRequest) => {
      asked += 1;
      for (const message of conversation.raw) {
        if (message.speaker === 'human') Object.assign(message, { blocks: [{ type: 'text', text: LONG + asked }] });
      }
      return Promise.resolve(goodReply(request));
    };
    await expect(conversation.prepare({ summarize })).rejects.toMatchObject({
      code: 'summary-failed',
      message: expect.stringContaining('was changed while it was summarised') as string,
      cause: expect.objectContaining({ index: expect.any(Number) as number }) as Error,
    });
    expect(asked).toBe(3);
    // It is no fault of the model's.
    expect(conversation.stats).toMatchObject({ failures: 0, summaries: 0 });
  });

  test('repairs a bad reply', async () => {
    const conversation = full();
    let asked = 0;
    const told: string[] = [];
    const step = await conversation.prepare({
      summarize: async (request) => Promise.resolve((asked += 1) < 3 ? 'no' : goodReply(request)),
      onProgress: ({ kind }) => told.push(kind),
    });
    expect(step.kind).toBe('ready');
    expect(told).toEqual(['started', 'repair', 'repair', 'applied']);
  });
});
