// Valid messages of each format with most of its features: the starting point of judges and mutations.
import type { MessageFormat } from 'densify/validate';
import { AGENTS } from './samples-agents.js';

/** Each block in a message of its own; pairs are parted, since shapes are judged message by message. */
export const SAMPLES: Readonly<Partial<Record<MessageFormat, readonly Record<string, unknown>[]>>> = {
  anthropic: [
    { role: 'user', content: 'hi' },
    { role: 'system', content: [{ type: 'text', text: 's' }] },
    {
      role: 'user',
      content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' }, citations: null }],
    },
    { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }] },
    { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'u' } }] },
    { role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] },
    {
      role: 'user',
      content: [
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'x' },
          title: 't',
          context: null,
          citations: { enabled: true },
        },
      ],
    },
    { role: 'user', content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }] },
    {
      role: 'user',
      content: [{ type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'x' }] } }],
    },
    {
      role: 'user',
      content: [{ type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'x' }] }],
    },
    { role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x', is_error: true }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'b',
          content: [
            { type: 'text', text: 't' },
            { type: 'image', source: { type: 'url', url: 'u' } },
            { type: 'document', source: { type: 'url', url: 'u' } },
            { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'x' }] },
            { type: 'tool_reference', tool_name: 'n' },
          ],
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 't', signature: 's' }] },
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'd' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'f', input: { a: 1 }, caller: { type: 'direct' } }],
    },
    { role: 'assistant', content: [{ type: 'server_tool_use', id: 'srv', name: 'web_search', input: { query: 'q' } }] },
    {
      role: 'assistant',
      content: [
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srv',
          content: [{ type: 'web_search_result', encrypted_content: 'e', title: 't', url: 'u', page_age: null }],
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srv',
          content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'code_execution_tool_result',
          tool_use_id: 's',
          content: { type: 'code_execution_result', content: [], return_code: 0, stderr: '', stdout: '' },
        },
      ],
    },
  ],
  'openai-chat': [
    { role: 'system', content: 's', name: 'n' },
    { role: 'developer', content: [{ type: 'text', text: 'x' }] },
    { role: 'user', content: [{ type: 'text', text: 'x' }], name: 'n' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'u', detail: 'low' } }], name: 'n' },
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'd', format: 'wav' } }], name: 'n' },
    { role: 'user', content: [{ type: 'file', file: { file_data: 'd', filename: 'f', file_id: 'i' } }], name: 'n' },
    { role: 'user', content: 'x' },
    {
      role: 'assistant',
      content: null,
      refusal: null,
      audio: { id: 'a' },
      name: 'n',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
        { id: 'b', type: 'custom', custom: { name: 'g', input: 'x' } },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'x' }], function_call: { name: 'f', arguments: '{}' } },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'r' }], function_call: { name: 'f', arguments: '{}' } },
    { role: 'tool', tool_call_id: 'a', content: 'x' },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'x' }] },
    { role: 'function', name: 'f', content: 'x' },
  ],
  'openai-agents': AGENTS,
  'openai-responses': [
    { role: 'user', content: 'x' },
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'x' }] },
    { type: 'message', role: 'developer', content: [{ type: 'input_image', image_url: 'u', detail: 'auto' }] },
    { type: 'message', role: 'developer', content: [{ type: 'input_file', file_id: 'f', filename: 'n' }] },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'x', annotations: [] }],
      phase: 'commentary',
    },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'refusal', refusal: 'r' }],
      phase: 'commentary',
    },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', id: 'fc_1', status: 'completed' },
    { type: 'function_call_output', call_id: 'c', output: 'x' },
    {
      type: 'function_call_output',
      call_id: 'c',
      output: [
        { type: 'input_text', text: 'x' },
        { type: 'input_image', image_url: 'u', detail: 'auto' },
      ],
      id: 'o',
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'x' }],
      content: [{ type: 'reasoning_text', text: 'y' }],
      encrypted_content: 'e',
      status: 'completed',
    },
    { type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'x', id: 'ctc_1' },
    { type: 'custom_tool_call_output', call_id: 'c', output: 'x' },
    { type: 'item_reference', id: 'x' },
    { type: 'compaction', encrypted_content: 'e', id: 'c' },
    { type: 'compaction_trigger' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
    { type: 'file_search_call', id: 'fs', status: 'completed', queries: ['q'], results: null },
    { type: 'code_interpreter_call', id: 'ci', code: 'x', container_id: 'c', outputs: null, status: 'completed' },
    { type: 'image_generation_call', id: 'ig', result: 'x', status: 'completed' },
    {
      type: 'computer_call',
      id: 'cu',
      call_id: 'c',
      pending_safety_checks: [],
      status: 'completed',
      action: { type: 'screenshot' },
    },
    { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: 'u' } },
    {
      type: 'local_shell_call',
      id: 'l',
      call_id: 'c',
      status: 'completed',
      action: { type: 'exec', command: ['ls'], env: {} },
    },
    { type: 'local_shell_call_output', id: 'l', output: 'x' },
    { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } },
    {
      type: 'shell_call_output',
      call_id: 'c',
      output: [{ outcome: { type: 'exit', exit_code: 0 }, stderr: '', stdout: '' }],
    },
    { type: 'apply_patch_call', call_id: 'c', status: 'completed', operation: { type: 'delete_file', path: 'p' } },
    { type: 'apply_patch_call_output', call_id: 'c', status: 'completed', output: 'x' },
    { type: 'mcp_list_tools', id: 'm', server_label: 's', tools: [{ name: 'n', input_schema: {} }] },
    { type: 'mcp_approval_request', id: 'r', server_label: 's', name: 'n', arguments: '{}' },
    { type: 'mcp_approval_response', approval_request_id: 'r', approve: true },
    { type: 'mcp_call', id: 'm', server_label: 's', name: 'n', arguments: '{}' },
  ],
  gemini: [
    { role: 'user', parts: [{ text: 'x' }] },
    { role: 'user', parts: [{ inlineData: { data: 'd', mimeType: 'm' } }] },
    { role: 'user', parts: [{ fileData: { fileUri: 'f', mimeType: 'm' } }] },
    { role: 'model', parts: [{ text: 't', thought: true, thoughtSignature: 's' }] },
    { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f', args: { a: 1 } }, thoughtSignature: 'x' }] },
    { role: 'model', parts: [{ executableCode: { code: 'c', language: 'PYTHON' } }] },
    { role: 'model', parts: [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'o' } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'f', response: { output: 'x' } } }] },
  ],
  'ai-sdk': [
    { role: 'system', content: 's', providerOptions: { openai: { itemId: 'x', n: 1, list: [1, 'a', null] } } },
    { role: 'user', content: 'x', providerOptions: { openai: { itemId: 'x', n: 1, list: [1, 'a', null] } } },
    {
      role: 'user',
      content: [{ type: 'text', text: 'x', providerOptions: { openai: { itemId: 'x', n: 1, list: [1, 'a', null] } } }],
    },
    { role: 'user', content: [{ type: 'image', image: 'aGk=', mediaType: 'image/png' }] },
    { role: 'user', content: [{ type: 'file', data: 'aGk=', mediaType: 'a/b', filename: 'f' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'r', providerOptions: { openai: { itemId: 'x', n: 1, list: [1, 'a', null] } } },
      ],
    },
    { role: 'assistant', content: [{ type: 'file', data: 'aGk=', mediaType: 'a/b' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: { a: 1 }, providerExecuted: false }],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'b', toolName: 'f', input: {}, providerExecuted: true }],
    },
    {
      role: 'assistant',
      content: [
        { type: 'tool-result', toolCallId: 'b', toolName: 'f', output: { type: 'json', value: { a: [1, null] } } },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: 'x' } }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'b',
          toolName: 'f',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'x' },
              { type: 'file-data', data: 'd', mediaType: 'm' },
              { type: 'image-url', url: 'u' },
              { type: 'image-file-id', fileId: 'f' },
            ],
          },
        },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'f', output: { type: 'error-json', value: 5 } }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'd', toolName: 'f', output: { type: 'execution-denied', reason: 'r' } },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true, reason: 'r' }] },
  ],
  'ai-sdk-ui': [
    {
      id: '1',
      role: 'user',
      parts: [
        {
          type: 'text',
          text: 'x',
          state: 'done',
          providerMetadata: { openai: { itemId: 'x', n: 1, list: [1, 'a', null] } },
        },
      ],
    },
    { id: '1', role: 'user', parts: [{ type: 'file', mediaType: 'm', url: 'u', filename: 'f' }] },
    { id: '1', role: 'user', parts: [{ type: 'data-x', id: 'i', data: 1 }] },
    { id: '2', role: 'assistant', metadata: { a: 1 }, parts: [{ type: 'step-start' }] },
    { id: '2', role: 'assistant', metadata: { a: 1 }, parts: [{ type: 'reasoning', text: 'r', state: 'done' }] },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [{ type: 'source-url', sourceId: 's', url: 'u', title: 't' }],
    },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [{ type: 'source-document', sourceId: 's', mediaType: 'm', title: 't', filename: 'f' }],
    },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [
        {
          type: 'tool-f',
          toolCallId: 'a',
          state: 'output-available',
          input: { a: 1 },
          output: { b: 1 },
          callProviderMetadata: { openai: { itemId: 'x', n: 1, list: [1, 'a', null] } },
          preliminary: false,
        },
      ],
    },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [{ type: 'tool-f', toolCallId: 'b', state: 'output-error', input: {}, errorText: 'e' }],
    },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [{ type: 'tool-f', toolCallId: 'c', state: 'input-available', input: {} }],
    },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [{ type: 'tool-f', toolCallId: 'd', state: 'approval-requested', input: {}, approval: { id: 'p' } }],
    },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [
        {
          type: 'tool-f',
          toolCallId: 'e',
          state: 'approval-responded',
          input: {},
          approval: { id: 'p', approved: true, reason: 'r' },
        },
      ],
    },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [
        { type: 'tool-f', toolCallId: 'g', state: 'output-denied', input: {}, approval: { id: 'p', approved: false } },
      ],
    },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [{ type: 'tool-f', toolCallId: 'h', state: 'input-streaming', input: {} }],
    },
    {
      id: '2',
      role: 'assistant',
      metadata: { a: 1 },
      parts: [
        {
          type: 'dynamic-tool',
          toolName: 'f',
          toolCallId: 'i',
          state: 'output-available',
          input: {},
          output: 1,
          approval: { id: 'p', approved: true },
        },
      ],
    },
    { id: '2', role: 'assistant', metadata: { a: 1 }, parts: [{ type: 'text', text: 'x' }] },
  ],
  langchain: [
    { role: 'user', content: 'x' },
    { type: 'human', content: [{ type: 'text', text: 'x' }] },
    { role: 'assistant', content: 'x', tool_calls: [{ id: 'a', name: 'f', args: { a: 1 }, type: 'tool_call' }] },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { type: 'tool', tool_call_id: 'a', content: 'x', name: 'f', status: 'error' },
    { role: 'system', content: 'x' },
    { role: 'developer', content: 'x' },
    { type: 'remove', id: 'a' },
  ],
};
