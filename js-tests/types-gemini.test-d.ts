// Gemini's types against those of Google's SDK, of its current major and of the one before it, which are installed apart.
import * as gemini from 'densify/gemini';
import { expectTypeOf, test } from 'vitest';
import type { Content, GenerateContentParameters } from './judges/node_modules/@google/genai/dist/genai.js';
import type {
  Content as Content2,
  GenerateContentParameters as GenerateContentParameters2,
} from './judges/node_modules/genai2/dist/genai.js';

test('takes the SDK’s contents and gives them back', () => {
  const check = <M extends gemini.GeminiContentLike>() => {
    const contents = [] as readonly M[];
    expectTypeOf(gemini.optimize(contents).messages).toEqualTypeOf<readonly M[]>();
    expectTypeOf(gemini.compress(contents, { strategy: 'high-density', contextLimit: 1 }).messages).toEqualTypeOf<
      readonly M[]
    >();
    expectTypeOf(gemini.createConversation<M>({ contextLimit: 1 }).raw).toEqualTypeOf<readonly M[]>();
  };
  check<Content>();
  check<Content2>();
});

test('what comes out can be sent', () => {
  const body = {} as GenerateContentParameters;
  expectTypeOf(gemini.optimizeRequest(body).request).toEqualTypeOf<GenerateContentParameters>();
  const older = {} as GenerateContentParameters2;
  expectTypeOf(gemini.optimizeRequest(older).request).toEqualTypeOf<GenerateContentParameters2>();
});
