// Neutral contents as messages of OpenAI's chat protocol.

/** One content may become several messages: there, each tool result is one. */
export function toChat(contents) {
  return contents.flatMap(({ speaker, blocks }) => {
    if (speaker === 'tool') return blocks.flatMap(toolMessage);
    const content = blocks
      .map(textOf)
      .filter((text) => text !== '')
      .join('\n\n');
    if (speaker === 'human') return [{ role: 'user', content }];
    const calls = blocks.filter(({ type }) => type === 'tool_call').map(toCall);
    return [{ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
  });
}

/** Definitions of the tools that the contents call; an endpoint may refuse calls of unknown tools. */
export function toolsOf(contents) {
  const calls = contents.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'tool_call'));
  const names = [...new Set(calls.map(({ name }) => name))];
  return names.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } }));
}

function toolMessage(block) {
  if (block.type !== 'tool_response') return textOf(block) ? [{ role: 'user', content: textOf(block) }] : [];
  const result = block.error ?? block.result ?? '';
  const content = typeof result === 'string' ? result : JSON.stringify(result);
  return [{ role: 'tool', tool_call_id: block.callId, content }];
}

function textOf(block) {
  if (block.type === 'text') return block.text ?? '';
  if (block.type === 'code') return block.code ?? '';
  return block.type === 'media' ? `[image: ${block.filename ?? block.mimeType ?? 'unnamed'}]` : '';
}

const toCall = ({ id, name, parameters }) => ({
  id,
  type: 'function',
  function: { name, arguments: typeof parameters === 'string' ? parameters : JSON.stringify(parameters ?? {}) },
});
