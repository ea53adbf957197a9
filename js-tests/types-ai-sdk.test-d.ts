// The AI SDK's own types, of its current and its previous major, go in and come out.
import type { LanguageModelMiddleware, ModelMessage, PrepareStepFunction, UIMessage } from 'ai';
import type { MockLanguageModelV3 } from 'ai/test';
import type {
  LanguageModelMiddleware as Middleware7,
  ModelMessage as ModelMessage7,
  PrepareStepFunction as PrepareStepFunction7,
  ToolSet as ToolSet7,
  UIMessage as UIMessage7,
} from 'ai7';
import type { MockLanguageModelV4 } from 'ai7/test';
import { createConversation, middleware, optimize, prepareStep } from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import * as ui from 'densify/ai-sdk/ui';
import { expectTypeOf, test } from 'vitest';

type Prompt = MockLanguageModelV3['doGenerateCalls'][number]['prompt'];
type Prompt7 = MockLanguageModelV4['doGenerateCalls'][number]['prompt'];

test('messages of models', () => {
  expectTypeOf(optimize([] as ModelMessage[]).messages).toEqualTypeOf<readonly ModelMessage[]>();
  expectTypeOf(optimize([] as ModelMessage7[]).messages).toEqualTypeOf<readonly ModelMessage7[]>();
  const conversation = createConversation<ModelMessage7>({ strategy: 'auto', contextLimit: 1_000 });
  expectTypeOf(conversation.messages).toEqualTypeOf<readonly ModelMessage7[]>();
});

test('prompts', () => {
  expectTypeOf(prompt.optimize([] as Prompt).messages).toEqualTypeOf<readonly Prompt[number][]>();
  expectTypeOf(prompt.optimize([] as Prompt7).messages).toEqualTypeOf<readonly Prompt7[number][]>();
});

test('messages of user interfaces', () => {
  expectTypeOf(ui.optimize([] as UIMessage[]).messages).toEqualTypeOf<readonly UIMessage[]>();
  expectTypeOf(ui.optimize([] as UIMessage7[]).messages).toEqualTypeOf<readonly UIMessage7[]>();
});

test('integrations', () => {
  expectTypeOf(prepareStep()).toExtend<PrepareStepFunction>();
  expectTypeOf(prepareStep()).toExtend<PrepareStepFunction7<ToolSet7>>();
  expectTypeOf(middleware()).toExtend<LanguageModelMiddleware>();
  expectTypeOf(middleware()).toExtend<Middleware7>();
});

test('messages of other shapes don’t', () => {
  // @ts-expect-error a user interface's messages have parts
  optimize([] as UIMessage[]);
  // @ts-expect-error a model's messages have no parts
  ui.optimize([] as ModelMessage[]);
  // @ts-expect-error not an option
  optimize([] as ModelMessage[], { generations: 'new' });
});
