// The endpoint, the faults in front of it and the client, with an engine that needs no model.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, test } from 'node:test';
import { complete, endpointOf } from './client.mjs';
import { createEndpoint } from './endpoint.mjs';
import { startFaultProxy } from './fault-proxy.mjs';

const MESSAGES = [{ role: 'user', content: 'ping' }];
let server;
let proxy;
let endpoint;
let calls;

/** Answers with the last message's text, a word at a time. */
const echo = {
  async reply(messages, { maxTokens, signal, onText }) {
    calls.push({ messages, maxTokens, signal });
    const { content } = messages.at(-1);
    if (content === 'too long') throw Object.assign(new Error('does not fit'), { name: 'WindowError' });
    if (content === 'wait') await once(signal, 'abort');
    for (const word of content.split(/(?<= )/)) onText?.(word);
    return { text: content, finishReason: 'stop', usage: { prompt_tokens: 1, completion_tokens: 1 } };
  },
};

before(async () => {
  server = createEndpoint(echo, 'echo').listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream = { url: `http://127.0.0.1:${server.address().port}/v1` };
  proxy = await startFaultProxy(() => upstream);
  endpoint = { url: proxy.url, model: 'echo' };
});
beforeEach(() => (calls = []));
after(async () => {
  await proxy.down();
  server.closeAllConnections();
  server.close();
});

const failure = (kind) => (error) => {
  assert.equal(error.kind, kind, error.message);
  return true;
};

for (const stream of [false, true]) {
  const mode = stream ? 'streamed' : 'at once';
  test(`a reply, ${mode}`, async () => {
    const messages = [...MESSAGES, { role: 'user', content: [{ type: 'text', text: 'pong – “ünïcode” 🌱' }] }];
    const reply = await complete(endpoint, messages, { stream, maxTokens: 9 });
    assert.deepEqual(reply, { text: 'pong – “ünïcode” 🌱', finishReason: 'stop' });
    assert.equal(calls[0].maxTokens, 9);
  });

  test(`calls become text, ${mode}`, async () => {
    const call = { id: '1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } };
    const { text } = await complete(endpoint, [{ role: 'assistant', content: null, tool_calls: [call] }], { stream });
    assert.equal(text, 'read({"path":"a"})');
  });

  for (const [fault, kind] of [
    [{ kind: 'status', status: 500 }, 'status'],
    [{ kind: 'reset' }, 'connection'],
    [{ kind: 'die' }, 'connection'],
  ])
    test(`${fault.kind}, ${mode}: an error, and the next call works`, async () => {
      proxy.inject(fault);
      await assert.rejects(complete(endpoint, MESSAGES, { stream }), failure(kind));
      assert.equal(calls.length, 0);
      assert.equal((await complete(endpoint, MESSAGES, { stream })).text, 'ping');
    });

  test(`made-up replies, ${mode}`, async () => {
    const texts = {
      empty: '',
      blank: ' \n\t\n ',
      chatter: /^Sure!/,
      'tool-call': /^<tool_call>/,
      'cut-off': /the tests$/,
    };
    for (const [kind, expected] of Object.entries(texts)) {
      const { text, finishReason } = await complete(endpoint, MESSAGES, { stream, fault: kind });
      assert.match(text, expected instanceof RegExp ? expected : new RegExp(`^${expected}$`));
      assert.equal(finishReason, kind === 'cut-off' ? 'length' : 'stop');
    }
    proxy.inject({ kind: 'reply', text: 'as told' });
    assert.equal((await complete(endpoint, MESSAGES, { stream })).text, 'as told');
    assert.equal(calls.length, 0);
  });

  test(`cancelled and late, ${mode}: the engine stops as well`, async () => {
    const wait = [{ role: 'user', content: 'wait' }];
    await assert.rejects(complete(endpoint, wait, { stream, timeout: 100 }), failure('timeout'));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    await assert.rejects(complete(endpoint, wait, { stream, signal: controller.signal }), failure('aborted'));
    proxy.inject({ kind: 'hang' });
    await assert.rejects(complete(endpoint, MESSAGES, { stream, timeout: 100 }), failure('timeout'));
    proxy.inject({ kind: 'delay', ms: 50 });
    assert.equal((await complete(endpoint, MESSAGES, { stream })).text, 'ping');
    assert.ok(calls.slice(0, 2).every(({ signal }) => signal.aborted));
  });
}

test('no JSON, no messages, too long', async () => {
  await assert.rejects(complete(endpoint, MESSAGES, { fault: 'html' }), failure('protocol'));
  await assert.rejects(complete(endpoint, []), failure('status'));
  await assert.rejects(complete(endpoint, [{ role: 'user', content: 'too long' }]), /context_length_exceeded/);
});

test('a server that goes and comes back', async () => {
  await proxy.down();
  await assert.rejects(complete(endpoint, MESSAGES), failure('connection'));
  await proxy.up();
  assert.equal((await complete(endpoint, MESSAGES)).text, 'ping');
});

test('the endpoint that the environment names', () => {
  assert.equal(endpointOf({}), undefined);
  assert.throws(() => endpointOf({ DENSIFY_LLM_URL: 'http://x/v1' }), /DENSIFY_LLM_MODEL/);
  const env = { DENSIFY_LLM_URL: 'http://x/v1/chat/completions/', DENSIFY_LLM_KEY: 'k', DENSIFY_LLM_MODEL: 'm' };
  assert.deepEqual(endpointOf(env), { url: 'http://x/v1', key: 'k', model: 'm' });
});
