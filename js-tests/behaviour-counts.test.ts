// Token counts of a history use the number that the provider reported, and leave out what is never sent.
import {
  type ConversationSnapshot,
  compress,
  createConversation,
  estimateTokens,
  type IContent,
  requestSummary,
  restoreConversation,
} from 'densify';
import { createConversation as ofAnthropic } from 'densify/anthropic';
import { calibrate, uncalibrated } from 'densify/tokens';
import { describe, expect, test } from 'vitest';
import { answer, options, summarize, turns } from './support/conversing.js';
import { goodReply } from './support/replies.js';
import { ai, human, read } from './support/say.js';

const WINDOW = { strategy: 'digest', contextLimit: 4000 } as const;

describe('a provider’s report', () => {
  test('is the base of the count, and what is added comes on top', () => {
    const conversation = createConversation({ ...WINDOW, contextLimit: 100_000 });
    conversation.add(...turns(3));
    const counted = conversation.tokens.current;
    expect(conversation.report({ input_tokens: 1 })).toBe(false); // nothing was sent yet
    conversation.beforeSend();
    // A system prompt and tools that the conversation does not know.
    expect(conversation.report({ input_tokens: 900, cache_read_input_tokens: 15_000 })).toBe(true);
    expect(conversation.tokens).toMatchObject({ current: 15_900, limit: 100_000, threshold: 85_000 });
    const more = turns(1, 3);
    conversation.add(...more);
    expect(conversation.tokens.current).toBe(15_900 + estimateTokens(more));
    conversation.beforeSend();
    // The newest one counts, also a lower one than what is counted here.
    conversation.report({ prompt_tokens: 300 });
    expect(conversation.tokens.current).toBe(300);
    expect(counted).toBeGreaterThan(300);
  });

  test('makes the history smaller before the provider refuses it', () => {
    const conversation = createConversation(WINDOW);
    conversation.add(...turns(12));
    expect(conversation.tokens.current).toBeLessThan(0.7 * conversation.tokens.threshold);
    const before = conversation.beforeSend();
    expect(conversation.stats.compressions).toBe(0);
    conversation.report({ promptTokenCount: 3900 });
    expect(before.kind).toBe('ready');
    conversation.add(human('go on'));
    conversation.beforeSend();
    expect(conversation.stats.compressions).toBe(1);
    expect(conversation.tokens.current).toBeLessThan(conversation.tokens.threshold);
  });

  test('that fills the window alone is named where nothing fits any more', () => {
    const conversation = createConversation(WINDOW);
    conversation.add(...turns(3));
    conversation.beforeSend();
    conversation.report({ input_tokens: 50_000 });
    conversation.add(human('go on'));
    const step = conversation.beforeSend();
    if (step.kind !== 'over-limit') throw new Error(step.kind);
    expect(step.message).toMatch(
      /^the history has 49\d{3} tokens, and the limit is 4000\. The provider counted \d+ tokens beside .* report\(\) gets/,
    );
    expect(step.floor).toBe(conversation.tokens.current);
    conversation.configure({ contextLimit: 100_000 });
    expect(conversation.beforeSend().kind).toBe('ready');
  });

  test('is in the provider’s tokens', () => {
    const conversation = ofAnthropic({ ...WINDOW, contextLimit: 160_000, model: 'claude-opus-4-7', overhead: 1600 });
    conversation.add({ role: 'user', content: 'hi '.repeat(500) });
    conversation.beforeSend();
    conversation.report({ input_tokens: 17_600 });
    const { current, factor } = conversation.tokens;
    expect(current * factor).toBeCloseTo(16_000, -1);
  });

  test('goes on in forks and in what is restored', () => {
    const conversation = createConversation({ ...WINDOW, contextLimit: 100_000 });
    conversation.add(...turns(3));
    conversation.beforeSend();
    conversation.report({ input_tokens: 20_000 });
    const { tokens } = conversation;
    expect(tokens.current).toBe(20_000);
    const snapshot = JSON.parse(JSON.stringify(conversation.snapshot())) as ConversationSnapshot;
    const copies = [
      conversation.fork(),
      restoreConversation(snapshot, conversation.raw, { ...WINDOW, contextLimit: 100_000 }),
    ];
    for (const copy of copies) {
      expect(copy.tokens).toEqual(tokens);
      copy.add(human('go on'));
      expect(copy.tokens.current).toBe(20_000 + estimateTokens([human('go on')]));
    }
    expect(() => restoreConversation({ ...snapshot, offset: 1 }, conversation.raw, WINDOW)).toThrow(/it was changed/);
  });

  test('and a calibration stay with a fork that is configured', () => {
    const conversation = ofAnthropic({ ...WINDOW, contextLimit: 160_000, model: 'claude-opus-4-7' });
    let learned = uncalibrated;
    for (let count = 0; count < 10; count += 1)
      learned = calibrate(learned, { counted: 10_000, overhead: 0, usage: { input_tokens: 12_500 } });
    conversation.setCalibration(learned);
    const { factor } = conversation.tokens;
    const fork = conversation.fork();
    fork.configure({ contextLimit: 120_000 });
    expect(fork.tokens.factor).toBe(factor);
    conversation.setCalibration(undefined);
    expect(conversation.tokens.factor).not.toBe(factor);
  });

  test.each([undefined, null, {}, { input_tokens: 'many' }, 'x'])('of %j says nothing', (usage) => {
    const conversation = createConversation(WINDOW);
    conversation.add(...turns(3));
    conversation.beforeSend();
    const { current } = conversation.tokens;
    expect(conversation.report(usage)).toBe(false);
    expect(conversation.tokens.current).toBe(current);
  });

  test('about a history that a summary has replaced since says nothing', () => {
    const conversation = createConversation({ ...WINDOW, contextLimit: 100_000 });
    conversation.add(...turns(8));
    conversation.beforeSend();
    conversation.digest();
    expect(conversation.report({ input_tokens: 9000 })).toBe(false);
  });
});

describe('contents that are marked with includeInContext: false', () => {
  const unsent: IContent = { ...ai('shown to the user '.repeat(200)), metadata: { includeInContext: false } };

  test('cost nothing and are not sent, and stay where they are', async () => {
    const conversation = createConversation({ ...options, strategy: 'one-shot' });
    conversation.add(...turns(2));
    const { current } = conversation.tokens;
    conversation.add(unsent);
    expect(conversation.tokens.current).toBe(current);
    const step = await conversation.prepare({ summarize: answer });
    if (step.kind !== 'ready') throw new Error(step.kind);
    expect(step.messages).toEqual(turns(2));
    expect(conversation.beforeSend()).toMatchObject({ messages: step.messages });
    expect(conversation.curated).not.toContain(unsent);
    expect(conversation.messages.at(-1)).toBe(unsent);
    expect(conversation.raw.at(-1)).toBe(unsent);
  });

  test('are in no summary, and survive one', () => {
    const conversation = createConversation({ ...options, strategy: 'one-shot' });
    conversation.add(...turns(12), unsent, ...turns(12, 12));
    const task = summarize(conversation);
    expect(JSON.stringify(task.request.messages)).not.toContain('shown to the user');
    expect(task.complete(goodReply(task.request)).kind).toBe('applied');
    expect(conversation.messages).toContain(unsent);
    conversation.digest({ preserve: { messages: 2 } });
    expect(conversation.messages).toContain(unsent);
  });

  test('between a call and its result they part nothing', () => {
    const [called, result] = read('1', 'a.ts', 'x\n'.repeat(900));
    const history = [human('a'), called, unsent, result, ai('b'), human('c'), ai('d')];
    const cut = compress(history, { strategy: 'high-density', contextLimit: 200, preserve: { messages: 1 } });
    expect(cut.messages).toContain(unsent);
    expect(estimateTokens(history)).toBe(estimateTokens(history.filter((each) => each !== unsent)));
  });

  test('a thought that is not sent is not counted', () => {
    const thought = { type: 'thinking', thought: 'hm '.repeat(300), includeInContext: false } as const;
    const [with_, without] = [ai(thought, 'yes'), ai('yes')];
    expect(estimateTokens([with_])).toBeLessThan(estimateTokens([without]) + 10);
    const asked = requestSummary([human('a'), with_, human('b'), ai('c'), human('d'), ai('e')], {
      strategy: 'structured',
    });
    expect(JSON.stringify(asked.kind === 'request' ? asked.messages : '')).not.toContain('hm hm');
  });
});

test('the acknowledgement behind a summary is marked as one that the model never said', () => {
  const conversation = createConversation({ ...options, strategy: 'one-shot' });
  conversation.add(...turns(24));
  const task = summarize(conversation);
  task.complete(goodReply(task.request));
  expect(conversation.messages.slice(0, 2).map(({ metadata }) => metadata)).toEqual([
    { isSummary: true },
    { synthetic: true },
  ]);
});

test('a media caption stands next to the file name', () => {
  const media = { type: 'media', mimeType: 'image/png', data: 'AAAA', encoding: 'base64' } as const;
  const shown = human({ ...media, filename: 'rev.png', caption: 'Revenue chart Q4' }, 'What does it show?');
  const request = requestSummary([shown, ai('a'), human('b'), ai('c'), human('d'), ai('e')], {
    strategy: 'structured',
  });
  expect(JSON.stringify(request.kind === 'request' ? request.messages : '')).toContain('rev.png — Revenue chart Q4');
});
