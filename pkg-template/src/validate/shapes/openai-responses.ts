// The shapes of the Responses API's input items, as the SDK's types have them.
import { nullable, oneOf, type Shape } from '../shape.js';

const image: Shape = {
  keys: {
    'detail?': nullable(oneOf('low', 'high', 'auto', 'original')),
    'file_id?': nullable('string'),
    'image_url?': nullable('string'),
  },
};
const file: Shape = {
  keys: {
    'file_data?': nullable('string'),
    'file_id?': nullable('string'),
    'file_url?': nullable('string'),
    'filename?': 'string',
  },
};
const text: Shape = { keys: { text: 'string' } };

/** What may stand in messages of the user, the system and the developer. */
export const INPUT_PARTS = {
  input_text: text,
  input_image: image,
  input_file: file,
  input_audio: 'object',
} as const satisfies Record<string, Shape>;
/** What may stand in messages of the model. */
export const OUTPUT_PARTS = {
  output_text: { keys: { text: 'string', 'annotations?': { list: 'object' } } },
  refusal: { keys: { refusal: 'string' } },
} as const satisfies Record<string, Shape>;

const output: Shape = { anyOf: ['string', { list: { tag: 'type', of: INPUT_PARTS } }] };
const running = (...more: readonly string[]): Shape => oneOf('in_progress', 'completed', ...more);
const status: Shape = nullable(oneOf('in_progress', 'completed', 'incomplete'));
const id = { 'id?': nullable('string') } as const;
const texts: Shape = { list: { keys: { text: 'string', type: 'string' } } };

const search: Shape = {
  tag: 'type',
  of: {
    search: { keys: { 'query?': 'string', 'queries?': { list: 'string' } } },
    open_page: { keys: { 'url?': nullable('string') } },
    find_in_page: { keys: { pattern: 'string', url: 'string' } },
  },
};

export const responsesMessage: Shape = {
  tag: 'role',
  of: Object.fromEntries(
    ['user', 'assistant', 'system', 'developer'].map((role) => [
      role,
      {
        keys: {
          // Types ask for `id`, `status` and `annotations` where a text is an output; the API and Codex do without.
          content: { anyOf: ['string', { list: { tag: 'type', of: { ...INPUT_PARTS, ...OUTPUT_PARTS } } }] },
          'status?': status,
          'id?': 'string',
          'phase?': nullable(oneOf('commentary', 'final_answer')),
        },
      },
    ]),
  ),
};

const answered: Shape = { keys: { call_id: 'string', output, ...id } };

export const responsesItem: Shape = {
  tag: 'type',
  of: {
    message: responsesMessage,
    function_call: {
      keys: { call_id: 'string', name: 'string', arguments: 'string', 'id?': 'string', 'status?': status },
    },
    function_call_output: { keys: { 'call_id?': nullable('string'), output, ...id, 'status?': status } },
    custom_tool_call: { keys: { call_id: 'string', name: 'string', input: 'string', 'id?': 'string' } },
    custom_tool_call_output: answered,
    reasoning: {
      keys: {
        id: 'string',
        summary: texts,
        'content?': nullable(texts),
        'encrypted_content?': nullable('string'),
        'status?': status,
      },
    },
    item_reference: { keys: { id: 'string' } },
    compaction: { keys: { encrypted_content: 'string', ...id } },
    compaction_trigger: 'object',
    web_search_call: { keys: { id: 'string', status: running('searching', 'failed'), action: search } },
    file_search_call: {
      keys: {
        id: 'string',
        queries: { list: 'string' },
        status: running('searching', 'incomplete', 'failed'),
        'results?': nullable({ list: 'object' }),
      },
    },
    computer_call: {
      keys: {
        id: 'string',
        call_id: 'string',
        pending_safety_checks: { list: 'object' },
        status: running('incomplete'),
      },
    },
    computer_call_output: { keys: { call_id: 'string', output: { keys: { type: oneOf('computer_screenshot') } } } },
    code_interpreter_call: {
      keys: {
        id: 'string',
        code: nullable('string'),
        container_id: 'string',
        outputs: nullable({ list: 'object' }),
        status: running('incomplete', 'interpreting', 'failed'),
      },
    },
    image_generation_call: {
      keys: { id: 'string', result: nullable('string'), status: running('generating', 'failed') },
    },
    local_shell_call: {
      keys: {
        id: 'string',
        call_id: 'string',
        action: { keys: { type: oneOf('exec'), command: { list: 'string' }, env: { entries: 'string' } } },
        status: running('incomplete'),
      },
    },
    local_shell_call_output: { keys: { id: 'string', output: 'string' } },
    shell_call: { keys: { call_id: 'string', action: { keys: { commands: { list: 'string' } } }, ...id } },
    shell_call_output: { keys: { call_id: 'string', output: { list: 'object' }, ...id } },
    apply_patch_call: { keys: { call_id: 'string', operation: 'object', status: running(), ...id } },
    apply_patch_call_output: { keys: { call_id: 'string', status: oneOf('completed', 'failed'), ...id } },
    mcp_list_tools: {
      keys: {
        id: 'string',
        server_label: 'string',
        tools: {
          list: {
            keys: { name: 'string', input_schema: { test: (value) => value !== undefined, expected: 'a schema' } },
          },
        },
      },
    },
    mcp_approval_request: { keys: { id: 'string', server_label: 'string', name: 'string', arguments: 'string' } },
    mcp_approval_response: { keys: { approval_request_id: 'string', approve: 'boolean' } },
    mcp_call: { keys: { id: 'string', server_label: 'string', name: 'string', arguments: 'string' } },
    tool_search_call: 'object',
    tool_search_output: { keys: { tools: { list: 'object' } } },
    additional_tools: 'object',
    configuration_update: 'object',
    program: 'object',
    program_output: 'object',
  },
};
