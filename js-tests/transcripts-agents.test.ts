// The logs of agents whose format came later: Codex, opencode, Gemini CLI, mini-swe-agent, SWE-agent.
import { detectTranscript, readTranscript, type Transcript } from 'densify/transcripts';
import { describe, expect, test } from 'vitest';
import { counts, fixture, lines, outline } from './support/transcripts.js';

const blocksOf = ({ contents }: Transcript): unknown[] => contents.flatMap(({ blocks }) => blocks);

describe('codex', () => {
  const transcript = readTranscript(fixture('codex.jsonl'));

  test('items between two inputs become one content, outputs one, events nothing', () => {
    expect(transcript.format).toBe('codex');
    expect(outline(transcript, 'full')).toEqual([
      'human: Work in /work only.',
      'human: Why does the build fail?',
      'ai: thinking, I run the build., call exec_command c1, call exec_command c2',
      'tool: failed exec_command c1',
      'tool: response exec_command c2',
      'ai: web_search_call, call apply_patch c3',
      'tool: failed apply_patch c3',
      'human: Go on.',
      'ai: call local_shell c4',
      'tool: response local_shell c4, media',
      'ai: Done.',
    ]);
    expect(counts(transcript)).toEqual({ 'unknown-record': 1 });
    // The header, an event, empty reasoning, a compaction without a text, the unknown record.
    expect(transcript.counts).toMatchObject({ toolCalls: 4, toolResponses: 4, unansweredCalls: 0, skipped: 5 });
  });

  test('reasoning keeps what the provider needs, custom tools their input as a parameter', () => {
    expect(transcript.contents[2]?.blocks[0]).toEqual({
      type: 'thinking',
      thought: 'Look at the log first.',
      encrypted_content: 'opaque-1',
    });
    expect(transcript.contents[5]?.blocks[1]).toMatchObject({
      parameters: { input: '*** Begin Patch\n*** End Patch' },
    });
    expect(transcript.contents[0]?.metadata).toMatchObject({ role: 'developer' });
    expect(transcript.contents[7]?.metadata).toMatchObject({ compactBoundary: true });
  });

  test('rollouts of old are bare items', () => {
    const old = readTranscript(
      lines(
        { id: 's', timestamp: 't', instructions: null, git: {} },
        { record_type: 'state' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
        { type: 'reasoning', summary: [], encrypted_content: 'e' },
        { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'a' },
        { type: 'function_call_output', call_id: 'a', output: 'x' },
      ),
    );
    expect(old.format).toBe('codex');
    expect(outline(old, 'full')).toEqual(['human: hi', 'ai: thinking, call shell a', 'tool: response shell a']);
    expect(old.warnings).toEqual([]);
  });

  test('a summary that a compaction wrote is a human content of its own', () => {
    const read = readTranscript(
      lines(
        { type: 'session_meta', payload: { id: 's' } },
        { type: 'compacted', payload: { message: 'so far' } },
        { type: 'response_item', payload: { type: 'message', role: 'assistant', content: 'hm' } },
      ),
    );
    expect(read.contents.map(({ metadata }) => metadata)).toEqual([
      { isSummary: true, compactBoundary: true },
      undefined,
    ]);
  });
});

describe('opencode', () => {
  const transcript = readTranscript(fixture('opencode.json'));

  test('each step is followed by the responses of its calls', () => {
    expect(transcript.format).toBe('opencode');
    expect(outline(transcript, 'full')).toEqual([
      'human: Fix the typo., media',
      'ai: thinking, call read t1, call bash t2',
      'tool: response read t1, failed bash t2',
      'ai: It is in line 1., call edit t3, call bash t4',
      'tool: response edit t3, media',
      'ai: A typo was fixed.',
    ]);
    expect(transcript.counts).toMatchObject({ unansweredCalls: 1, unpairedResponses: 0 });
    expect(counts(transcript)).toEqual({ 'empty-message': 1 });
  });

  test('what the user alone saw stays out, what the provider needs rides along', () => {
    expect(JSON.stringify(transcript)).not.toMatch(/shown only|preview|sessionID/);
    expect(transcript.contents[1]?.blocks[0]).toEqual({
      type: 'thinking',
      thought: 'Read it.',
      metadata: { openai: { itemId: 'rs_1' } },
    });
    expect(transcript.contents[2]?.blocks[1]).toMatchObject({ result: 'Tool execution aborted' });
    expect(transcript.contents.map(({ metadata }) => metadata?.['model'])).toEqual(Array(6).fill('model-o'));
    expect(transcript.contents[5]?.metadata).toMatchObject({ id: 'm4', isSummary: true });
  });

  test('a command that ended with another code than 0 has failed, though its call was completed', () => {
    const log = JSON.parse(fixture('opencode.json')) as { messages: { parts: Record<string, unknown>[] }[] };
    const parts = log.messages.flatMap((message) => message.parts);
    const command = parts.find((part) => part['callID'] === 't2') ?? {};
    const failures = [1, 0, null, '1', undefined].map((exit) => {
      command['state'] = { status: 'completed', input: {}, output: 'said', metadata: { exit } };
      const { contents } = readTranscript(JSON.stringify(log));
      const blocks = contents.flatMap((content) => content.blocks);
      return blocks.find((block) => block.type === 'tool_response' && block.callId === 't2');
    });
    expect(failures.map((block) => block && 'error' in block)).toEqual([true, false, false, false, false]);
    expect(failures).toEqual(Array(5).fill(expect.objectContaining({ result: 'said' })));
  });
});

describe('gemini-cli', () => {
  const text = fixture('gemini-cli.json');
  const transcript = readTranscript(text);
  const { messages, ...head } = JSON.parse(text) as { messages: { id: string }[] };

  test('calls and their results are parted', () => {
    expect(transcript.format).toBe('gemini-cli');
    expect(outline(transcript, 'full')).toEqual([
      'human: Add a guide., media',
      'ai: thinking, I read the files., call read_file r1, call run_shell_command r2',
      'tool: response read_file r1, failed run_shell_command r2',
      'human: Go on.',
      'ai: Done.',
    ]);
    expect(transcript.contents[2]?.blocks[0]).toMatchObject({ result: { output: '# A' } });
    expect(transcript.contents[1]?.blocks[0]).toEqual({ type: 'thinking', thought: 'Files\nTwo of them.' });
    expect(counts(transcript)).toEqual({ 'empty-message': 1 });
    expect(JSON.stringify(transcript)).not.toContain('shown only');
  });

  test('a log of operations says the same', () => {
    const log = lines(head, ...messages, { $set: { lastUpdated: 't' } });
    expect(detectTranscript(log)).toBe('gemini-cli');
    expect(readTranscript(log).contents).toEqual(transcript.contents);
    const [first = { id: '' }] = messages;
    const changed = lines(head, { ...first, content: 'draft' }, ...messages, {
      $set: { messages: messages.slice(0, 2) },
    });
    expect(readTranscript(changed).contents).toEqual(transcript.contents.slice(0, 3));
  });

  test('what was taken back is gone, an unknown target takes all', () => {
    const back = (id: string): Transcript => readTranscript(lines(head, ...messages, { $rewindTo: id }));
    expect(back('g4').contents).toEqual(transcript.contents.slice(0, 3));
    expect(counts(back('g4'))).toEqual({});
    expect(back('nowhere').contents).toEqual([]);
    expect(counts(back('nowhere'))).toEqual({ 'broken-branch': 1 });
    const again = readTranscript(lines(head, ...messages, { $rewindTo: 'g4' }, ...messages.slice(3)));
    expect(again.contents).toEqual(transcript.contents);
  });
});

describe('mini-swe-agent', () => {
  const transcript = readTranscript(fixture('mini-swe-agent.json'));

  test('the one command is a call, what follows its response', () => {
    expect(transcript.format).toBe('mini-swe-agent');
    expect(outline(transcript, 'full')).toEqual([
      'human: Answer with one command.',
      'human: Fix the bug.',
      'ai: THOUGHT: look., Then we see., call bash command_1',
      'tool: response bash command_1',
      'ai: ```bash\nls\n```\nor\n```bash\nls -l\n```',
      'human: Please always provide EXACTLY ONE action, found 2 actions.',
      'ai: call bash command_2',
      'tool: failed bash command_2',
      'ai: call bash k1',
      'tool: failed bash k1',
    ]);
    expect(transcript.contents[2]?.blocks[2]).toMatchObject({ parameters: { command: 'ls src' } });
    expect(transcript.warnings).toEqual([]);
  });

  test('fences', () => {
    const calls = (content: string): unknown[] => {
      const trajectory = { info: { mini_version: '1' }, messages: [{ role: 'assistant', content }] };
      return blocksOf(readTranscript(JSON.stringify(trajectory)));
    };
    const call = (command: string): unknown => expect.objectContaining({ parameters: { command } });
    expect(calls('```mswea_bash_command \r\nls\n```')).toEqual([call('ls')]);
    expect(calls('```bash\n\n```')).toEqual([call('')]);
    expect(calls('```python\nx\n```\n```bash\nls\n```')).toEqual([
      { type: 'text', text: '```python\nx\n```' },
      call('ls'),
    ]);
    for (const text of ['```bash\nls', '```bash ls\n```', '```bashful\nls\n```'])
      expect(calls(text)).toEqual([{ type: 'text', text }]);
    expect(calls('```bash'.repeat(100_000))).toHaveLength(1);
    expect(calls('x```bash\n'.repeat(100_000))).toHaveLength(1);
  });
});

describe('swe-agent', () => {
  const transcript = readTranscript(fixture('swe-agent.json'));

  test('typed and called tools', () => {
    expect(transcript.format).toBe('swe-agent');
    expect(outline(transcript, 'full')).toEqual([
      'human: SETTING: a shell.',
      'human: Fix the issue.',
      'ai: Look around.\n, call bash command_1',
      'tool: response bash command_1',
      'ai: Open it., call open k1',
      'tool: response open k1',
      'ai: call bash command_2',
    ]);
    expect(transcript.contents[2]?.blocks[1]).toMatchObject({ parameters: { command: 'ls\n' } });
    expect(transcript.counts).toMatchObject({ unansweredCalls: 1, unpairedResponses: 0 });
    expect(transcript.warnings).toEqual([]);
  });
});

describe('all of them', () => {
  const AGENTS = ['codex.jsonl', 'opencode.json', 'gemini-cli.json', 'mini-swe-agent.json', 'swe-agent.json'];
  const NAMES = [...AGENTS, 'anthropic.json', 'openai-responses.json', 'gemini.json'];

  test.each(NAMES)('%s: found out from the content, also in one line', (name) => {
    const format = name.slice(0, name.indexOf('.'));
    expect(detectTranscript(fixture(name))).toBe(format);
    if (name.endsWith('.jsonl')) return;
    const one = JSON.stringify(JSON.parse(fixture(name)));
    expect(readTranscript(one).contents).toEqual(readTranscript(fixture(name)).contents);
  });

  test.each(NAMES)('%s: cut off anywhere, it gives a beginning and never throws', (name) => {
    const text = fixture(name);
    const whole = outline(readTranscript(text));
    for (let end = 0; end < text.length; end += 97) {
      const cut = readTranscript(text.slice(0, end));
      // A trajectory without its history is unknown, and a part of a message may be gone.
      if (cut.format !== name.slice(0, name.indexOf('.'))) continue;
      expect(whole.slice(0, Math.max(0, cut.contents.length - 2))).toEqual(
        outline(cut).slice(0, Math.max(0, cut.contents.length - 2)),
      );
    }
  });

  test.each(NAMES)('%s: values of any kind in any place never throw', (name) => {
    const odd = [null, 7, 'x', [], {}, [[]], [null], { type: 'message' }];
    const text = fixture(name);
    const records: unknown[] = name.endsWith('.jsonl')
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
      : [JSON.parse(text)];
    for (const record of records) {
      for (const path of paths(record)) {
        for (const value of odd) {
          const changed = JSON.stringify(replaced(record, path, value));
          const log = name.endsWith('.jsonl') ? `${lines(records[0])}\n${changed}` : changed;
          const { contents } = readTranscript(log);
          for (const { blocks } of contents) expect(Array.isArray(blocks)).toBe(true);
        }
      }
    }
  });
});

/** Every place in a value. */
function paths(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...at, key]))];
}

/** A copy with something else in one place. */
function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy: unknown = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  const record = copy as Record<string, unknown>;
  record[key] = replaced(record[key], rest, by);
  return copy;
}
