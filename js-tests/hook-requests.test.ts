// A hook with a conversation counts what goes with the messages, so that the whole request fits the window.

import { estimateTokens } from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import * as langchain from 'densify/langchain';
import * as agents from 'densify/openai-agents';
import * as pi from 'densify/pi';
import { describe, expect, test } from 'vitest';
import { formatOf, requestsOf, session } from './support/hooks.js';
import type { Message } from './support/loose.js';

const WINDOW = 50_000;
const ANSWER = 8_000;
const SYSTEM = Array.from({ length: 2_400 }, (_, at) => `Rule ${at}: keep it short.`).join('\n');
const SCHEMA = { type: 'object', properties: { path: { type: 'string', description: 'word '.repeat(400) } } };
const MODEL = 'claude-opus-4-6';
/** How many tokens this model's provider counts for one of densify's. */
const FACTOR = 1.24;
const strategy = 'top-down-truncation';

type Hook = (messages: Message[], onWarning: (warning: unknown) => void) => Promise<readonly Message[]>;

/** Hooks that see the request, as their SDKs call them; each of them a run of its own. */
const SEEING: Readonly<Record<string, { readonly format: string; readonly make: () => Hook }>> = {
  'anthropic middleware': {
    format: 'anthropic',
    make() {
      let tell: (warning: unknown) => void = () => undefined;
      const hook = anthropic.middleware({
        conversation: (target) => anthropic.createConversation({ strategy, contextLimit: WINDOW, ...target }),
        onWarning: (warning) => tell(warning),
      });
      return async (messages, onWarning) => {
        tell = onWarning;
        const tools = [{ name: 'read_file', description: 'reads', input_schema: SCHEMA }];
        const body = { model: MODEL, system: SYSTEM, tools, max_tokens: ANSWER, messages };
        const request = { url: 'https://x/v1/messages', body: JSON.stringify(body) };
        const sent = await hook(request, async (forwarded) => forwarded);
        return (JSON.parse(sent.body) as { messages: Message[] }).messages;
      };
    },
  },
  'ai-sdk middleware': {
    format: 'ai-sdk/prompt',
    make() {
      let tell: (warning: unknown) => void = () => undefined;
      const { transformParams } = aiSdk.middleware({
        conversation: (target) => aiSdk.createConversation({ strategy, contextLimit: WINDOW, ...target }),
        onWarning: (warning) => tell(warning),
      });
      return async (messages, onWarning) => {
        tell = onWarning;
        const tools = [{ type: 'function', name: 'read_file', description: SYSTEM, inputSchema: SCHEMA }];
        const params = { prompt: messages as never[], tools, maxOutputTokens: ANSWER };
        const model = { modelId: MODEL, provider: 'anthropic.messages' };
        return (await transformParams({ params, model })).prompt;
      };
    },
  },
  'langchain wrapModelCall': {
    format: 'langchain',
    make() {
      let tell: (warning: unknown) => void = () => undefined;
      const hook = langchain.wrapModelCall({
        conversation: (target) => langchain.createConversation({ strategy, contextLimit: WINDOW, ...target }),
        onWarning: (warning) => tell(warning),
      });
      return async (messages, onWarning) => {
        tell = onWarning;
        const model = { model: MODEL, maxTokens: ANSWER };
        const tools = [{ name: 'read_file', description: 'reads', schema: SCHEMA }];
        const request = { messages: messages as never[], model, systemPrompt: SYSTEM, tools };
        return hook(request, async (sent) => sent.messages);
      };
    },
  },
  'openai-agents callModelInputFilter': {
    format: 'openai-agents',
    make() {
      let tell: (warning: unknown) => void = () => undefined;
      const hook = agents.callModelInputFilter({
        conversation: (target) => agents.createConversation({ strategy, contextLimit: WINDOW, ...target }),
        onWarning: (warning) => tell(warning),
      });
      return async (messages, onWarning) => {
        tell = onWarning;
        const tools = [{ type: 'function', name: 'read_file', description: 'reads', parameters: SCHEMA }];
        const agent = { model: MODEL, tools, modelSettings: { maxTokens: ANSWER } };
        return (await hook({ modelData: { input: messages as never[], instructions: SYSTEM }, agent })).input;
      };
    },
  },
};

describe.each(Object.entries(SEEING))('%s', (_, { format, make }) => {
  const { from, verbs } = formatOf({ format });
  const estimate = (messages: readonly Message[]): number =>
    verbs.estimateTokens(messages as never, { model: MODEL } as never);

  test('the system prompt, the tools and the answer have their place in the window', async () => {
    const hook = make();
    const warned: unknown[] = [];
    let [wasPacked, largest] = [false, 0];
    for (const messages of requestsOf(from(session('task', 150)))) {
      const sent = await hook(messages, (warning) => warned.push(warning));
      wasPacked ||= sent.length < messages.length;
      largest = Math.max(largest, estimate(sent));
    }
    expect(wasPacked).toBe(true);
    expect(warned).toEqual([]);
    const beside = estimateTokens(SYSTEM) + estimateTokens(JSON.stringify(SCHEMA));
    expect((largest + beside) * FACTOR + ANSWER).toBeLessThanOrEqual(WINDOW);
    // It is not that small because of something else.
    expect((largest + beside) * FACTOR + ANSWER).toBeGreaterThan(0.75 * WINDOW);
  });
});

describe('what a hook does not see', () => {
  const conversation = (more: object) => () =>
    pi.createConversation({ strategy, contextLimit: WINDOW, model: MODEL, ...more });
  const told = async (more: object): Promise<readonly unknown[]> => {
    const warned: unknown[] = [];
    const hook = pi.transformContext({
      conversation: conversation(more),
      onWarning: (warning) => void warned.push('code' in warning ? warning : String(warning)),
    });
    for (const messages of requestsOf(formatOf({ format: 'pi' }).from(session('task', 6))))
      await hook(messages as never);
    return warned;
  };

  test('is told once, with the options that say it', async () => {
    expect(await told({})).toEqual([
      { code: 'request-unseen', message: expect.stringContaining("'overhead' and 'reserve'") },
    ]);
    const [warning] = await told({ overhead: 12_000 });
    expect(warning).toMatchObject({
      code: 'request-unseen',
      message: expect.stringMatching(/can't see the answer limit, .*set 'reserve' on/),
    });
    expect(await told({ overhead: 12_000, reserve: 8_000 })).toEqual([]);
  });
});

test('options of the conversation precede what the hook sees', async () => {
  const conversations: anthropic.Conversation<anthropic.AnthropicMessageLike>[] = [];
  const hook = anthropic.middleware({
    conversation: (target) => {
      const options = { strategy, contextLimit: WINDOW, overhead: 1_000, reserve: 500, ...target } as const;
      const made = anthropic.createConversation(options);
      conversations.push(made);
      return made;
    },
  });
  const send = (max_tokens: number) =>
    hook(
      {
        url: 'https://x/v1/messages',
        body: JSON.stringify({ model: MODEL, system: SYSTEM, max_tokens, messages: [{ role: 'user', content: 'hi' }] }),
      },
      async (sent) => sent,
    );
  await send(ANSWER);
  const { limit, factor } = conversations[0]!.tokens;
  expect(limit * factor).toBeGreaterThan(0.96 * WINDOW);
});

test('an answer that could fill the window takes at most half of it', async () => {
  const conversations: anthropic.Conversation<anthropic.AnthropicMessageLike>[] = [];
  const warned: unknown[] = [];
  const hook = anthropic.middleware({
    conversation: (target) => {
      const made = anthropic.createConversation({ strategy, contextLimit: WINDOW, ...target });
      conversations.push(made);
      return made;
    },
    onWarning: (warning) => void warned.push(warning),
  });
  for (const max_tokens of [64_000, 8_000, 64_000]) {
    const body = { model: MODEL, max_tokens, messages: [{ role: 'user', content: 'hi' }] };
    await hook({ url: 'https://x/v1/messages', body: JSON.stringify(body) }, async (sent) => sent);
    const { limit, factor } = conversations.at(-1)!.tokens;
    const left = WINDOW - Math.min(max_tokens, WINDOW / 2);
    expect(limit * factor).toBeGreaterThan(0.99 * left);
    expect(limit * factor).toBeLessThanOrEqual(left);
  }
  expect(warned).toEqual([]);
});
