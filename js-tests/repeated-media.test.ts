// Images and files that come again, in every format that holds them.

import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { optimize } from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as aiSdkUi from 'densify/ai-sdk/ui';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as langchain from 'densify/langchain';
import * as openai from 'densify/openai';
import * as agents from 'densify/openai-agents';
import * as responses from 'densify/openai-responses';
import * as pi from 'densify/pi';
import { type MessageFormat, validate } from 'densify/validate';
import { describe, expect, test } from 'vitest';

const IMAGE = '[… the same image: again later]';
const FILE = '[… the same file: again later]';
const BYTES = 'QUJD'.repeat(400);
const OTHER = 'QUJE'.repeat(400);
const URL_OF = (data: string): string => `data:image/png;base64,${data}`;

/** A format: an image from the user, and an exchange with a tool whose result is a text and an image. */
interface Case {
  readonly name: string;
  readonly optimize: (messages: readonly never[], options?: object) => { readonly messages: readonly unknown[] };
  readonly shown: (data: string) => object;
  readonly given: (id: string, data: string) => readonly object[];
  readonly answer: object;
  /** The replacement of an image in a result, and in a user message; none if the image stays. */
  readonly inShown: object;
  readonly inGiven?: object;
}

const imageOf = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const text = (words: string) => ({ type: 'text', text: words });

const CASES: readonly Case[] = [
  {
    name: 'neutral',
    optimize,
    shown: (data) => ({ speaker: 'human', blocks: [text('See'), mediaOf(data)] }),
    given: (id, data) => [
      { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'screenshot', parameters: {} }] },
      {
        speaker: 'tool',
        blocks: [{ type: 'tool_response', callId: id, toolName: 'screenshot', result: 'shot' }, mediaOf(data)],
      },
    ],
    answer: { speaker: 'ai', blocks: [text('Yes')] },
    inShown: text(IMAGE),
    inGiven: text(IMAGE),
  },
  {
    name: 'anthropic',
    optimize: anthropic.optimize,
    shown: (data) => ({ role: 'user', content: [text('See'), imageOf(data)] }),
    given: (id, data) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'screenshot', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: [text('shot'), imageOf(data)] }] },
    ],
    answer: { role: 'assistant', content: [text('Yes')] },
    inShown: text(IMAGE),
    inGiven: text(IMAGE),
  },
  {
    name: 'openai',
    optimize: openai.optimize,
    shown: (data) => ({
      role: 'user',
      content: [text('See'), { type: 'image_url', image_url: { url: URL_OF(data) } }],
    }),
    given: (id, data) => [
      { role: 'assistant', content: null, tool_calls: [toolCall(id)] },
      // Not OpenAI's, but servers that speak its format take it.
      {
        role: 'tool',
        tool_call_id: id,
        content: [text('shot'), { type: 'image_url', image_url: { url: URL_OF(data) } }],
      },
    ],
    answer: { role: 'assistant', content: 'Yes' },
    inShown: text(IMAGE),
    inGiven: text(IMAGE),
  },
  {
    name: 'openai-responses',
    optimize: responses.optimize,
    shown: (data) => ({
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'See' },
        { type: 'input_image', detail: 'auto', image_url: URL_OF(data) },
      ],
    }),
    given: (id, data) => [
      { type: 'function_call', call_id: id, name: 'screenshot', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: id,
        output: [
          { type: 'input_text', text: 'shot' },
          { type: 'input_image', detail: 'auto', image_url: URL_OF(data) },
        ],
      },
    ],
    answer: { type: 'message', role: 'assistant', content: 'Yes' },
    inShown: { type: 'input_text', text: IMAGE },
    inGiven: { type: 'input_text', text: IMAGE },
  },
  {
    name: 'openai-agents',
    optimize: agents.optimize,
    shown: (data) => ({
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'See' },
        { type: 'input_image', image: URL_OF(data) },
      ],
    }),
    given: (id, data) => [
      { type: 'function_call', callId: id, name: 'screenshot', arguments: '{}', status: 'completed' },
      {
        type: 'function_call_result',
        callId: id,
        name: 'screenshot',
        status: 'completed',
        output: [
          { type: 'input_text', text: 'shot' },
          { type: 'input_image', image: URL_OF(data) },
        ],
      },
    ],
    answer: {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Yes' }],
    },
    inShown: { type: 'input_text', text: IMAGE },
    inGiven: { type: 'input_text', text: IMAGE },
  },
  {
    name: 'gemini',
    optimize: gemini.optimize,
    shown: (data) => ({ role: 'user', parts: [{ text: 'See' }, { inlineData: { mimeType: 'image/png', data } }] }),
    given: (id, data) => [
      { role: 'model', parts: [{ functionCall: { id, name: 'screenshot', args: {} } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id,
              name: 'screenshot',
              response: { output: 'shot' },
              parts: [{ inlineData: { mimeType: 'image/png', data } }],
            },
          },
        ],
      },
    ],
    answer: { role: 'model', parts: [{ text: 'Yes' }] },
    inShown: { text: IMAGE },
  },
  {
    name: 'ai-sdk',
    optimize: aiSdk.optimize,
    shown: (data) => ({ role: 'user', content: [text('See'), { type: 'file', mediaType: 'image/png', data }] }),
    given: (id, data) => [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'screenshot', input: {} }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: id,
            toolName: 'screenshot',
            output: { type: 'content', value: [text('shot'), { type: 'image-data', mediaType: 'image/png', data }] },
          },
        ],
      },
    ],
    answer: { role: 'assistant', content: [text('Yes')] },
    inShown: text(IMAGE),
    inGiven: text(IMAGE),
  },
  {
    name: 'langchain',
    optimize: langchain.optimize,
    shown: (data) =>
      new HumanMessage({ content: [text('See'), { type: 'image_url', image_url: { url: URL_OF(data) } }] }),
    given: (id, data) => [
      new AIMessage({ content: '', tool_calls: [{ id, name: 'screenshot', args: {}, type: 'tool_call' }] }),
      new ToolMessage({
        tool_call_id: id,
        name: 'screenshot',
        content: [text('shot'), { type: 'image_url', image_url: { url: URL_OF(data) } }],
      }),
    ],
    answer: new AIMessage('Yes'),
    inShown: text(IMAGE),
    inGiven: text(IMAGE),
  },
  {
    name: 'pi',
    optimize: pi.optimize,
    shown: (data) => ({
      role: 'user',
      timestamp: 1,
      content: [text('See'), { type: 'image', mimeType: 'image/png', data }],
    }),
    given: (id, data) => [
      { role: 'assistant', timestamp: 1, content: [{ type: 'toolCall', id, name: 'screenshot', arguments: {} }] },
      {
        role: 'toolResult',
        toolCallId: id,
        toolName: 'screenshot',
        isError: false,
        timestamp: 1,
        content: [text('shot'), { type: 'image', mimeType: 'image/png', data }],
      },
    ],
    answer: { role: 'assistant', timestamp: 1, content: [text('Yes')] },
    inShown: text(IMAGE),
    inGiven: text(IMAGE),
  },
];

function mediaOf(data: string) {
  return { type: 'media', mimeType: 'image/png', data, encoding: 'base64' };
}

function toolCall(id: string) {
  return { id, type: 'function', function: { name: 'screenshot', arguments: '{}' } };
}

/** What some JSON says once an image in it has become something else. */
function withInstead(message: unknown, data: string, instead: object | undefined): unknown {
  if (Array.isArray(message)) return message.map((part: unknown) => withInstead(part, data, instead));
  if (typeof message !== 'object' || message === null) return message;
  const json = JSON.stringify(message);
  const isPart = json.includes(data) && !json.includes('shot') && !json.includes('See');
  if (isPart && instead !== undefined) return instead;
  return Object.fromEntries(Object.entries(message).map(([key, value]) => [key, withInstead(value, data, instead)]));
}

const plain = (messages: unknown): unknown => JSON.parse(JSON.stringify(messages));

describe.each(CASES)('$name', ({ name, optimize: run, shown, given, answer, inShown, inGiven }) => {
  test('what comes again is a text where it came before, and the newest stays', () => {
    const history = [
      shown(BYTES),
      answer,
      ...given('1', BYTES),
      ...given('2', OTHER),
      ...given('3', BYTES),
      answer,
      shown(BYTES),
      answer,
      ...given('4', BYTES),
    ];
    const { messages } = run(history as never, { preset: 'balanced', flush: 'always' });
    // The user's words, the second exchange and the newest of each stay; so does what the user showed last.
    const expected = history.map((message, at) => {
      if (at === 0) return withInstead(plain(message), BYTES, inShown);
      return at === 3 || at === 7 ? withInstead(plain(message), BYTES, inGiven) : message;
    });
    expect(plain(messages)).toStrictEqual(plain(expected));
    for (const at of [1, 2, 4, 5, 6, 8, 9, 10, 11, 12]) expect(messages[at]).toBe(history[at]);
    expect(run(messages as never, { preset: 'balanced', flush: 'always' }).messages).toBe(messages);
    expect(
      run(history as never, { preset: 'balanced', flush: 'always', rules: { repeatedMedia: false } }).messages,
    ).toBe(history);
    if (name === 'neutral') return;
    // In OpenAI's format itself tools give no images, and in Gemini's the model doesn't call behind words of its own.
    const codesOf = (list: readonly unknown[]) =>
      validate(list, { format: name as MessageFormat }).findings.map(({ code, level }) => `${level} ${code}`);
    const known = codesOf(history);
    expect(codesOf(messages).filter((code) => !known.includes(code))).toStrictEqual([]);
    if (name !== 'openai' && name !== 'gemini')
      expect(known.filter((code) => code.startsWith('error'))).toStrictEqual([]);
  });
});

/** What is left of messages of the user's, each of one part. */
function partsOf(
  run: (messages: readonly never[], options: object) => { readonly messages: readonly unknown[] },
  parts: readonly object[],
  key = 'content',
) {
  const { messages } = run(parts.map((part) => ({ role: 'user', [key]: [text('See'), part] })) as never, {
    preset: 'lossless',
    flush: 'always',
  });
  return messages.map((message) => ((message as Record<string, object[]>)[key] ?? [])[1]);
}

describe('what is not the same', () => {
  const image = { type: 'image_url', image_url: { url: URL_OF(BYTES), detail: 'high' } };
  const input = { type: 'input_image', image_url: URL_OF(BYTES), detail: 'high' };
  const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: BYTES } };
  const file = { type: 'file', data: BYTES, mediaType: 'application/pdf' };
  const part = { inlineData: { mimeType: 'image/png', data: BYTES } };
  const level = (name: string) => ({ ...part, mediaResolution: { level: name } });
  const ofAnthropic = (context: string) => ({ ...file, providerOptions: { anthropic: { context } } });
  const media = (alt: string) => ({ ...mediaOf(BYTES), alt });
  test.each([
    ['openai', openai.optimize, image, { ...image, image_url: { ...image.image_url, detail: 'low' } }],
    ['openai-responses', responses.optimize, input, { ...input, detail: 'low' }],
    [
      'openai-agents',
      agents.optimize,
      { ...input, image: URL_OF(BYTES) },
      { ...input, image: URL_OF(BYTES), detail: 'low' },
    ],
    ['anthropic', anthropic.optimize, { ...document, context: 'signed' }, { ...document, context: 'blank' }],
    ['ai-sdk', aiSdk.optimize, ofAnthropic('signed'), ofAnthropic('blank')],
    ['gemini', gemini.optimize, level('HIGH'), level('LOW')],
    ['neutral', optimize, media('today'), media('yesterday')],
  ] as const)('%s: other words or another resolution beside the same bytes', (name, run, one, other) => {
    for (const preset of ['lossless', 'balanced'] as const) {
      const messagesOf = (...parts: readonly object[]) =>
        parts.map((each) =>
          name === 'neutral'
            ? { speaker: 'human', blocks: [each] }
            : { role: 'user', [name === 'gemini' ? 'parts' : 'content']: [each] },
        ) as never[];
      const options = { preset, flush: 'always' } as const;
      const differing = messagesOf(one, other);
      expect((run as typeof optimize)(differing, options).messages).toBe(differing);
      const equal = messagesOf(one, one);
      expect((run as typeof optimize)(equal, options).changed).toBe(true);
    }
  });

  test('lossless keeps two images whose copies nobody could tell apart', () => {
    const [one, other] = [imageOf(BYTES), imageOf(OTHER)];
    const history = [
      { role: 'user', content: [text('Today:'), one, text('Yesterday:'), other] },
      { role: 'assistant', content: 'Yes' },
      { role: 'user', content: [text('By size:'), other, one] },
    ];
    const { messages } = anthropic.optimize(history as never[], { preset: 'lossless', flush: 'always' });
    const kept = JSON.stringify(messages[0]);
    // The second one is the next image, so that is said; the first one stays.
    expect([kept.includes(BYTES), kept.includes(IMAGE)]).toEqual([true, true]);
  });
});

describe('what is the same', () => {
  test('Anthropic: base64, a URL, an id; a breakpoint of the cache stays where it was', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const sources = [
      { type: 'base64', media_type: 'image/png', data: BYTES },
      { type: 'url', url: 'https://a.example/1.png' },
      { type: 'file', file_id: 'file_1' },
    ];
    for (const source of sources) {
      const image = { type: 'image', source };
      expect(partsOf(anthropic.optimize, [{ ...image, ...mark }, image])).toStrictEqual([
        { ...text(IMAGE), ...mark },
        image,
      ]);
      const document = { type: 'document', source, title: 'a' };
      expect(partsOf(anthropic.optimize, [document, document])).toStrictEqual([
        text(source.type === 'base64' ? IMAGE : FILE),
        document,
      ]);
    }
    const [one, other] = ['file_1', 'file_2'].map((id) => ({ type: 'image', source: { type: 'file', file_id: id } }));
    expect(partsOf(anthropic.optimize, [one!, other!])).toStrictEqual([one, other]);
  });

  test('the AI SDK: bytes in arrays of their own, URLs as objects, and what a user’s interface keeps', () => {
    const bytes = (last: number) => Uint8Array.from({ length: 20_000 }, (_, at) => (at === 19_999 ? last : at % 251));
    const file = (data: unknown) => ({ type: 'file', mediaType: 'image/png', data });
    const [one, same, other] = [file(bytes(1)), file(bytes(1)), file(bytes(2))];
    expect(partsOf(aiSdk.optimize, [other, one, same])).toStrictEqual([other, text(IMAGE), same]);
    const buffer = file(bytes(1).buffer);
    expect(partsOf(aiSdk.optimize, [one, buffer])).toStrictEqual([text(IMAGE), buffer]);
    const place = () => file(new URL('https://a.example/1.png'));
    expect(partsOf(aiSdk.optimize, [place(), place()])).toStrictEqual([text(IMAGE), place()]);
    const kept = { type: 'file', mediaType: 'application/pdf', url: 'https://a.example/1.pdf' };
    expect(partsOf(aiSdkUi.optimize, [kept, kept], 'parts')).toStrictEqual([text(FILE), kept]);
  });

  test('OpenAI: files by id and sounds by their bytes', () => {
    const file = { type: 'file', file: { file_id: 'file-1' } };
    expect(partsOf(openai.optimize, [file, file])).toStrictEqual([text(FILE), file]);
    const sound = { type: 'input_audio', input_audio: { data: 'QUJD'.repeat(8000), format: 'wav' } };
    expect(partsOf(openai.optimize, [sound, sound])).toStrictEqual([text(FILE), sound]);
  });

  test('an image of a few pixels costs less than a text', () => {
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    expect(partsOf(anthropic.optimize, [imageOf(data), imageOf(data)])).toStrictEqual([imageOf(data), imageOf(data)]);
  });
});

describe('the rest of the package', () => {
  test('the edit names its rule and what it rests on, and tokens are counted', () => {
    const [shown, given] = [CASES[1]!.shown, CASES[1]!.given];
    const history = [shown(OTHER), ...given('1', BYTES), ...given('2', BYTES)] as never[];
    const result = anthropic.optimize(history, { preset: 'lossless', flush: 'always' });
    expect(result.edits).toStrictEqual([
      { kind: 'set', index: 2, rule: 'repeated-media', cause: 4, pending: false, block: 1, text: IMAGE },
    ]);
    expect(result.tokensAfter).toBeLessThan(result.tokensBefore - 50);
    expect(anthropic.estimateTokens(result.messages)).toBe(result.tokensAfter);
  });

  test('turn by turn it is as at once, and a message that comes back changed takes its edits along', () => {
    const { shown, given, answer } = CASES[1]!;
    const turns = [
      [shown(BYTES)],
      [answer, ...given('1', OTHER)],
      [answer, ...given('2', OTHER)],
      [answer, shown(BYTES)],
    ];
    const optimizer = anthropic.createOptimizer({ preset: 'lossless', flush: 'always' });
    const history: object[] = [];
    for (const turn of turns) {
      history.push(...turn);
      const { messages } = optimizer.optimize(history as never);
      expect(messages).toStrictEqual(
        anthropic.optimize(history as never, { preset: 'lossless', flush: 'always' }).messages,
      );
    }
    // The last image is another one now: of the same length, as the one before it.
    history[history.length - 1] = shown(OTHER.replace('QUJE', 'QUJF'));
    const { messages } = optimizer.optimize(history as never);
    expect(messages[0]).toStrictEqual(history[0]);
    expect(messages).toStrictEqual(
      anthropic.optimize(history as never, { preset: 'lossless', flush: 'always' }).messages,
    );
    optimizer.dispose();
  });
});
