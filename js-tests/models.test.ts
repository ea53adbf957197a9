// The generation of a Claude model by any of its names: verbs and validation agree.
import { type AnthropicMessageLike, compress, optimize } from 'densify/anthropic';
import { validate } from 'densify/validate';
import { describe, expect, test } from 'vitest';

interface Message extends AnthropicMessageLike {
  readonly content: string | readonly ({ readonly type: string } & Record<string, unknown>)[];
}

const step = (id: string, name: string, thought = true): Message[] => [
  {
    role: 'assistant',
    content: [
      ...(thought ? [{ type: 'thinking', thinking: id, signature: `signed ${id}` }] : []),
      { type: 'tool_use', id, name, input: { file_path: 'a.ts' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'a line of a file\n'.repeat(40) }] },
];
const history: readonly Message[] = [
  { role: 'user', content: 'Go.' },
  { role: 'assistant', content: 'I look.' },
  { role: 'user', content: 'Yes.' },
  ...step('t1', 'read_file', false),
  ...step('t2', 'write_file'),
  ...step('t3', 'grep'),
];

const names = {
  'preserved-thinking': [
    'claude-opus-5-5',
    'claude-fable-5-1',
    'claude-mythos-6',
    'claude-opus-6',
    'claude-sonnet-5-10',
    'claude-saga-7', // a family that nobody knows yet
    'vertex_ai/claude-opus-5-5@20260801',
    'us.anthropic.claude-haiku-5-5-20260801-v1:0',
    'opus', // aliases mean whichever is the newest
    'my-gateway/sonnet',
    'claude-haiku-latest',
  ],
  'adaptive-thinking': [
    'claude-opus-4-6',
    'anthropic/claude-sonnet-4.6',
    'claude-sonnet-5',
    'claude-opus-5-20260101',
    'claude-opus-5-1',
    'claude-fable-5',
    'anthropic.claude-opus-5-v1:0',
  ],
  'manual-thinking': [
    'claude-3-7-sonnet-latest',
    'anthropic.claude-3-7-sonnet-20250219-v1:0',
    'claude-sonnet-4-20250514',
    'claude-4-sonnet',
    'claude-opus-4@20250514',
    'us.anthropic.claude-opus-4-1-20250805-v1:0',
    'claude-haiku-4-5',
    'Opus 4.5',
  ],
  'no-thinking': [
    'claude-3-5-sonnet-20241022',
    'claude-3-opus-20240229',
    'anthropic.claude-v2:1',
    'anthropic.claude-instant-v1',
  ],
} as const;
const named = Object.entries(names).flatMap(([generation, models]) =>
  models.map((model) => [model, generation as keyof typeof names] as const),
);

describe.each(named)('%s', (model, generation) => {
  test(`is of ${generation} to the verbs, and acts alike`, () => {
    // Models differ in prices, too, which decide when a flush pays.
    const prices = { cached: 0.1, uncached: 1.25 };
    const output = optimize(history, { model, prices });
    expect(output).toEqual(optimize(history, { generation, prices }));
    expect(output.changed).toBe(true);
    const dropped = output.warnings.map(({ code }) => code);
    expect(dropped).toEqual(generation === 'preserved-thinking' ? ['reasoning-dropped'] : []);
    expect(compress(history, { strategy: 'high-density', contextLimit: 300, model }).kind).toBe('applied');
  });

  test('and to validation', () => {
    const levelsOf = (options: object) =>
      [
        [...history, { role: 'assistant', content: 'So' }],
        history.map((message) =>
          typeof message.content === 'string'
            ? message
            : { ...message, content: message.content.filter(({ type }) => type !== 'thinking') },
        ),
      ].flatMap((messages) =>
        validate(messages, { format: 'anthropic', thinking: true, ...options }).findings.map(({ code, level }) => [
          code,
          level,
        ]),
      );
    expect(levelsOf({ model })).toEqual(levelsOf({ generation }));
    expect(levelsOf({ model }).length > 0).toBe(generation !== 'no-thinking');
  });
});

test('what says nothing of a model is none: edits before thinking wait', () => {
  const model = 'arn:aws:bedrock:eu-west-1:1:application-inference-profile/x7';
  expect(optimize(history, { model }).messages).toBe(history);
  expect(optimize(history, { model }).warnings[0]?.code).toBe('edit-held-back');
});
