// Sessions of every API through the gateway: what was sent stays between flushes, and any instance sends the same bytes.
import type { IContent } from 'densify';
import { createGateway } from 'densify/gateway';
import { validate } from 'densify/validate';
import { expect, test } from 'vitest';
import { formats } from './support/formats.js';

/** Bodies as they reach the provider, from a gateway that knows no session. */
function gateway() {
  let sent = '';
  const handler = createGateway({
    // Anthropic's requests here have no breakpoint: by default nothing would wait for a flush.
    optimize: { flush: 'when-it-pays' },
    fetch: async (_, { body }) => {
      sent = new TextDecoder().decode(body as Uint8Array);
      return Response.json({});
    },
    onWarning: (line) => {
      throw new Error(line);
    },
  });
  return async (path: string, body: string) => {
    expect((await handler(new Request(`http://x${path}`, { method: 'POST', body }))).status).toBe(200);
    return sent;
  };
}

/** A session in which few files are read again and again. */
function history(steps: number): IContent[] {
  const user: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'Please refactor the project.' }] };
  const reads = Array.from({ length: steps }, (_, step): IContent[] => {
    const file = step % 3;
    const id = `call_${step}`;
    const lines = Array.from({ length: 60 }, (_, at) => `${at + 1}\tconst value${file}_${at} = ${at * 7919};`);
    const result = lines.join('\n');
    return [
      {
        speaker: 'ai',
        blocks: [{ type: 'tool_call', id, name: 'Read', parameters: { file_path: `/w/file${file}.ts` } }],
      },
      { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: 'Read', result }] },
    ];
  });
  return [user, ...reads.flat()];
}

/** Bodies of Gemini in the wrappers of some endpoints. */
const WRAPPERS = {
  counted: (contents: readonly unknown[]) => ({ generateContentRequest: { model: 'models/gemini-2.5-pro', contents } }),
  codeAssist: (contents: readonly unknown[]) => ({
    model: 'gemini-2.5-pro',
    project: 'p',
    request: { session_id: 's', contents },
  }),
};

test.each([
  ['an input_tokens', 'openai-responses', '/openai/v1/responses/input_tokens', undefined, 'input', 'gpt-5.2-codex'],
  [
    'a countTokens',
    'gemini',
    '/gemini/v1beta/models/gemini-2.5-pro:countTokens',
    undefined,
    'contents',
    'gemini-2.5-pro',
  ],
  [
    'a countTokens',
    'gemini',
    '/gemini/v1beta/models/gemini-2.5-pro:countTokens',
    'counted',
    'contents',
    'gemini-2.5-pro',
  ],
  [
    'Code Assist',
    'gemini',
    '/code-assist/v1internal:streamGenerateContent',
    'codeAssist',
    'contents',
    'gemini-2.5-pro',
  ],
  ['Code Assist', 'gemini', '/code-assist/v1internal:countTokens', 'codeAssist', 'contents', 'gemini-2.5-pro'],
] as const)('%s request holds the list of the call itself (%s at %s)', async (_, format, path, wrapper, key, model) => {
  const { from } = formats.find(({ name }) => name === format)!;
  const all = from(history(12));
  const of = wrapper === undefined ? (list: readonly unknown[]) => ({ model, [key]: list }) : WRAPPERS[wrapper];
  const send = gateway();
  const call = gateway();
  let changes = 0;
  for (let end = 1; end <= all.length; end += 4) {
    const raw = JSON.stringify(of(all.slice(0, end)), null, 1);
    const sent = JSON.parse(await send(path, raw)) as object;
    const [callPath, body] =
      format === 'gemini'
        ? ['/gemini/v1beta/models/gemini-2.5-pro:generateContent', { contents: all.slice(0, end) }]
        : ['/openai/v1/responses', { model, input: all.slice(0, end) }];
    const expected = (JSON.parse(await call(callPath, JSON.stringify(body))) as Record<string, unknown[]>)[key]!;
    expect(sent).toEqual(of(expected));
    if (JSON.stringify(sent) !== JSON.stringify(JSON.parse(raw))) changes += 1;
  }
  expect(changes).toBeGreaterThan(2);
});

test.each([
  ['anthropic', '/anthropic/v1/messages', 'messages', 'claude-opus-4-8'],
  ['openai', '/openai/v1/chat/completions', 'messages', 'gpt-5.2'],
  ['openai-responses', '/openai/v1/responses', 'input', 'gpt-5.2-codex'],
  ['openai-responses', '/openai/v1/responses/compact', 'input', 'gpt-5.2-codex'],
  ['gemini', '/gemini/v1beta/models/gemini-2.5-pro:streamGenerateContent', 'contents', 'gemini-2.5-pro'],
] as const)('%s at %s', async (format, path, key, model) => {
  const { from, verbs } = formats.find(({ name }) => name === format)!;
  const all = from(history(40));
  const handle = verbs.createOptimizer({ flush: 'when-it-pays', model } as object);
  const [first, second] = [gateway(), gateway()];
  const requestOf = (messages: readonly unknown[]) =>
    JSON.stringify({ ...(format === 'gemini' ? {} : { model }), [key]: messages });
  let before: readonly unknown[] = [];
  let flushes = 0;
  let raw = '';
  for (let end = 1; end <= all.length; end += 2) {
    const messages = all.slice(0, end);
    raw = requestOf(messages);
    const body = await first(path, raw);
    const { [key]: sent = [] } = JSON.parse(body) as Record<string, unknown[]>;
    const result = handle.optimize(messages as never);
    expect(body).toBe(requestOf(result.messages));
    expect(validate(sent as never, { format, model }).findings).toEqual([]);
    if (result.flush === undefined) expect(sent.slice(0, before.length)).toEqual(before);
    else flushes += 1;
    before = sent;
    // One that sees every second request, and one that sees the session for the first time.
    if (end % 4 === 1) expect(await second(path, raw)).toBe(body);
    if (end % 16 === 1) expect(await gateway()(path, raw)).toBe(body);
  }
  expect(flushes).toBeGreaterThan(1);
  expect(flushes).toBeLessThan(all.length / 4);
  expect(JSON.stringify(before).length).toBeLessThan(0.6 * raw.length);
});
