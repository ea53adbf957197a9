// The formats' types against the SDKs' own: of the current major and of the one before it.
import type Anthropic from '@anthropic-ai/sdk';
import type Anthropic0 from 'anthropic-sdk-0';
import * as anthropic from 'densify/anthropic';
import * as openai from 'densify/openai';
import * as responses from 'densify/openai-responses';
import type OpenAI from 'openai';
import type OpenAI6 from 'openai-6';
import { describe, expectTypeOf, test } from 'vitest';

describe('densify/anthropic', () => {
  test('takes the SDK’s messages, beta ones too, and gives them back', () => {
    const check = <M extends anthropic.AnthropicMessageLike>() => {
      const messages = [] as readonly M[];
      expectTypeOf(anthropic.optimize(messages).messages).toEqualTypeOf<readonly M[]>();
      const compressed = anthropic.compress(messages, { strategy: 'high-density', contextLimit: 1, model: 'x' });
      expectTypeOf(compressed.messages).toEqualTypeOf<readonly M[]>();
      expectTypeOf(anthropic.createOptimizer<M>().push).parameters.toEqualTypeOf<M[]>();
      const conversation = anthropic.createConversation<M>({ contextLimit: 1, generation: 'no-thinking' });
      expectTypeOf(conversation.messages).toEqualTypeOf<readonly M[]>();
    };
    check<Anthropic.MessageParam>();
    check<Anthropic.Beta.BetaMessageParam>();
    check<Anthropic0.MessageParam>();
    check<Anthropic0.Beta.BetaMessageParam>();
  });

  test('what comes out can be sent', () => {
    const body = {} as Anthropic.MessageCreateParamsNonStreaming;
    const { request, overhead } = anthropic.optimizeRequest(body);
    expectTypeOf(request).toEqualTypeOf<Anthropic.MessageCreateParamsNonStreaming>();
    expectTypeOf(overhead.total).toEqualTypeOf<number>();
    const beta = {} as Anthropic.Beta.MessageCreateParamsNonStreaming;
    const fitted = anthropic.compressRequest(beta, { strategy: 'high-density', contextLimit: 1 });
    expectTypeOf(fitted.request).toEqualTypeOf<Anthropic.Beta.MessageCreateParamsNonStreaming>();
    if (fitted.kind === 'noop') expectTypeOf(fitted.reason).toBeString();
  });

  test('takes nothing else', () => {
    // @ts-expect-error a role that isn't one
    anthropic.optimize([{ role: 'tool', content: 'x' }]);
    // @ts-expect-error not an option
    anthropic.optimize([], { unknown: true });
    // @ts-expect-error not a generation
    anthropic.optimize([], { generation: 'new' });
  });
});

describe('densify/openai', () => {
  test('takes the SDK’s messages and gives them back', () => {
    const check = <M extends openai.OpenAIMessageLike>() => {
      const messages = [] as readonly M[];
      expectTypeOf(openai.optimize(messages).messages).toEqualTypeOf<readonly M[]>();
      const request = openai.requestSummary(messages, { strategy: 'one-shot', provider: 'openai' });
      if (request.kind === 'request') expectTypeOf(request.messages).toEqualTypeOf<readonly M[]>();
      expectTypeOf(openai.createConversation<M>({ contextLimit: 1 }).raw).toEqualTypeOf<readonly M[]>();
    };
    check<OpenAI.ChatCompletionMessageParam>();
    check<OpenAI6.ChatCompletionMessageParam>();
  });

  test('what comes out can be sent', () => {
    const body = {} as OpenAI.ChatCompletionCreateParamsNonStreaming;
    expectTypeOf(openai.optimizeRequest(body).request).toEqualTypeOf<OpenAI.ChatCompletionCreateParamsNonStreaming>();
    const older = {} as OpenAI6.ChatCompletionCreateParamsNonStreaming;
    expectTypeOf(openai.optimizeRequest(older).request).toEqualTypeOf<OpenAI6.ChatCompletionCreateParamsNonStreaming>();
  });
});

describe('densify/openai-responses', () => {
  test('what comes out can be sent', () => {
    const body = {} as OpenAI.Responses.ResponseCreateParamsNonStreaming;
    const { request } = responses.optimizeRequest(body);
    expectTypeOf(request).toEqualTypeOf<OpenAI.Responses.ResponseCreateParamsNonStreaming>();
    const older = {} as OpenAI6.Responses.ResponseCreateParamsNonStreaming;
    expectTypeOf(responses.optimizeRequest(older).request).toEqualTypeOf<typeof older>();
    // @ts-expect-error no request
    responses.optimizeRequest({ input: 1 });
    // @ts-expect-error no request of this API
    anthropic.optimizeRequest({ input: [] });
  });

  test('plans are of the messages that were handed in', () => {
    const messages = [] as OpenAI.Responses.ResponseInputItem[];
    const plan = responses.plan({ messages, from: { model: 'gpt-5' }, to: { contextLimit: 1 } });
    expectTypeOf(plan.messages).toEqualTypeOf<readonly OpenAI.Responses.ResponseInputItem[]>();
    // @ts-expect-error a window is what it is about
    responses.plan({ messages, from: {}, to: {} });
    // @ts-expect-error not an option
    responses.plan({ messages, from: {}, to: { contextLimit: 1 }, unknown: 1 });
  });
});
