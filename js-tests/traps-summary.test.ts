// A trap in the module of summaries ends its instance, not the user's conversations.
import { applySummary, createConversation, type IContent, requestSummary } from 'densify';
import { afterAll, describe, expect, test } from 'vitest';
import { Instances } from './support/instances.js';
import { goodReply } from './support/replies.js';
import { ai, human, read } from './support/say.js';

const instances = new Instances();
afterAll(() => instances.stop());

const history = (turns: number): IContent[] =>
  Array.from({ length: turns }, (_, at) => [
    human(`request ${at} ${'words '.repeat(60)}`),
    ...read(`c${at}`, `src/${at}.ts`, 'line\n'.repeat(50)),
    ai('done'),
  ]).flat();
const trap = () => new WebAssembly.RuntimeError('unreachable');

requestSummary([], { strategy: 'one-shot' });
/** The instance of the module of summaries that lives. */
let known = instances.newest;

describe('a call without state is made again', () => {
  test.each([1, 2, 20])('when the %d. text is read', (after) => {
    const messages = history(12);
    const expected = requestSummary(messages, { strategy: 'one-shot' });
    known.failIn('chunk', after, trap);
    const count = instances.all.length;
    expect(requestSummary(messages, { strategy: 'one-shot' })).toEqual(expected);
    expect(instances.all.length).toBe(count + 1);
    known = instances.newest;
  });

  test('twice is an error', () => {
    instances.failNext('chunk', trap);
    known.failIn('chunk', 1, trap);
    const action = () => requestSummary(history(12), { strategy: 'one-shot' });
    expect(action).toThrow(expect.objectContaining({ code: 'core-failed' }) as Error);
    expect(requestSummary(history(12), { strategy: 'one-shot' }).kind).toBe('request');
    known = instances.newest;
  });
});

test('conversations live on, with what they wait for', () => {
  const options = { strategy: 'middle-out', contextLimit: 4000, summary: { window: 1e6 } } as const;
  const conversations = Array.from({ length: 5 }, () => {
    const conversation = createConversation<IContent>(options);
    conversation.setThreshold(0.8);
    conversation.add(...history(30));
    const step = conversation.beforeSend();
    if (step.kind !== 'summarize') throw new Error(step.kind);
    conversation.add(human('meanwhile'));
    return { conversation, step };
  });
  known.failIn('chunk', 1, trap);
  requestSummary(history(12), { strategy: 'one-shot' });
  known = instances.newest;
  for (const { conversation, step } of conversations) {
    expect(conversation.beforeSend().kind).toBe('pending');
    expect(conversation.tokens.threshold).toBe(3200);
    expect(conversation.stats.queued).toBe(1);
    expect(step.complete(goodReply(step.request)).kind).toBe('applied');
    expect(conversation.messages.at(-1)).toEqual(human('meanwhile'));
    expect(conversation.beforeSend().kind).toBe('ready');
  }
});

test('a trap while a reply is applied', () => {
  const messages = history(12);
  const request = requestSummary(messages, { strategy: 'one-shot' });
  if (request.kind !== 'request') throw new Error(request.reason);
  const expected = applySummary(request, goodReply(request), messages);
  known.failIn('chunk', 3, trap);
  expect(applySummary(request, goodReply(request), messages)).toEqual(expected);
});
