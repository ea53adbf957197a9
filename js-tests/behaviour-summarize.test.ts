// Summaries on request, as after a user's `/compact [instructions]`.
import { createConversation, type SummarizeStep, type SummaryRequest } from 'densify';
import { describe, expect, test } from 'vitest';
import { full, json, LONG, options, turns } from './support/conversing.js';
import { goodReply } from './support/replies.js';
import { ai, human } from './support/say.js';

function asked(step: SummarizeStep | { readonly kind: 'noop' }): SummarizeStep {
  if (step.kind === 'noop') throw new Error(json(step));
  return step;
}

describe('summarize', () => {
  test.each(['middle-out', 'auto', 'high-density', 'top-down-truncation', 'digest'] as const)(
    'asks for a summary far below the threshold of %s',
    (strategy) => {
      const conversation = createConversation({ ...options, contextLimit: 1_000_000, strategy });
      for (let at = 0; at < 12; at += 1) conversation.add(human(`${at} ${LONG.repeat(6)}`), ai(`answer ${at}`));
      expect(conversation.beforeSend().kind).toBe('ready');
      const step = asked(conversation.summarize());
      expect(conversation.beforeSend()).toMatchObject({ kind: 'pending', task: { isBackground: false } });
      const before = conversation.tokens.current;
      expect(step.complete(goodReply(step.request)).kind).toBe('applied');
      expect(conversation.tokens.current).toBeLessThan(before);
      expect(conversation.beforeSend()).toMatchObject({ kind: 'ready', warnings: [] });
      expect(conversation.stats.summaries).toBe(1);
    },
  );

  test('with instructions and pins for this one time, on top of the standing ones', () => {
    const summary = { ...options.summary, instructions: 'Write in one language.', pins: ['the port is 8080'] };
    const conversation = full({ contextLimit: 1_000_000, summary });
    const own = { instructions: 'Focus on the parser.', pins: ['the parser is src/parse.ts', 'the port is 8080'] };
    const step = asked(conversation.summarize({ ...own, profile: 'cheap', language: undefined }));
    expect(step.request.profile).toBe('cheap');
    const prompt = json(step.request.messages);
    for (const said of ['Write in one language.', 'Focus on the parser.']) expect(prompt).toContain(said);
    expect(step.complete(goodReply(step.request)).kind).toBe('applied');
    const history = json(conversation.messages);
    for (const pin of summary.pins.concat(own.pins)) expect(history.split(pin)).toHaveLength(2);
    // The next one is an ordinary one again; what is pinned stays.
    conversation.add(...turns(12, 100));
    const next = asked(conversation.summarize());
    expect(json(next.request.messages)).not.toContain('Focus on the parser.');
    expect(next.request.profile).toBeUndefined();
    expect(next.complete(goodReply(next.request)).kind).toBe('applied');
    expect(json(conversation.messages)).toContain('the parser is src/parse.ts');
  });

  test('prepare makes it, with its repairs', async () => {
    const conversation = full({ contextLimit: 1_000_000 });
    asked(conversation.summarize({ instructions: 'Focus on the parser.' }));
    const prompts: string[] = [];
    const step = await conversation.prepare({
      summarize: (request: SummaryRequest) => {
        prompts.push(json(request.messages));
        return Promise.resolve(prompts.length === 1 ? 'no' : goodReply(request));
      },
    });
    expect(step).toMatchObject({ kind: 'ready', warnings: [] });
    expect(prompts).toHaveLength(2);
    for (const prompt of prompts) expect(prompt).toContain('Focus on the parser.');
    expect(conversation.stats).toMatchObject({ summaries: 1, failures: 0 });
  });

  test('gives up the one that is awaited; what was added meanwhile stays', () => {
    const conversation = full();
    const first = conversation.beforeSend();
    if (first.kind !== 'summarize') throw new Error(first.kind);
    conversation.add(human('meanwhile'));
    const second = asked(conversation.summarize({ preserve: { messages: 2 } }));
    expect(first.isOpen).toBe(false);
    expect(first.complete(goodReply(first.request))).toEqual({ kind: 'ended' });
    expect(second.complete(goodReply(second.request)).kind).toBe('applied');
    expect(conversation.messages.at(-1)).toEqual(human('meanwhile'));
    expect(conversation.stats).toMatchObject({ summaries: 1, failures: 0 });
  });

  test('with nothing to summarise is a noop; with options that can’t be, an error, and all is as it was', () => {
    const conversation = createConversation(options);
    conversation.add(human('hi'));
    expect(conversation.summarize()).toMatchObject({ kind: 'noop' });
    expect(conversation.beforeSend()).toMatchObject({ kind: 'ready' });
    const other = full();
    for (const [own, key] of [
      [{ pin: ['x'] }, 'pin'],
      [{ instructions: 7 }, 'instructions'],
      [{ pins: 'x' }, 'pins'],
      [{ preserve: 2 }, 'preserve'],
    ] as const) {
      const error = expect.objectContaining({ code: 'invalid-options', key }) as Error;
      expect(() => other.summarize(own as never)).toThrow(error);
    }
    expect(other.beforeSend().kind).toBe('summarize');
  });
});

test.each(['top-down-truncation', 'high-density'] as const)(
  'pins are still there after later compressions without a model: %s',
  (strategy) => {
    const summary = { ...options.summary, pins: ['the port is 8080'] };
    const conversation = createConversation({ ...options, strategy, summary });
    conversation.add(human('Never push to main.'), ...turns(24));
    expect(conversation.digest().kind).toBe('applied');
    for (let round = 0; round < 3; round += 1) {
      conversation.add(...turns(24, 100 * (round + 1)));
      if (round === 0) expect(conversation.compress({ strategy, preserve: { messages: 4 } }).kind).toBe('applied');
      expect(conversation.beforeSend().kind).toBe('ready');
      const history = json(conversation.messages);
      for (const kept of ['the port is 8080', 'Never push to main.']) expect(history.includes(kept), kept).toBe(true);
      expect(conversation.tokens.current).toBeLessThan(conversation.tokens.threshold);
    }
    expect(conversation.stats.compressions).toBeGreaterThan(1);
  },
);
