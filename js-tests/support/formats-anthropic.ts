// Anthropic's messages.
import type { AnthropicMessageLike } from 'densify/anthropic';
import { goodReply } from './replies.js';

export const SNAPSHOT = goodReply({ strategy: 'middle-out' });

export interface Message extends AnthropicMessageLike {
  readonly content: string | readonly ({ readonly type: string } & Record<string, unknown>)[];
}

export const user = (...content: object[]): Message => ({ role: 'user', content: content as never });
export const ai = (...content: object[]): Message => ({ role: 'assistant', content: content as never });
export const text = (words: string) => ({ type: 'text', text: words });
export const use = (id: string, name: string, path: string) => ({
  type: 'tool_use',
  id,
  name,
  input: { file_path: path },
});
export const result = (id: string, content: unknown = `${id}: ${'a line of a file\n'.repeat(20)}`) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
export const thinking = (thought: string) => ({ type: 'thinking', thinking: thought, signature: `signed ${thought}` });

/** A read that a write makes stale; the results of both stand in messages with words of the user. */
export const STALE: readonly Message[] = [
  { role: 'user', content: 'Rename the function.' },
  ai(text('I look.'), use('t1', 'read_file', 'a.ts')),
  user(result('t1'), text('By the way: also the tests.')),
  ai(use('t2', 'write_file', 'a.ts'), use('t3', 'run_shell_command', 'x')),
  user(result('t2', 'ok'), result('t3', 'done'), text('Go on.')),
  ai(text('Done.')),
];
export const known = { generation: 'no-thinking' } as const;
