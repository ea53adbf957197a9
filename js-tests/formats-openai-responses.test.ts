// Input items of OpenAI's Responses API, as the SDK has them.
import {
  applySummary,
  compress,
  createOptimizer,
  optimize,
  optimizeRequest,
  type ResponsesItemLike,
  requestSummary,
} from 'densify/openai-responses';
import { repair, validate } from 'densify/validate';
import { describe, expect, test } from 'vitest';
import { goodReply } from './support/replies.js';

type Item = ResponsesItemLike & Record<string, unknown>;

const user = (content: unknown): Item => ({ role: 'user', content });
const said = (content: string): Item => ({
  type: 'message',
  role: 'assistant',
  id: `msg_${content}`,
  status: 'completed',
  content: [{ type: 'output_text', text: content, annotations: [] }],
});
const reasoning = (id: string): Item => ({ type: 'reasoning', id: `rs_${id}`, summary: [], encrypted_content: 'xxxx' });
const call = (id: string, name: string, path: string): Item => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: JSON.stringify({ file_path: path }),
});
const output = (id: string, text: unknown = 'a line of a file\n'.repeat(20)): Item => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
});

describe('optimize', () => {
  test('a stale read goes with its output and the reasoning that led to it', () => {
    const items = [
      user('Rename the function.'),
      reasoning('1'),
      call('a', 'read_file', 'a.ts'),
      output('a'),
      reasoning('2'),
      call('b', 'write_file', 'a.ts'),
      output('b', 'ok'),
      said('Done.'),
    ];
    const before = structuredClone(items);
    const { messages } = optimize(items, { preset: 'seed' });
    expect(messages).toEqual([items[0], ...items.slice(4)]);
    expect(items).toEqual(before);
    messages.slice(1).forEach((item, at) => expect(item).toBe(items[at + 4]));
  });

  test('reasoning that led to words or to other calls too keeps all of them', () => {
    for (const other of [said('I look.'), call('x', 'grep', 'y')]) {
      const items = [
        user('Go.'),
        reasoning('1'),
        other,
        call('a', 'read_file', 'a.ts'),
        ...(other.type === 'message' ? [] : [output('x')]),
        output('a'),
        reasoning('2'),
        call('b', 'write_file', 'a.ts'),
        output('b', 'ok'),
      ];
      const { messages, warnings } = optimize(items, { preset: 'seed' });
      expect(messages).toBe(items);
      expect(warnings).toEqual([{ code: 'edit-held-back', index: 3 }]);
      // Models without reasoning bind nothing.
      expect(optimize(items, { preset: 'seed', model: 'gpt-4.1' }).messages.length).toBe(items.length - 2);
    }
  });

  test('calls of custom tools and of the local shell are calls', () => {
    const items = [
      user('Go.'),
      ...[1, 2, 3].flatMap((n) => [
        { type: 'custom_tool_call', call_id: `c${n}`, name: 'query', input: `select ${n}` },
        { type: 'custom_tool_call_output', call_id: `c${n}`, output: 'a row\n'.repeat(50) },
        { type: 'local_shell_call', call_id: `s${n}`, id: `lsh_${n}`, action: { type: 'exec', command: ['ls'] } },
        { type: 'local_shell_call_output', call_id: `s${n}`, id: `lsh_${n}`, output: 'a file\n'.repeat(50) },
      ]),
    ] as Item[];
    const { messages } = optimize(items, { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } });
    const outputs = messages
      .filter(({ output: text }) => typeof text === 'string')
      .map(({ output: text }) => text as string);
    expect(outputs.map((text) => text.startsWith('[Result pruned'))).toEqual([true, true, true, true, false, false]);
  });

  test('an output of several parts keeps its image', () => {
    const text = { type: 'input_text', text: 'a line\n'.repeat(50) };
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    const items = [
      user('Go.'),
      call('a', 'grep', 'x'),
      output('a', [text, image, text]),
      call('b', 'grep', 'y'),
      output('b'),
    ];
    const { messages } = optimize(items, { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } });
    expect(messages[2]?.output).toEqual([
      { type: 'input_text', text: expect.stringContaining('[Result pruned') as string },
      image,
    ]);
  });

  test('what the provider’s own tools did, approvals and compactions ride along', () => {
    const items = [
      { role: 'developer', content: 'Be brief.' },
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' },
      user('Go.'),
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'x', arguments: '{}', server_label: 'y' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
      { type: 'shell_call', call_id: 'sh', action: { commands: ['ls'] } },
      { type: 'shell_call_output', call_id: 'sh', output: [{ stdout: 'x', stderr: '' }] },
      { type: 'item_reference', id: 'msg_x' },
      null,
      { type: 'function_call', call_id: 5, arguments: '{broken' },
    ] as unknown as Item[];
    expect(optimize(items, { preset: 'seed' }).messages).toBe(items);
  });
});

/** Turns of an agent that reasons, calls twice at once, and answers. */
const turns = (count: number): Item[] =>
  Array.from({ length: count }, (_, n) => [
    user(`Step ${n}, please.`),
    reasoning(`${n}`),
    call(`a${n}`, 'grep', 'x'),
    call(`b${n}`, 'grep', 'y'),
    output(`a${n}`),
    output(`b${n}`),
    reasoning(`${n}+`),
    said(`Step ${n} is done.`),
  ]).flat();

/** Whether every reasoning item is followed by the very item that it was made with, and the other way round. */
function isWhole(items: readonly Item[], original: readonly Item[]): boolean {
  return items.every((item, at) => {
    const next = original[original.indexOf(item) + 1];
    return item.type !== 'reasoning' || items[at + 1] === next;
  });
}

test('no cut parts reasoning from what it led to, or a call from its output', () => {
  const items = turns(12);
  for (let contextLimit = 300; contextLimit < 3_000; contextLimit += 97) {
    for (const strategy of ['top-down-truncation', 'high-density'] as const) {
      const { messages } = compress(items, { strategy, contextLimit });
      expect(isWhole(messages, items), `${strategy}, ${contextLimit}`).toBe(true);
      const calls = messages.filter(({ type }) => type === 'function_call').map(({ call_id: id }) => id);
      const outputs = messages.filter(({ type }) => type === 'function_call_output').map(({ call_id: id }) => id);
      expect(outputs).toEqual(calls);
      const said = messages.filter(({ type }) => type === 'message');
      for (const item of said) expect(messages[messages.indexOf(item) - 1]?.type).toBe('reasoning');
    }
  }
});

test('turn by turn it is the same as at once', () => {
  const items = turns(6);
  const optimizer = createOptimizer<Item>({ preset: 'seed', rules: { recencyPruning: true, recencyRetention: 2 } });
  for (const item of items) {
    optimizer.push(item);
    optimizer.optimize();
  }
  expect(optimizer.optimize().messages).toEqual(
    optimize(items, { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 2 } }).messages,
  );
  optimizer.dispose();
});

test('a summary is items too', () => {
  const items = turns(10);
  const request = requestSummary(items, { strategy: 'middle-out' });
  if (request.kind !== 'request') throw new Error(request.reason);
  for (const item of request.messages) expect(item).toMatchObject({ type: 'message', role: 'user' });
  const applied = applySummary(request, goodReply(request), items);
  if (applied.kind !== 'applied') throw new Error(applied.kind);
  expect(
    isWhole(
      applied.messages.filter((item) => items.includes(item)),
      items,
    ),
  ).toBe(true);
});

describe('reasoning that the provider keeps', () => {
  const reference = (id: string): Item => ({ type: 'item_reference', id: `rs_${id}` });
  const items = [
    user('Rename the function.'),
    ...Array.from({ length: 8 }, (_, at) => [
      reference(String(at)),
      call(String(at), 'grep', `${at}.ts`),
      output(String(at)),
    ]).flat(),
    user('Go on.'),
  ];

  test('stays with what it led to, or goes with it', () => {
    const found = new Set<number>();
    for (let contextLimit = 200; contextLimit < 2_400; contextLimit += 50) {
      const { messages } = compress(items, { strategy: 'top-down-truncation', contextLimit, model: 'gpt-5' });
      found.add(messages.length);
      messages.forEach((item, at) => {
        if (item.type === 'item_reference') expect(messages[at + 1]?.type).toBe('function_call');
      });
      expect(validate(messages, { format: 'openai-responses', model: 'gpt-5' }).findings).toEqual([]);
    }
    expect(found.size).toBeGreaterThan(4);
  });

  test('is missed by the validator where it leads to nothing', () => {
    const lost = [items[0], items[1], items.at(-1)];
    const { findings } = validate(lost, { format: 'openai-responses', model: 'gpt-5' });
    expect(findings.map(({ code }) => code)).toEqual(['reasoning-without-successor']);
  });
});

test('the output of a local shell bears the id of its call, and is no duplicate of it', () => {
  const shell = {
    type: 'local_shell_call',
    id: 'lsh_1',
    call_id: 'c',
    action: { type: 'exec', command: ['ls'], env: {} },
    status: 'completed',
  };
  const items = [
    user('List them.'),
    shell,
    { type: 'local_shell_call_output', id: 'lsh_1', output: 'a', status: 'completed' },
  ];
  const { ok, messages, findings } = repair(items, { format: 'openai-responses', model: 'codex-mini-latest' });
  expect(findings.map(({ code }) => code)).not.toContain('duplicate-id');
  expect(messages).toBe(items);
  expect(ok).toBe(true);
});

test('a request without input of its own comes back as it is', () => {
  const request: { readonly model: string; readonly input?: readonly Item[] } = { model: 'gpt-5' };
  expect(optimizeRequest(request, { preset: 'seed' })).toMatchObject({ changed: false });
  expect(optimizeRequest(request, { preset: 'seed' }).request).toBe(request);
});
