// Short ways to write entries of a history.
import type { ContentBlock, IContent } from 'densify';

type ToolCallBlock = Extract<ContentBlock, { type: 'tool_call' }>;
type ToolResponseBlock = Extract<ContentBlock, { type: 'tool_response' }>;

export function human(...blocks: readonly (string | ContentBlock)[]): IContent {
  return { speaker: 'human', blocks: blocks.map(block) };
}

export function ai(...blocks: readonly (string | ContentBlock)[]): IContent {
  return { speaker: 'ai', blocks: blocks.map(block) };
}

export function tool(...blocks: readonly ContentBlock[]): IContent {
  return { speaker: 'tool', blocks: [...blocks] };
}

function block(content: string | ContentBlock): ContentBlock {
  return typeof content === 'string' ? { type: 'text', text: content } : content;
}

export function call(id: string, name: string, parameters: unknown = {}): ToolCallBlock {
  return { type: 'tool_call', id, name, parameters };
}

export function response(callId: string, toolName: string, result: unknown, error?: string): ToolResponseBlock {
  const answer: ToolResponseBlock = { type: 'tool_response', callId, toolName, result };
  return error === undefined ? answer : { ...answer, error };
}

/** One call and its response: two entries. */
export function turn(
  id: string,
  name: string,
  parameters: unknown,
  result: unknown,
  error?: string,
): [IContent, IContent] {
  return [ai(call(id, name, parameters)), tool(response(id, name, result, error))];
}

export const read = (id: string, path: string, result: unknown = `content of ${path}`): [IContent, IContent] =>
  turn(id, 'read_file', { file_path: path }, result);

export const write = (id: string, path: string, error?: string): [IContent, IContent] =>
  turn(id, 'write_file', { file_path: path, content: 'new' }, 'written', error);

/** A file that the user included. */
export const inclusion = (path: string, content: string): string =>
  `--- ${path} ---\n${content}\n--- End of content ---\n`;

/** The text that replaces a pruned result. */
export const POINTER = '[Result pruned — re-run tool to retrieve]';
