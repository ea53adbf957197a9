/**
 * A session of neutral entries in every format of the package, turn by turn: what `adapters.mjs` measures with. Texts and
 * parameters are shared, only the messages around them are each format's own.
 *
 * @import {Block, Content} from './model.mjs'
 * @typedef {{[key: string]: unknown}} Bag
 * @typedef {object} Spoken
 * @property {string} entry the package's entry point
 * @property {object} options a model whose provider demands nothing of thinking, so that all decide alike
 * @property {boolean} [isJson] whether arguments are JSON text
 * @property {(turns: Content[][]) => object[][]} translate
 */

/** @type {Record<string, Spoken>} */
export const FORMATS = {
  anthropic: { entry: 'densify/anthropic', options: { generation: 'no-thinking' }, translate: each(anthropic) },
  'openai-chat': {
    entry: 'densify/openai',
    options: { generation: 'compatible' },
    isJson: true,
    translate: each(openaiChat),
  },
  'openai-responses': {
    entry: 'densify/openai-responses',
    options: { model: 'gpt-4o' },
    isJson: true,
    translate: each((content) => items(content, 'call_id', 'function_call_output')),
  },
  'openai-agents': {
    entry: 'densify/openai-agents',
    options: { model: 'gpt-4o' },
    isJson: true,
    translate: each((content) => items(content, 'callId', 'function_call_result')),
  },
  gemini: { entry: 'densify/gemini', options: { model: 'gemini-2.5-pro' }, translate: each(gemini) },
  'ai-sdk': { entry: 'densify/ai-sdk', options: { model: 'claude-3-5-haiku' }, translate: each(aiSdk) },
  'ai-sdk/prompt': { entry: 'densify/ai-sdk/prompt', options: { model: 'claude-3-5-haiku' }, translate: each(aiSdk) },
  'ai-sdk/ui': { entry: 'densify/ai-sdk/ui', options: { model: 'claude-3-5-haiku' }, translate: uiMessages },
  langchain: { entry: 'densify/langchain', options: { model: 'claude-3-5-haiku' }, translate: each(langchain) },
  pi: { entry: 'densify/pi', options: { model: 'claude-3-5-haiku' }, translate: each(pi) },
};

/** @param {(content: Content) => object[]} translate */
function each(translate) {
  return (/** @type {Content[][]} */ turns) => turns.map((turn) => turn.flatMap(translate));
}

/**
 * The blocks that a format has words for, as its parts.
 * @param {Content} content
 * @param {Partial<Record<string, (block: any) => object>>} words
 */
const parts = ({ blocks }, words) => blocks.flatMap((block) => words[block.type]?.(block) ?? []);

/** @param {Content} content */
const calls = ({ blocks }) => /** @type {any[]} */ (blocks.filter(({ type }) => type === 'tool_call'));

/** @param {Content} content */
const results = ({ blocks }) => /** @type {any[]} */ (blocks.filter(({ type }) => type === 'tool_response'));

const text = (/** @type {any} */ block) => ({ type: 'text', text: block.text });
const ROLES = /** @type {const} */ ({ human: 'user', ai: 'assistant', tool: 'tool' });
/** @param {Content} content */
const roleOf = ({ speaker }) => ROLES[/** @type {keyof typeof ROLES} */ (speaker)];

/** @param {Content} content */
function anthropic(content) {
  const said = parts(content, {
    text,
    thinking: ({ thought, signature }) => ({ type: 'thinking', thinking: thought, signature }),
    tool_call: ({ id, name, parameters }) => ({ type: 'tool_use', id, name, input: parameters }),
    tool_response: ({ callId, result, error }) => ({
      type: 'tool_result',
      tool_use_id: callId,
      content: result,
      is_error: Boolean(error),
    }),
    media: ({ mimeType, data }) => ({ type: 'image', source: { type: 'base64', media_type: mimeType, data } }),
  });
  return [{ role: content.speaker === 'ai' ? 'assistant' : 'user', content: said }];
}

/** @param {Content} content */
function openaiChat(content) {
  if (content.speaker === 'tool')
    return results(content).map(({ callId, result }) => ({ role: 'tool', tool_call_id: callId, content: result }));
  const image = ({ mimeType, data } = /** @type {any} */ ({})) => ({
    type: 'image_url',
    image_url: { url: `data:${mimeType};base64,${data}` },
  });
  const said = parts(content, { text, media: image });
  if (content.speaker === 'human') return [{ role: 'user', content: said }];
  const tool_calls = calls(content).map(({ id, name, parameters }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(parameters) },
  }));
  const [thought] = /** @type {any[]} */ (content.blocks.filter(({ type }) => type === 'thinking'));
  return [
    {
      role: 'assistant',
      content: said.length > 0 ? said : null,
      ...(thought ? { reasoning_content: thought.thought } : {}),
      ...(tool_calls.length > 0 ? { tool_calls } : {}),
    },
  ];
}

/**
 * Each block is an item, except that one message of the user is one item.
 * @param {Content} content
 * @param {'call_id' | 'callId'} id
 * @param {string} result
 */
function items(content, id, result) {
  const isResponses = id === 'call_id';
  if (content.speaker === 'human') {
    const said = parts(content, {
      text: (block) => ({ type: 'input_text', text: block.text }),
      media: ({ mimeType, data }) => ({
        type: 'input_image',
        [isResponses ? 'image_url' : 'image']: `data:${mimeType};base64,${data}`,
      }),
    });
    return [{ type: 'message', role: 'user', content: said }];
  }
  return parts(content, {
    text: (block) => ({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: block.text }],
      status: 'completed',
    }),
    thinking: ({ thought, signature }) => ({
      type: 'reasoning',
      id: `rs_${signature}`,
      ...(isResponses
        ? { summary: [{ type: 'summary_text', text: thought }] }
        : { content: [{ type: 'input_text', text: thought }] }),
    }),
    tool_call: (call) => ({
      type: 'function_call',
      [id]: call.id,
      name: call.name,
      arguments: JSON.stringify(call.parameters),
      status: 'completed',
    }),
    tool_response: (response) => ({
      type: result,
      [id]: response.callId,
      ...(isResponses ? {} : { name: response.toolName }),
      output: response.result,
      status: 'completed',
    }),
  });
}

/** @param {Content} content */
function gemini(content) {
  const said = parts(content, {
    text: (block) => ({ text: block.text }),
    thinking: ({ thought }) => ({ text: thought, thought: true }),
    tool_call: ({ id, name, parameters }) => ({ functionCall: { id, name, args: parameters } }),
    tool_response: ({ callId, toolName, result }) => ({
      functionResponse: { id: callId, name: toolName, response: { output: result } },
    }),
    media: ({ mimeType, data }) => ({ inlineData: { mimeType, data } }),
  });
  return [{ role: content.speaker === 'ai' ? 'model' : 'user', parts: said }];
}

/** @param {Content} content */
function aiSdk(content) {
  const isTool = content.speaker === 'tool';
  const said = parts(content, {
    text,
    thinking: ({ thought, signature }) => ({
      type: 'reasoning',
      text: thought,
      providerOptions: { anthropic: { signature } },
    }),
    tool_call: ({ id, name, parameters }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: parameters,
    }),
    tool_response: ({ callId, toolName, result, error }) => ({
      type: 'tool-result',
      toolCallId: callId,
      toolName,
      output: { type: error ? 'error-text' : 'text', value: result },
    }),
    // A message of a tool holds nothing but results.
    ...(isTool ? {} : { media: ({ mimeType, data }) => ({ type: 'file', mediaType: mimeType, data }) }),
  });
  return [{ role: roleOf(content), content: said }];
}

/**
 * All that the model does in a turn is one message, and results stand with their calls.
 * @param {Content[][]} turns
 */
function uiMessages(turns) {
  const done = new Map(turns.flat().flatMap((content) => results(content).map((block) => [block.callId, block])));
  const call = (/** @type {any} */ { id, name, parameters }) => {
    const { result, error } = done.get(id) ?? {};
    const state = error ? 'output-error' : 'output-available';
    const outcome = error ? { errorText: result } : { output: result };
    return { type: `tool-${name}`, toolCallId: id, state, input: parameters, ...outcome };
  };
  let count = 0;
  return turns.map((turn) => {
    /** @type {{id: string, role: string, parts: object[]}[]} */
    const messages = [];
    for (const content of turn) {
      if (content.speaker === 'tool') continue;
      const said = parts(content, {
        text,
        thinking: ({ thought }) => ({ type: 'reasoning', text: thought }),
        tool_call: call,
        media: ({ mimeType, data }) => ({
          type: 'file',
          mediaType: mimeType,
          url: `data:${mimeType};base64,${data}`,
        }),
      });
      const last = messages.at(-1);
      if (content.speaker === 'ai' && last?.role === 'assistant') last.parts.push({ type: 'step-start' }, ...said);
      else messages.push({ id: `m${(count += 1)}`, role: roleOf(content), parts: said });
    }
    return messages;
  });
}

/** @param {Content} content */
function langchain(content) {
  const common = { additional_kwargs: {}, response_metadata: {} };
  if (content.speaker === 'tool')
    return results(content).map(({ callId, toolName, result, error }) => ({
      type: 'tool',
      data: {
        content: result,
        tool_call_id: callId,
        name: toolName,
        status: error ? 'error' : 'success',
        ...common,
      },
    }));
  const said = parts(content, {
    text,
    thinking: ({ thought, signature }) => ({ type: 'thinking', thinking: thought, signature }),
    tool_call: ({ id, name, parameters }) => ({ type: 'tool_use', id, name, input: parameters }),
    media: ({ mimeType, data }) => ({ type: 'image', mimeType, data }),
  });
  if (content.speaker === 'human') return [{ type: 'human', data: { content: said, ...common } }];
  const tool_calls = calls(content).map(({ id, name, parameters }) => ({
    type: 'tool_call',
    id,
    name,
    args: parameters,
  }));
  return [{ type: 'ai', data: { content: said, tool_calls, invalid_tool_calls: [], ...common } }];
}

/** @param {Content} content */
function pi(content) {
  if (content.speaker === 'tool')
    return results(content).map(({ callId, toolName, result, error }) => ({
      role: 'toolResult',
      toolCallId: callId,
      toolName,
      content: [{ type: 'text', text: result }],
      isError: Boolean(error),
      timestamp: 1,
    }));
  const said = parts(content, {
    text,
    thinking: ({ thought, signature }) => ({ type: 'thinking', thinking: thought, thinkingSignature: signature }),
    tool_call: ({ id, name, parameters }) => ({ type: 'toolCall', id, name, arguments: parameters }),
    media: ({ mimeType, data }) => ({ type: 'image', mimeType, data }),
  });
  return [{ role: roleOf(content), content: said, timestamp: 1 }];
}
