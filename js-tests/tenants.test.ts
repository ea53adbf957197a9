// Tenants: summaries and conversations on instances of their own.
import { applySummary, createDensify, digest, redact, requestSummary, shrinkResults } from 'densify';
import { expect, test } from 'vitest';
import { answer, json, options, turns } from './support/conversing.js';
import { goodReply } from './support/replies.js';
import { ai, call, response, tool } from './support/say.js';

test('a tenant plans and applies summaries as the functions do', () => {
  using tenant = createDensify();
  const messages = turns(8);
  const asked = { strategy: 'one-shot' } as const;
  const request = tenant.requestSummary(messages, asked);
  if (request.kind !== 'request') throw new Error(request.reason);
  expect(json(request)).toBe(json(requestSummary(messages, asked)));
  const reply = goodReply(request);
  expect(json(tenant.applySummary(request, reply, messages))).toBe(json(applySummary(request, reply, messages)));
  expect(tenant.verifySummary(reply, messages, asked)).toEqual({ ok: true, findings: [] });
  expect(tenant.verifySummary('', messages, asked).ok).toBe(false);
});

test('a tenant makes digests and shrinks results as the functions do, on instances of its own', () => {
  const tenant = createDensify();
  const messages = turns(40);
  expect(json(tenant.digest(messages))).toBe(json(digest(messages)));
  expect(tenant.digest(messages).kind).toBe('applied');
  const before = tenant.memoryBytes();
  const output = [ai(call('c', 'bash')), tool(response('c', 'bash', '\u001b[31mred\u001b[0m\n'.repeat(9)))];
  const shrunk = tenant.shrinkResults(output);
  expect(shrunk).toEqual(shrinkResults(output));
  expect(shrunk.reducers).toContain('escapes');
  expect(tenant.memoryBytes()).toBeGreaterThan(before);
  tenant[Symbol.dispose]();
  expect(tenant.memoryBytes()).toBe(0);
  expect(tenant.shrinkResults(output)).toEqual(shrunk);
});

test('its conversations live on its instances alone', async () => {
  redact('the shared instance');
  const tenant = createDensify();
  expect(tenant.memoryBytes()).toBe(0);
  const conversation = tenant.createConversation(options);
  conversation.addAll(turns(24));
  expect((await conversation.prepare({ summarize: answer })).kind).toBe('ready');
  expect(conversation.stats.summaries).toBe(1);
  expect(tenant.memoryBytes()).toBeGreaterThan(1_000_000);
  const stored = JSON.parse(json(conversation.snapshot())) as ReturnType<typeof conversation.snapshot>;
  const again = tenant.restoreConversation(stored, conversation.raw, options);
  expect(again.messages).toEqual(conversation.messages);
  // What lives on makes itself new instances.
  tenant[Symbol.dispose]();
  expect(tenant.memoryBytes()).toBe(0);
  again.addAll(turns(24, 100));
  expect(again.beforeSend().kind).toBe('summarize');
  expect(conversation.messages.length).toBeGreaterThan(1);
});
