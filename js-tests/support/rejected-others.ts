import type { MessageFormat } from 'densify/validate';
import { type Example, type Message, said, user } from './rejected.js';

const model = (...parts: unknown[]): Message => ({ role: 'model', parts });
const asks = (...parts: unknown[]): Message => ({ role: 'user', parts });
const functionPart = (name: string, more: object = {}): Message => ({ functionCall: { name, args: {} }, ...more });
const response = (name: string): Message => ({ functionResponse: { name, response: { output: 'x' } } });
const hello = { text: 'hi' };

export const GEMINI: readonly Example[] = [
  {
    of: 'fewer responses than calls',
    messages: [asks(hello), model(functionPart('f'), functionPart('g')), asks(response('f'))],
    options: { model: 'gemini-2.5-pro' },
    code: 'result-count',
    path: [1, 'parts', 1],
    says: /number of function response parts is equal to the number of function call parts/,
    mended: true,
  },
  {
    of: 'responses in two contents',
    messages: [asks(hello), model(functionPart('f'), functionPart('g')), asks(response('f')), asks(response('g'))],
    options: { model: 'gemini-2.5-pro' },
    code: 'orphan-result',
    path: [3, 'parts', 0],
    says: /function response turn comes immediately after a function call turn/,
    mended: true,
  },
  {
    of: 'a call without any response',
    messages: [asks(hello), model(functionPart('f')), asks(hello)],
    options: { model: 'gemini-2.5-pro' },
    code: 'orphan-call',
    path: [1, 'parts', 0],
    says: /number of function response parts is equal/,
    mended: true,
  },
  {
    of: 'gemini-cli#26956: a window that opens on a call',
    messages: [model(functionPart('f')), asks(response('f'))],
    options: { model: 'gemini-2.5-pro' },
    code: 'call-position',
    path: [0, 'parts', 0],
    says: /function call turn comes immediately after a user turn or after a function response turn/,
    mended: true,
  },
  {
    of: 'thought-signatures: the first call of the step has none',
    messages: [asks(hello), model(functionPart('f'), functionPart('g')), asks(response('f'), response('g'))],
    options: { model: 'gemini-3-pro-preview' },
    code: 'signature-missing',
    path: [1, 'parts', 0],
    says: /Function call is missing a thought_signature in functionCall parts/,
    mended: true,
  },
  {
    of: 'mastra trailing-assistant-guard',
    messages: [asks(hello), model(hello)],
    options: { model: 'gemini-3-flash' },
    code: 'last-role',
    path: [1],
    says: /Requests ending with a model turn are not supported/,
    mended: false,
  },
  {
    of: 'a role of another format',
    messages: [{ role: 'assistant', parts: [hello] }],
    code: 'unknown-role',
    path: [0],
    says: /Please use a valid role: user, model/,
    mended: false,
  },
  {
    of: 'a content without parts',
    messages: [asks(hello), model(), asks(hello)],
    code: 'empty-message',
    path: [1],
    says: /parts must not be empty/,
    mended: true,
  },
  {
    of: 'a part without data',
    messages: [asks({ thought: true })],
    code: 'bad-shape',
    path: [0, 'parts', 0],
    says: /must have one initialized field/,
    mended: false,
  },
];

const toolCall = (id: string, more: object = {}): Message => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'f',
  input: {},
  ...more,
});
const results = (...ids: string[]): Message => ({
  role: 'tool',
  content: ids.map((id) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'f',
    output: { type: 'text', value: 'x' },
  })),
});

export const AI_SDK: readonly Example[] = [
  {
    of: 'AI_MissingToolResultsError',
    messages: [user(), said(toolCall('a'), toolCall('b')), user()],
    code: 'orphan-call',
    path: [1, 'content', 0],
    says: /Tool results are missing for tool calls a, b\./,
    mended: true,
  },
  {
    of: 'a result that the SDK lets through and no provider takes',
    messages: [user(), results('a')],
    code: 'orphan-result',
    path: [1, 'content', 0],
    mended: true,
  },
  {
    of: 'another message of the model between call and result',
    messages: [
      user(),
      said(toolCall('a'), toolCall('b')),
      results('a'),
      said({ type: 'text', text: 'x' }),
      results('b'),
    ],
    options: { provider: 'google' },
    code: 'misplaced-result',
    path: [4, 'content', 0],
    mended: true,
  },
  {
    of: 'AI_InvalidPromptError: a system message',
    messages: [{ role: 'system', content: 's' }, user()],
    code: 'system-position',
    path: [0],
    says: /System messages are not allowed/,
    mended: false,
  },
  {
    of: 'vercel/ai#13430, #7099: reasoning of OpenAI alone',
    messages: [user(), said({ type: 'reasoning', text: 'x', providerOptions: { openai: { itemId: 'rs_1' } } }), user()],
    code: 'reasoning-without-successor',
    path: [1, 'content', 0],
    mended: true,
  },
  {
    of: 'vercel/ai#16385: an approval whose request is gone',
    messages: [
      user(),
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true }] },
    ],
    code: 'orphan-approval',
    path: [1, 'content', 0],
    says: /references unknown approvalId: "p"/,
    mended: true,
  },
  {
    of: 'an approval whose call is gone',
    messages: [
      user(),
      said({ type: 'text', text: 'x' }, { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }),
      user(),
    ],
    code: 'orphan-approval',
    path: [1, 'content', 1],
    mended: true,
  },
  {
    of: 'a result that is no output',
    messages: [
      user(),
      said(toolCall('a')),
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', result: 'x' }] },
    ],
    code: 'bad-shape',
    path: [2, 'content', 0, 'output'],
    mended: false,
  },
];

const toolUse = (id: string): Message => ({ type: 'tool_use', id, name: 'read', input: {} });

export const OTHERS: readonly (Example & { readonly format: MessageFormat })[] = [
  {
    of: 'a part that waits in the middle',
    format: 'ai-sdk-ui',
    messages: [
      { id: '1', role: 'assistant', parts: [{ type: 'tool-f', toolCallId: 'a', state: 'input-available', input: {} }] },
      { id: '2', role: 'user', parts: [{ type: 'text', text: 'x' }] },
    ],
    code: 'orphan-call',
    path: [0, 'parts', 0],
    says: /Tool result is missing for tool call a/,
    mended: true,
  },
  {
    of: 'a message without parts',
    format: 'ai-sdk-ui',
    messages: [{ id: '1', role: 'user', parts: [] }],
    code: 'empty-message',
    path: [0],
    says: /Message must contain at least one part/,
    mended: false,
  },
  {
    of: 'LangChain: a tool without an id',
    format: 'langchain',
    messages: [user(), { role: 'tool', content: 'x' }],
    code: 'bad-shape',
    path: [1, 'tool_call_id'],
    mended: false,
  },
  {
    of: 'LangChain: a role that nobody knows',
    format: 'langchain',
    messages: [{ role: 'critic', content: 'x' }],
    code: 'unknown-role',
    path: [0],
    says: /Unable to coerce message/,
    mended: false,
  },
  {
    of: 'deepagents#270, langchain#38352: a stored result that was trimmed',
    format: 'langchain',
    messages: [
      { type: 'human', data: { content: 'x' } },
      { type: 'ai', data: { content: '', tool_calls: [{ id: 'a', name: 'f', args: {} }] } },
    ],
    code: 'orphan-call',
    path: [1, 'data', 'tool_calls', 0],
    mended: true,
  },
  {
    of: 'LangChain: calls in the content alone',
    format: 'langchain',
    messages: [{ type: 'ai', content: [toolUse('a')], tool_calls: [] }],
    code: 'call-mismatch',
    path: [0, 'content', 0],
    level: 'warning',
    mended: false,
  },
  {
    of: 'earendil-works/pi#8667: a result without its call',
    format: 'pi',
    messages: [
      { role: 'toolResult', toolCallId: 'a', toolName: 'f', content: [], isError: false, timestamp: 1 },
      user(),
    ],
    code: 'orphan-result',
    path: [0],
    mended: true,
  },
  {
    of: 'pi answers calls itself',
    format: 'pi',
    messages: [
      user(),
      { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'f', arguments: {} }] },
      user(),
    ],
    code: 'orphan-call',
    path: [1, 'content', 0],
    level: 'warning',
    mended: false,
  },
  {
    of: 'contents: a response without its call',
    format: 'densify',
    messages: [{ speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'a', toolName: 'f', result: 'x' }] }],
    code: 'orphan-result',
    path: [0, 'blocks', 0],
    mended: false,
  },
  {
    of: 'a prompt of middleware with a text for a content',
    format: 'ai-sdk-prompt',
    messages: [user('x')],
    code: 'bad-shape',
    path: [0, 'content'],
    mended: false,
  },
  {
    of: 'a list that is none',
    format: 'anthropic',
    messages: 'x' as unknown as unknown[],
    code: 'not-a-list',
    path: [],
    mended: false,
  },
  { of: 'a hole', format: 'openai-chat', messages: [user(), null], code: 'not-a-message', path: [1], mended: true },
  {
    of: 'a value that throws',
    format: 'gemini',
    messages: [
      asks(hello),
      {
        get parts(): unknown {
          throw new Error('gone');
        },
      },
    ],
    code: 'unreadable',
    path: [1],
    mended: false,
  },
  {
    of: 'a number that JSON has not',
    format: 'anthropic',
    messages: [user(), said({ ...toolUse('a'), input: { at: 7n } }), user([{ type: 'tool_result', tool_use_id: 'a' }])],
    code: 'not-json',
    path: [1, 'content', 0, 'input', 'at'],
    mended: true,
  },
  {
    of: 'a name that differs',
    format: 'gemini',
    messages: [asks(hello), model(functionPart('f')), asks(response('g'))],
    options: { model: 'gemini-2.5-pro' },
    code: 'result-name',
    path: [2, 'parts', 0],
    level: 'warning',
    mended: false,
  },
  {
    of: 'more than 100,000 messages',
    format: 'anthropic',
    messages: Array<unknown>(100_001).fill(user()),
    code: 'too-many-messages',
    path: [],
    mended: false,
  },
  {
    of: 'an approval twice',
    format: 'ai-sdk',
    messages: [
      user(),
      said(toolCall('a'), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }),
      { role: 'tool', content: Array(2).fill({ type: 'tool-approval-response', approvalId: 'p', approved: true }) },
    ],
    code: 'duplicate-approval',
    path: [2, 'content', 1],
    mended: true,
  },
];
