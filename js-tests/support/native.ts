// Neutral contents as messages of each format, by the plainest means: what the tests of validation begin with. Written
// for tests, apart from the adapters, so that one can judge the other.
import type { ContentBlock, IContent } from 'densify';
import type { MessageFormat } from 'densify/validate';

type Message = Record<string, unknown>;
type Of<T extends ContentBlock['type']> = Extract<ContentBlock, { type: T }>;

const isSystem = ({ metadata }: IContent): boolean =>
  metadata?.['role'] === 'system' || metadata?.['role'] === 'developer';

/** Contents without instructions (which travel apart) and without what no format would be sent. */
function spoken(contents: readonly IContent[]): IContent[] {
  return contents
    .filter((content) => !isSystem(content))
    .map((content) => ({ ...content, blocks: content.blocks.filter(says) }))
    .filter(({ blocks }) => blocks.length > 0);
}

function says(block: ContentBlock): boolean {
  if (block.type === 'text') return block.text.trim() !== '';
  return ['tool_call', 'tool_response', 'media', 'thinking'].includes(block.type);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
const record = (value: unknown): Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : { value };
const calls = ({ blocks }: IContent): Of<'tool_call'>[] => blocks.filter((block) => block.type === 'tool_call');
const results = ({ blocks }: IContent): Of<'tool_response'>[] =>
  blocks.filter((block) => block.type === 'tool_response');
const texts = ({ blocks }: IContent): string[] =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
const media = ({ blocks }: IContent): Of<'media'>[] => blocks.filter((block) => block.type === 'media');
const thoughts = ({ blocks }: IContent): Of<'thinking'>[] => blocks.filter((block) => block.type === 'thinking');
const some = (list: Message[], message: (list: Message[]) => Message): Message[] =>
  list.length === 0 ? [] : [message(list)];

function anthropic(contents: readonly IContent[]): Message[] {
  const image = (block: Of<'media'>): Message => ({
    type: 'image',
    source:
      block.encoding === 'base64'
        ? { type: 'base64', media_type: block.mimeType, data: block.data }
        : { type: 'url', url: block.data },
  });
  return spoken(contents).flatMap((content) => {
    if (content.speaker === 'ai') {
      const blocks = content.blocks.flatMap((block): Message[] => {
        if (block.type === 'text') return [{ type: 'text', text: block.text }];
        if (block.type === 'tool_call')
          return [{ type: 'tool_use', id: block.id, name: block.name, input: record(block.parameters) }];
        const signed = block.type === 'thinking' && block.signature !== undefined && block.signature !== '';
        return signed ? [{ type: 'thinking', thinking: block.thought, signature: block.signature }] : [];
      });
      return some(blocks, (list) => ({ role: 'assistant', content: list }));
    }
    const answers = results(content).map((block) => ({
      type: 'tool_result',
      tool_use_id: block.callId,
      content: text(block.result),
      ...(block.error === undefined ? {} : { is_error: true }),
    }));
    const others = [...texts(content).map((said) => ({ type: 'text', text: said })), ...media(content).map(image)];
    return some([...answers, ...others], (list) => ({ role: 'user', content: list }));
  });
}

function openAiChat(contents: readonly IContent[]): Message[] {
  const part = (block: Of<'media'>): Message => ({
    type: 'image_url',
    image_url: { url: block.encoding === 'url' ? block.data : `data:${block.mimeType};base64,${block.data}` },
  });
  const system = contents.filter(isSystem).map((content) => ({ role: 'system', content: texts(content).join('\n') }));
  const said = spoken(contents).flatMap((content): Message[] => {
    if (content.speaker === 'human') {
      const parts = [...texts(content).map((value) => ({ type: 'text', text: value })), ...media(content).map(part)];
      return some(parts, (list) => ({ role: 'user', content: list }));
    }
    if (content.speaker === 'tool') {
      return results(content).map((block) => ({
        role: 'tool',
        tool_call_id: block.callId,
        content: text(block.result),
      }));
    }
    const tool_calls = calls(content).map((block) => ({
      id: block.id,
      type: 'function',
      function: { name: block.name, arguments: JSON.stringify(record(block.parameters)) },
    }));
    const words = texts(content).join('\n');
    if (tool_calls.length === 0) return words === '' ? [] : [{ role: 'assistant', content: words }];
    return [{ role: 'assistant', content: words === '' ? null : words, tool_calls }];
  });
  return [...system, ...said];
}

function openAiResponses(contents: readonly IContent[]): Message[] {
  return spoken(contents).flatMap((content): Message[] => {
    if (content.speaker === 'human') {
      const parts = texts(content).map((value) => ({ type: 'input_text', text: value }));
      return some(parts, (list) => ({ type: 'message', role: 'user', content: list }));
    }
    if (content.speaker === 'tool') {
      return results(content).map((block) => ({
        type: 'function_call_output',
        call_id: block.callId,
        output: text(block.result),
      }));
    }
    return content.blocks.flatMap((block, at): Message[] => {
      if (block.type === 'text') return [{ role: 'assistant', content: block.text }];
      if (block.type === 'tool_call') {
        const given = JSON.stringify(record(block.parameters));
        return [{ type: 'function_call', call_id: block.id, name: block.name, arguments: given }];
      }
      const led = content.blocks.slice(at + 1).some(({ type }) => type === 'text' || type === 'tool_call');
      if (block.type !== 'thinking' || !led) return [];
      const summary = [{ type: 'summary_text', text: block.thought }];
      return [
        {
          type: 'reasoning',
          id: `rs_${content.metadata?.['id'] ?? ''}${block.thought.length}_${at}${counter()}`,
          summary,
        },
      ];
    });
  });
}

/** The same items in the words of the Agents SDK. */
function openAiAgents(contents: readonly IContent[]): Message[] {
  const names = new Map(contents.flatMap(calls).map(({ id, name }) => [id, name]));
  return openAiResponses(contents).map(({ call_id: callId, summary, ...item }) => {
    const status = 'completed';
    if (item['type'] === 'reasoning') return { ...item, content: [{ type: 'input_text', text: thoughtIn(summary) }] };
    if (item['type'] === 'function_call') return { ...item, callId };
    if (item['type'] === 'function_call_output')
      return { ...item, type: 'function_call_result', callId, name: names.get(String(callId)) ?? '', status };
    if (item['role'] !== 'assistant') return item;
    return { ...item, type: 'message', status, content: [{ type: 'output_text', text: item['content'] }] };
  });
}

const thoughtIn = (summary: unknown): unknown => (summary as Message[])[0]?.['text'];

let count = 0;
function counter(): number {
  count += 1;
  return count;
}

function gemini(contents: readonly IContent[]): Message[] {
  const turns: { role: string; results: boolean; parts: Message[] }[] = [];
  for (const content of spoken(contents)) {
    const role = content.speaker === 'ai' ? 'model' : 'user';
    const parts = content.blocks.flatMap((block): Message[] => {
      if (block.type === 'text') return [{ text: block.text }];
      if (block.type === 'media') return [{ inlineData: { mimeType: block.mimeType, data: block.data } }];
      if (block.type === 'tool_call')
        return [{ functionCall: { id: block.id, name: block.name, args: record(block.parameters) } }];
      if (block.type !== 'tool_response') return [];
      const response = block.error === undefined ? { output: block.result } : { error: text(block.result) };
      return [{ functionResponse: { id: block.callId, name: block.toolName, response } }];
    });
    const answers = content.speaker === 'tool';
    const last = turns.at(-1);
    // All results of a turn, and all that the model said in one, stand in one content.
    if (last !== undefined && last.role === role && last.results === answers) last.parts.push(...parts);
    else if (parts.length > 0) turns.push({ role, results: answers, parts });
  }
  return turns.map(({ role, parts }) => ({ role, parts }));
}

function aiSdk(contents: readonly IContent[]): Message[] {
  return spoken(contents).flatMap((content): Message[] => {
    if (content.speaker === 'tool') {
      const parts = results(content).map((block) => ({
        type: 'tool-result',
        toolCallId: block.callId,
        toolName: block.toolName,
        output: { type: block.error === undefined ? 'text' : 'error-text', value: text(block.result) },
      }));
      return some(parts, (list) => ({ role: 'tool', content: list }));
    }
    const parts = content.blocks.flatMap((block): Message[] => {
      if (block.type === 'text') return [{ type: 'text', text: block.text }];
      if (block.type === 'thinking') return [{ type: 'reasoning', text: block.thought }];
      if (block.type === 'media') return [{ type: 'file', data: block.data, mediaType: block.mimeType }];
      if (block.type !== 'tool_call') return [];
      return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: record(block.parameters) }];
    });
    return some(parts, (list) => ({ role: content.speaker === 'ai' ? 'assistant' : 'user', content: list }));
  });
}

function aiSdkUi(contents: readonly IContent[]): Message[] {
  const messages: { id: string; role: string; parts: Message[] }[] = [];
  const open = new Map<string, Message>();
  for (const content of spoken(contents)) {
    if (content.speaker === 'tool') {
      for (const block of results(content)) {
        const part = open.get(block.callId);
        if (part === undefined) continue;
        open.delete(block.callId);
        if (block.error === undefined) Object.assign(part, { state: 'output-available', output: block.result ?? null });
        else Object.assign(part, { state: 'output-error', errorText: text(block.result) });
      }
      continue;
    }
    const parts = content.blocks.flatMap((block): Message[] => {
      if (block.type === 'text') return [{ type: 'text', text: block.text }];
      if (block.type === 'thinking') return [{ type: 'reasoning', text: block.thought }];
      if (block.type === 'media') return [{ type: 'file', url: block.data, mediaType: block.mimeType }];
      if (block.type !== 'tool_call') return [];
      const part = {
        type: `tool-${block.name}`,
        toolCallId: block.id,
        state: 'input-available',
        input: block.parameters,
      };
      open.set(block.id, part);
      return [part];
    });
    if (parts.length > 0)
      messages.push({ id: `m${messages.length}`, role: content.speaker === 'ai' ? 'assistant' : 'user', parts });
  }
  return messages;
}

/** LangChain's stored form; instances are made of it by LangChain itself. */
function langchain(contents: readonly IContent[]): Message[] {
  return spoken(contents).flatMap((content): Message[] => {
    if (content.speaker === 'tool') {
      return results(content).map((block) => ({
        type: 'tool',
        data: {
          content: text(block.result),
          tool_call_id: block.callId,
          name: block.toolName,
          status: block.error === undefined ? 'success' : 'error',
        },
      }));
    }
    const words = texts(content).join('\n');
    if (content.speaker === 'human') return words === '' ? [] : [{ type: 'human', data: { content: words } }];
    const tool_calls = calls(content).map(({ id, name, parameters }) => ({
      id,
      name,
      args: record(parameters),
      type: 'tool_call',
    }));
    return words === '' && tool_calls.length === 0 ? [] : [{ type: 'ai', data: { content: words, tool_calls } }];
  });
}

function pi(contents: readonly IContent[]): Message[] {
  return spoken(contents).flatMap((content, at): Message[] => {
    const timestamp = at;
    if (content.speaker === 'tool') {
      return results(content).map((block) => ({
        role: 'toolResult',
        toolCallId: block.callId,
        toolName: block.toolName,
        content: [{ type: 'text', text: text(block.result) }],
        isError: block.error !== undefined,
        timestamp,
      }));
    }
    const image = media(content).map(({ data, mimeType }) => ({ type: 'image', data, mimeType }));
    const said = texts(content).map((value) => ({ type: 'text', text: value }));
    if (content.speaker === 'human') return [{ role: 'user', content: [...said, ...image], timestamp }];
    const thinking = thoughts(content).map(({ thought }) => ({ type: 'thinking', thinking: thought }));
    const called = calls(content).map(({ id, name, parameters }) => ({
      type: 'toolCall',
      id,
      name,
      arguments: record(parameters),
    }));
    return [{ role: 'assistant', content: [...thinking, ...said, ...called], timestamp }];
  });
}

/** Contents in each format. */
export const native: Readonly<Record<MessageFormat, (contents: readonly IContent[]) => Message[]>> = {
  anthropic,
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'openai-agents': openAiAgents,
  gemini,
  'ai-sdk': aiSdk,
  'ai-sdk-prompt': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  langchain,
  pi,
  densify: (contents) => contents as unknown as Message[],
};

export const FORMATS = Object.keys(native) as MessageFormat[];
