// The message types of other programs, made of densify's own contents: for taking a conversation elsewhere.
import type { ContentBlock, IContent } from 'densify';
import type { MessageFormat } from 'densify/validate';
import { payloadText } from './payload.js';

/** A message type that messages can be exported in. */
export interface Form {
  readonly name: string;
  /** What densify/validate calls it. */
  readonly format: MessageFormat;
  /** The key that the messages stand under where this type is asked for by requests; a bare list elsewhere. */
  readonly key?: string;
  readonly messagesOf: (contents: readonly IContent[]) => readonly Json[];
}

type Json = Readonly<Record<string, unknown>>;
type Block<T extends ContentBlock['type']> = Extract<ContentBlock, { type: T }>;

/** What a form makes of each kind of block. Thinking has no form: signatures of one provider are worth nothing to another. */
interface Parts {
  readonly text: (text: string, speaker: IContent['speaker']) => Json;
  readonly image?: (image: Block<'media'>, url: string) => Json;
  readonly call?: (call: Block<'tool_call'>) => Json;
  readonly response?: (response: Block<'tool_response'>, text: string) => Json;
}

function partsOf({ speaker, blocks }: IContent, parts: Parts): Json[] {
  return blocks.flatMap((block): Json[] => {
    if (block.type === 'tool_call') return parts.call ? [parts.call(block)] : [];
    if (block.type === 'tool_response') return parts.response ? [parts.response(block, payloadText(block.result))] : [];
    if (block.type === 'media') {
      if (!parts.image || speaker === 'ai' || !block.mimeType.startsWith('image/')) return [];
      return [
        parts.image(block, block.encoding === 'url' ? block.data : `data:${block.mimeType};base64,${block.data}`),
      ];
    }
    const text = block.type === 'text' ? block.text : block.type === 'code' ? block.code : '';
    return text.trim() === '' ? [] : [parts.text(text, speaker)];
  });
}

/** Messages one after the other where those of one role in a row are one message, and none is empty. */
function merged(
  contents: readonly IContent[],
  parts: Parts,
  wrap: (speaker: IContent['speaker'], parts: Json[]) => Json,
) {
  const runs: { speaker: IContent['speaker']; parts: Json[] }[] = [];
  for (const content of contents) {
    const own = partsOf(content, parts);
    const speaker = content.speaker === 'tool' ? 'human' : content.speaker;
    const last = runs.at(-1);
    if (last?.speaker === speaker) last.parts.push(...own);
    else if (own.length > 0) runs.push({ speaker, parts: own });
  }
  return runs.map((run) => wrap(run.speaker, run.parts));
}

const withCalls = (calls: readonly Json[], key: string): Json => (calls.length > 0 ? { [key]: calls } : {});
const callsOf = ({ blocks }: IContent): Block<'tool_call'>[] => blocks.filter((block) => block.type === 'tool_call');
const responsesOf = ({ blocks }: IContent): Block<'tool_response'>[] =>
  blocks.filter((block) => block.type === 'tool_response');
const joined = (parts: readonly Json[]): string => parts.map(({ text }) => text).join('\n\n');
const plain = (text: string): Json => ({ type: 'text', text });

const anthropic: Parts = {
  text: plain,
  image: ({ encoding, mimeType, data }) => ({
    type: 'image',
    source: encoding === 'url' ? { type: 'url', url: data } : { type: 'base64', media_type: mimeType, data },
  }),
  call: ({ id, name, parameters }) => ({ type: 'tool_use', id, name, input: parameters }),
  response: ({ callId, error }, content) => ({
    type: 'tool_result',
    tool_use_id: callId,
    content,
    ...(error !== undefined && { is_error: true }),
  }),
};

const gemini: Parts = {
  text: (text) => ({ text }),
  image: ({ encoding, mimeType, data }) =>
    encoding === 'url' ? { fileData: { mimeType, fileUri: data } } : { inlineData: { mimeType, data } },
  call: ({ id, name, parameters }) => ({ functionCall: { id, name, args: parameters } }),
  response: ({ callId, toolName, error }, text) => ({
    functionResponse: { id: callId, name: toolName, response: { [error === undefined ? 'output' : 'error']: text } },
  }),
};

const chat: Parts = { text: plain, image: (_, url) => ({ type: 'image_url', image_url: { url } }) };

function chatMessages(content: IContent): Json[] {
  if (content.speaker === 'tool')
    return responsesOf(content).map(({ callId, result }) => ({
      role: 'tool',
      tool_call_id: callId,
      content: payloadText(result),
    }));
  const parts = partsOf(content, chat);
  if (content.speaker === 'human') {
    const hasImage = parts.some(({ type }) => type !== 'text');
    return parts.length === 0 ? [] : [{ role: 'user', content: hasImage ? parts : joined(parts) }];
  }
  const calls = callsOf(content).map(({ id, name, parameters }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(parameters) },
  }));
  if (parts.length === 0 && calls.length === 0) return [];
  return [{ role: 'assistant', content: joined(parts) || null, ...withCalls(calls, 'tool_calls') }];
}

function responsesItems(content: IContent): Json[] {
  const role = content.speaker === 'ai' ? 'assistant' : 'user';
  const parts = partsOf(content, {
    text: (text, speaker) => ({ type: speaker === 'ai' ? 'output_text' : 'input_text', text }),
    image: (_, url) => ({ type: 'input_image', image_url: url, detail: 'auto' }),
  });
  return [
    ...(parts.length > 0 && content.speaker !== 'tool' ? [{ type: 'message', role, content: parts }] : []),
    ...callsOf(content).map(({ id, name, parameters }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(parameters),
    })),
    ...responsesOf(content).map(({ callId, result }) => ({
      type: 'function_call_output',
      call_id: callId,
      output: payloadText(result),
    })),
  ];
}

const aiSdk: Parts = {
  text: plain,
  image: ({ mimeType }, url) => ({ type: 'file', mediaType: mimeType, data: url }),
  call: ({ id, name, parameters }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: parameters }),
  response: ({ callId, toolName, error }, value) => ({
    type: 'tool-result',
    toolCallId: callId,
    toolName,
    output: { type: error === undefined ? 'text' : 'error-text', value },
  }),
};

function langchainMessages(content: IContent): Json[] {
  if (content.speaker === 'tool')
    return responsesOf(content).map(({ callId, toolName, result, error }) => ({
      type: 'tool',
      data: {
        content: payloadText(result),
        tool_call_id: callId,
        name: toolName,
        status: error === undefined ? 'success' : 'error',
      },
    }));
  const parts = partsOf(content, chat);
  const calls = callsOf(content).map(({ id, name, parameters }) => ({ type: 'tool_call', id, name, args: parameters }));
  if (parts.length === 0 && calls.length === 0) return [];
  const text = parts.every(({ type }) => type === 'text') ? joined(parts) : parts;
  return [
    content.speaker === 'ai'
      ? { type: 'ai', data: { content: text, tool_calls: calls } }
      : { type: 'human', data: { content: text } },
  ];
}

const pi: Parts = {
  text: plain,
  image: ({ mimeType, data }) => ({ type: 'image', mimeType, data }),
  call: ({ id, name, parameters }) => ({ type: 'toolCall', id, name, arguments: parameters }),
};

function piMessages(content: IContent): Json[] {
  if (content.speaker === 'tool')
    return responsesOf(content).map(({ callId, toolName, result, error }) => ({
      role: 'toolResult',
      toolCallId: callId,
      toolName,
      content: [plain(payloadText(result))],
      isError: error !== undefined,
    }));
  const parts = partsOf(content, pi);
  if (parts.length === 0) return [];
  return [{ role: content.speaker === 'ai' ? 'assistant' : 'user', content: parts }];
}

const ROLES = { human: 'user', ai: 'assistant', tool: 'tool' } as const;

/** All forms but densify's own, by the name that the page uses. */
export const FORMS = {
  anthropic: {
    name: 'Anthropic messages',
    format: 'anthropic',
    key: 'messages',
    messagesOf: (contents) =>
      merged(contents, anthropic, (speaker, content) => ({ role: speaker === 'ai' ? 'assistant' : 'user', content })),
  },
  openai: {
    name: 'OpenAI chat completions',
    format: 'openai-chat',
    messagesOf: (contents) => contents.flatMap(chatMessages),
  },
  'openai-responses': {
    name: 'OpenAI responses',
    format: 'openai-responses',
    key: 'input',
    messagesOf: (contents) => contents.flatMap(responsesItems),
  },
  gemini: {
    name: 'Google Gemini',
    format: 'gemini',
    key: 'contents',
    messagesOf: (contents) =>
      merged(contents, gemini, (speaker, parts) => ({ role: speaker === 'ai' ? 'model' : 'user', parts })),
  },
  'ai-sdk': {
    name: 'AI SDK',
    format: 'ai-sdk',
    messagesOf: (contents) =>
      contents.flatMap((content) => {
        const parts = partsOf(content, aiSdk);
        return parts.length === 0 ? [] : [{ role: ROLES[content.speaker], content: parts }];
      }),
  },
  langchain: {
    name: 'LangChain (stored messages)',
    format: 'langchain',
    messagesOf: (contents) => contents.flatMap(langchainMessages),
  },
  pi: { name: 'pi', format: 'pi', messagesOf: (contents) => contents.flatMap(piMessages) },
} as const satisfies Readonly<Record<string, Form>>;
