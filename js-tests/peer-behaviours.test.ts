// What pruneMessages (AI SDK), ClearToolUsesEdit and trimMessages (LangChain) do by their own test suites, beside what
// we do: each test is a row of docs/peer-behaviours.md, under its number.
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  trimMessages,
} from '@langchain/core/messages';
import { type ModelMessage, pruneMessages } from 'ai';
import * as aiSdk from 'densify/ai-sdk';
import * as langchain from 'densify/langchain';
import { repair, validate } from 'densify/validate';
import { ClearToolUsesEdit } from 'langchain';
import { describe, expect, test } from 'vitest';

const LINES = 'a line of a result\n'.repeat(30);
const anyModel = { model: 'gpt-4.1', provider: 'openai' };

describe('pruneMessages', () => {
  const user = (content: string): ModelMessage => ({ role: 'user', content });
  const said = (...content: object[]): ModelMessage => ({ role: 'assistant', content: content as never });
  const call = (id: string, toolName = 'grep') => ({ type: 'tool-call', toolCallId: id, toolName, input: {} });
  const result = (id: string, toolName = 'grep'): ModelMessage => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value: LINES } }],
  });
  const text = { type: 'text', text: 'So.' };
  const thought = { type: 'reasoning', text: 'Hm.' };
  const looked = [
    user('Look.'),
    said(thought, text, call('1')),
    result('1'),
    said(call('2'), call('other', 'ls')),
    {
      role: 'tool',
      content: [...(result('2').content as []), ...(result('other', 'ls').content as [])],
    } as ModelMessage,
    said(call('3')),
    result('3'),
    said(text),
    user('And?'),
  ];
  const idsOf = (messages: readonly ModelMessage[], type: string) =>
    messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : (content as { type: string; toolCallId?: string }[]).flatMap((part) =>
            part.type === type ? [part.toolCallId] : [],
          ),
    );
  const prune = (given: object, messages = looked) => pruneMessages({ messages, ...given });
  const packed = (rules: object, messages = looked) =>
    aiSdk.optimize(messages, {
      preset: 'seed',
      ...anyModel,
      rules: { recencyPruning: true, recencyRetention: 1, ...rules },
    }).messages;

  test('P1 reasoning by itself is never dropped', () => {
    expect(JSON.stringify(prune({ reasoning: 'all' }))).not.toContain('Hm.');
    expect(JSON.stringify(packed({}))).toContain('Hm.');
    // Where it is bound to what changed it goes, which is said.
    const messages: ModelMessage[] = [
      user('Go.'),
      said(call('r', 'read_file')),
      result('r', 'read_file'),
      said(thought, call('w', 'write_file')),
      result('w', 'write_file'),
      said(text),
      user('Thanks.'),
    ];
    for (const message of messages) {
      for (const part of message.content as { input?: object }[])
        if (part.input) Object.assign(part.input, { path: 'a' });
    }
    const bound = aiSdk.optimize(messages, { preset: 'seed', model: 'claude-sonnet-5-5' });
    expect(JSON.stringify(bound.messages)).not.toContain('Hm.');
    expect(bound.warnings).toMatchObject([{ code: 'reasoning-dropped' }]);
  });

  test('P2 calls stay and their results become pointers; the newest of each tool stay whole', () => {
    expect(idsOf(prune({ toolCalls: 'all' }), 'tool-call')).toEqual([]);
    expect(idsOf(prune({ toolCalls: 'before-last-3-messages' }), 'tool-call')).toEqual(['3']);
    const output = packed({});
    expect(idsOf(output, 'tool-call')).toEqual(['1', '2', 'other', '3']);
    expect(idsOf(output, 'tool-result')).toEqual(['1', '2', 'other', '3']);
    expect(JSON.stringify(output).split('[Result pruned')).toHaveLength(3);
    expect(output.slice(5)).toEqual(looked.slice(5));
  });

  test('P3 the tail stays as it is', () => {
    expect(prune({ toolCalls: 'before-last-4-messages' }).slice(-4)).toEqual(looked.slice(-4));
    const options = { strategy: 'high-density', contextLimit: 300, preserve: { messages: 4 }, ...anyModel } as const;
    const { messages, kind } = aiSdk.compress(looked, options);
    expect(kind).toBe('applied');
    expect(messages.slice(-4)).toEqual(looked.slice(-4));
  });

  test('P4 only results of some tools', () => {
    const pruned = prune({ toolCalls: [{ type: 'all', tools: ['ls'] }] });
    expect(idsOf(pruned, 'tool-call')).toEqual(['1', '2', '3']);
    const again = [...looked, said(call('more', 'ls')), result('more', 'ls'), said(text)];
    const output = packed({ recencyTools: ['ls'] }, again);
    expect(output.slice(0, 4)).toEqual(again.slice(0, 4));
    expect(JSON.stringify(output).split('[Result pruned')).toHaveLength(2);
  });

  test('P5 messages of which nothing is left go', () => {
    expect(prune({ toolCalls: 'all' }).every(({ content }) => content.length > 0)).toBe(true);
    const stale: ModelMessage[] = [
      user('Go.'),
      said({ ...call('r', 'read_file'), input: { path: 'a' } }),
      result('r', 'read_file'),
      said({ ...call('w', 'write_file'), input: { path: 'a' } }),
      result('w', 'write_file'),
    ];
    expect(aiSdk.optimize(stale, { preset: 'seed', ...anyModel }).messages).toEqual([stale[0], stale[3], stale[4]]);
  });

  test('P6 requests for approval go with their calls, or not at all', () => {
    const approved: ModelMessage[] = [
      user('Go.'),
      said(
        { ...call('r', 'read_file'), input: { path: 'a' } },
        { type: 'tool-approval-request', approvalId: 'y', toolCallId: 'r' },
      ),
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'y', approved: true }] },
      result('r', 'read_file'),
      said({ ...call('w', 'write_file'), input: { path: 'a' } }),
      result('w', 'write_file'),
    ];
    for (const messages of [
      prune({ toolCalls: 'all' }, approved),
      aiSdk.optimize(approved, { preset: 'seed', ...anyModel }).messages,
    ]) {
      const found = JSON.stringify(messages);
      expect([found.includes('approval-request'), found.includes('approval-response')]).toEqual(
        Array(2).fill(found.includes('"toolCallId":"r"')),
      );
    }
  });

  test('P7 untouched messages are the caller’s own', () => {
    const same = prune({ toolCalls: 'all', reasoning: 'all' }, [said(text)]);
    expect(same[0]).not.toBe(looked[7]);
    const output = packed({});
    expect(output[1]).toBe(looked[1]);
    expect(packed({}, looked.slice(7))).toHaveLength(2);
  });
});

/** A conversation in which tools are called again and again. */
function called(count: number): BaseMessage[] {
  return [
    new HumanMessage('Look.'),
    ...Array.from({ length: count }, (_, n) => [
      new AIMessage({ content: '', tool_calls: [{ id: `${n}`, name: n % 2 === 0 ? 'grep' : 'ls', args: { q: 'x' } }] }),
      new ToolMessage({ tool_call_id: `${n}`, name: n % 2 === 0 ? 'grep' : 'ls', content: LINES }),
    ]).flat(),
  ];
}
const contents = (messages: readonly BaseMessage[]) =>
  messages.filter((message) => ToolMessage.isInstance(message)).map(({ content }) => content);
const isShort = (content: unknown) => String(content).length < 80;

describe('ClearToolUsesEdit', () => {
  const countTokens = (messages: BaseMessage[]) => JSON.stringify(messages).length;
  const clear = async (messages: BaseMessage[], options: object = {}) => {
    const copy = [...messages];
    await new ClearToolUsesEdit({ trigger: { tokens: 10 }, keep: { messages: 2 }, ...options }).apply({
      messages: copy,
      countTokens,
    } as never);
    return copy;
  };
  const packed = (messages: BaseMessage[], rules: object = {}) =>
    langchain.optimize(messages, {
      preset: 'seed',
      ...anyModel,
      rules: { recencyPruning: true, recencyRetention: 1, ...rules },
    }).messages;

  test('C1 old results become a placeholder; ours keeps the newest of each tool', async () => {
    expect(contents(await clear(called(5))).map(isShort)).toEqual([true, true, true, false, false]);
    expect(contents(packed(called(5))).map(isShort)).toEqual([true, true, true, false, false]);
    const one = [...called(1), ...called(4).slice(1)];
    expect(
      contents(packed(one, { recencyTools: ['grep'] }))
        .map(isShort)
        .filter(Boolean).length,
    ).toBeGreaterThan(0);
  });

  test('C2 below the trigger nothing is done', async () => {
    expect(contents(await clear(called(5), { trigger: { tokens: 1e9 } })).some(isShort)).toBe(false);
    const noop = langchain.compress(called(5), { strategy: 'high-density', contextLimit: 100_000, ...anyModel });
    expect(noop).toMatchObject({ kind: 'noop', reason: 'already-under-target' });
    for (const [calls, isDue] of [
      [5, false],
      [40, true],
    ] as const) {
      const options = { strategy: 'top-down-truncation', contextLimit: 4_000, ...anyModel } as const;
      const conversation = langchain.createConversation<BaseMessage>(options);
      conversation.addAll(called(calls));
      conversation.beforeSend();
      expect(conversation.stats.compressions).toBe(isDue ? 1 : 0);
    }
    const due = langchain.compress(called(5), { strategy: 'high-density', contextLimit: 800, ...anyModel });
    expect(contents(due.messages).some(isShort)).toBe(true);
  });

  test('C3 some tools are left alone', async () => {
    const kept = contents(await clear(called(6), { excludeTools: ['ls'] })).map(isShort);
    expect(kept.filter((_, at) => at % 2 === 1)).toEqual([false, false, false]);
    const ours = contents(packed(called(6), { recencyTools: ['grep'] })).map(isShort);
    expect(ours.filter((_, at) => at % 2 === 1)).toEqual([false, false, false]);
    expect(ours.some(Boolean)).toBe(true);
  });

  test('C4 what a tool was called with is never emptied', async () => {
    const cleared = await clear(called(5), { clearToolInputs: true });
    const argsOf = (messages: readonly BaseMessage[]) =>
      messages
        .flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
        .map(({ args }) => args);
    expect(argsOf(cleared)[0]).toEqual({});
    expect(argsOf(packed(called(5)))).toEqual(argsOf(called(5)));
  });

  test('C5 orphaned results stay, and are found and repaired elsewhere', async () => {
    const orphaned = [
      new HumanMessage('Go.'),
      new ToolMessage({ tool_call_id: 'x', content: LINES }),
      new HumanMessage('And?'),
    ];
    expect(contents(await clear(orphaned))).toEqual([]);
    expect(langchain.optimize(orphaned, { preset: 'seed', ...anyModel }).messages).toBe(orphaned);
    expect(validate(orphaned, { format: 'langchain' }).findings.map(({ code }) => code)).toContain('orphan-result');
    expect(contents(repair(orphaned, { format: 'langchain' }).messages as BaseMessage[])).toEqual([]);
  });

  test('C6 what is cleared isn’t cleared again; ours changes nothing in place', async () => {
    const once = await clear(called(5));
    expect(contents(await clear(once))).toEqual(contents(once));
    const messages = called(5);
    const before = JSON.stringify(messages);
    const output = packed(messages);
    expect(packed([...output])).toEqual(output);
    expect(JSON.stringify(messages)).toBe(before);
    const inPlace = called(5);
    await new ClearToolUsesEdit({ trigger: { tokens: 10 }, keep: { messages: 2 } }).apply({
      messages: inPlace,
      countTokens,
    } as never);
    expect(contents(inPlace).some(isShort)).toBe(true);
  });

  test('C7 ours keeps the newest of each tool, however few are asked for', async () => {
    expect(contents(await clear(called(5), { keep: { messages: 0 } })).every(isShort)).toBe(true);
    const ours = contents(packed(called(5), { recencyRetention: 0 })).map(isShort);
    expect(ours).toEqual([true, true, true, false, false]);
  });

  test('C8 what is kept is given up for no amount; ours can wait until there is enough to save', async () => {
    expect(contents(await clear(called(5), { clearAtLeast: 1e9 })).every(isShort)).toBe(true);
    const messages = called(5);
    const options = { preset: 'seed', ...anyModel, rules: { recencyPruning: true, recencyRetention: 1 } } as const;
    const pruned = (tokens: number) => {
      const optimizer = langchain.createOptimizer({ ...options, flush: { tokens } });
      optimizer.optimize(messages.slice(0, 5));
      return contents(optimizer.optimize(messages).messages).slice(0, 2).map(isShort);
    };
    // What was given out before waits.
    expect([pruned(1e9), pruned(1)]).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test('C9 no message bears a mark of ours: the result says what was edited', async () => {
    const marks = (messages: readonly BaseMessage[]) =>
      messages.filter(({ response_metadata: data }) => 'context_editing' in data).length;
    expect(marks(await clear(called(5)))).toBe(3);
    const options = { preset: 'seed', ...anyModel, rules: { recencyPruning: true, recencyRetention: 1 } } as const;
    const { messages, edits } = langchain.optimize(called(5), options);
    expect(marks(messages)).toBe(0);
    expect(edits).toHaveLength(3);
  });

  test('C10 edits one after the other, one’s own among them', async () => {
    const own = (messages: readonly BaseMessage[]) =>
      messages.map((message) => (HumanMessage.isInstance(message) ? new HumanMessage('Look again.') : message));
    const twice = await clear(own(await clear(called(5))) as BaseMessage[], { keep: { messages: 1 } });
    expect(contents(twice).map(isShort)).toEqual([true, true, true, true, false]);
    const edited = own(packed(called(5)));
    const { messages } = langchain.compress(edited, {
      strategy: 'top-down-truncation',
      contextLimit: 200,
      preserve: { messages: 2 },
      ...anyModel,
    });
    expect(messages.length).toBeLessThan(edited.length);
    expect(messages.every((message) => edited.includes(message))).toBe(true);
  });
});

describe('trimMessages', () => {
  const tokenCounter = (messages: BaseMessage[]) => messages.length * 10;
  const history = [new SystemMessage('Be brief.'), ...called(4), new AIMessage('Done.'), new HumanMessage('Thanks.')];
  const trim = (options: object) =>
    trimMessages(history, { tokenCounter, maxTokens: 60, ...options } as never) as Promise<BaseMessage[]>;
  const ours = (options: object = {}) =>
    langchain.compress(history, {
      strategy: 'top-down-truncation',
      contextLimit: 700,
      ...anyModel,
      ...options,
    } as never).messages;
  const orphans = (messages: readonly BaseMessage[]) => {
    const calls = messages
      .flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
      .map(({ id }) => id);
    return messages.filter((message) => ToolMessage.isInstance(message) && !calls.includes(message.tool_call_id));
  };

  test('T1 the newest that fit are kept', async () => {
    const trimmed = await trim({ strategy: 'last' });
    expect(trimmed).toEqual(history.slice(-6));
    const output = ours();
    expect(output.length).toBeLessThan(history.length);
    expect(output.at(-1)).toBe(history.at(-1));
  });

  test('T1 in a conversation not at each turn', async () => {
    const options = { strategy: 'top-down-truncation', contextLimit: 4_000, ...anyModel } as const;
    const conversation = langchain.createConversation<BaseMessage>(options);
    conversation.add(new HumanMessage('Begin.'));
    let [breaks, cuts] = [0, 0];
    let own: BaseMessage[] = [...conversation.messages];
    for (let turn = 0; turn < 120; turn += 1) {
      const before = conversation.messages;
      const more = [new AIMessage(`${turn} ${LINES}`), new HumanMessage(`And ${turn}?`)];
      conversation.addAll(more);
      conversation.beforeSend();
      if (before.some((message, at) => message !== conversation.messages[at])) breaks += 1;
      const cut = langchain.compress([...own, ...more], options);
      if (cut.kind === 'applied') cuts += 1;
      own = [...cut.messages];
    }
    expect(breaks).toBeGreaterThan(2);
    expect(cuts).toBeGreaterThan(breaks * 5);
  });

  test('T2 no result without its call, whatever is asked', async () => {
    expect(orphans(await trim({ strategy: 'last', maxTokens: 50 })).length).toBeGreaterThan(0);
    for (const contextLimit of [100, 200, 300, 500, 700, 900]) expect(orphans(ours({ contextLimit }))).toEqual([]);
  });

  test('T3 the system’s message stays', async () => {
    expect((await trim({ strategy: 'last', includeSystem: true }))[0]).toEqual(history[0]);
    expect((await trim({ strategy: 'last' }))[0]).not.toEqual(history[0]);
    expect(ours()[0]).toBe(history[0]);
  });

  test('T4 behind it the user opens, by default where a provider demands it', async () => {
    expect((await trim({ strategy: 'last', startOn: 'human' }))[0]).toBeInstanceOf(HumanMessage);
    expect(ours({ model: 'claude-3-5-haiku', provider: 'anthropic' })[1]).toBeInstanceOf(HumanMessage);
  });

  test('T5 the newest are never what goes', async () => {
    expect(await trim({ strategy: 'first', maxTokens: 20 })).toEqual(history.slice(0, 2));
    for (const contextLimit of [50, 100, 300]) expect(ours({ contextLimit }).at(-1)).toBe(history.at(-1));
  });

  test('T6 no message is cut within its text', async () => {
    const long = [new HumanMessage(LINES), new AIMessage('So.'), new HumanMessage('And?')];
    const chars = (messages: BaseMessage[]) => messages.reduce((sum, { content }) => sum + String(content).length, 0);
    const partial = await trimMessages(long, {
      maxTokens: 40,
      tokenCounter: chars,
      strategy: 'last',
      allowPartial: true,
      textSplitter: (text: string) => text.split(/(?<=\n)/),
    } as never);
    expect(partial.some(({ content }) => LINES.includes(String(content)) && content !== LINES)).toBe(true);
    const output = langchain.compress(long, {
      strategy: 'top-down-truncation',
      contextLimit: 30,
      ...anyModel,
    }).messages;
    expect(output.every((message) => long.includes(message as never))).toBe(true);
  });

  test('T7 a counter of the caller’s', async () => {
    let asked = 0;
    ours({
      countTokens: (text: string) => {
        asked += 1;
        return text.length;
      },
    });
    expect(asked).toBeGreaterThan(0);
  });

  test('T8 nothing goes at the end, whatever its type', async () => {
    expect((await trim({ strategy: 'last', endOn: 'ai' })).at(-1)?.content).toBe('Done.');
    for (const contextLimit of [50, 300]) expect(ours({ contextLimit }).at(-1)).toBe(history.at(-1));
  });
});
