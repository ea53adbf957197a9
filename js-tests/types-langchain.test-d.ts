// LangChain's own types go in and come out.
import type { AIMessage, BaseMessage, StoredMessage } from '@langchain/core/messages';
import { optimize, wrapModelCall } from 'densify/langchain';
import { createMiddleware } from 'langchain';
import type { BaseMessage as BaseMessage0, StoredMessage as StoredMessage0 } from 'langchain-core-0/messages';
import { expectTypeOf, test } from 'vitest';

test('instances and stored messages', () => {
  expectTypeOf(optimize([] as BaseMessage[]).messages).toEqualTypeOf<readonly BaseMessage[]>();
  expectTypeOf(optimize([] as AIMessage[]).messages).toEqualTypeOf<readonly AIMessage[]>();
  expectTypeOf(optimize([] as StoredMessage[]).messages).toEqualTypeOf<readonly StoredMessage[]>();
  // Of the major before this one too.
  expectTypeOf(optimize([] as BaseMessage0[]).messages).toEqualTypeOf<readonly BaseMessage0[]>();
  expectTypeOf(optimize([] as StoredMessage0[]).messages).toEqualTypeOf<readonly StoredMessage0[]>();
  // @ts-expect-error no message of LangChain
  optimize([{ role: 'user', text: 'x' }]);
});

test('the hook of a middleware', () => {
  createMiddleware({ name: 'densify', wrapModelCall: wrapModelCall({ observe: true }) });
});
