// The shapes of Anthropic's Messages, as its SDK's types have them; beta blocks included.
import { nullable, oneOf, type Shape } from '../shape.js';

const cacheControl: Shape = nullable({ keys: { type: oneOf('ephemeral'), 'ttl?': oneOf('5m', '1h') } });
const cached = { 'cache_control?': cacheControl } as const;

const base64 = (...types: readonly string[]): Shape => ({
  keys: { type: oneOf('base64'), media_type: oneOf(...types), data: 'string' },
});
const url: Shape = { keys: { type: oneOf('url'), url: 'string' } };
const file: Shape = { keys: { type: oneOf('file'), file_id: 'string' } };

const citations: Shape = { keys: { 'enabled?': 'boolean' } };
const text: Shape = { keys: { text: 'string', 'citations?': nullable({ list: 'object' }), ...cached } };
const image: Shape = {
  keys: {
    source: {
      tag: 'type',
      of: { base64: base64('image/jpeg', 'image/png', 'image/gif', 'image/webp'), url, file },
    },
    ...cached,
  },
};
const quoted: Shape = { anyOf: ['string', { list: { tag: 'type', of: { text, image } } }] };
const document: Shape = {
  keys: {
    source: {
      tag: 'type',
      of: {
        base64: base64('application/pdf'),
        text: { keys: { media_type: oneOf('text/plain'), data: 'string' } },
        content: { keys: { content: quoted } },
        url,
        file,
      },
    },
    'title?': nullable('string'),
    'context?': nullable('string'),
    'citations?': nullable(citations),
    ...cached,
  },
};
const texts: Shape = { list: { tag: 'type', of: { text } } };
const searchResult: Shape = {
  keys: { content: texts, source: 'string', title: 'string', 'citations?': citations, ...cached },
};
const call: Shape = { keys: { id: 'string', name: 'string', input: 'object', ...cached } };
const loose: Shape = 'object';

/** What a tool may give back. */
const resultBlock: Shape = {
  tag: 'type',
  of: {
    text,
    image,
    document,
    search_result: searchResult,
    tool_reference: { keys: { tool_name: 'string' } },
    browser_state: loose,
  },
};

const serverResult: Shape = {
  keys: { tool_use_id: 'string', content: { anyOf: ['string', 'object', { list: 'object' }] }, ...cached },
};

/** Results of tools that the provider runs. */
export const SERVER_RESULTS = [
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
  'mcp_tool_result',
] as const;

/** Calls of tools that the provider runs. */
export const SERVER_CALLS: readonly string[] = ['server_tool_use', 'mcp_tool_use'];

const block: Shape = {
  tag: 'type',
  of: {
    text,
    image,
    document,
    search_result: searchResult,
    // Without a signature it is reported as unsigned thinking.
    thinking: { keys: { thinking: 'string', 'signature?': nullable('string') } },
    redacted_thinking: { keys: { data: 'string' } },
    tool_use: call,
    tool_result: {
      keys: {
        tool_use_id: 'string',
        'content?': { anyOf: ['string', { list: resultBlock }] },
        'is_error?': 'boolean',
        ...cached,
      },
    },
    server_tool_use: call,
    mcp_tool_use: { keys: { id: 'string', name: 'string', server_name: 'string', input: 'object', ...cached } },
    container_upload: { keys: { file_id: 'string', ...cached } },
    compaction: { keys: { 'content?': nullable('string'), ...cached } },
    tool_addition: loose,
    tool_removal: loose,
    fallback: loose,
    ...Object.fromEntries(SERVER_RESULTS.map((name) => [name, serverResult])),
  },
};

export const anthropicMessage: Shape = {
  tag: 'role',
  of: {
    user: { keys: { content: { anyOf: ['string', { list: block }] } } },
    assistant: { keys: { content: { anyOf: ['string', { list: block }] } } },
    system: { keys: { content: { anyOf: ['string', { list: { tag: 'type', of: { text } } }] } } },
  },
};
