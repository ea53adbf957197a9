// What users write first, with the SDKs' own types: nothing has to be cast on the way.
import type Anthropic from '@anthropic-ai/sdk';
import { tool as agentsTool } from '@openai/agents-core';
import { generateText, type LanguageModel, type ModelMessage } from 'ai';
import { createOptimizer as createOwn, type IContent } from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as langchain from 'densify/langchain';
import * as agents from 'densify/openai-agents';
import * as pi from 'densify/pi';
import { createRecall, recallTools } from 'densify/recall';
import { shrinkResult } from 'densify/tools';
import type OpenAI from 'openai';
import { describe, expectTypeOf, test } from 'vitest';

describe('summaries inside hooks', () => {
  test('have the messages of the hook', () => {
    const cheap = {} as LanguageModel;
    const step = aiSdk.prepareStep<ModelMessage>({
      conversation: (target) =>
        aiSdk.createConversation<ModelMessage>({ strategy: 'auto', contextLimit: 200_000, ...target }),
      summarize: async ({ messages }) => (await generateText({ model: cheap, messages: [...messages] })).text,
      onWarning: () => undefined,
      maxRuns: 3,
    });
    expectTypeOf(step).toBeFunction();
    const client = {} as Anthropic;
    anthropic.middleware<Anthropic.MessageParam>({
      conversation: (target) => anthropic.createConversation<Anthropic.MessageParam>({ contextLimit: 1, ...target }),
      summarize: async ({ messages }) =>
        (await client.messages.create({ model: 'm', max_tokens: 1, messages: [...messages] })).id,
    });
  });
});

describe('what hooks tell', () => {
  test('is told apart', () => {
    const onWarning = (warning: aiSdk.HookWarning) => {
      if (warning instanceof Error) return expectTypeOf(warning).toEqualTypeOf<Error>();
      if ('kind' in warning) return expectTypeOf(warning).toEqualTypeOf<aiSdk.OverLimitStep>();
      switch (warning.code) {
        case 'run-forgotten':
          return expectTypeOf(warning.message).toEqualTypeOf<string>();
        case 'request-unseen':
        case 'model-unpriced':
          return expectTypeOf(warning.message).toEqualTypeOf<string>();
        case 'summary-failed':
          return expectTypeOf(warning.offer).toEqualTypeOf<'digest'>();
        case 'other-format':
          return expectTypeOf(warning.message).toEqualTypeOf<string | undefined>();
        default:
          return expectTypeOf(warning.code).toExtend<aiSdk.ConversationWarning['code'] | aiSdk.Warning['code']>();
      }
    };
    aiSdk.prepareStep({ onWarning });
    anthropic.middleware({ onWarning });
    langchain.wrapModelCall({ onWarning });
    agents.callModelInputFilter({ onWarning });
    pi.transformContext({ onWarning, onResult: ({ changed }) => changed });
    // Whoever takes anything takes these.
    aiSdk.middleware({ onWarning: (warning: unknown) => console.warn(warning) });
    // @ts-expect-error not all that is told is an error
    aiSdk.middleware({ onWarning: (warning: Error) => console.warn(warning) });
  });
});

describe('handles', () => {
  test('give back the messages that they are given', () => {
    const history = [] as Anthropic.MessageParam[];
    const optimizer = anthropic.createOptimizer({ model: 'claude-opus-4-6' });
    expectTypeOf(optimizer.optimize(history).messages).toEqualTypeOf<readonly Anthropic.MessageParam[]>();
    expectTypeOf(createOwn().optimize([] as IContent[]).messages).toEqualTypeOf<readonly IContent[]>();
    expectTypeOf(createOwn().optimize().messages).toEqualTypeOf<readonly IContent[]>();
    // @ts-expect-error messages of another format
    gemini.optimize(history);
  });
});

describe('tools', () => {
  const tools = recallTools(createRecall({ secret: 'a secret of sixteen bytes' }));

  test('of recall are tools of the SDKs', () => {
    expectTypeOf(tools.anthropic()).toExtend<Anthropic.Tool[]>();
    expectTypeOf(tools.openai()).toExtend<OpenAI.ChatCompletionTool[]>();
    expectTypeOf(tools.openaiResponses()).toExtend<OpenAI.Responses.Tool[]>();
    expectTypeOf(tools.openaiAgents(agentsTool)).toBeArray();
  });

  test('calls are taken as providers have them', () => {
    expectTypeOf(shrinkResult({} as Anthropic.ToolUseBlock, 'out').result).toBeString();
    expectTypeOf(shrinkResult({} as OpenAI.ChatCompletionMessageFunctionToolCall.Function, 'out').result).toBeString();
  });
});
