// A failed call is known by the format's own field, and in every format by what the harness writes into the result. A
// failed write supersedes no read and changes no file.
import { optimize } from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as ui from 'densify/ai-sdk/ui';
import { fileOperations } from 'densify/openai';
import { fileOperations as fileOperationsOfItems } from 'densify/openai-responses';
import { describe, expect, test } from 'vitest';
import { formats, plain } from './support/formats.js';
import { bagOf } from './support/loose.js';
import { human, read, turn } from './support/say.js';

const LINES = 'a line of a file\n'.repeat(40);
const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch';

/** Writes of each harness to `a.ts`, with what it says of one that failed and of one that did not. */
const WRITES: readonly (readonly [tool: string, parameters: object, failed: string, done: string])[] = [
  [
    'str_replace_editor',
    { command: 'str_replace', path: 'a.ts', old_str: 'a', new_str: 'b' },
    'No replacement was performed, old_str `a` did not appear verbatim in a.ts.',
    'The file a.ts has been edited. Here is the result:\n1\tNo replacement was performed, old_str',
  ],
  ['str_replace_based_edit_tool', { command: 'create', path: 'a.ts' }, 'Error: read-only', 'File created at: a.ts'],
  ['edit', { path: 'a.ts' }, 'Your proposed edit has introduced new syntax error(s).\n', 'File updated.'],
  ['Write', { file_path: 'a.ts' }, '<tool_use_error>File has not been read yet.</tool_use_error>', 'Written.'],
  ['Edit', { file_path: 'a.ts' }, 'Error: File has been modified since read.', 'The file a.ts says Error: now.'],
  [
    'edit',
    { path: 'a.ts' },
    'Could not find the exact text in a.ts.',
    'Replaced. Could not find the exact text in it.',
  ],
  [
    'write_to_file',
    { path: 'a.ts' },
    "[write_to_file for 'a.ts'] Result:\nThe tool execution failed with the following error:\n<error>\n</error>",
    'Saved. The tool execution failed with the following error: is what it says now.',
  ],
  ['replace_in_file', { path: 'a.ts' }, '{"status":"error","message":"no match"}', '{"status":"saved"}'],
  [
    'write_file',
    { path: 'a.ts' },
    'An error occurred while running the tool. Please try again. Error: Error: EACCES',
    'Exit code: 1 is what a.ts says now.\nProcess exited with code 1',
  ],
];

const historyOf = (tool: string, parameters: object, result: string) =>
  plain([human('Go.'), ...read('r', 'a.ts', LINES), ...turn('w', tool, parameters, result), human('Thanks.')], false);

describe.each(formats)('$name', (format) => {
  const staysAfter = (tool: string, parameters: object, result: string) => {
    const messages = format.from(historyOf(tool, parameters, result));
    const options = format.hasDemands === true ? {} : format.known;
    return (
      format.verbs.optimize(messages as never, { preset: 'seed', ...options } as never).messages ===
      (messages as unknown)
    );
  };

  test.each(WRITES)('%s', (tool, parameters, failed, done) => {
    expect(staysAfter(tool, parameters, failed)).toBe(true);
    expect(staysAfter(tool, parameters, done)).toBe(false);
  });

  test('the words count for the tools of the harness that writes them, and not within the result', () => {
    for (const [, , failed] of WRITES.slice(0, -1)) {
      expect(staysAfter('replace', { path: 'a.ts' }, failed)).toBe(false);
      expect(staysAfter('write_file', { path: 'a.ts' }, `Done.\n${failed}`)).toBe(false);
    }
  });
});

/** What Codex, OpenHands, mini-swe-agent, Claude Code and pi say of commands and patches. */
const CODES: readonly (readonly [tool: string, said: (code: number, output: string) => string])[] = [
  ['shell_command', (code, output) => `Exit code: ${code}\nWall time: 0.1 seconds\nOutput:\n${output}`],
  [
    'exec_command',
    (code, output) => `Chunk ID: 7ad0db\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${output}`,
  ],
  ['shell', (code, output) => JSON.stringify({ output, metadata: { exit_code: code, duration_seconds: 0.1 } })],
  [
    'execute_bash',
    (code, output) => `${output}\n[Python interpreter: python]\n[Command finished with exit code ${code}]`,
  ],
  ['bash', (code, output) => `<returncode>${code}</returncode>\n<output>\n${output}</output>`],
  ['Bash', (code, output) => (code === 0 ? output : `Exit code ${code}\n${output}`)],
  ['bash', (code, output) => (code === 0 ? output : `${output}\n\nCommand exited with code ${code}`)],
];
/** What a command may print, to the letter what the harnesses write. */
const PRINTED = CODES.map(([, said]) => said(1, 'x'))
  .concat(CODES.map(([, said]) => said(0, 'x')))
  .join('\n');

describe('commands and patches', () => {
  const called = (tool: string, parameters: object, content: string) => [
    { role: 'user', content: 'Go.' } as const,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: tool, arguments: JSON.stringify(parameters) } }],
    } as const,
    { role: 'tool', tool_call_id: 'c', content } as const,
  ];

  test.each(CODES)('of %s the exit code is the one that the harness gives, whatever was printed', (tool, said) => {
    const parameters = { command: tool === 'shell' ? ['cat', 'a.ts'] : 'cat a.ts', cmd: 'cat a.ts' };
    const files = (code: number) => fileOperations(called(tool, parameters, said(code, PRINTED)) as never).read;
    expect(files(0)).toHaveLength(1);
    expect(files(1)).toEqual([]);
    expect(files(-1)).toEqual([]);
  });

  test('the calls in a script of Codex count, unless the script failed', () => {
    const operations = (input: string, status: string) =>
      fileOperationsOfItems([
        { type: 'message', role: 'user', content: 'Go.' },
        { type: 'custom_tool_call', call_id: 'c', name: 'exec', input },
        {
          type: 'custom_tool_call_output',
          call_id: 'c',
          output: `Script ${status}\nWall time 0.1 seconds\nOutput:\nScript failed`,
        },
      ] as never);
    const shows = 'const r = await tools.exec_command({cmd:"cat a.ts",yield_time_ms:1000});text(r.output)';
    const patches = `const patch = ${JSON.stringify(PATCH)};\ntext(await tools.apply_patch(patch));`;
    expect(operations(shows, 'completed').read).toHaveLength(1);
    expect(operations(patches, 'completed').edited).toHaveLength(1);
    for (const status of ['failed', 'error', 'terminated']) {
      expect(operations(shows, status).read).toEqual([]);
      expect(operations(patches, status).edited).toEqual([]);
    }
  });

  test('a patch that was not applied changed nothing', () => {
    const patched = (output: string) =>
      fileOperationsOfItems([
        { type: 'message', role: 'user', content: 'Go.' },
        { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: PATCH },
        { type: 'custom_tool_call_output', call_id: 'c', output },
      ] as never).edited;
    const done = 'Success. Updated the following files:\nM a.ts\n';
    for (const output of [`Exit code: 0\nWall time: 0 seconds\nOutput:\n${done}`, done]) {
      expect(patched(output)).toHaveLength(1);
    }
    expect(patched(JSON.stringify({ output: done, metadata: { exit_code: 0 } }))).toHaveLength(1);
    expect(patched(JSON.stringify({ output: done, metadata: { exit_code: 1 } }))).toEqual([]);
    for (const output of [
      'apply_patch verification failed: Failed to find expected lines in a.ts:\na',
      'Exit code: 1\nWall time: 0 seconds\nOutput:\n',
      'aborted by user after 2.1s',
    ]) {
      expect(patched(output)).toEqual([]);
    }
  });
});

describe('where the format has a field of its own, no member of what a tool gives counts', () => {
  const RESULTS = [{ error: 'none' }, { exit_code: 2, output: LINES }, { exitCode: 1 }];
  const part = (type: string, toolCallId: string, toolName: string, further: object) => ({
    role: type === 'tool-call' ? 'assistant' : 'tool',
    content: [{ type, toolCallId, toolName, ...further }],
  });

  test.each(RESULTS)('messages of the AI SDK: %j', (value) => {
    const leftBy = (type: string) => {
      const messages = [
        { role: 'user', content: 'Go.' },
        part('tool-call', 'r', 'read_file', { input: { path: 'a.ts' } }),
        part('tool-result', 'r', 'read_file', { output: { type: 'text', value: LINES } }),
        part('tool-call', 'w', 'write_file', { input: { path: 'a.ts' } }),
        part('tool-result', 'w', 'write_file', { output: { type, value } }),
      ];
      return aiSdk.optimize(messages as never, { preset: 'seed', model: 'gpt-4o' }).messages.length;
    };
    expect(leftBy('json')).toBe(3);
    expect(leftBy('error-json')).toBe(5);
  });

  test.each(RESULTS)('UI messages: %j', (output) => {
    const call = (toolName: string, toolCallId: string, further: object) => ({
      type: 'dynamic-tool',
      toolName,
      toolCallId,
      input: { path: 'a.ts' },
      ...further,
    });
    const leftBy = (further: object) => {
      const parts = [
        { type: 'step-start' },
        call('read_file', 'r', { state: 'output-available', output: LINES }),
        { type: 'step-start' },
        call('write_file', 'w', further),
        { type: 'step-start' },
        { type: 'text', text: 'Done.' },
      ];
      const messages = [
        { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
        { id: 'a', role: 'assistant', parts },
      ];
      return JSON.stringify(ui.optimize(messages as never, { preset: 'seed' }).messages).includes('"r"');
    };
    expect(leftBy({ state: 'output-available', output })).toBe(false);
    expect(leftBy({ state: 'output-error', errorText: 'no' })).toBe(true);
  });

  test('our own form says it in three ways, and by no text', () => {
    const leftBy = (result: unknown, error?: string) => {
      const history = [...read('r', 'a.ts', LINES), ...turn('w', 'write_file', { path: 'a.ts' }, result, error)];
      return optimize(history, { preset: 'seed' }).messages.length;
    };
    expect(RESULTS.map((result) => leftBy(result))).toEqual([4, 4, 4]);
    expect(leftBy('ok', 'no')).toBe(4);
    for (const [, , failed] of WRITES) expect(leftBy(failed)).toBe(2);
  });

  test('what a caller’s isFailure is told of unnamed results has the call’s tool', () => {
    const messages = formats
      .find(({ name }) => name === 'openai')
      ?.from(historyOf('write_file', { path: 'a.ts' }, 'KO')) as object[];
    const names: unknown[] = [];
    formats
      .find(({ name }) => name === 'openai')
      ?.verbs.optimize(messages as never, {
        preset: 'seed',
        isFailure: (response: unknown) => {
          names.push(bagOf(response).toolName);
          return false;
        },
      });
    expect(names).toEqual(['read_file', 'write_file']);
  });
});
