// The shapes of items of OpenAI's Agents SDK, as its own schema has them.
import { nullable, oneOf, type Shape } from '../shape.js';

const base = { 'id?': 'string', 'providerData?': 'object' } as const;
const item = (keys: Readonly<Record<string, Shape>>): Shape => ({ keys: { ...base, ...keys } });
const part = (keys: Readonly<Record<string, Shape>>): Shape => ({ keys: { 'providerData?': 'object', ...keys } });

const breakpoint = { 'promptCacheBreakpoint?': { keys: { mode: oneOf('explicit') } } } as const;
const text: Shape = part({ text: 'string' });
const idOf: Shape = { keys: { id: 'string' } };
const url = { url: 'string' } as const;
const bytes: Shape = {
  anyOf: ['string', { test: (value) => value instanceof Uint8Array, expected: 'bytes' }],
};
const wholeNumber = (least = -Infinity): Shape => ({
  test: (value) => Number.isSafeInteger(value) && (value as number) >= least,
  expected: 'a whole number',
});

const input = {
  input_text: part({ text: 'string', ...breakpoint }),
  input_image: part({ 'image?': { anyOf: ['string', idOf] }, 'detail?': 'string', ...breakpoint }),
  input_file: part({
    'file?': { anyOf: ['string', idOf, { keys: url }] },
    'filename?': 'string',
    ...breakpoint,
  }),
} as const satisfies Record<string, Shape>;
const audio: Shape = part({
  audio: { anyOf: ['string', idOf] },
  'format?': nullable('string'),
  'transcript?': nullable('string'),
  ...breakpoint,
});

/** What may stand in messages of the user. */
export const AGENTS_INPUT = { ...input, audio } as const satisfies Record<string, Shape>;
/** What may stand in messages of the model. */
export const AGENTS_OUTPUT = {
  output_text: text,
  refusal: part({ refusal: 'string' }),
  audio,
  image: part({ image: 'string' }),
} as const satisfies Record<string, Shape>;

const ANY_PART: Shape = { tag: 'type', of: { ...AGENTS_INPUT, ...AGENTS_OUTPUT } };
const parts: Shape = { list: ANY_PART };
const status = oneOf('in_progress', 'completed', 'incomplete');
const mediaType = { 'mediaType?': 'string' } as const;

/** What a tool gave back: a text, one part in an object, or a list of parts. */
const output: Shape = {
  anyOf: [
    'string',
    {
      tag: 'type',
      of: {
        text,
        image: part({
          'image?': {
            anyOf: ['string', { keys: { data: bytes, ...mediaType } }, { keys: url }, { keys: { fileId: 'string' } }],
          },
          'detail?': 'string',
        }),
        file: part({
          file: {
            anyOf: [
              'string',
              { keys: { data: bytes, mediaType: 'string', filename: 'string' } },
              { keys: { ...url, 'filename?': 'string' } },
              { keys: { id: 'string', 'filename?': 'string' } },
            ],
          },
        }),
      },
    },
    { list: { tag: 'type', of: input } },
  ],
};

const caller = {
  'caller?': { tag: 'type', of: { direct: 'object', program: { keys: { callerId: 'string' } } } },
} as const;
const at = { x: 'number', y: 'number' } as const;
const action: Shape = {
  tag: 'type',
  of: {
    screenshot: 'object',
    click: { keys: { ...at, button: oneOf('left', 'right', 'wheel', 'back', 'forward') } },
    double_click: { keys: at },
    scroll: { keys: { ...at, scroll_x: 'number', scroll_y: 'number' } },
    type: { keys: { text: 'string' } },
    wait: 'object',
    move: { keys: at },
    keypress: { keys: { keys: { list: 'string' } } },
    drag: { keys: { path: { list: { keys: at } } } },
  },
};
const computed = { callId: 'string', status } as const;
const search = {
  'call_id?': nullable('string'),
  'callId?': nullable('string'),
  'execution?': oneOf('client', 'server'),
  'status?': 'string',
} as const;
const diff = { path: 'string', diff: 'string' } as const;

export const agentsMessage: Shape = {
  tag: 'role',
  of: {
    system: item({ content: 'string' }),
    user: item({ content: { anyOf: ['string', parts] } }),
    assistant: item({ content: parts, status, 'phase?': oneOf('commentary', 'final_answer') }),
  },
};

export const agentsItem: Shape = {
  tag: 'type',
  of: {
    message: agentsMessage,
    function_call: item({
      callId: 'string',
      name: 'string',
      arguments: 'string',
      'namespace?': 'string',
      'status?': status,
      ...caller,
    }),
    function_call_result: item({ callId: 'string', name: 'string', 'namespace?': 'string', status, output, ...caller }),
    hosted_tool_call: item({
      name: 'string',
      'arguments?': 'string',
      'status?': 'string',
      'output?': 'string',
      ...caller,
    }),
    reasoning: item({ content: { list: input.input_text }, 'rawContent?': { list: text } }),
    program: item({ callId: 'string', code: 'string', fingerprint: 'string' }),
    program_output: item({ callId: 'string', output: 'string', status: oneOf('completed', 'incomplete') }),
    tool_search_call: item({ ...search, arguments: 'present' }),
    tool_search_output: item({
      ...search,
      'toolSearchAgentName?': 'string',
      'toolSearchMcpToolNames?': { list: 'string' },
      tools: { list: 'object' },
    }),
    computer_call: {
      anyOf: [
        item({ ...computed, action, 'actions?': { list: action, least: 1 } }),
        item({ ...computed, 'action?': action, actions: { list: action, least: 1 } }),
      ],
    },
    computer_call_result: item({
      callId: 'string',
      output: { keys: { 'providerData?': 'object', type: oneOf('computer_screenshot'), data: 'string' } },
    }),
    shell_call: item({
      callId: 'string',
      'status?': status,
      action: {
        keys: {
          commands: { list: 'string' },
          'timeoutMs?': wholeNumber(0),
          'maxOutputLength?': wholeNumber(0),
        },
      },
      ...caller,
    }),
    shell_call_output: item({
      callId: 'string',
      'status?': status,
      'maxOutputLength?': 'number',
      output: {
        list: {
          keys: {
            stdout: 'string',
            stderr: 'string',
            outcome: { tag: 'type', of: { timeout: 'object', exit: { keys: { exitCode: nullable(wholeNumber()) } } } },
          },
        },
      },
      ...caller,
    }),
    apply_patch_call: item({
      callId: 'string',
      status: oneOf('in_progress', 'completed'),
      operation: {
        tag: 'type',
        of: {
          create_file: { keys: diff },
          update_file: {
            keys: {
              ...diff,
              'moveTo?': { test: (value) => typeof value === 'string' && value !== '', expected: 'a path' },
            },
          },
          delete_file: { keys: { path: 'string' } },
        },
      },
      ...caller,
    }),
    apply_patch_call_output: item({
      callId: 'string',
      status: oneOf('completed', 'failed'),
      'output?': 'string',
      ...caller,
    }),
    compaction: item({ encrypted_content: 'string', 'created_by?': 'string' }),
    unknown: item({}),
  },
};
