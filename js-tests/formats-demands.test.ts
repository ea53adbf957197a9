// What providers demand besides pairs, in small cases: the first and last message, reasoning that a change invalidates,
// and the generation that a model's name means.
import * as aiSdk from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as openai from 'densify/openai';
import * as responses from 'densify/openai-responses';
import { type MessageFormat, providerRules, type ValidateOptions, validate } from 'densify/validate';
import { describe, expect, test } from 'vitest';

const FILE = 'a line of a file\n'.repeat(40);
const LIMIT = { contextLimit: 300, preserve: { messages: 2 } } as const;
/** The rules of the documents alone. */
const SEED = { preset: 'seed' } as const;
const STRATEGIES = ['top-down-truncation', 'high-density'] as const;

type Block = { readonly type: string } & Record<string, unknown>;
type Anthropic = { readonly role: 'user' | 'assistant' | 'system'; readonly content: string | Block[] };
const user = (...content: Block[]): Anthropic => ({ role: 'user', content });
const ai = (...content: Block[]): Anthropic => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words });
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
const use = (id: string, name: string) => ({ type: 'tool_use', id, name, input: { file_path: 'a.ts' } });
const result = (id: string, content = FILE) => ({ type: 'tool_result', tool_use_id: id, content });

function codes(messages: readonly unknown[], format: MessageFormat, options: Omit<ValidateOptions, 'format'> = {}) {
  return validate(messages, { format, ...options }).findings.map(({ code }) => code);
}

describe('Anthropic: no message of the model ends with thinking', () => {
  const stale = [user(text('Go.')), ai(text('I look.'), thinking, use('t1', 'read_file')), user(result('t1'))];
  const written = [user(text('Now write.')), ai(use('t2', 'write_file')), user(result('t2', 'ok'))];

  test('thinking between words and a call that goes, goes with it', () => {
    const { messages } = anthropic.optimize([...stale, ...written], { ...SEED, model: 'claude-sonnet-4-5' });
    expect(messages).toEqual([stale[0], ai(text('I look.')), ...written]);
  });

  test('a thought in a message of its own is one with the next message of the model', () => {
    const apart = [user(text('Go.')), ai(thinking), ai(use('t1', 'read_file')), user(result('t1'))];
    const { messages } = anthropic.optimize([...apart, ...written], { ...SEED, model: 'claude-sonnet-4-5' });
    expect(messages).toEqual([apart[0], ...written]);
  });

  test.each(STRATEGIES)('%s cuts nothing between them', (strategy) => {
    const turn = (at: number) => [user(text(`Go on, ${at}.`)), ai(thinking), ai(text(FILE))];
    const history = [0, 1, 2, 3].flatMap(turn);
    for (let messages = 1; messages < history.length; messages += 1) {
      const settings = { strategy, contextLimit: 10, preserve: { messages }, generation: 'adaptive-thinking' } as const;
      const output = anthropic.compress(history, settings);
      expect(codes(output.messages, 'anthropic')).not.toContain('thinking-last');
    }
  });
});

test.each(STRATEGIES)('Anthropic: %s opens with no message of the system in the middle', (strategy) => {
  const history = [
    user(text('Begin.')),
    ai(use('t1', 'grep')),
    user(result('t1')),
    { role: 'system', content: 'Be brief.' } as Anthropic,
    ai(text('Well.')),
    user(text('And now?')),
    ai(text(FILE)),
    user(text('Go on.')),
  ];
  const options = { strategy, ...LIMIT, contextLimit: 20, keepFirstRequest: false, model: 'claude-opus-5-5' } as const;
  expect(anthropic.compress(history as never, options).messages[0]).toBe(history[0]);
  // One that is there already is the caller's own.
  const led = [history[3]!, ...history.slice(0, 3), ...history.slice(4)];
  const output = anthropic.compress(led as never, options);
  expect([output.kind, output.messages[0]]).toEqual(['applied', led[0]]);
});

test('Gemini: the words between words of the model and a call stay', () => {
  const say = (role: string, ...parts: object[]) => ({ role, parts });
  const history = [
    say('model', { text: 'Hello.' }),
    say('user', { text: 'Go.' }),
    say('model', { functionCall: { id: 'c', name: 'grep', args: {} } }),
    say('user', { functionResponse: { id: 'c', name: 'grep', response: { output: FILE } } }),
    say('user', { text: 'And?' }),
    say('model', { text: 'Done.' }),
  ];
  for (const strategy of STRATEGIES) {
    const options = { strategy, ...LIMIT, contextLimit: 5, keepFirstRequest: false, model: 'gemini-2.5-pro' } as const;
    const protect = (message: object) => message !== history[1];
    const { messages } = gemini.compress(history as never, { ...options, protect } as never);
    const positions = codes(history, 'gemini').filter((code) => code === 'call-position').length;
    expect(codes(messages, 'gemini').filter((code) => code === 'call-position').length).toBe(positions);
  }
});

describe('OpenAI', () => {
  const call = (id: string, name: string) => ({
    type: 'function_call' as const,
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: '{"file_path":"a.ts"}',
  });
  const output = (id: string) => ({ type: 'function_call_output' as const, call_id: id, output: FILE });
  const reasoning = (id: string) => ({
    type: 'reasoning' as const,
    id: `rs_${id}`,
    summary: [],
    encrypted_content: 'x',
  });
  const items: readonly (responses.ResponsesItemLike & Record<string, unknown>)[] = [
    { role: 'user' as const, content: 'Begin.' },
    ...[0, 1, 2, 3].flatMap((at) => [reasoning(`${at}`), call(`c${at}`, 'grep'), output(`c${at}`)]),
  ];

  test('the first request stays, unless told otherwise', () => {
    const chat = [
      { role: 'user' as const, content: 'Begin.' },
      ...[0, 1, 2, 3].flatMap((at) => [
        {
          role: 'assistant' as const,
          tool_calls: [{ id: `c${at}`, type: 'function' as const, function: { name: 'grep', arguments: '{}' } }],
        },
        { role: 'tool' as const, tool_call_id: `c${at}`, content: FILE },
      ]),
    ];
    for (const strategy of STRATEGIES) {
      for (const model of [undefined, 'gpt-5', 'gpt-4o']) {
        const left = responses.compress(items, { strategy, ...LIMIT, model });
        expect([left.kind, left.messages[0]]).toEqual(['applied', items[0]]);
      }
      const left = openai.compress(chat as never, { strategy, ...LIMIT, provider: 'openai' });
      expect([left.kind, left.messages[0]]).toEqual(['applied', chat[0]]);
    }
    const options = { strategy: 'top-down-truncation', ...LIMIT, keepFirstRequest: false } as const;
    expect(responses.compress(items, options).messages[0]).not.toBe(items[0]);
  });

  test('of Chat Completions a model of its own says whose they are, where nobody says who serves it', () => {
    const chat = [
      { role: 'user' as const, content: `Begin. ${FILE}` },
      ...Array.from({ length: 30 }, (_, at) => [
        {
          role: 'assistant' as const,
          tool_calls: [{ id: `c${at}`, type: 'function' as const, function: { name: 'grep', arguments: '{}' } }],
        },
        { role: 'tool' as const, tool_call_id: `c${at}`, content: FILE },
      ]).flat(),
    ];
    const options = { strategy: 'top-down-truncation', contextLimit: 1_000, keepFirstRequest: false } as const;
    const kind = (target: object) => openai.compress(chat as never, { ...options, ...target }).kind;
    // Only strict templates want the user's one request to stay at the beginning.
    for (const model of [
      'gpt-5',
      'gpt-4o-mini',
      'o3-mini',
      'o1',
      'chatgpt-4o-latest',
      'openai/gpt-5',
      'ft:gpt-4o:us::1',
    ]) {
      expect([model, kind({ model })]).toEqual([model, 'applied']);
      expect(kind({ model, provider: 'groq' })).toBe('noop');
    }
    expect(kind({ provider: 'openai' })).toBe('applied');
    for (const model of [
      undefined,
      'gpt-oss-120b',
      'openai/gpt-oss-20b',
      'deepseek-chat',
      'grok-4',
      'llama-3.3',
      'opus-o1',
    ])
      expect([model, kind({ model })]).toEqual([model, 'noop']);
    const thought = [
      { role: 'user' as const, content: 'Begin.' },
      { role: 'assistant' as const, reasoning_content: FILE, content: 'Done.' },
    ];
    const reasons = (to: object) =>
      openai
        .plan({
          messages: thought as never[],
          from: { model: 'deepseek-reasoner' },
          to: { contextLimit: 9_999, ...to },
        })
        .reasoning.map(({ reason }) => reason);
    expect(reasons({ model: 'gpt-5' })).toEqual(reasons({ provider: 'openai' }));
    expect(reasons({ model: 'gpt-5' })).toEqual(['not-taken']);
    expect(reasons({ model: 'gpt-oss-120b' })).toEqual(['other-model']);
  });

  test('what is lost with reasoning behind a change is said, where a model reads it at all', () => {
    const pruning = { ...SEED, rules: { recencyPruning: true, recencyRetention: 1 } } as const;
    const lost = (model: string | undefined) =>
      responses.optimize(items, { ...pruning, model }).warnings.filter(({ code }) => code === 'reasoning-dropped');
    expect(lost('gpt-5')).toEqual([{ code: 'reasoning-dropped', index: 4 }]);
    expect(lost(undefined)).toEqual(lost('gpt-5'));
    expect(lost('gpt-4.1')).toEqual([]);
    expect(responses.optimize(items, { ...SEED, model: 'gpt-5' }).warnings).toEqual([]);
    const compressed = responses.compress(items, { strategy: 'high-density', ...LIMIT, model: 'gpt-5' });
    expect(compressed.warnings.map(({ code }) => code)).toContain('reasoning-dropped');
    // A plan says how much of it a flush would cost: that behind the first result, of four turns.
    const planned = (model: string | undefined) => {
      const optimizer = responses.createOptimizer({ ...pruning, model, flush: 'never' });
      expect(optimizer.optimize(items).changed).toBe(false);
      return optimizer.plan()?.reasoning;
    };
    expect([planned('gpt-5'), planned(undefined), planned('gpt-4.1')]).toEqual([3, 3, 0]);
    // Turn by turn too, at the turn that loses it; what has no reasoning behind it loses none.
    const optimizer = responses.createOptimizer({ ...pruning, model: 'gpt-5', flush: 'always' });
    const told = items.map((_, at) => optimizer.optimize(items.slice(0, at + 1)).warnings.length);
    expect(told.map((count, at) => (count > 0 ? at : -1)).filter((at) => at >= 0)).toEqual([6, 9, 12]);
  });

  test('the same over the AI SDK', () => {
    const history = [
      { role: 'user' as const, content: 'Begin.' },
      ...[0, 1, 2].flatMap((at) => [
        {
          role: 'assistant' as const,
          content: [
            { type: 'reasoning' as const, text: 'hm' },
            { type: 'tool-call' as const, toolCallId: `c${at}`, toolName: 'grep', input: {} },
          ],
        },
        {
          role: 'tool' as const,
          content: [
            {
              type: 'tool-result' as const,
              toolCallId: `c${at}`,
              toolName: 'grep',
              output: { type: 'text' as const, value: FILE },
            },
          ],
        },
      ]),
    ];
    const pruning = { ...SEED, rules: { recencyPruning: true, recencyRetention: 1 } } as const;
    const lost = (model: string) => aiSdk.optimize(history, { ...pruning, model }).warnings.map(({ code }) => code);
    expect(lost('gpt-5')).toEqual(['reasoning-dropped']);
    expect(lost('gpt-4.1')).toEqual([]);
  });
});

describe('one table says which generation a model is of', () => {
  /** What the adapter does with an edit in front of thinking, which tells the generations apart. */
  function treated(target: object): string {
    const options = { ...SEED, ...target };
    const messages = [
      user(text('Go.')),
      ai(thinking, text('I look.'), use('t1', 'read_file')),
      user(result('t1')),
      ai(thinking, use('t2', 'write_file')),
      user(result('t2', 'ok')),
    ];
    const output = anthropic.optimize(messages, options);
    if (!output.changed) return 'unknown';
    if (output.warnings.some(({ code }) => code === 'reasoning-dropped')) return 'preserved-thinking';
    const alone = [user(text('Go.')), ai(thinking, use('t1', 'read_file')), user(result('t1')), ...messages.slice(3)];
    return anthropic.optimize(alone, options).changed ? 'free' : 'manual-thinking';
  }

  test.each<[string, string]>([
    ['claude-3-5-sonnet-20241022', 'no-thinking'],
    ['claude-3-7-sonnet-20250219', 'manual-thinking'],
    ['claude-sonnet-4-20250514', 'manual-thinking'],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', 'manual-thinking'],
    ['claude-sonnet-4-5@20250929', 'manual-thinking'],
    ['claude-opus-4-7', 'adaptive-thinking'],
    ['anthropic/claude-sonnet-4.6', 'adaptive-thinking'],
    ['claude-sonnet-5', 'adaptive-thinking'],
    ['claude-opus-5-2', 'adaptive-thinking'],
    ['claude-sonnet-5-20260201', 'adaptive-thinking'],
    ['claude-fable-5-20260701', 'adaptive-thinking'],
    ['claude-fable-5-1', 'preserved-thinking'],
    ['claude-opus-5-6', 'preserved-thinking'],
    ['claude-haiku-6', 'preserved-thinking'],
    ['someone-elses', 'unknown'],
  ])('%s is %s', (model, generation) => {
    const known = Object.entries(providerRules.anthropic.generations);
    expect(known.find(([, { models }]) => models.test(model))?.[0] ?? 'unknown').toBe(generation);
    const isFree = generation === 'adaptive-thinking' || generation === 'no-thinking';
    expect(treated({ model })).toBe(isFree ? 'free' : generation);
    if (generation !== 'unknown') expect(treated({ generation })).toBe(isFree ? 'free' : generation);
  });
});
