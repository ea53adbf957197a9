// The own types of OpenAI's Agents SDK and of pi, of Anthropic's middleware, go in and come out.
import Anthropic, { type Middleware } from '@anthropic-ai/sdk';
import type { AgentMessage, AgentOptions } from '@earendil-works/pi-agent-core';
import type { Message as PiMessage0 } from '@earendil-works/pi-ai';
import type { AgentInputItem, CallModelInputFilter, Session } from '@openai/agents-core';
import { MemorySession } from '@openai/agents-core';
import { middleware } from 'densify/anthropic';
import * as agents from 'densify/openai-agents';
import * as pi from 'densify/pi';
import type { AgentMessage as AgentMessage1, AgentOptions as AgentOptions1 } from 'pi-agent-core-1';
import type { Message as PiMessage } from 'pi-ai-1';
import { expectTypeOf, test } from 'vitest';

test('items and hooks of OpenAI’s Agents SDK', () => {
  expectTypeOf(agents.optimize([] as AgentInputItem[]).messages).toEqualTypeOf<readonly AgentInputItem[]>();
  expectTypeOf(agents.callModelInputFilter()).toExtend<CallModelInputFilter>();
  expectTypeOf(agents.session(new MemorySession())).toExtend<Session>();
  // @ts-expect-error no item
  agents.optimize(['x']);
});

test('messages and hooks of pi, of its current major and the one before it', () => {
  expectTypeOf(pi.optimize([] as PiMessage[]).messages).toEqualTypeOf<readonly PiMessage[]>();
  expectTypeOf(pi.optimize([] as PiMessage0[]).messages).toEqualTypeOf<readonly PiMessage0[]>();
  expectTypeOf(pi.optimize([] as AgentMessage[]).messages).toEqualTypeOf<readonly AgentMessage[]>();
  expectTypeOf(pi.optimize([] as AgentMessage1[]).messages).toEqualTypeOf<readonly AgentMessage1[]>();
  expectTypeOf(pi.transformContext()).toExtend<NonNullable<AgentOptions['transformContext']>>();
  expectTypeOf(pi.transformContext()).toExtend<NonNullable<AgentOptions1['transformContext']>>();
});

test('middleware of Anthropic’s clients', () => {
  expectTypeOf(middleware()).toExtend<Middleware>();
  new Anthropic({ middleware: [middleware({ observe: true })] });
});
