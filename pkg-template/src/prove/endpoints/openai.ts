import type { Part, Turn } from '../turns.js';
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

/** Chat Completions, and all that speak it. */
export const openai: Endpoint = {
  address: ({ url }) => below(url, '/v1', '/chat/completions'),
  headers: ({ key }): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body,
  read,
};

function body({ system, turns, tools }: Ask, { model, maxTokens, temperature, seed, without }: Settings): Bag {
  return {
    model,
    messages: [{ role: 'system', content: system }, ...turns.flatMap(messagesOf)],
    // Newer models know only the longer name.
    [without.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    ...(without.has('temperature') ? {} : { temperature }),
    ...(without.has('seed') ? {} : { seed }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
  };
}

function messagesOf({ role, parts }: Turn): Bag[] {
  const said = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
  if (role === 'assistant') {
    const calls = parts.flatMap((part) => (part.kind === 'call' ? [callOf(part)] : []));
    return [
      {
        role,
        content: said === '' && calls.length > 0 ? null : said,
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      },
    ];
  }
  const results = parts.flatMap((part): Bag[] => {
    return part.kind === 'result' ? [{ role: 'tool', tool_call_id: part.id, content: part.text }] : [];
  });
  return said === '' ? results : [...results, { role, content: said }];
}

function callOf({ id, name, input }: Extract<Part, { kind: 'call' }>): Bag {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function read(given: unknown): Reply | undefined {
  const { choices, usage } = bag(given);
  const [choice] = list(choices);
  if (choice === undefined || typeof choice['message'] !== 'object' || choice['message'] === null) return undefined;
  const message = bag(choice['message']);
  const { prompt_tokens: input, completion_tokens: output } = bag(usage);
  return {
    text: text(message['content']),
    calls: list(message['tool_calls']).flatMap(({ id, function: called }) => {
      const { name, arguments: written } = bag(called);
      return typeof name === 'string' ? [{ id: text(id), name, input: parsed(written) }] : [];
    }),
    usage: usageOf(input, output),
    isCut: choice['finish_reason'] === 'length',
  };
}

/** Arguments, which are JSON in a text; what is none stays a text. */
function parsed(written: unknown): unknown {
  if (typeof written !== 'string') return written;
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return written;
  }
}
