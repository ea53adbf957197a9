// The examples of the AI SDK's integrations, run by the SDK itself: its current and its previous major.
import { jsonSchema } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { MockLanguageModelV4 } from 'ai7/test';
import type { HookOptions } from 'densify/ai-sdk';
import { createConversation, middleware, prepareStep } from 'densify/ai-sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { answer } from './support/ai-sdk.js';
import { exampleFolder } from './support/examples.js';
import { goodReply } from './support/replies.js';
import { thrownBy } from './support/thrown.js';

const EXAMPLES = ['prepare-step', 'middleware', 'window'] as const;
const MAJORS = ['ai', 'ai7'] as const;

interface Examples {
  readonly 'prepare-step': { run(model: unknown, options?: HookOptions): Promise<string> };
  readonly middleware: { run(model: unknown, messages: unknown[], options?: HookOptions): Promise<string> };
  readonly window: {
    run(model: unknown, cheap: unknown, tools: object, limit: number, options?: HookOptions): Promise<string>;
  };
}
const folders = { ai: exampleFolder(), ai7: exampleFolder() };
const examples = {} as Record<(typeof MAJORS)[number], Examples>;

beforeAll(async () => {
  for (const major of MAJORS) {
    const loaded: Record<string, unknown> = {};
    for (const name of EXAMPLES)
      loaded[name] = await folders[major].load(`ai-sdk/${name}`, (source) =>
        source.replace("from 'ai'", `from '${major}'`),
      );
    examples[major] = loaded as unknown as Examples;
  }
});

const calls = (...names: string[]) =>
  names.map((toolName, at) => {
    const input = JSON.stringify({ path: 'a.ts', content: 'export const two = 1;\n'.repeat(40) });
    return answer([{ type: 'tool-call', toolCallId: `${toolName} ${at}`, toolName, input }], 'tool-calls');
  });
const DONE = answer([{ type: 'text', text: 'Done.' }], 'stop');

interface Captured {
  readonly role: string;
  readonly content:
    | string
    | readonly { readonly type: string; readonly toolCallId?: string; readonly output?: { value?: unknown } }[];
}

/** A model with scripted answers, and the requests that it got. */
function mock(major: (typeof MAJORS)[number], answers: readonly object[]) {
  let next = 0;
  const options = { provider: 'openai.responses', modelId: 'gpt-5', doGenerate: async () => answers[next++] as never };
  const model = major === 'ai' ? new MockLanguageModelV3(options) : new MockLanguageModelV4(options);
  const prompts = (): Captured[][] => model.doGenerateCalls.map(({ prompt }) => prompt as unknown as Captured[]);
  return { model, prompts };
}

const ids = (prompt: readonly Captured[] | undefined) =>
  (prompt ?? []).flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap(({ type, toolCallId }) => (type === 'tool-call' ? [toolCallId] : [])),
  );

describe.each(MAJORS)('%s', (major) => {
  const loop = calls('read_file', 'write_file', 'read_file', 'read_file');

  test('prepareStep: the stale read is gone from all later steps, the pairs are whole', async () => {
    const { model, prompts } = mock(major, [...loop, DONE]);
    const reports: boolean[] = [];
    const text = await examples[major]['prepare-step'].run(model, {
      preset: 'seed',
      onResult: ({ changed }) => reports.push(changed),
    });
    expect(text).toBe('Done.');
    expect(prompts().map(ids)).toEqual([
      [],
      ['read_file 0'],
      ['write_file 1'],
      ['write_file 1', 'read_file 2'],
      ['write_file 1', 'read_file 2', 'read_file 3'],
    ]);
    expect(reports).toHaveLength(5);
    expect(reports[2]).toBe(true);
    for (const prompt of prompts()) {
      const results = prompt.flatMap(({ role, content }) =>
        role === 'tool' && typeof content !== 'string' ? content.map(({ toolCallId }) => toolCallId) : [],
      );
      expect(results).toEqual(ids(prompt));
    }
  });

  test('prepareStep: two runs of one agent don’t know of each other', async () => {
    const both = [mock(major, [...loop, DONE]), mock(major, [...loop, DONE])] as const;
    await Promise.all(both.map(({ model }) => examples[major]['prepare-step'].run(model)));
    expect(both[0].prompts()).toEqual(both[1].prompts());
  });

  test('prepareStep: what only observes changes nothing and reports what it would do', async () => {
    const { model, prompts } = mock(major, [...loop, DONE]);
    const edits: number[] = [];
    await examples[major]['prepare-step'].run(model, {
      observe: true,
      preset: 'seed',
      onResult: (result) => edits.push(result.edits.length),
    });
    expect(ids(prompts()[4])).toEqual(['read_file 0', 'write_file 1', 'read_file 2', 'read_file 3']);
    expect(edits.some((count) => count > 0)).toBe(true);
  });

  test('prepareStep: an error forwards the caller’s own messages', async () => {
    const { model, prompts } = mock(major, [...loop, DONE]);
    const warned: unknown[] = [];
    const protect = () => {
      throw new Error('odd');
    };
    const onWarning = (error: unknown) => {
      warned.push(error);
      throw new Error('odder');
    };
    await examples[major]['prepare-step'].run(model, { protect, onWarning });
    expect(ids(prompts()[4])).toHaveLength(4);
    expect(warned).toHaveLength(5);
    expect(warned[0]).toMatchObject({ code: 'callback-failed' });
  });

  test('prepareStep: a run goes on in the next call of the SDK, and nothing sent changes but by a flush', async () => {
    const text = Array.from({ length: 300 }, (_, line) => `line ${line} of the file`).join('\n');
    const calls = [0, 1].map((id) => [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: `${id}`, toolName: 'read_file', input: { path: 'a' } }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: `${id}`, toolName: 'read_file', output: { type: 'text', value: text } },
        ],
      },
    ]);
    const history: unknown[] = [{ role: 'user', content: 'Hi.' }];
    const prepare = prepareStep({ flush: 'always' });
    const sent = async () => (await prepare({ messages: structuredClone(history) as never }))?.messages ?? history;
    history.push(...calls.flat());
    const first = await sent();
    expect(JSON.stringify(first)).not.toBe(JSON.stringify(history));
    history.push({ role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' });
    expect((await sent()).slice(0, first.length)).toEqual(first);
  });

  test('middleware: the prompt is packed, by the rules of the model', async () => {
    const messages = [
      { role: 'user', content: 'Rename.' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'r', toolName: 'read_file', input: { path: 'a.ts' } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'r',
            toolName: 'read_file',
            output: { type: 'text', value: 'line\n'.repeat(99) },
          },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'w', toolName: 'write_file', input: { path: 'a.ts' } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'w',
            toolName: 'write_file',
            output: { type: 'json', value: { ok: true } },
          },
        ],
      },
      { role: 'user', content: 'And now?' },
    ];
    const { model, prompts } = mock(major, [DONE, DONE, DONE]);
    await examples[major].middleware.run(model, messages, { preset: 'seed' });
    await examples[major].middleware.run(model, messages, { observe: true });
    const warned: unknown[] = [];
    await examples[major].middleware.run(model, messages, {
      onResult: () => {
        throw new Error('odd');
      },
      onWarning: (error) => warned.push(error),
    });
    expect(prompts().map(ids)).toEqual([['w'], ['r', 'w'], ['r', 'w']]);
    expect(warned).toHaveLength(1);
  });

  test('a run with a conversation stays within its window, by summaries of another model', async () => {
    const names = Array.from({ length: 12 }, () => 'run_tests');
    const { model, prompts } = mock(major, [...calls(...names), DONE]);
    const summary = answer([{ type: 'text', text: goodReply({ strategy: 'middle-out' }) }], 'stop');
    const cheap = mock(
      major,
      Array.from({ length: 9 }, () => summary),
    );
    const log = (n: number) => `${`step ${n} of many\n`.repeat(20)}error ${n}: ${'why? '.repeat(90)}\n`;
    let ran = 0;
    const inputSchema = jsonSchema({ type: 'object' });
    const tools = { run_tests: { inputSchema, execute: () => log((ran += 1)) } };
    const warned: unknown[] = [];
    const text = await examples[major].window.run(model, cheap.model, tools, 5_000, {
      onWarning: (warning) => warned.push(warning),
    });
    expect(text).toBe('Done.');
    expect(warned).toEqual([]);
    expect(prompts()).toHaveLength(13);
    expect(cheap.prompts().length).toBeGreaterThan(0);
    expect(Math.max(...prompts().map((prompt) => JSON.stringify(prompt).length))).toBeLessThan(20_000);
    // Results are shrunk at intake.
    expect(JSON.stringify(prompts()[1])).not.toContain('step 1 of many\\nstep 1 of many');
    for (const prompt of prompts()) {
      const results = prompt.flatMap(({ role, content }) =>
        role === 'tool' && typeof content !== 'string' ? content.map(({ toolCallId }) => toolCallId) : [],
      );
      expect(results).toEqual(ids(prompt));
    }
  });

  test('a conversation whose summaries nobody makes: it is said, and what there is is forwarded', async () => {
    const names = Array.from({ length: 12 }, () => 'run_tests');
    const { model, prompts } = mock(major, [...calls(...names), DONE]);
    const inputSchema = jsonSchema({ type: 'object' });
    const tools = { run_tests: { inputSchema, execute: () => 'why? '.repeat(200) } };
    const warned: unknown[] = [];
    await examples[major].window.run(model, model, tools, 8_000, {
      conversation: (target) =>
        createConversation({ strategy: 'one-shot', contextLimit: 8_000, threshold: 0.3, ...target }),
      summarize: undefined,
      onWarning: (warning) => warned.push(warning),
    });
    expect(prompts().map(ids).at(-1)).toHaveLength(12);
    expect(warned).toContainEqual(expect.objectContaining({ code: 'strategy-needs-model' }));
  });

  test('the examples compile', async () => {
    expect(await folders[major].compiled()).toBe('');
  });
});

test('params are forwarded by reference where nothing changes', async () => {
  const params = { prompt: [{ role: 'user' as const, content: [{ type: 'text', text: 'Hi.' }] }], temperature: 1 };
  expect(await middleware().transformParams({ params })).toBe(params);
  expect(prepareStep()({ messages: params.prompt })).toBeUndefined();
});

test('wrong options are an error at once', () => {
  for (const make of [middleware, prepareStep] as ((options: object) => unknown)[]) {
    for (const options of [
      { observe: 1 },
      { onWarning: 'x' },
      { rules: { recencyRetention: 'x' } },
      { unknown: 1 },
      { model: 1 },
    ]) {
      expect(thrownBy(() => make(options)).code).toBe('invalid-options');
    }
  }
});
