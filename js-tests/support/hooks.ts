// The hooks of all SDKs, called as the SDKs call them, and sessions to send through them.

import type { IContent } from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import * as anthropic from 'densify/anthropic';
import * as langchain from 'densify/langchain';
import * as agents from 'densify/openai-agents';
import * as pi from 'densify/pi';
import { formats } from './formats.js';
import type { Message } from './loose.js';
import { exchange, lines } from './work.js';

/** Sends the messages of a request through a hook; gives what the model gets. */
export type Send = (messages: Message[]) => Promise<readonly Message[]>;

/** A hook under test. */
export interface Hook {
  readonly name: string;
  /** The form of its messages. */
  readonly format: string;
  /** The handle of the same form. */
  createOptimizer(options: object): {
    optimize(messages: readonly Message[]): { readonly messages: readonly Message[] };
  };
  make(options: object): Send;
}

/** A handle of any format. */
const handle = (create: unknown) => create as Hook['createOptimizer'];

export const hooks: readonly Hook[] = [
  {
    name: 'ai-sdk prepareStep',
    format: 'ai-sdk',
    createOptimizer: handle(aiSdk.createOptimizer),
    make(options) {
      const hook = aiSdk.prepareStep(options);
      return async (messages) => (await hook({ messages: messages as never[] }))?.messages ?? messages;
    },
  },
  {
    name: 'ai-sdk middleware',
    format: 'ai-sdk/prompt',
    createOptimizer: handle(prompt.createOptimizer),
    make(options) {
      const { transformParams } = aiSdk.middleware(options);
      return async (messages) => (await transformParams({ params: { prompt: messages as never[] } })).prompt;
    },
  },
  {
    name: 'anthropic middleware',
    format: 'anthropic',
    createOptimizer: handle(anthropic.createOptimizer),
    make(options) {
      const hook = anthropic.middleware(options);
      return async (messages) => {
        const request = { url: 'https://x/v1/messages', body: JSON.stringify({ messages, max_tokens: 9 }) };
        const sent = await hook(request, async (forwarded) => forwarded);
        return (JSON.parse(sent.body) as { messages: Message[] }).messages;
      };
    },
  },
  {
    name: 'langchain wrapModelCall',
    format: 'langchain',
    createOptimizer: handle(langchain.createOptimizer),
    make(options) {
      const hook = langchain.wrapModelCall(options);
      return async (messages) => hook({ messages: messages as never[] }, async (request) => request.messages);
    },
  },
  {
    name: 'openai-agents callModelInputFilter',
    format: 'openai-agents',
    createOptimizer: handle(agents.createOptimizer),
    make(options) {
      const hook = agents.callModelInputFilter(options);
      return async (messages) => (await hook({ modelData: { input: messages as never[] } })).input;
    },
  },
  {
    name: 'openai-agents session',
    format: 'openai-agents',
    createOptimizer: handle(agents.createOptimizer),
    make(options) {
      let items: Message[] = [];
      const kept = agents.session({ getItems: async () => items as never[] }, options);
      return async (messages) => {
        items = messages;
        return kept.getItems();
      };
    },
  },
  {
    name: 'pi transformContext',
    format: 'pi',
    createOptimizer: handle(pi.createOptimizer),
    make(options) {
      const hook = pi.transformContext(options);
      return async (messages) => hook(messages as never[]);
    },
  },
];

/** A session of an agent: long output of commands, and files, which are read again and written. */
export function session(task: string, turns = 80): IContent[] {
  const history: IContent[] = [{ speaker: 'human', blocks: [{ type: 'text', text: task }] }];
  for (let at = 0; at < turns; at += 1) {
    const text = lines(`t${at % 7}`, 0, 40).join('\n');
    const [id, path] = [`${task}${at}`, `/${at % 5}.rs`];
    if (at % 3 === 0) history.push(...exchange(id, 'bash', { command: `make ${at}` }, text));
    else if (at % 3 === 1) history.push(...exchange(id, 'read_file', { path }, text));
    else history.push(...exchange(id, 'write_file', { path, content: text }, 'ok'));
  }
  return history;
}

/** The lists of a session's requests, as a harness has them: each a longer one of its own. */
export function requestsOf(messages: readonly Message[]): Message[][] {
  const requests: Message[][] = [];
  for (let end = 3; end <= messages.length; end += 2) requests.push(messages.slice(0, end));
  return requests;
}

/** The form of a hook's messages. */
export function formatOf({ format }: Pick<Hook, 'format'>) {
  return formats.find(({ name }) => name === format)!;
}

/** A breakpoint of the provider's cache. */
export const MARK = { cache_control: { type: 'ephemeral' } };

/** Messages of Anthropic's with a breakpoint at the end. */
export function markedLast(messages: readonly Message[]): Message[] {
  return messages.map((message, at) => {
    if (at !== messages.length - 1) return message;
    const content = message.content as Message[];
    return {
      ...message,
      content: content.map((block, place) => (place < content.length - 1 ? block : { ...block, ...MARK })),
    };
  });
}
