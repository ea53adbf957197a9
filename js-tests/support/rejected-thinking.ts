// Requests that Anthropic rejects for thinking that is wrong or missing.
import { type Example, said, user } from './rejected.js';
import { thinking, toolResult, toolUse } from './rejected-anthropic.js';

export const THINKING: readonly Example[] = [
  {
    of: 'llxprt thinkingHistory: an open tool loop that lost its thinking',
    messages: [user(), said(toolUse('a')), user([toolResult('a')])],
    options: { model: 'claude-sonnet-4-5', thinking: true },
    code: 'thinking-missing',
    path: [1, 'content', 0],
    says: /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    mended: false,
  },
  {
    of: 'thinking at the end',
    messages: [user(), said({ type: 'text', text: 'x' }, thinking), user()],
    code: 'thinking-last',
    path: [1, 'content', 1],
    says: /The final block in an assistant message cannot be `thinking`/,
    mended: true,
  },
  {
    of: 'thinking whose signature was stripped (opencode PR#14393)',
    messages: [user(), said({ type: 'thinking', thinking: 'x' }, { type: 'text', text: 'y' }), user()],
    code: 'thinking-unsigned',
    path: [1, 'content', 0],
    says: /messages\.1\.content\.0\.signature: Field required/,
    mended: true,
  },
  {
    of: 'thinking with an empty signature',
    messages: [user(), said({ ...thinking, signature: '' }, { type: 'text', text: 'y' }), user()],
    code: 'thinking-unsigned',
    path: [1, 'content', 0],
    says: /Invalid `signature` in `thinking` block/,
    mended: true,
  },
  {
    of: 'openclaw#97645: thinking cut, signature kept',
    messages: [user(), said({ ...thinking, thinking: 'h…' }, { type: 'text', text: 'y' }), user()],
    options: { original: [user(), said(thinking, { type: 'text', text: 'y' }), user()] },
    code: 'thinking-changed',
    path: [1, 'content', 0],
    says: /cannot be modified/,
    mended: true,
  },
  {
    of: 'preserved thinking: an edited prefix',
    messages: [user('shorter'), said(thinking, { type: 'text', text: 'y' }), user()],
    options: {
      model: 'claude-sonnet-5-5',
      original: [user('long'), said(thinking, { type: 'text', text: 'y' }), user()],
    },
    code: 'thinking-unbound',
    path: [1, 'content', 0],
    says: /bound to a different conversation/,
    mended: true,
  },
  {
    of: 'preserved thinking: a dropped prefix',
    messages: [user(), said(thinking, { type: 'text', text: 'y' }), user()],
    options: {
      model: 'claude-sonnet-5-5',
      original: [
        user(),
        said({ type: 'text', text: 'w' }),
        user('x'),
        said(thinking, { type: 'text', text: 'y' }),
        user(),
      ],
    },
    code: 'thinking-unbound',
    path: [1, 'content', 0],
    says: /bound to a different conversation/,
    mended: true,
  },
  {
    of: 'preserved thinking: words gone before it in its own message',
    messages: [user(), said(thinking, { type: 'text', text: 'y' }), user()],
    options: {
      model: 'claude-sonnet-5-5',
      original: [user(), said({ type: 'text', text: 'w' }, thinking, { type: 'text', text: 'y' }), user()],
    },
    code: 'thinking-unbound',
    path: [1, 'content', 0],
    says: /bound to a different conversation/,
    mended: true,
  },
];
