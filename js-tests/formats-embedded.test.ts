// Images in blocks of unknown types cost what images cost, and no request for a summary holds their base64.
import * as anthropic from 'densify/anthropic';
import * as agents from 'densify/openai-agents';
import * as responses from 'densify/openai-responses';
import { describe, expect, test } from 'vitest';
import { goodReply } from './support/replies.js';

const BASE64 = `iVBORw0KGgo${'A'.repeat(200_000)}`;
const URL = `data:image/png;base64,${BASE64}`;
/** Tokens of an image of unknown size. */
const IMAGE = 1_600;

type Estimate = (messages: readonly never[]) => number;
const say = (message: object) => [message] as unknown as readonly never[];

test.each([
  [
    'a screenshot',
    responses.estimateTokens,
    { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: URL } },
  ],
  [
    'a picture that the provider made',
    responses.estimateTokens,
    { type: 'image_generation_call', id: 'ig_1', result: BASE64 },
  ],
  [
    'a plot',
    responses.estimateTokens,
    { type: 'code_interpreter_call', id: 'ci_1', code: 'x', outputs: [{ type: 'image', url: URL }] },
  ],
  [
    'a screenshot of the Agents SDK',
    agents.estimateTokens,
    { type: 'computer_call_result', callId: 'c', output: { type: 'computer_screenshot', data: URL } },
  ],
  [
    'a document of blocks',
    anthropic.estimateTokens,
    {
      role: 'user',
      content: [
        {
          type: 'document',
          source: { type: 'content', content: [{ type: 'image', source: { type: 'base64', data: BASE64 } }] },
        },
      ],
    },
  ],
] as readonly (readonly [string, Estimate, object])[])('%s costs what an image costs', (_, estimate, message) => {
  const tokens = estimate(say(message));
  expect(tokens).toBeGreaterThanOrEqual(IMAGE);
  expect(tokens).toBeLessThan(IMAGE * 1.1);
});

test('a document of texts costs what they cost', () => {
  const text = 'some words of a document. '.repeat(600);
  const source = { type: 'content', content: [{ type: 'text', text }] };
  const plain = anthropic.estimateTokens(say({ role: 'user', content: text }));
  const tokens = anthropic.estimateTokens(say({ role: 'user', content: [{ type: 'document', source }] }));
  expect(Math.abs(tokens - plain)).toBeLessThan(plain / 20);
});

describe('a session with screenshots', () => {
  const items = Array.from({ length: 20 }, (_, at) => [
    { type: 'computer_call', id: `cu_${at}`, call_id: `c${at}`, action: { type: 'screenshot' }, status: 'completed' },
    { type: 'computer_call_output', call_id: `c${at}`, output: { type: 'computer_screenshot', image_url: URL } },
  ]).flat();
  const messages = [{ role: 'user', content: 'Book the flight.' }, ...items] as responses.ResponsesItemLike[];

  test('fits a window that holds its pictures', () => {
    expect(responses.compress(messages, { strategy: 'top-down-truncation', contextLimit: 100_000 }).changed).toBe(
      false,
    );
  });

  test('is summarised without the base64', () => {
    const request = responses.requestSummary(messages, { strategy: 'one-shot' });
    if (request.kind !== 'request') throw new Error(request.reason);
    expect(JSON.stringify(request).length).toBeLessThan(30_000);
    expect(responses.applySummary(request, goodReply(request), messages).kind).toBe('applied');
  });
});
