// What requests cost behind a provider's cache: hooks must not lose it, whatever their hosts do with messages and breakpoints.
import type { IContent } from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import * as openai from 'densify/openai';
import { pricesOf } from 'densify/replay';
import { describe, expect, test } from 'vitest';
import { formatOf, requestsOf as laterRequestsOf } from './support/hooks.js';
import type { Message } from './support/loose.js';
import { exchange, lines } from './support/work.js';

const MODEL = 'claude-sonnet-4-5';
/** What requests may cost at any moment. By the estimate of densify, whose tokens are not those of this test, it is 1.02. */
const MOST = 1.08;
const LOOK_BACK = 20;
const MARK = { cache_control: { type: 'ephemeral' } };

const bare = (value: unknown) =>
  JSON.stringify(value, (key, part: unknown) =>
    key === 'cache_control' || key === 'providerOptions' ? undefined : part,
  );
const isMarked = (block: unknown) => /"cache_?control":/i.test(JSON.stringify(block));

/** A request's blocks: what stands before the messages, then the blocks of each. */
function blocksOf(ahead: string, messages: readonly Message[]): readonly unknown[] {
  const parts = messages.flatMap(({ content, ...about }) => {
    const list: readonly unknown[] = Array.isArray(content) ? content : [content];
    return list.map((part, at) => (at === list.length - 1 ? { ...about, part } : { part }));
  });
  return [ahead, ...parts];
}

/** Anthropic's cache: what stands before a breakpoint is kept, and found at one or up to 20 blocks before. */
class Cache {
  readonly #kept = new Set<string>();
  dollars = 0;

  send(ahead: string, messages: readonly Message[], isAutomatic: boolean): void {
    const { cached, write } = pricesOf(MODEL);
    const blocks = blocksOf(ahead, messages);
    let text = '';
    const ends = blocks.map((block) => (text += bare(block)));
    const marks = blocks.flatMap((block, at) =>
      isMarked(block) || (isAutomatic && at === blocks.length - 1) ? [at] : [],
    );
    expect(marks.length).toBeLessThanOrEqual(4);
    const isKept = (at: number) => at >= 0 && this.#kept.has(ends[at]!);
    const found = marks
      .flatMap((mark) => Array.from({ length: LOOK_BACK + 1 }, (_, back) => mark - back))
      .filter(isKept);
    const held = found.length === 0 ? 0 : ends[Math.max(...found)]!.length;
    const end = marks.length === 0 ? 0 : ends[marks.at(-1)!]!.length;
    // What no breakpoint covers costs the plain price; here that is nearly nothing.
    this.dollars +=
      (held * cached + (Math.max(end, held) - held) * write + (text.length - Math.max(end, held)) * write) / 4e6;
    for (const mark of marks) this.#kept.add(ends[mark]!);
  }
}

/** Sends requests with and without densify, and returns the ratios of what both cost so far. */
class Bills {
  readonly #without = new Cache();
  readonly #with = new Cache();
  readonly ratios: number[] = [];

  add(ahead: string, given: readonly Message[], sent: readonly Message[], isAutomatic = false): void {
    this.#without.send(ahead, given, isAutomatic);
    this.#with.send(ahead, sent, isAutomatic);
    this.ratios.push(this.#with.dollars / this.#without.dollars);
  }

  check(): void {
    expect(Math.max(...this.ratios)).toBeLessThanOrEqual(MOST);
    expect(this.ratios.at(-1)).toBeLessThan(1);
  }
}

const SYSTEM = 'You are a coding agent. '.repeat(400);

const withText = (message: Message, text: string): Message => ({
  ...message,
  content: [...(message.content as Message[]), { type: 'text', text }],
});

/** Messages whose last block has a breakpoint. */
const marked = (messages: readonly Message[]): Message[] =>
  messages.map((message, at) => {
    if (at !== messages.length - 1) return message;
    const content = Array.isArray(message.content)
      ? (message.content as object[])
      : [{ type: 'text', text: message.content }];
    return {
      ...message,
      content: content.map((block, place) => (place < content.length - 1 ? block : { ...block, ...MARK })),
    };
  });

/** A session with reads, edits and long output. */
function session(task: string, turns = 60): IContent[] {
  const history: IContent[] = [{ speaker: 'human', blocks: [{ type: 'text', text: task }] }];
  for (let at = 0; at < turns; at += 1) {
    const [id, path] = [`${task}${at}`, `/src/f${at % 9}.ts`];
    const text = lines(`${task}${at % 2 === 0 ? at : at % 9}`, 0, 60 + 37 * (at % 4)).join('\n');
    if (at % 2 === 0) history.push(...exchange(id, 'bash', { command: `make ${at}` }, text));
    else if (at % 6 === 1)
      history.push(...exchange(id, 'edit_file', { path, old_string: `a${at}`, new_string: `b${at}` }, 'ok'));
    else history.push(...exchange(id, 'read_file', { path }, text));
  }
  return history;
}

/** Densify takes it that a history's first message was sent alone, as agents do. */
const requestsOf = (messages: readonly Message[]): Message[][] => [messages.slice(0, 1), ...laterRequestsOf(messages)];

const requests = (task = 'one', turns = 60) => requestsOf(formatOf({ format: 'anthropic' }).from(session(task, turns)));

/** Anthropic's hook: what it sends of a body. */
function middleware(options?: Parameters<typeof anthropic.middleware>[0]) {
  const hook = anthropic.middleware(options);
  return async (body: object): Promise<readonly Message[]> => {
    const request = { url: 'https://x/v1/messages', body: JSON.stringify({ model: MODEL, max_tokens: 9, ...body }) };
    return (JSON.parse((await hook(request, async (sent) => sent)).body) as { messages: Message[] }).messages;
  };
}

describe('hosts that change the newest message', () => {
  const system = [{ type: 'text', text: SYSTEM, ...MARK }];

  test('a reminder stands on the newest message only', async () => {
    const send = middleware();
    const bills = new Bills();
    for (const [at, messages] of requests().entries()) {
      const last = withText(messages.at(-1)!, `<system-reminder>step ${at}</system-reminder>`);
      const given = marked([...messages.slice(0, -1), last]);
      bills.add(bare(system), given, await send({ system, messages: given }));
    }
    bills.check();
  });

  test.each([
    ['each time', 1],
    ['every eighth time', 8],
  ])('what the host knows stands on the first message, and changes %s', async (_, every) => {
    const send = middleware();
    const bills = new Bills();
    for (const [at, messages] of requests().entries()) {
      const first = withText(messages[0]!, `<git-status>${Math.floor(at / every)}</git-status>`);
      const given = marked([first, ...messages.slice(1)]);
      bills.add(bare(system), given, await send({ system, messages: given }));
    }
    bills.check();
    // What must be sent anew costs nothing more if it is shorter.
    expect(bills.ratios.at(-1)).toBeLessThan(0.65);
  });

  test("an earlier message is changed, too far from the end for the host's own breakpoint", async () => {
    const send = middleware();
    const bills = new Bills();
    for (const [at, messages] of requests('far').entries()) {
      const changed = 10 * Math.floor(at / 5);
      const given = marked(
        messages.map((message, place) =>
          place === changed && Array.isArray(message.content) ? withText(message, '<note>changed</note>') : message,
        ),
      );
      const sent = await send({ system, messages: given });
      bills.add(bare(system), given, sent);
      // The cache is still good up to here.
      const isMovedOn = at % 5 === 0 && at > 15;
      if (isMovedOn) expect(sent.slice(0, changed).some(isMarked), `request ${at}`).toBe(true);
    }
    bills.check();
  });

  test('a side question follows each request', async () => {
    const send = middleware();
    const bills = new Bills();
    for (const messages of requests()) {
      const side = withText(messages.at(-1)!, 'Suggest what the user may say next.');
      for (const given of [marked(messages), marked([...messages.slice(0, -1), side])])
        bills.add(bare(system), given, await send({ system, messages: given }));
    }
    bills.check();
  });
});

describe('sessions that begin alike', () => {
  // Each request of a session reaches another instance, which knows only some of its requests.
  test.each([
    [1, 4],
    [3, 4],
    [8, 8],
  ])('%i instances, %i sessions', async (instances, sessions) => {
    const { from } = formatOf({ format: 'ai-sdk/prompt' });
    const hooks = Array.from({ length: instances }, () => aiSdk.middleware());
    const model = { modelId: MODEL, provider: 'anthropic.messages' };
    const all = Array.from({ length: sessions }, (_, at) => requestsOf(from(session(`task ${at}`, 60))));
    const bills = all.map(() => new Bills());
    let count = 0;
    for (let turn = 0; turn < all[0]!.length; turn += 1) {
      for (const [at, each] of all.entries()) {
        const first = { role: 'system', content: SYSTEM };
        const list = each[turn]!;
        const last = { ...list.at(-1)!, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
        const prompt = [first, ...list.slice(0, -1), last] as Message[];
        const params = { prompt: prompt as never[] };
        const made = await hooks[(count += 1) % instances]!.transformParams({ params, model } as never);
        bills[at]!.add('', prompt, made.prompt as readonly object[] as readonly Message[]);
      }
    }
    for (const bill of bills) bill.check();
  });
});

describe('what the cache keeps', () => {
  test('Claude through Chat Completions, with breakpoints as OpenRouter has them', () => {
    const bills = new Bills();
    const { from } = formatOf({ format: 'openai' });
    for (const messages of requestsOf(from(session('one', 60)))) {
      const given = marked([{ role: 'system', content: SYSTEM } as Message, ...messages]);
      const { request } = openai.optimizeRequest({ model: 'anthropic/claude-sonnet-4.5', messages: given } as never);
      bills.add('', given, (request as { messages: Message[] }).messages);
    }
    bills.check();
  });

  test.each([
    ['optimizeRequest', 'by itself'],
    ['middleware', 'by itself'],
    ['optimizeRequest', 'on the newest message'],
    ['middleware', 'on the newest message'],
  ])('%s, a breakpoint %s: none on the system prompt and the tools', async (door, where) => {
    const send = middleware();
    const bills = new Bills();
    const tools = Array.from({ length: 20 }, (_, at) => ({ name: `tool${at}`, description: SYSTEM.slice(0, 3000) }));
    const system = SYSTEM.repeat(3);
    const isAutomatic = where === 'by itself';
    for (const messages of requests()) {
      const given = isAutomatic ? messages : marked(messages);
      const body = { model: MODEL, max_tokens: 9, system, tools, ...(isAutomatic ? MARK : {}), messages: given };
      const sent =
        door === 'middleware'
          ? await send(body)
          : (anthropic.optimizeRequest(body as never).request as { messages: Message[] }).messages;
      bills.add(bare([tools, system]), given, sent, isAutomatic);
    }
    bills.check();
  });

  test('an optimizer sees no system prompt, so it takes one without a breakpoint into account', () => {
    const bills = new Bills();
    using optimizer = anthropic.createOptimizer({ model: MODEL });
    for (const messages of requests())
      bills.add(SYSTEM.repeat(2), messages, optimizer.optimize(messages as never[]).messages as never[], true);
    expect(Math.max(...bills.ratios)).toBeLessThanOrEqual(1.05);
    expect(bills.ratios.at(-1)).toBeLessThan(0.9);
  });

  // Agents set the breakpoint on the newest message, so each request has the one before with one breakpoint less.
  test.each(['high-density', 'auto'] as const)(
    'a hook with a conversation saves what one without saves: %s',
    async (strategy) => {
      const system = [{ type: 'text', text: SYSTEM, ...MARK }];
      const plain = middleware();
      let made = 0;
      const conversation = (target: object) => {
        made += 1;
        return anthropic.createConversation({
          strategy,
          contextLimit: 1_000_000,
          overhead: 9_000,
          reserve: 9_000,
          intake: false,
          ...target,
        });
      };
      const held = middleware({ conversation, summarize: async () => 'none' });
      const [bills, others] = [new Bills(), new Bills()];
      for (const messages of requests()) {
        const given = marked(messages);
        bills.add(bare(system), given, await held({ system, messages: given }));
        others.add(bare(system), given, await plain({ system, messages: given }));
      }
      bills.check();
      expect(made).toBe(1);
      expect(bills.ratios.at(-1)).toBeCloseTo(others.ratios.at(-1)!, 2);
    },
  );
});
