// Items of OpenAI's Agents SDK that OpenAI rejects, or that the SDK refuses to send.
import { type Example, type Message, user } from './rejected.js';

const call = (callId: string, more: Message = {}): Message => ({
  type: 'function_call',
  callId,
  name: 'read',
  arguments: '{}',
  ...more,
});
const result = (callId: string, more: Message = {}): Message => ({
  type: 'function_call_result',
  callId,
  name: 'read',
  status: 'completed',
  output: 'x',
  ...more,
});
const reasoning = (id: string, more: Message = {}): Message => ({ type: 'reasoning', id, content: [], ...more });
const said: Message = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'x' }],
};
const approval = (more: Message): Message => ({
  type: 'hosted_tool_call',
  name: 'mcp_approval_response',
  providerData: { type: 'mcp_approval_response', approve: true, ...more },
});

export const AGENTS: readonly Example[] = [
  {
    of: 'openai-agents-python#1700: a call without its result',
    messages: [user(), call('c'), user()],
    code: 'orphan-call',
    path: [1],
    says: /No tool output found for function call c\./,
    mended: true,
  },
  {
    of: 'a result whose call was cut off',
    messages: [user(), result('c')],
    code: 'orphan-result',
    path: [1],
    says: /No tool call found for function call output with call_id c\./,
    mended: true,
  },
  {
    of: 'a result before its call',
    messages: [user(), result('c'), call('c')],
    code: 'misplaced-result',
    path: [1],
    says: /No tool call found/,
    mended: true,
  },
  {
    of: 'reasoning without what followed',
    messages: [user(), reasoning('rs_1'), user()],
    code: 'reasoning-without-successor',
    path: [1],
    says: /Item 'rs_1' of type 'reasoning' was provided without its required following item/,
    mended: true,
  },
  {
    of: 'what followed without its reasoning',
    messages: [user(), call('c', { id: 'fc_1' }), result('c')],
    options: { original: [user(), reasoning('rs_1'), call('c', { id: 'fc_1' }), result('c')] },
    code: 'successor-without-reasoning',
    path: [1, 'id'],
    says: /Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'/,
    mended: true,
  },
  {
    of: 'an id of another kind',
    messages: [user(), call('c', { id: 'item_1' }), result('c')],
    code: 'bad-item-id',
    path: [1, 'id'],
    says: /Invalid 'input\[1\]\.id': 'item_1'\. Expected an ID that begins with 'fc'/,
    mended: true,
  },
  {
    of: 'a call id of 116 characters',
    messages: [user(), call('c'.repeat(116)), result('c'.repeat(116))],
    code: 'long-call-id',
    path: [1, 'callId'],
    says: /Invalid 'input\[1\]\.call_id': string too long/,
    mended: true,
  },
  {
    of: 'store: false and reasoning without its cipher',
    messages: [user(), reasoning('rs_1'), said],
    options: { store: false },
    code: 'reasoning-not-encrypted',
    path: [1],
    says: /Items are not persisted when `store` is set to false/,
    mended: true,
  },
  {
    of: 'openai-agents#569: reasoning for a model that does not reason',
    messages: [user(), reasoning('rs_1'), said],
    options: { model: 'gpt-4.1' },
    code: 'reasoning-forbidden',
    path: [1],
    says: /can only be provided to a reasoning or computer use model/,
    mended: true,
  },
  {
    of: 'an approval without its request',
    messages: [user(), approval({ approval_request_id: 'r' })],
    code: 'orphan-approval',
    path: [1],
    mended: true,
  },
  {
    of: 'a caller that is gone',
    messages: [user(), call('c', { caller: { type: 'program', callerId: 'p' } }), result('c')],
    code: 'orphan-caller',
    path: [1, 'caller'],
    mended: true,
  },
  {
    of: 'an input text of the model, which the SDK refuses to send',
    messages: [user(), { ...said, content: [{ type: 'input_text', text: 'x' }] }],
    code: 'misplaced-block',
    path: [1, 'content', 0],
    mended: true,
  },
  {
    of: 'an item of the API itself',
    messages: [user(), { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' }],
    code: 'bad-shape',
    path: [1, 'callId'],
    mended: false,
  },
];
