// opencode turns its messages into those of the AI SDK: densify's edits of both must be the same.
import * as prompt from 'densify/ai-sdk/prompt';
import * as ui from 'densify/ai-sdk/ui';
import { optimize, transformContext, transformMessages } from 'densify/opencode';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { history, options } from './support/arbitrary.js';
import { check } from './support/check.js';
import { plain } from './support/formats.js';
import { aiSdkPromptCase, aiSdkUiCase, stepwise } from './support/formats-ai-sdk.js';
import { bagOf, listOf, type Message } from './support/loose.js';
import { frozen } from './support/simulation.js';

/** Messages of a user interface as opencode 1 stores them. */
function stored(messages: readonly Message[]): Message[] {
  return messages.map((message, at) => {
    const { role, parts } = bagOf(message);
    const ids = (number: number) => ({ id: `p${at}_${number}`, sessionID: 's', messageID: `m${at}` });
    return {
      info: { id: `m${at}`, sessionID: 's', role, modelID: 'claude-3-5-haiku', providerID: 'anthropic' },
      parts: listOf(parts).map((given, number) => ({ ...ids(number), ...storedPart(bagOf(given)) })),
    };
  });
}

function storedPart(part: Message): Message {
  const { type, toolCallId, toolName, state, input, output, errorText, url, mediaType } = part;
  if (type === 'file') return { type, url, mime: mediaType };
  if (type !== 'dynamic-tool') return { ...part };
  const time = { start: 0, end: 1 };
  const outcome =
    state === 'output-available'
      ? { status: 'completed', output, title: '', metadata: {} }
      : state === 'output-error'
        ? { status: 'error', error: errorText }
        : { status: 'running' };
  return { type: 'tool', callID: toolCallId, tool: toolName, state: { ...outcome, input, time } };
}

/** What opencode 1 makes of its messages for the AI SDK. */
function shown(messages: readonly unknown[]): Message[] {
  return messages.map((message, at) => {
    const { info, parts } = bagOf(message);
    return { id: `m${at}`, role: bagOf(info).role, parts: listOf(parts).map((part) => shownPart(bagOf(part))) };
  });
}

function shownPart(part: Message): Message {
  const { type, text, url, mime, callID, tool } = part;
  if (type === 'text' || type === 'reasoning') return { type, text };
  if (type === 'file') return { type, url, mediaType: mime };
  if (type !== 'tool') return { type };
  const { status, input, output, error } = bagOf(part.state);
  const call = { type: 'dynamic-tool', toolCallId: callID, toolName: tool, input };
  if (status === 'completed') return { ...call, state: 'output-available', output };
  return status === 'error'
    ? { ...call, state: 'output-error', errorText: error }
    : { ...call, state: 'output-denied' };
}

const presets = fc.constantFrom(
  {},
  { preset: 'lossless' },
  { preset: 'aggressive', flush: 'always' },
  { flush: 'always' },
);
const target = { model: 'claude-3-5-haiku' };

describe('opencode 1', () => {
  test('gets what the AI SDK would get', () => {
    let changed = 0;
    check(
      600,
      fc.property(history(12), options, presets, (entries, given, preset) => {
        const messages = frozen(stored(aiSdkUiCase.from(stepwise(plain(entries, true)))));
        const settings = { ...given, ...preset, ...target } as never;
        const found = optimize(messages as never, settings).messages as readonly unknown[];
        const seen = shown(messages);
        const expected = ui.optimize(seen as never, settings).messages as readonly unknown[];
        expect(shown(found)).toEqual(shownAgain(expected));
        found.forEach((message, at) => {
          if (expected[at] === seen[at]) expect(message).toBe(messages[at]);
          else changed += 1;
        });
      }),
    );
    expect(changed).toBeGreaterThan(100);
  });

  const long = Array.from({ length: 120 }, (_, at) => `${at + 1}\tconst value_${at} = ${at * 7919};`).join('\n');
  /** A file is read twice, so the first result says nothing more. */
  const read = (id: string, state: object): Message => ({
    info: { id: `m${id}`, sessionID: 's', role: 'assistant' },
    parts: [
      { id: `${id}1`, sessionID: 's', messageID: `m${id}`, type: 'step-start' },
      {
        id: `${id}2`,
        sessionID: 's',
        messageID: `m${id}`,
        type: 'tool',
        callID: id,
        tool: 'read',
        state: { status: 'completed', input: { filePath: '/w/a.ts' }, output: long, title: '', metadata: {}, ...state },
      },
    ],
  });
  const asked = { info: { id: 'm0', sessionID: 's', role: 'user' }, parts: [{ id: 'p', type: 'text', text: 'Read.' }] };
  const first = (state: object, later: object = { time: {} }) => {
    const { messages } = optimize([asked, read('a', state), read('b', later)] as never, { flush: 'always' });
    return bagOf(listOf(bagOf(messages[1]).parts)[1]).state as Message;
  };

  test('a text in the place of a result stands for its files, too', () => {
    const attachments = [{ type: 'file', mime: 'image/png', url: `data:image/png;base64,${'A'.repeat(9000)}` }];
    const state = { time: { start: 0, end: 1 }, attachments };
    const { output, attachments: left } = first(state, state);
    expect(output).not.toBe(long);
    expect(left).toEqual([]);
    // A result without the files doesn't show them again.
    expect(first(state)).toMatchObject({ output: long, attachments });
  });

  test('a result that opencode cleared is not edited', () => {
    const time = { start: 0, end: 1, compacted: 2 };
    expect(first({ time })).toMatchObject({ output: long, time });
  });

  test('what a stopped command had printed is edited where it stands', () => {
    const metadata = { interrupted: true, output: long };
    const { metadata: edited, error } = first({ status: 'error', error: 'stopped', metadata });
    expect(error).toBe('stopped');
    expect(bagOf(edited).interrupted).toBe(true);
  });

  test('an answer that failed is left alone', () => {
    const failed = { ...read('a', {}), info: { id: 'ma', role: 'assistant', error: { name: 'APIError' } } };
    const { messages } = optimize([asked, failed, read('b', {})] as never, { flush: 'always' });
    expect(messages[1]).toBe(failed);
  });

  test('the hook changes the list that it was given, and goes by the model that the user asks', async () => {
    const messages = [
      { ...asked, info: { ...asked.info, model: { modelID: 'claude-3-5-haiku', providerID: 'anthropic' } } },
      read('a', { time: {} }),
      read('b', { time: {} }),
    ];
    const given = [...messages];
    const onWarning = vi.fn();
    const transform = transformMessages({ flush: 'always', onWarning });
    await transform({}, { messages: given as never });
    expect(given).toHaveLength(3);
    expect(given[1]).not.toBe(messages[1]);
    expect(given[2]).toBe(messages[2]);
    const odd = [null, 1, { parts: 'x' }];
    await transform({}, { messages: odd as never });
    expect(odd).toEqual([null, 1, { parts: 'x' }]);
    expect(onWarning).not.toHaveBeenCalled();
    expect(() => transformMessages({ unknown: 1 } as never)).toThrow(/unknown/);
  });
});

/** The same without what opencode has no place for. */
const shownAgain = (messages: readonly unknown[]): Message[] =>
  messages.map((message, at) => {
    const { role, parts } = bagOf(message);
    return { id: `m${at}`, role, parts: listOf(parts) as Message[] };
  });

describe('opencode 2', () => {
  class Class {}

  /** The parts of a prompt in opencode's words. */
  const part = (given: unknown): Message => {
    const {
      type,
      toolCallId: id,
      toolName: name,
      output,
      input,
      providerOptions,
      data,
      mediaType,
      text,
    } = bagOf(given);
    const metadata = providerOptions === undefined ? {} : { providerMetadata: providerOptions };
    if (type === 'file') return { type: 'media', data, mediaType };
    if (type === 'tool-call') return { type, id, name, input, ...metadata };
    if (type !== 'tool-result') return { type, text, ...metadata };
    const { type: kind, value } = bagOf(output);
    return { type, id, name, result: { type: kind === 'error-text' ? 'error' : kind, value }, ...metadata };
  };
  const inOpencode = (messages: readonly unknown[]): Message[] =>
    messages.map((message) => {
      const { role, content } = bagOf(message);
      return Object.assign(new Class(), { role, content: listOf(content).map(part) }) as unknown as Message;
    });

  test('gets what the AI SDK would get, in messages of its own class', async () => {
    let changed = 0;
    const cases = fc.array(history(12), { minLength: 60, maxLength: 60 });
    for (const entries of fc.sample(cases, { numRuns: 1, seed: 7 })[0]!) {
      const prompts = aiSdkPromptCase.from(plain(entries, true)) as readonly Message[];
      const settings = { flush: 'always', ...target } as const;
      const expected = prompt.optimize(prompts as never, settings).messages as readonly unknown[];
      const messages = inOpencode(prompts);
      await transformContext(settings)({ messages: messages as never });
      expect(JSON.parse(JSON.stringify(messages))).toEqual(JSON.parse(JSON.stringify(inOpencode(expected))));
      for (const message of messages) expect(message).toBeInstanceOf(Class);
      if (expected.some((message, at) => message !== prompts[at])) changed += 1;
    }
    expect(changed).toBeGreaterThan(5);
  });
});
