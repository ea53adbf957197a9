import type { ContentBlock } from 'densify';
import { TOOLS } from '../chat/project.js';
import type { Question } from './api.js';
import { payloadText } from '../lib/payload.js';

const SYSTEM = 'You are a coding agent. You work on a small TypeScript project by the tools that you have. Be brief.';

type Json = Readonly<Record<string, unknown>>;

const isCall = (block: ContentBlock): block is Extract<ContentBlock, { type: 'tool_call' }> =>
  block.type === 'tool_call';
const isResponse = (block: ContentBlock): block is Extract<ContentBlock, { type: 'tool_response' }> =>
  block.type === 'tool_response';
const texts = (blocks: readonly ContentBlock[]): string =>
  blocks
    .flatMap((block) => (block.type === 'text' ? [block.text] : block.type === 'code' ? [block.code] : []))
    .join('\n\n');

const schema = ({ properties, required }: (typeof TOOLS)[number]): Json => ({ type: 'object', properties, required });

const imageOf = (block: ContentBlock): Extract<ContentBlock, { type: 'media' }> | undefined =>
  block.type === 'media' && block.mimeType.startsWith('image/') ? block : undefined;

/** A user's entry for chat completions: a text, or parts if there are images. */
function openAiParts(blocks: readonly ContentBlock[]): unknown {
  const images = blocks.flatMap((block) => imageOf(block) ?? []);
  if (images.length === 0) return texts(blocks);
  const urls = images.map(({ mimeType, data, encoding }) =>
    encoding === 'url' ? data : `data:${mimeType};base64,${data}`,
  );
  return [{ type: 'text', text: texts(blocks) }, ...urls.map((url) => ({ type: 'image_url', image_url: { url } }))];
}

/** The body of a request for chat completions. */
export function openAiBody({ endpoint: { model }, messages, withTools, isBare }: Question): Json {
  const list: Json[] = isBare ? [] : [{ role: 'system', content: SYSTEM }];
  for (const { speaker, blocks } of messages) {
    if (speaker === 'human') list.push({ role: 'user', content: openAiParts(blocks) });
    else if (speaker === 'ai') {
      const calls = blocks.filter(isCall).map(({ id, name, parameters }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(parameters) },
      }));
      const content = texts(blocks);
      list.push({
        role: 'assistant',
        content: content === '' ? null : content,
        ...(calls.length > 0 && { tool_calls: calls }),
      });
    } else {
      for (const { callId, result } of blocks.filter(isResponse))
        list.push({ role: 'tool', tool_call_id: callId, content: payloadText(result) });
    }
  }
  const tools = TOOLS.map((tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: schema(tool) },
  }));
  return { model, messages: list, stream: true, ...(withTools && { tools }) };
}

/** The body of a request for Anthropic's messages. */
export function anthropicBody({ endpoint: { model }, messages, withTools, isBare }: Question): Json {
  const list: { role: 'user' | 'assistant'; content: Json[] }[] = [];
  for (const { speaker, blocks } of messages) {
    const role = speaker === 'ai' ? 'assistant' : 'user';
    const content = blocks.flatMap((block): Json[] => {
      if (isCall(block)) return [{ type: 'tool_use', id: block.id, name: block.name, input: block.parameters }];
      if (isResponse(block))
        return [
          {
            type: 'tool_result',
            tool_use_id: block.callId,
            content: payloadText(block.result),
            ...(block.error !== undefined && { is_error: true }),
          },
        ];
      const image = imageOf(block);
      if (image && role === 'user') {
        const { encoding, data, mimeType } = image;
        return [
          {
            type: 'image',
            source: encoding === 'url' ? { type: 'url', url: data } : { type: 'base64', media_type: mimeType, data },
          },
        ];
      }
      const text = texts([block]);
      return text === '' ? [] : [{ type: 'text', text }];
    });
    const last = list.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) list.push({ role, content });
  }
  const tools = TOOLS.map((tool) => ({ name: tool.name, description: tool.description, input_schema: schema(tool) }));
  return {
    model,
    ...(!isBare && { system: SYSTEM }),
    max_tokens: 4096,
    messages: list,
    stream: true,
    ...(withTools && { tools }),
  };
}
