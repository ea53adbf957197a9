import type { Part } from '../turns.js';
import {
  type Ask,
  type Bag,
  bag,
  below,
  type Endpoint,
  list,
  type Reply,
  type Settings,
  text,
  usageOf,
} from './endpoint.js';

/** Anthropic's Messages. */
export const anthropic: Endpoint = {
  address: ({ url }) => below(url, '/v1', '/messages'),
  headers: ({ key }) => ({ 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) }),
  body,
  read,
};

function body({ system, turns, tools }: Ask, { model, maxTokens, temperature, without }: Settings): Bag {
  return {
    model,
    system,
    max_tokens: maxTokens,
    messages: turns.map(({ role, parts }) => ({ role, content: parts.map(blockOf) })),
    ...(without.has('temperature') ? {} : { temperature }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })) }),
  };
}

function blockOf(part: Part): Bag {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input };
    case 'result':
      return { type: 'tool_result', tool_use_id: part.id, content: part.text };
  }
}

function read(given: unknown): Reply | undefined {
  const { content, usage, stop_reason: reason } = bag(given);
  if (!Array.isArray(content)) return undefined;
  const {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: made,
    cache_read_input_tokens: cached,
  } = bag(usage);
  const more = [made, cached].reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : 0), 0);
  return {
    text: list(content)
      .flatMap(({ type, text: said }) => (type === 'text' ? [text(said)] : []))
      .join('\n'),
    calls: list(content).flatMap(({ type, id, name, input: asked }) => {
      return type === 'tool_use' && typeof name === 'string' ? [{ id: text(id), name, input: asked }] : [];
    }),
    usage: usageOf(typeof input === 'number' ? input + more : input, output),
    isCut: reason === 'max_tokens',
  };
}
