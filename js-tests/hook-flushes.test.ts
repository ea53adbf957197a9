// When hooks make edits of what was sent before: the policies of `flush` are those of a handle in each of them.
import * as aiSdk from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import * as anthropic from 'densify/anthropic';
import * as langchain from 'densify/langchain';
import * as agents from 'densify/openai-agents';
import * as pi from 'densify/pi';
import type { IContent } from 'densify';
import { describe, expect, test, vi } from 'vitest';
import { formats } from './support/formats.js';
import type { Message } from './support/loose.js';
import { thrownBy } from './support/thrown.js';
import { exchange, lines } from './support/work.js';

/** Sends the messages of a request through a hook; gives what the model gets. */
type Send = (messages: Message[]) => Promise<readonly Message[]>;

/** A hook under test. */
interface Hook {
  readonly name: string;
  /** The form of its messages. */
  readonly format: string;
  /** The handle of the same form. */
  createOptimizer(options: object): {
    optimize(messages: readonly Message[]): { readonly messages: readonly Message[] };
  };
  make(options: object): Send;
}

/** A filter of the Agents SDK, or a session that is read. */
const hooks = [
  {
    name: 'ai-sdk prepareStep',
    format: 'ai-sdk',
    createOptimizer: aiSdk.createOptimizer,
    make(options) {
      const hook = aiSdk.prepareStep(options);
      const runs = new Map<unknown, unknown[]>();
      return async (messages) => {
        // The SDK hands the same list of steps to all steps of a run.
        const steps = runs.get(messages[0]) ?? [];
        runs.set(messages[0], steps);
        return (await hook({ messages: messages as never[], steps }))?.messages ?? messages;
      };
    },
  },
  {
    name: 'ai-sdk middleware',
    format: 'ai-sdk/prompt',
    createOptimizer: prompt.createOptimizer,
    make(options) {
      const { transformParams } = aiSdk.middleware(options);
      return async (messages) => (await transformParams({ params: { prompt: messages as never[] } })).prompt;
    },
  },
  {
    name: 'anthropic middleware',
    format: 'anthropic',
    createOptimizer: anthropic.createOptimizer,
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
    createOptimizer: langchain.createOptimizer,
    make(options) {
      const hook = langchain.wrapModelCall(options);
      return async (messages) => hook({ messages: messages as never[] }, async (request) => request.messages);
    },
  },
  {
    name: 'openai-agents callModelInputFilter',
    format: 'openai-agents',
    createOptimizer: agents.createOptimizer,
    make(options) {
      const hook = agents.callModelInputFilter(options);
      return async (messages) => (await hook({ modelData: { input: messages as never[] } })).input;
    },
  },
  {
    name: 'openai-agents session',
    format: 'openai-agents',
    createOptimizer: agents.createOptimizer,
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
    createOptimizer: pi.createOptimizer,
    make(options) {
      const hook = pi.transformContext(options);
      return async (messages) => hook(messages as never[]);
    },
  },
] as unknown as readonly Hook[];

/** A session of an agent: long output of commands, and files, which are read again and written. */
function session(task: string, turns = 40): IContent[] {
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

const text = (messages: readonly unknown[]) => messages.map((message) => JSON.stringify(message));

/** How often a request doesn't begin with the one before it. */
function breaksOf(requests: readonly (readonly unknown[])[]): number {
  const texts = requests.map(text);
  return texts.filter((request, at) => at > 0 && !texts[at - 1]!.every((message, place) => message === request[place]))
    .length;
}

/** The lists of a session's requests, as a harness has them: each a longer one of its own. */
function requestsOf(messages: readonly Message[]): Message[][] {
  const requests: Message[][] = [];
  for (let end = 3; end <= messages.length; end += 2) requests.push(messages.slice(0, end));
  return requests;
}

const OPTIONS = { preset: 'aggressive' } as const;

describe.each(hooks.map((hook) => [hook.name, hook] as const))('%s', (_, hook) => {
  const format = formats.find(({ name }) => name === hook.format)!;
  const options = (flush: unknown) => ({ ...OPTIONS, ...format.known, flush });
  const of = (task: string) => requestsOf(format.from(session(task)));
  async function sent(flush: unknown, requests: readonly Message[][], more: object = {}) {
    const send = hook.make({ ...options(flush), ...more });
    const all: (readonly Message[])[] = [];
    for (const request of requests) all.push([...(await send(request))]);
    return all;
  }

  test.each(['when-it-pays', 'never', { tokens: 2_000 }])('%j: sends what a handle gives', async (flush) => {
    const requests = of('one');
    const handle = hook.createOptimizer(options(flush));
    const given = requests.map((request) => [...handle.optimize(request).messages]);
    const all = await sent(flush, requests);
    expect(all.map(text)).toEqual(given.map(text));
    expect(breaksOf(all)).toBe(breaksOf(given));
  });

  test('breaks are few where they must pay, and none where nothing may be edited any more', async () => {
    const requests = of('one');
    const [always, paying, never] = [
      breaksOf(await sent('always', requests)),
      breaksOf(await sent('when-it-pays', requests)),
      breaksOf(await sent('never', requests)),
    ];
    expect(paying).toBeGreaterThan(0);
    expect(paying).toBeLessThan(always / 3);
    expect(never).toBe(0);
  });

  test('runs by turns are each as if it were alone, whether objects are kept or copied', async () => {
    const [one, other] = [of('one'), of('other')];
    const alone = [await sent('when-it-pays', one), await sent('when-it-pays', other)];
    const copy = (messages: Message[]) => structuredClone(messages);
    // The one hook that is told of runs knows them by objects.
    const given = hook.name === 'ai-sdk prepareStep' ? [one, other] : [one.map(copy), other.map(copy)];
    const mixed = given[0]!.flatMap((request, at) => [request, given[1]![at]!]);
    const all = await sent('when-it-pays', mixed);
    expect(all.filter((_, at) => at % 2 === 0).map(text)).toEqual(alone[0]!.map(text));
    expect(all.filter((_, at) => at % 2 === 1).map(text)).toEqual(alone[1]!.map(text));
  });

  test('what is only observed is forwarded as it is, and what fails too', async () => {
    const requests = of('one');
    const results: boolean[] = [];
    const onResult = ({ changed }: { changed: boolean }) => results.push(changed);
    const watched = await sent('when-it-pays', requests, { observe: true, onResult });
    expect(watched.map(text)).toEqual(requests.map(text));
    expect(results).toContain(true);
    const onWarning = vi.fn();
    const protect = () => {
      throw new Error('odd');
    };
    expect((await sent('when-it-pays', requests.slice(0, 2), { protect, onWarning })).map(text)).toEqual(
      requests.slice(0, 2).map(text),
    );
    expect(onWarning).toHaveBeenCalledTimes(2);
  });
});

describe('a breakpoint that moves with the end', () => {
  const format = formats.find(({ name }) => name === 'anthropic')!;
  const hook = hooks.find(({ name }) => name === 'anthropic middleware')!;
  const mark = { cache_control: { type: 'ephemeral' } };
  const marked = (messages: readonly Message[]) =>
    messages.map((message, at) => {
      if (at !== messages.length - 1) return message;
      const content = message.content as Message[];
      return {
        ...message,
        content: content.map((block, place) => (place < content.length - 1 ? block : { ...block, ...mark })),
      };
    });
  const bare = (messages: readonly unknown[]) =>
    text(messages).map((said) => said.replaceAll(`,${JSON.stringify(mark).slice(1, -1)}`, ''));

  test('begins no other run, and is the only one', async () => {
    const requests = requestsOf(format.from(session('one')));
    const options = { ...OPTIONS, ...format.known, flush: 'when-it-pays' };
    const [plain, moving] = [hook.make(options), hook.make(options)];
    for (const request of requests) {
      const expected = await plain(request);
      const sent = await moving(marked(request));
      expect(bare(sent)).toEqual(bare(expected));
      expect(JSON.stringify(sent).split('cache_control')).toHaveLength(2);
    }
  });
});

test('how many runs are kept may be said where they are', async () => {
  const onWarning = vi.fn();
  const hook = pi.transformContext({ flush: 'when-it-pays', maxRuns: 1, onWarning });
  const requests = ['one', 'other'].map((task) =>
    requestsOf(formats.find(({ name }) => name === 'pi')!.from(session(task, 4))),
  );
  for (let at = 0; at < 2; at += 1) for (const run of requests) await hook(run[at] as never[]);
  expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'run-forgotten' }));
  expect(thrownBy(() => pi.transformContext({ flush: 'always', maxRuns: 1 })).key).toBe('maxRuns');
  expect(thrownBy(() => aiSdk.prepareStep({ flush: 'never', maxRuns: 1 })).key).toBe('maxRuns');
  expect(thrownBy(() => pi.transformContext({ flush: 'sometimes' as never })).key).toBe('flush');
});
