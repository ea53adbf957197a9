// Presets and budgets: what they cut, and that handles, adapters and recovery agree on it.
import {
  applyEdits,
  type ConversationOptions,
  type ConversationSnapshot,
  createConversation,
  createOptimizer,
  estimateTokens,
  type IContent,
  optimize,
  type Preset,
  restoreConversation,
} from 'densify';
import { optimize as optimizeAnthropic } from 'densify/anthropic';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';
import { exchange, lines, numbered, work } from './support/work.js';

const PRESETS: readonly Preset[] = ['lossless', 'balanced', 'aggressive'];
const resultOf = (content: IContent | undefined): unknown => {
  const [block] = content?.blocks ?? [];
  return block?.type === 'tool_response' ? block.result : undefined;
};

describe('presets', () => {
  const file = lines('a', 0, 60);
  const history = [
    ...exchange('1', 'read_file', { path: '/a.rs' }, numbered(file, 1)),
    ...exchange('2', 'bash', { command: 'sed -n 21,40p a.rs' }, `${file.slice(20, 40).join('\n')}\n`),
  ];

  test('lossless: repeated lines become a pointer, numbers go, and every edit says so', () => {
    const { messages, edits, changed } = optimize(history, { preset: 'lossless', flush: 'always' });
    const text = resultOf(messages[1]) as string;
    expect(changed).toBe(true);
    expect(text.split('\n').slice(0, 2)).toStrictEqual([`     1→${file[0]}`, file[1]]);
    expect(text).toContain('[… 16 lines: bash: sed -n 21,40p a.rs]\n');
    expect(messages[0]).toBe(history[0]);
    expect(messages[3]).toBe(history[3]);
    expect(new Set(edits.map(({ rule, kind }) => `${rule} ${kind}`))).toStrictEqual(
      new Set(['line-numbers unnumber', 'repeats replace']),
    );
  });

  test('seed cuts none of that, and each rule can be switched alone', () => {
    expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
    const { edits } = optimize(history, { preset: 'lossless', flush: 'always', rules: { lineNumbers: false } });
    expect(edits.map(({ rule }) => rule)).toStrictEqual(['repeats']);
    expect(
      optimize(history, { preset: 'lossless', flush: 'always', rules: { lineNumbers: false, repeats: false } })
        .messages,
    ).toBe(history);
  });

  test('each preset leaves less than the one before it', () => {
    const entries = [...work(7), ...work(8), ...work(9)];
    const sizes = PRESETS.map((preset) => optimize(entries, { preset, flush: 'always' }).tokensAfter);
    expect(sizes[0]).toBeLessThan(estimateTokens(entries));
    expect(sizes[1]).toBeLessThan(sizes[0] as number);
    expect(sizes[2]).toBeLessThan(sizes[1] as number);
  });

  test('a budget is kept, and tokensAfter is what the messages cost', () => {
    const entries = work(8);
    const budget = Math.floor(estimateTokens(entries) / 2);
    const { messages, tokensAfter } = optimize(entries, { preset: 'lossless', budget });
    expect(tokensAfter).toBeLessThanOrEqual(budget);
    expect(tokensAfter).toBe(estimateTokens(messages));
  });

  test('whatever the budget, what the caller protects and what instructs stays', () => {
    check(
      20,
      fc.property(fc.nat(12), fc.nat(50), fc.integer({ min: 1, max: 40_000 }), (seed, step, budget) => {
        const entries = [
          ...exchange('rules', 'read_file', { path: '/AGENTS.md' }, lines('rule', 0, 400).join('\n')),
          ...exchange('helper', 'task', { prompt: 'look into it' }, lines('found', 0, 400).join('\n')),
          ...work(seed),
        ];
        const kept = new Set(entries.filter((_, at) => at < 4 || at % (step + 2) === 0));
        const { messages } = optimize(entries, { budget, protect: (message) => kept.has(message) });
        expect(messages.filter((message) => kept.has(message))).toHaveLength(kept.size);
        const unprotected = optimize(entries, { budget }).messages;
        for (const message of entries.slice(0, 4)) expect(unprotected).toContain(message);
      }),
    );
  });

  test('balanced, with edits that wait until they pay, is the default everywhere', () => {
    const entries = work(60);
    const { messages } = optimize(entries, { preset: 'balanced', flush: 'when-it-pays' });
    expect(messages).not.toStrictEqual(entries);
    expect(optimize(entries).messages).toStrictEqual(messages);
    expect(optimize(entries, { flush: 'always' }).messages).not.toStrictEqual(messages);
    expect(optimize(entries, { preset: 'seed' }).messages).not.toStrictEqual(messages);
    using named = createOptimizer<IContent>({ preset: 'balanced', flush: 'when-it-pays' });
    using unnamed = createOptimizer<IContent>();
    expect(unnamed.optimize(entries).messages).toStrictEqual(named.optimize(entries).messages);
    const talk = (wishes: Partial<ConversationOptions<IContent>>): readonly IContent[] => {
      const options = { strategy: 'high-density', contextLimit: 1_000_000, ...wishes } as const;
      using conversation = createConversation<IContent>(options);
      conversation.add(...entries);
      conversation.beforeSend();
      return conversation.messages;
    };
    expect(talk({})).toStrictEqual(talk({ optimize: { preset: 'balanced', flush: 'when-it-pays' } }));
    expect(talk({})).not.toStrictEqual(talk({ optimize: { preset: 'seed' } }));
  });

  test('what a cut lays open is found too, and told by the history that came in', () => {
    const file = lines('a', 0, 60);
    const history = [
      ...exchange('1', 'read_file', { path: '/a.rs' }, `${file.join('\n')}\n`),
      ...exchange(
        '2',
        'bash',
        { command: 'cmp a b' },
        `It failed:\n${[...lines('f', 0, 20), ...file.slice(10, 50)].join('\n')}\n`,
      ),
      ...exchange('e', 'write_file', { path: '/w/b' }, 'written'),
      ...exchange('3', 'bash', { command: 'cmp a b' }, 'Well done.\nExit code: 0'),
      ...exchange('4', 'bash', { command: 'cat /a.rs' }, `${file.join('\n')}\n${lines('b', 0, 20).join('\n')}\n`),
    ];
    const [failed] = history[3]?.blocks ?? [];
    Object.assign(failed as object, { error: 'exit 1' });
    const { messages, edits } = optimize(history, { rules: { oldResults: false }, flush: 'always' });
    // The failure stayed as long as the read referred to it, which the newer read supersedes.
    expect(messages.map(resultOf).filter(Boolean).slice(0, 2)).toStrictEqual([
      '[… shown again later: bash: cat /a.rs]',
      '[… it failed, and succeeded later: bash: cmp a b]',
    ]);
    expect(edits.map(({ rule, index, cause }) => `${rule} ${index} ${cause}`)).toEqual(
      expect.arrayContaining(['repeats 1 3', 'superseded 1 9', 'failed-calls 3 7']),
    );
    expect(optimize(messages, { rules: { oldResults: false }, flush: 'always' }).messages).toBe(messages);
  });

  test('an unknown preset is an error that names the option', () => {
    const options = { preset: 'best' } as unknown as { preset: Preset };
    expect(() => optimize([], options)).toThrow(expect.objectContaining({ code: 'invalid-options', key: 'preset' }));
  });
});

describe.each(PRESETS)('%s', (preset) => {
  test('its own output is left as it is, and the edits make it', () => {
    check(
      25,
      fc.property(fc.nat(), fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }), (seed, budget) => {
        const entries = work(seed);
        const options = { preset, flush: 'always' as const, ...(budget === undefined ? {} : { budget }) };
        const { messages, edits } = optimize(entries, options);
        expect(optimize(messages, options)).toMatchObject({ changed: false, edits: [] });
        expect(optimize(messages, options).messages).toBe(messages);
        const own = entries.map((entry, at) =>
          applyEdits(
            entry,
            edits.filter(({ index }) => index === at),
          ),
        );
        expect(own).toStrictEqual(messages);
      }),
    );
  });

  test('turn by turn: what was given out changes by reported flushes only, and tokens are exact', () => {
    const optimizer = createOptimizer<IContent>({ preset, flush: 'always' });
    const entries = work(9);
    let before: readonly IContent[] = [];
    for (let turn = 3; turn <= entries.length; turn += 4) {
      const result = optimizer.optimize(entries.slice(0, turn));
      const { messages, flush } = result;
      const same = Math.min(flush?.index ?? before.length, before.length);
      for (let at = 0; at < same; at += 1) expect(messages[at]).toBe(before[at]);
      expect(result.tokensAfter).toBe(estimateTokens(messages));
      before = messages;
    }
    // Read afresh, the same history is known.
    const copy = JSON.parse(JSON.stringify(entries.slice(0, before.length))) as IContent[];
    expect(optimizer.optimize(copy).messages).toStrictEqual(before);
  });

  test('a conversation comes back from its snapshot with what was cut, and goes on alike', () => {
    const entries = work(11);
    const options: ConversationOptions<IContent> = {
      strategy: 'high-density',
      contextLimit: 1_000_000,
      optimize: { preset, flush: 'always' },
    };
    const conversation = createConversation<IContent>(options);
    for (const entry of entries.slice(0, -8)) conversation.add(entry);
    conversation.ensureOptimized();
    const stored = JSON.parse(JSON.stringify(conversation.snapshot())) as ConversationSnapshot;
    const restored = restoreConversation<IContent>(stored, conversation.raw, options);
    expect(restored.messages).toStrictEqual(conversation.messages);
    for (const one of [conversation, restored]) {
      for (const entry of entries.slice(-8)) one.add(entry);
      one.ensureOptimized();
    }
    expect(restored.messages).toStrictEqual(conversation.messages);
    expect(estimateTokens(restored.messages)).toBeLessThan(estimateTokens(entries));
  });

  test('text with the same length but other words is another text', () => {
    const optimizer = createOptimizer<IContent>({ preset, flush: 'always' });
    const of = (word: string): IContent[] =>
      ['1', '2'].flatMap((id) =>
        exchange(id, 'bash', { command: id }, lines(id === '1' ? 'one' : word, 0, 30).join('\n')),
      );
    expect(resultOf(optimizer.optimize(of('one')).messages[1])).toContain('[… ');
    expect(optimizer.optimize(of('two')).messages).toStrictEqual(
      optimize(of('two'), { preset, flush: 'always' }).messages,
    );
  });

  test.each([
    ['', false],
    [', with words beside results', true],
  ])('messages of a provider are cut as the neutral ones are%s', (_, hasWords) => {
    const entries = work(10);
    const words = hasWords ? [{ type: 'text' as const, text: 'Go on.' }] : [];
    const native = entries.map((content) => {
      const [block] = content.blocks;
      if (block?.type === 'tool_call')
        return {
          role: 'assistant' as const,
          content: [{ type: 'tool_use' as const, id: block.id, name: block.name, input: block.parameters }],
        };
      if (block?.type !== 'tool_response') return { role: 'user' as const, content: 'Make it work.' };
      const { result } = block;
      const text = typeof result === 'string' ? result : (result as { output: string }).output;
      return {
        role: 'user' as const,
        content: [{ type: 'tool_result' as const, tool_use_id: block.callId, content: text }, ...words],
      };
    });
    const said: IContent[] = hasWords ? [{ speaker: 'human', blocks: words }] : [];
    const strings = entries.flatMap((content) => {
      const [block] = content.blocks;
      if (block?.type !== 'tool_response') return [content];
      const { result } = block;
      const text = typeof result === 'string' ? result : (result as { output: string }).output;
      return [{ ...content, blocks: [{ ...block, result: text }] }, ...said];
    });
    const isOwn = ({ speaker }: IContent, at: number): boolean => speaker !== 'human' || at === 0;
    const after = optimize(strings, { preset, flush: 'always' }).messages.filter(isOwn).map(resultOf);
    const results = optimizeAnthropic(native, { preset, flush: 'always' }).messages.map(({ content }) => {
      const [block] = typeof content === 'string' ? [] : content;
      return block?.type === 'tool_result' ? block.content : undefined;
    });
    expect(results).toStrictEqual(after);
  });
});
