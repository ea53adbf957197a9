// The formats' types against the SDKs' own: of the current major and of the one before it.
import type Anthropic from '@anthropic-ai/sdk';
import type Anthropic0 from 'anthropic-sdk-0';
import * as anthropic from 'densify/anthropic';
import * as openai from 'densify/openai';
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
