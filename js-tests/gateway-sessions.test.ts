// What agents send beside a history that grows: each must arrive as the session needs it.
import { createHash } from 'node:crypto';
import { createGateway, type GatewayOptions } from 'densify/gateway';
import { validate } from 'densify/validate';
import { expect, test } from 'vitest';
import { requestOf, session } from './support/gateway.js';

type Message = Record<string, unknown>;
interface Body extends Record<string, unknown> {
  readonly model?: string;
  readonly messages: Message[];
}

/** A gateway of its own, and what reached the provider. */
function gateway(options: GatewayOptions = {}) {
  const sent: Body[] = [];
  const handler = createGateway({
    upstreams: {
      anthropic: 'http://provider.example',
      openai: 'http://provider.example',
      gemini: 'http://provider.example',
    },
    fetch: async (_, { body }) => {
      sent.push(JSON.parse(new TextDecoder().decode(body as Uint8Array)) as Body);
      return Response.json({});
    },
    onWarning: (line) => {
      throw new Error(line);
    },
    ...options,
  });
  return async (body: object, path = '/anthropic/v1/messages', headers: Record<string, string> = {}) => {
    const request = { method: 'POST', body: JSON.stringify(body), headers };
    const answer = await handler(new Request(`http://localhost${path}`, request));
    expect(answer.status).toBe(200);
    await answer.text(); // until then the request is under way
    return sent.at(-1)!;
  };
}

const ends = (messages: readonly unknown[], from = 1) =>
  messages.flatMap((_, at) => (at % 2 === 0 && at >= from ? [at + 1] : []));
const ok = (body: Body, original?: readonly unknown[]) =>
  expect(
    validate(body.messages, { format: 'anthropic', model: body.model, ...(original && { original }) }).findings,
  ).toEqual([]);

/** All requests of a session, one after the other. */
async function grown(send: ReturnType<typeof gateway>, messages: readonly object[], from = 1): Promise<Body[]> {
  const bodies: Body[] = [];
  for (const end of ends(messages, from)) bodies.push(await send(requestOf(messages.slice(0, end))));
  return bodies;
}

test('any instance gives the same bytes: behind a balancer, after a restart', async () => {
  const all = session(60, 80);
  const expected = await grown(gateway(), all);
  const instances = [gateway(), gateway(), gateway()];
  for (const [at, end] of ends(all).entries()) {
    const body = await instances[(at * 7) % 3]!(requestOf(all.slice(0, end)));
    expect(body).toEqual(expected[at]);
  }
  // The last request alone, as the first one that an instance sees.
  expect(await gateway()(requestOf(all))).toEqual(expected.at(-1));
  expect(JSON.stringify(expected.at(-1)).length).toBeLessThan(JSON.stringify(requestOf(all)).length * 0.6);
});

test('what the gateway forgets costs time only: more sessions than it remembers, and more of one first message', async () => {
  const all = session(20);
  const expected = await grown(gateway(), all, 30);
  const send = gateway();
  await grown(send, all, 30);
  // Parallel jobs that begin with the same prompt, in turns.
  const jobs = Array.from({ length: 12 }, (_, job) => [
    all[0]!,
    { role: 'assistant', content: [{ type: 'text', text: `Job ${job}.` }] },
    { role: 'user', content: 'Go on.' },
    ...all.slice(1),
  ]);
  const wanted = await Promise.all(jobs.map((messages) => grown(gateway(), messages, 32)));
  for (const [at, end] of ends(jobs[0]!, 32).entries()) {
    for (const [job, messages] of jobs.entries()) {
      expect(await send(requestOf(messages.slice(0, end)))).toEqual(wanted[job]![at]);
    }
  }
  for (let other = 0; other < 2050; other += 1) await send(requestOf([{ role: 'user', content: `Session ${other}.` }]));
  expect(await grown(send, all, 30)).toEqual(expected);
  expect(JSON.stringify(expected.at(-1)).length).toBeLessThan(JSON.stringify(requestOf(all)).length * 0.8);
});

test('sub-agents, titles and side questions under one id do not disturb the session', async () => {
  const all = session(40);
  const expected = await grown(gateway(), all);
  const send = gateway();
  const headers = { 'x-claude-code-session-id': 'one', 'x-session-id': 'one' };
  const path = '/anthropic/v1/messages';
  const inner = [{ role: 'user', content: 'Look for the tests.' }, ...session(40).slice(1)];
  for (const [at, end] of ends(all).entries()) {
    const messages = all.slice(0, end);
    const title = { ...requestOf([{ role: 'user', content: 'Write a title.' }]), max_tokens: 20 };
    expect(await send(title, path, headers)).toEqual(title);
    const side = {
      ...requestOf([...messages, { role: 'assistant', content: 'x' }, { role: 'user', content: 'Why?' }]),
      model: 'claude-haiku-4-5',
    };
    ok(await send(side, path, headers));
    ok(await send(requestOf(inner.slice(0, end)), path, headers));
    expect(await send(requestOf(messages), path, headers)).toEqual(expected[at]);
  }
});

test('forks: an edited prompt and a rewind go on by themselves, and the session goes on after them', async () => {
  const all = session(40);
  const send = gateway();
  const first = await grown(send, all);
  const [result] = (all[40] as { content: Message[] }).content;
  const prompt = { type: 'text', text: 'No, begin with the tests.' };
  const fork = [...all.slice(0, 40), { role: 'user', content: [result, prompt] }];
  ok(await send(requestOf(fork)));
  expect(await gateway()(requestOf(fork))).toEqual(await send(requestOf(fork)));
  expect(await send(requestOf(all))).toEqual(first.at(-1));
});

test("the host's own compaction begins another history", async () => {
  const all = session(40);
  const send = gateway();
  await grown(send, all);
  const summary = { role: 'user', content: 'This session goes on. Summary: file0 to file2 were read.' };
  const next = [summary, ...session(20).slice(1)];
  const bodies = await grown(send, next);
  expect(bodies).toEqual(await grown(gateway(), next));
  for (const body of bodies) ok(body);
});

test('an old result that the host masks itself: the session goes on as packed as before', async () => {
  const all = session(40);
  for (const masked of [2, 20, 40]) {
    const send = gateway();
    await grown(send, all);
    const list = all.map((message, at) => {
      if (at !== masked) return message;
      const [block] = (message as { content: Message[] }).content;
      return { ...message, content: [{ ...block, content: '<tool_output_masked>' }] };
    });
    const body = await send(requestOf(list));
    ok(body);
    expect(body).toEqual(await gateway()(requestOf(list)));
    const most = await gateway({ optimize: { flush: 'always' } })(requestOf(list));
    expect(JSON.stringify(body).length).toBeLessThan(JSON.stringify(most).length * 1.2);
  }
});

test('breakpoints of the host stay, the last one on the newest message, and the gateway adds one anchor at most', async () => {
  const send = gateway();
  const all = session(40) as Message[];
  const marked = (end: number) =>
    all.slice(0, end).map((message, at): Message => {
      // As Claude Code and opencode mark them: the two newest messages.
      if (at < end - 2 || typeof message.content === 'string') return message;
      const content = (message.content as Message[]).map((block) => ({
        ...block,
        cache_control: { type: 'ephemeral' },
      }));
      return { ...message, content };
    });
  const marks = (value: unknown) => JSON.stringify(value).split('"cache_control"').length - 1;
  const system = [{ type: 'text', text: 'You write.', cache_control: { type: 'ephemeral' } }];
  for (const end of ends(all)) {
    const request = { ...requestOf(marked(end)), system };
    const body = await send(request);
    ok(body);
    expect(marks(body)).toBeLessThanOrEqual(Math.min(4, marks(request) + 1));
    expect(marks(body)).toBeGreaterThanOrEqual(marks(request));
    expect(marks(body.messages.at(-1))).toBe(marks(request.messages.at(-1)));
    // Another instance, which knows nothing of this session, sends the same.
    expect(body).toEqual(await gateway()(request));
  }
});

test('a count is that of what will be sent, and changes nothing', async () => {
  const all = session(40);
  const expected = await grown(gateway(), all);
  const send = gateway();
  for (const [at, end] of ends(all).entries()) {
    const { max_tokens: _, ...counted } = requestOf(all.slice(0, end));
    const body = await send(counted, '/anthropic/v1/messages/count_tokens');
    expect(body.messages).toEqual(expected[at]!.messages);
    expect(await send(requestOf(all.slice(0, end)))).toEqual(expected[at]);
  }
});

test('requests that only warm the cache or ask for a quota pass unchanged', async () => {
  const send = gateway();
  const quota = { model: 'claude-haiku-4-5', max_tokens: 1, messages: [{ role: 'user', content: 'quota' }] };
  expect(await send(quota)).toEqual(quota);
  const all = session(40);
  const expected = await grown(send, all);
  const warm = await send({ ...requestOf(all), max_tokens: 0 });
  expect(warm.messages).toEqual(expected.at(-1)!.messages);
  expect(await send(requestOf(all))).toEqual(expected.at(-1));
});

/** An agent whose provider binds thinking to what it was asked: the signature is a hash of what came before. */
function boundSession() {
  const steps = session(60) as Message[];
  const signed = new Map<string, string>();
  const printOf = (messages: readonly Message[]) =>
    createHash('sha256').update(JSON.stringify(messages)).digest('base64');
  const agent = {
    history: [steps[0]!] as Message[],
    /** Blocks of thinking that arrived where they were made for. */
    checked: 0,
    /** Sends the next requests, and adds an answer to each. */
    async goOn(send: (body: Body) => Promise<Body> | Body, count: number) {
      for (let done = 0; done < count; done += 1) {
        const { history } = agent;
        const thinks = { model: 'claude-opus-5-5', thinking: { type: 'adaptive' } };
        const { messages } = await send({ ...requestOf(history), ...thinks, messages: history });
        for (const [at, { content }] of messages.entries()) {
          if (!Array.isArray(content)) continue;
          for (const { type, signature } of content as Message[]) {
            if (type !== 'thinking') continue;
            expect(printOf(messages.slice(0, at))).toBe(signed.get(signature as string));
            agent.checked += 1;
          }
        }
        const signature = `signature ${signed.size}`;
        signed.set(signature, printOf(messages));
        const step = agent.history.length;
        const [answer, result] = [steps[step]!, steps[step + 1]!] as [Message, Message];
        const thinking = { type: 'thinking', thinking: `Thought ${step}.`, signature };
        const [block] = result.content as Message[];
        // Every third result is one that the intake shortens.
        const content = step % 3 === 0 ? [{ ...block, content: `\u001b[32m${block!.content}\u001b[0m` }] : [block];
        agent.history.push(
          { ...answer, content: [thinking, ...(answer.content as Message[])] },
          { ...result, content },
        );
      }
    },
  };
  return agent;
}

test('bound thinking: each block that stays stands behind the very bytes that it was made for', async () => {
  const agent = boundSession();
  await agent.goOn(gateway(), 40);
  expect(agent.checked).toBeGreaterThan(50);
});

const raw = (body: Body) => body;
test.each<[string, (agent: ReturnType<typeof boundSession>) => Promise<void>]>([
  [
    'a session that began without densify',
    async (agent) => {
      await agent.goOn(raw, 12);
      await agent.goOn(gateway(), 12);
    },
  ],
  [
    'another instance, with other options',
    async (agent) => {
      await agent.goOn(gateway({ optimize: { preset: 'aggressive' } }), 12);
      await agent.goOn(gateway({ optimize: { preset: 'lossless' }, intake: false }), 12);
      await agent.goOn(gateway(), 12);
    },
  ],
  [
    'instances in turns',
    async (agent) => {
      const instances = [gateway(), gateway(), gateway()];
      for (let turn = 0; turn < 24; turn += 1) await agent.goOn(instances[turn % 3]!, 1);
    },
  ],
  [
    'a rewind, and the session after it',
    async (agent) => {
      const send = gateway();
      await agent.goOn(send, 20);
      const { history } = agent;
      agent.history = history.slice(0, 21);
      await agent.goOn(send, 6);
      agent.history = history;
      await agent.goOn(send, 6);
    },
  ],
  [
    'a count and a request that is sent again',
    async (agent) => {
      const send = gateway();
      const thrice = async (body: Body) => {
        const counted = await send(body, '/anthropic/v1/messages/count_tokens');
        await send(body);
        const sent = await send(body);
        expect(sent.messages).toEqual(counted.messages);
        return sent;
      };
      await agent.goOn(thrice, 20);
    },
  ],
])('bound thinking: %s', async (_, act) => {
  const agent = boundSession();
  await act(agent);
  const { checked } = agent;
  // What is sent from here on is known again, and stays.
  await agent.goOn(gateway(), 8);
  expect(agent.checked).toBeGreaterThan(checked + 5);
});

test('system messages in the middle, tool search and parallel calls stay what they are', async () => {
  const send = gateway();
  const all = session(30) as Message[];
  const reminder = { role: 'system', content: 'The user opened file1.ts.' };
  const found = [
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_regex', input: { pattern: 'git' } },
        {
          type: 'tool_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: {
            type: 'tool_search_tool_search_result',
            tool_references: [{ type: 'tool_reference', tool_name: 'git_log' }],
          },
        },
        { type: 'tool_use', id: 'toolu_p1', name: 'Read', input: { file_path: '/w/file0.ts' } },
        { type: 'tool_use', id: 'toolu_p2', name: 'git_log', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_p1', content: 'x'.repeat(4000) },
        { type: 'tool_result', tool_use_id: 'toolu_p2', content: [{ type: 'tool_reference', tool_name: 'git_log' }] },
      ],
    },
  ];
  const messages = [...all.slice(0, 11), reminder, ...found, ...all.slice(11)];
  const tools = [{ name: 'git_log', defer_loading: true, input_schema: { type: 'object' } }];
  let body: Body | undefined;
  for (let end = 15; end <= messages.length; end += 2)
    body = await send({ ...requestOf(messages.slice(0, end)), tools });
  expect(body!.messages).toContainEqual(reminder);
  expect(body!.messages).toContainEqual(found[0]);
  expect(JSON.stringify(body!.messages)).toContain('"tool_use_id":"toolu_p2","content":[{"type":"tool_reference"');
  expect(body!.tools).toEqual(tools);
  expect(JSON.stringify(body).length).toBeLessThan(JSON.stringify({ ...requestOf(messages), tools }).length);
});

test('a new result is shortened before it is sent, and stays the same text in every request', async () => {
  const log = Array.from({ length: 400 }, (_, at) => `test case_${at} ... ok`).join('\n');
  const step = (number: number): Message[] => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `t${number}`, name: 'Bash', input: { command: 'cargo test' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${number}`, content: `run ${number}\n${log}` }] },
  ];
  const all: Message[] = [{ role: 'user', content: 'Test it.' }, ...[0, 1, 2, 3, 4, 5].flatMap(step)];
  const send = gateway({ optimize: { preset: 'lossless' } });
  let before: readonly Message[] = [];
  for (const body of await grown(send, all)) {
    ok(body);
    expect(JSON.stringify(body).length).toBeLessThan(5000);
    expect(body.messages.slice(0, before.length)).toEqual(before);
    before = body.messages;
  }
  expect(await gateway({ optimize: { preset: 'lossless' } })(requestOf(all))).toEqual(await send(requestOf(all)));
  expect(await gateway({ observe: true })(requestOf(all))).toEqual(requestOf(all));
});
