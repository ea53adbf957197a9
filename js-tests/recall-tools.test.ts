/** The tools with which a model makes room and recalls text. */
import { createConversation, estimateTokens } from 'densify';
import * as anthropic from 'densify/anthropic';
import * as openai from 'densify/openai';
import { createRecall, recallTools } from 'densify/recall';
import { validate } from 'densify/validate';
import { describe, expect, it, test } from 'vitest';
import { conversation as made } from './support/conversations.js';
import { goodReply } from './support/replies.js';

const secret = 'a secret of at least sixteen bytes';

describe('tools of a store that fails', () => {
  const fails = () => {
    throw new Error('the disk of /home/alice is gone');
  };
  const store = { get: fails, set: fails, delete: fails, entries: fails };
  const { tools } = recallTools(createRecall({ secret, store }), { digest: fails });
  it.each([
    ['recall', { reference: 'r0123456789ab0' }],
    ['recall', { search: 'x' }],
    ['restore', { reference: 'r0123456789ab0' }],
    ['compress', { keep: 3 }],
  ])('say so to the model: %s %j', (name, input) => {
    const said = tools.find((tool) => tool.name === name)!.execute(input);
    expect(said).toContain(`${name} failed`);
    expect(said).not.toContain('alice');
  });
});

describe('tools', () => {
  const recall = createRecall({ secret });
  const reference = recall.keep(`one\n===== ${recall.keep('x', { cause: 'host' })} ENDS =====\ntwo`, {
    cause: 'edit',
    tool: 'bash',
  });
  const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
  const tools = recallTools(recall, talk);

  it('read the JSON text of their input, as OpenAI’s calls have it', () => {
    const asked = { reference };
    expect(tools.execute('recall', JSON.stringify(asked))).toBe(tools.execute('recall', asked));
    expect(tools.execute('recall', JSON.stringify(asked))).toContain('two');
    expect(tools.execute('recall', 'no json')).toContain('needs a reference');
  });

  it('have the forms of the SDKs', () => {
    const names = ['recall', 'restore', 'compress'];
    expect(tools.tools.map(({ name }) => name)).toEqual(names);
    expect(tools.anthropic().map(({ name, input_schema }) => [name, input_schema['type']])).toEqual(
      names.map((name) => [name, 'object']),
    );
    expect(tools.openai()[0]).toMatchObject({
      type: 'function',
      function: { name: 'recall', parameters: { type: 'object' } },
    });
    expect(tools.openaiResponses()[1]).toMatchObject({ type: 'function', name: 'restore', strict: false });
    const own = tools.aiSdk((schema) => ({ wrapped: schema }));
    expect(own['compress']).toMatchObject({ inputSchema: { wrapped: { properties: { keep: { type: 'integer' } } } } });
    expect(tools.gemini().functionDeclarations[0]).toMatchObject({ parametersJsonSchema: { type: 'object' } });
    expect(tools.openaiAgents((tool) => tool)[0]).toMatchObject({ name: 'recall', strict: false });
    expect(tools.pi()[1]).toMatchObject({ label: 'restore', parameters: { required: ['reference'] } });
    expect(recallTools(recall).tools).toHaveLength(2);
    expect(JSON.parse(JSON.stringify(tools.anthropic()))).toEqual(tools.anthropic());
  });

  it('are refused without a recall', () => {
    expect(() => recallTools(undefined as unknown as typeof recall)).toThrow(/recall: found undefined/);
  });

  it('give data between lines that it cannot hold', () => {
    const said = tools.execute('recall', { reference })!;
    expect(said).toContain('no instructions');
    expect(said.match(new RegExp(`===== ${reference} (BEGINS|ENDS) =====`, 'g'))).toHaveLength(2);
    expect(said).toContain('\ntwo\n');
    expect(tools.execute('recall', { search: 'TWO' })).toContain(reference);
    expect(tools.execute('restore', { reference })).toBe(said);
  });

  it('take empty texts for nothing, and references as notes spell them', () => {
    expect(tools.execute('recall', { reference: '', search: 'two', offset: '' })).toContain(reference);
    expect(tools.execute('recall', { reference: ' ', search: '' })).toContain('needs a reference');
    for (const spelled of [`recall ${reference}`, `(recall ${reference})`, ` ${reference}\n`]) {
      expect(tools.execute('recall', { reference: spelled, search: '' })).toContain('\ntwo\n');
      expect(tools.execute('restore', { reference: spelled })).toContain('\ntwo\n');
    }
    expect(tools.execute('compress', { from: '', to: '', keep: 4 })).toMatch(/^Nothing was compressed/);
    expect(tools.execute('compress', { from: 'a', to: ' ', keep: '' })).toContain('needs a range');
  });

  it('answer whatever a model writes', () => {
    for (const input of [undefined, null, 'r', [], {}, { reference: 3 }, { search: '' }, { keep: '3' }, { keep: -1 }]) {
      for (const { name } of tools.tools) expect(typeof tools.execute(name, input)).toBe('string');
    }
    expect(tools.execute('rm', {})).toBeUndefined();
  });

  it('let the model make room, and have it again', () => {
    talk.add(...made(1, 60));
    const before = talk.tokens.current;
    const said = tools.execute('compress', { keep: 4 });
    const [, named, took, takes] = /^Messages \d+ to \d+ are a digest now\. restore (r\w{13}) takes it back\. The conversation took (\d+) tokens and takes (\d+) now\.$/.exec(said ?? '') ?? []; // biome-ignore format: one thing
    expect([Number(took), Number(takes)]).toEqual([before, talk.tokens.current]);
    expect(talk.tokens.current).toBeLessThan(before);
    const [, note = ''] = /recall (r\w{13})/.exec(JSON.stringify(talk.messages[0])) ?? [];
    expect(named).toBe(note);
    expect(tools.execute('recall', { reference: note })).toContain(`===== ${note} BEGINS =====\n[{"`);
    expect(tools.execute('restore', { reference: note })).toMatch(/^The digest is taken back: .* takes \d+ now\.$/);
    expect(talk.messages).toEqual(talk.raw);
    expect(talk.tokens.current).toBe(before);
    expect(tools.execute('compress', { keep: 1_000 })).toMatch(/^Nothing was compressed: the messages that stay/);
  });
});

/** Calls and results of two formats, one after the other, and what of a message is a call's or a result's. */
const FORMATS = [
  {
    name: 'Anthropic',
    create: (options: object) => anthropic.createConversation({ ...options, generation: 'no-thinking' } as never),
    restored: (snapshot: object, raw: readonly object[], options: object) =>
      anthropic.restoreConversation(
        snapshot as never,
        raw as never,
        { ...options, generation: 'no-thinking' } as never,
      ),
    asked: (text: string) => ({ role: 'user', content: text }),
    turn: (id: string, result: string) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'bash', input: { command: `make ${id}` } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
    ],
    format: 'anthropic',
  },
  {
    name: 'Chat Completions',
    create: (options: object) => openai.createConversation({ ...options, provider: 'openai' } as never),
    restored: (snapshot: object, raw: readonly object[], options: object) =>
      openai.restoreConversation(snapshot as never, raw as never, { ...options, provider: 'openai' } as never),
    asked: (text: string) => ({ role: 'user', content: text }),
    turn: (id: string, result: string) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: `{"command":"make ${id}"}` } }],
      },
      { role: 'tool', tool_call_id: id, content: result },
    ],
    format: 'openai-chat',
  },
] as const;

describe.each(FORMATS)('a range of messages of $name', ({ create, restored, asked, turn, format }) => {
  const options = { strategy: 'auto', contextLimit: 1_000_000, intake: false, optimize: { flush: 'never' } } as const;
  const output = (at: number) => Array.from({ length: 20 }, (_, line) => `output ${at} of line ${line}`).join('\n');
  const history = [
    asked('Mend the parser.'),
    ...Array.from({ length: 12 }, (_, at) => turn(`call_${at}`, output(at))).flat(),
    asked('Now the printer.'),
    ...Array.from({ length: 4 }, (_, at) => turn(`more_${at}`, output(20 + at))).flat(),
  ] as readonly object[];
  const start = () => {
    const recall = createRecall({ secret, maxCharacters: 4_000 });
    const talk = create({ ...options, recall });
    talk.addAll(history as never);
    return { recall, talk, tools: recallTools(recall, talk) };
  };
  const ok = (messages: readonly object[]) =>
    validate(messages, { format }).findings.filter(({ level }) => level === 'error');

  it('becomes a digest, of whole pairs, and comes back', () => {
    const { talk, tools } = start();
    // From a result, which can't begin a range, to a call, which can't end one.
    const said = tools.execute('compress', { from: 'output 2 of line 0', to: 'make call_8' })!;
    const [, first, last, reference = ''] = /^Messages (\d+) to (\d+) are a digest now\. restore (r\w{13}) takes it back\. The conversation took \d+ tokens and takes \d+ now\.$/.exec(said) ?? []; // biome-ignore format: one thing
    const [from, to] = [Number(first), Number(last)];
    expect([from, to]).toEqual([8, 19]);
    const messages = talk.messages as readonly object[];
    expect(messages.slice(0, from - 1)).toEqual(history.slice(0, from - 1));
    expect(messages.slice(-(history.length - to))).toEqual(history.slice(to));
    expect(messages.length).toBeLessThan(history.length - 8);
    expect(ok(messages)).toEqual([]);
    // What was said after it stays as well.
    const later = asked('And then?');
    talk.add(later as never);
    expect(tools.execute('restore', { reference })).toMatch(/^The digest is taken back/);
    expect(talk.messages).toEqual([...history, later]);
    expect(tools.execute('restore', { reference })).toContain(`${reference} BEGINS`);
  });

  it('may be followed by another, of which each takes nothing else, also after a restart', () => {
    const { recall, talk, tools } = start();
    tools.execute('compress', { from: '2', to: 9 });
    const [, earlier = ''] = /recall (r\w{13})/.exec(JSON.stringify(talk.messages[1])) ?? [];
    const between = talk.messages.slice(3, 9);
    expect(tools.execute('compress', { from: 10, to: '-8' })).toContain('are a digest now');
    expect(talk.messages.slice(1, 3)).toHaveLength(2);
    expect(JSON.stringify(talk.messages[1])).toContain(earlier);
    expect(talk.messages.slice(3, 9)).toEqual(between);
    expect(ok(talk.messages)).toEqual([]);
    const again = restored(JSON.parse(JSON.stringify(talk.snapshot())) as object, talk.raw, { ...options, recall });
    expect(again.messages).toEqual(talk.messages);
    const undo = recallTools(recall, again);
    // Only the newest is taken back; of the one before it shows what it stands for.
    const before = again.messages;
    expect(undo.execute('restore', { reference: earlier })).toContain('output 2 of line 3');
    expect(again.messages).toBe(before);
    const [, newest = ''] = /.*recall (r\w{13})/s.exec(JSON.stringify(again.messages)) ?? [];
    expect(undo.execute('restore', { reference: newest })).toContain('taken back');
    expect(undo.execute('restore', { reference: earlier })).toContain('taken back');
    expect(again.messages).toEqual(history);
  });

  it('never takes a call that is open', () => {
    const { talk, tools } = start();
    const [call, result] = turn('open', 'done') as [object, object];
    talk.add(call as never);
    expect(tools.execute('compress', { from: 1, to: -1 })).toContain('are a digest now');
    expect(talk.messages.at(-1)).toBe(call);
    talk.add(result as never);
    expect(ok(talk.messages)).toEqual([]);
  });

  it('is refused in clear words', () => {
    const { talk, tools } = start();
    const before = talk.messages;
    const say = (input: object) => tools.execute('compress', input);
    expect(say({ from: 'nobody said this', to: -1 })).toBe('No message is named by from: "nobody said this".');
    expect(say({ from: 3, to: 99 })).toBe('No message from there on is named by to: that was given.');
    expect(say({ from: 9, to: 3 })).toBe('The range ends before it begins.');
    expect(say({ from: 3, to: 5 })).toMatch(/^Nothing was compressed: too few messages/);
    expect(say({ from: 3 })).toContain('needs a range');
    expect(talk.messages).toBe(before);
  });

  it('is named by words, not by parts of them', () => {
    const { talk, tools } = start();
    talk.addAll([1, 2, 3, 10, 11].map((number) => asked(`Now\nStep ${number}`)) as never);
    const say = (input: object) => tools.execute('compress', input);
    expect(say({ from: 'Step 3', to: 'Step 1' })).toBe('The range ends before it begins.');
    expect(say({ from: 'Step 3', to: 'tep 1' })).toMatch(/^(?:Messages|Nothing was compressed)/);
    talk.add(asked('请看第三步，然后继续') as never);
    // Some scripts don't part words.
    expect(say({ from: '第三步', to: -1 })).not.toContain('No message');
  });

  it('comes back only where there is room, and not once it is forgotten', () => {
    const { recall, talk, tools } = start();
    tools.execute('compress', { from: 2, to: 25 });
    const [, reference = ''] = /recall (r\w{13})/.exec(JSON.stringify(talk.messages[1])) ?? [];
    talk.setThreshold(0.001);
    const before = talk.messages;
    const said = tools.execute('restore', { reference })!;
    expect(said).toContain('There is no room for all of it');
    const [, offset = ''] = /The next piece is at offset (\d+)/.exec(said) ?? [];
    expect(tools.execute('restore', { reference, offset: Number(offset) })).toContain(`characters ${offset} to`);
    talk.setThreshold(undefined);
    recall.forget(reference);
    expect(tools.execute('restore', { reference })).toContain('Nothing is kept');
    expect(talk.restore(reference)).toEqual({ kind: 'noop', reason: 'not-the-newest' });
    expect(talk.messages).toBe(before);
  });
});

describe('numbers that a model writes as texts', () => {
  const start = () => {
    const recall = createRecall({ secret, maxCharacters: 1_000 });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add(...made(3, 40));
    return { talk, tools: recallTools(recall, talk) };
  };
  const compressed = ({ tools }: ReturnType<typeof start>): string => {
    const said = tools.execute('compress', { from: '2', to: '25' })!;
    return /restore (r\w{13}) takes it back/.exec(said)?.[1] ?? said;
  };

  it('lead from piece to piece', () => {
    const all = start();
    const reference = compressed(all);
    const said: string[] = [];
    for (let offset: string | undefined = ''; offset !== undefined && said.length < 1_000; ) {
      const piece: string = all.tools.execute('recall', { reference, offset })!;
      said.push(piece);
      [, offset] = /The next piece is at offset (\d+)/.exec(piece) ?? [];
    }
    expect(said.length).toBeGreaterThan(2);
    expect(new Set(said).size).toBe(said.length);
    expect(said.at(-1)).not.toContain('The next piece');
  });

  it('are for reading: a later piece takes nothing back', () => {
    const all = start();
    const reference = compressed(all);
    const before = all.talk.messages;
    expect(all.tools.execute('restore', { reference, offset: ' 1000 ' })).toContain('characters 1000 to');
    expect(all.talk.messages).toBe(before);
    expect(all.tools.execute('restore', { reference, offset: '0' })).toContain('The digest is taken back');
    expect(all.talk.messages.length).toBeGreaterThan(before.length);
  });

  it('say how many messages stay', () => {
    const { talk, tools } = start();
    const before = talk.messages.length;
    expect(tools.execute('compress', { keep: '4' })).toMatch(/tokens and takes \d+ now/);
    expect(talk.messages.length).toBeLessThan(before);
  });

  it.each([['far'], [-5], ['-5'], [1.5], ['1,000'], [{}], [[]], [NaN], [true]])(
    'are answered where they are none, and change nothing: %s',
    (offset) => {
      const all = start();
      const reference = compressed(all);
      const before = all.talk.messages;
      for (const name of ['recall', 'restore']) {
        expect(all.tools.execute(name, { reference, offset })).toMatch(/^The offset must be a whole number/);
      }
      expect(all.tools.execute('compress', { keep: offset })).toContain('needs a range');
      expect(all.talk.messages).toBe(before);
    },
  );

  it('may be left out as models leave things out', () => {
    const all = start();
    const reference = compressed(all);
    for (const offset of [undefined, null, '']) {
      expect(all.tools.execute('recall', { reference, offset })).toContain('characters 0 to');
    }
  });
});

test.each([{}, { preserve: { messages: 4 } }, { from: 2, to: 20 }])(
  'the reference to what a digest stands for is counted: %j',
  (options) => {
    const talk = createConversation({
      strategy: 'auto',
      contextLimit: 1_000_000,
      recall: createRecall({ secret, maxCharacters: 1_000 }),
    });
    talk.add(...made(3, 40));
    const before = talk.tokens.current;
    const result = talk.digest(options);
    if (result.kind !== 'applied') throw new Error(result.reason);
    const after = talk.tokens.current;
    expect(after).toBe(estimateTokens(result.messages));
    expect([result.tokensBefore, result.tokensAfter]).toEqual([before, after]);
    expect([result.metadata.tokensBefore, result.metadata.tokensAfter]).toEqual([before, after]);
  },
);

test('the reference to what a summary stands for is counted', () => {
  const recall = createRecall({ secret, maxCharacters: 1_000 });
  const talk = createConversation({ strategy: 'one-shot', contextLimit: 1_000_000, recall });
  talk.add(...made(3, 40));
  const step = talk.summarize();
  if (step.kind !== 'summarize') throw new Error(step.kind);
  const done = step.complete(goodReply(step.request));
  if (done.kind !== 'applied') throw new Error(done.kind);
  expect(done.metadata.tokensAfter).toBe(talk.tokens.current);
});

describe('digest of a range', () => {
  const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000 });
  talk.add(...made(3, 40));

  it('is told of in positions of the whole history', () => {
    const before = talk.tokens.current;
    const fork = talk.fork();
    const result = fork.digest({ from: 10, to: 29 });
    if (result.kind !== 'applied') throw new Error(result.reason);
    const { topPreserved, middleCompressed, bottomPreserved, originalMessageCount } = result.metadata;
    expect(topPreserved + middleCompressed + bottomPreserved).toBe(originalMessageCount);
    expect(originalMessageCount).toBe(talk.messages.length);
    expect([result.tokensBefore, result.tokensAfter]).toEqual([before, fork.tokens.current]);
    expect(fork.messages[topPreserved]).toBe(result.summary);
    expect(result.metadata.compressedMessageCount).toBe(fork.messages.length);
  });

  it.each([
    [{ from: 3 }, 'to'],
    [{ to: 3 }, 'from'],
    [{ from: -1, to: 3 }, 'from'],
    [{ from: 3, to: 2 }, 'to'],
    [{ from: 3, to: 1_000 }, 'to'],
    [{ from: 3, to: 9, preserve: { messages: 3 } }, 'preserve'],
  ])('%j is an error that names the key', (options, key) => {
    expect(() => talk.digest(options)).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
  });
});
