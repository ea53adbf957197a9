// Tools whose results are shrunk before they enter a history: of each SDK, as it calls them.

import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { ToolMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { tool as agentTool } from '@openai/agents-core';
import { jsonSchema, tool } from 'ai';
import { type ShrinkToolsOptions, shrinkResult, shrinkTools } from 'densify/tools';
import { describe, expect, test } from 'vitest';
import { thrownBy } from './support/thrown.js';

type ShrunkTool = Parameters<NonNullable<ShrinkToolsOptions['onShrunk']>>[0];

const LOG = `${'compiling a thing\n'.repeat(300)}error: it broke\n`;
const SHORT = shrinkResult({ name: 'run_tests' }, LOG).result;
const schema = { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false } as const;

test('the log is one that can be shrunk', () => {
  expect(SHORT.length).toBeLessThan(LOG.length / 4);
});

describe('shrinkTools', () => {
  test('a record of the AI SDK: later and at once, texts and outputs; all else is the tool’s own', async () => {
    const run_tests = tool({ inputSchema: jsonSchema<{ path: string }>(schema), execute: async () => LOG });
    const other = tool({
      inputSchema: jsonSchema<{ path: string }>(schema),
      execute: () => ({ output: LOG, code: 1 }),
    });
    const client = tool({ inputSchema: jsonSchema<{ path: string }>(schema) });
    const provided = { run_tests, other, client };
    const shrunk = shrinkTools(provided);
    const options = { toolCallId: 'x', messages: [] };
    expect(await shrunk.run_tests.execute!({ path: 'a' }, options)).toBe(SHORT);
    expect(shrunk.other.execute!({ path: 'a' }, options)).toEqual({ output: SHORT, code: 1 });
    expect(shrunk.client).toBe(client);
    expect(shrunk.run_tests.inputSchema).toBe(run_tests.inputSchema);
    expect(await run_tests.execute!({ path: 'a' }, options)).toBe(LOG);
  });

  test('Anthropic’s runnable tools, OpenAI’s agents, LangChain, pi', async () => {
    const [beta] = shrinkTools([betaTool({ name: 'run_tests', description: '', inputSchema: schema, run: () => LOG })]);
    expect(await beta!.run({})).toBe(SHORT);

    const parameters = { ...schema, required: [] as string[], additionalProperties: true as const };
    const agent = agentTool({ name: 'run_tests', description: '', parameters, strict: false, execute: () => LOG });
    const [invoked] = shrinkTools([agent]);
    expect(await invoked!.invoke({} as never, '{"path":"a"}')).toBe(SHORT);

    const chain = langchainTool(() => LOG, { name: 'run_tests', schema });
    const [called] = shrinkTools([chain]);
    const answer: unknown = await called!.invoke({ type: 'tool_call', id: 'c', name: 'run_tests', args: {} });
    expect(answer).toBeInstanceOf(ToolMessage);
    expect((answer as ToolMessage).content).toBe(SHORT);
    expect(called).toBeInstanceOf(chain.constructor);

    const [piTool] = shrinkTools([
      {
        name: 'run_tests',
        execute: async (_: string, __: object) => ({ content: [{ type: 'text', text: LOG }], details: 1 }),
      },
    ]);
    expect(await piTool!.execute('id', {})).toEqual({ content: [{ type: 'text', text: SHORT }], details: 1 });
  });

  test('data, streams and lists of texts are handed on by reference; files stay letter by letter', async () => {
    const stream = new ReadableStream();
    for (const result of [stream, [LOG], { rows: [{ a: LOG }] }, null, undefined, 1, new Uint8Array(3)]) {
      const { one } = shrinkTools({ one: { execute: () => result } });
      expect(one.execute()).toBe(result);
    }
    const { read_file: read } = shrinkTools({ read_file: { execute: (_: object) => LOG } });
    expect(read.execute({ path: 'build.log.ts' })).toBe(LOG);
  });

  test('what observes or fails hands the result on', () => {
    const told: ShrunkTool[] = [];
    const observed = shrinkTools(
      { run_tests: { execute: () => LOG } },
      { observe: true, onShrunk: (one) => told.push(one) },
    );
    expect(observed.run_tests.execute()).toBe(LOG);
    expect(told).toEqual([{ tool: 'run_tests', before: LOG.length, after: SHORT.length, reducers: ['repeats'] }]);
    const warned: unknown[] = [];
    const failing = shrinkTools(
      { run_tests: { execute: () => LOG } },
      {
        onShrunk: () => {
          throw new Error('odd');
        },
        onWarning: (error) => {
          warned.push(error);
          throw new Error('odder');
        },
      },
    );
    expect(failing.run_tests.execute()).toBe(LOG);
    expect(warned).toHaveLength(1);
    const throwing = shrinkTools({
      run_tests: {
        execute: () => {
          throw new Error('the tool’s own');
        },
      },
    });
    expect(() => throwing.run_tests.execute()).toThrow('the tool’s own');
    expect(thrownBy(() => shrinkTools({}, { unknown: 1 } as object)).key).toBe('unknown');
  });
});
