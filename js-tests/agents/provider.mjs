// A scripted provider of four APIs on this machine. It checks every request as the real one would, answers with the next
// calls of a script, fails when it is told to, and counts what a prompt cache would hold.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { validate } from '../node_modules/densify/dist/validate.js';

const FORMATS = [
  [/\/messages$/, 'anthropic'],
  [/\/chat\/completions$/, 'openai-chat'],
  [/\/responses$/, 'openai-responses'],
  [/:(?:streamG|g)enerateContent$/, 'gemini'],
];

/** The history of a request, whatever its API. */
const historyOf = (body) => body.messages ?? body.input ?? body.contents ?? body.request?.contents ?? [];

/** What the real provider would refuse. */
function refusals(format, body, path) {
  const { model = /models\/([^:]+):/.exec(path)?.[1], tools, system, store } = body;
  const options = { format, model, ...(Array.isArray(tools) ? { tools } : {}) };
  if (format === 'anthropic') Object.assign(options, { system, thinking: body.thinking?.type === 'enabled' });
  if (format === 'openai-responses' && store !== undefined) options.store = store;
  const history = historyOf(body);
  if (typeof history === 'string') return [];
  return validate(history, options).findings.filter(({ level }) => level === 'error');
}

const signatureOf = (number) => Buffer.from(`signed ${number}`).toString('base64');

/** A message whose text is in a list: to the model that is the same. */
const blocksOf = (message) =>
  typeof message?.content === 'string' ? { ...message, content: [{ type: 'text', text: message.content }] } : message;

/** What a signature is bound to: the messages before it. Breakpoints don't count. */
const printOf = (messages) => {
  const text = JSON.stringify(messages.map(blocksOf), (key, value) => (key === 'cache_control' ? undefined : value));
  return createHash('sha1').update(text).digest('hex');
};

/** Models whose thinking counts only behind the messages that it was made for. */
const BOUND = /claude-opus-5/;

/** Thinking after other messages than those that it was signed for. */
function unbound({ model, messages }, signed, state) {
  if (!BOUND.test(model ?? '') || !Array.isArray(messages)) return [];
  return messages.flatMap(({ content }, at) =>
    (Array.isArray(content) ? content : []).flatMap((block) => {
      const print = block.type === 'thinking' ? signed.get(block.signature) : undefined;
      if (print === undefined) return [];
      state.bound += 1;
      const isSame = print === printOf(messages.slice(0, at));
      return isSame
        ? []
        : [{ code: 'unbound-thinking', message: 'thinking behind other messages', path: `messages[${at}]` }];
    }),
  );
}

/** Starts a provider. `script(step, tools)` gives the calls of a step: a list of `{name, args}`, or a text to end with. */
export async function startProvider({ script, isInner = () => false, faults = () => undefined }) {
  const state = {
    requests: 0,
    refused: [],
    unknown: [],
    sent: 0,
    cost: 0,
    steps: new Map(),
    bearer: 0,
    hanging: 0,
    cancelled: 0,
    stubs: 0,
    bound: 0,
    tools: new Set(),
    inner: 0,
  };
  const signed = new Map();
  const before = [];
  const meter = (body, format) => {
    // In fractions of a token at full price: what the cache holds costs a tenth; Anthropic's writes a quarter more.
    const write = format === 'anthropic' ? 1.25 : 1;
    const plain = (value) => JSON.stringify(value, (key, held) => (key === 'cache_control' ? undefined : held)) ?? '';
    const parts = [
      plain([body.tools, body.system, body.instructions]),
      ...[...historyOf(body)].map(blocksOf).map(plain),
    ];
    let held = 0;
    for (const known of before) {
      let at = 0;
      let size = 0;
      while (at < known.length && known[at] === parts[at]) size += known[at++].length;
      held = Math.max(held, size);
    }
    const all = parts.reduce((sum, part) => sum + part.length, 0);
    state.sent += all / 4;
    state.cost += (held * 0.1 + (all - held) * write) / 4;
    before.push(parts);
    if (before.length > 60) before.shift();
    return Math.ceil(all / 4);
  };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('error', () => undefined);
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url.split('?')[0];
      const text = Buffer.concat(chunks).toString();
      let body;
      try {
        body = JSON.parse(text || '{}');
      } catch {
        body = {};
      }
      const send = (status, value, headers = {}) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(value));
      };
      // Codex asks for a WebSocket first, and uses HTTP after this answer.
      if (request.headers.upgrade !== undefined) return send(426, {});
      const format = FORMATS.find(([pattern]) => pattern.test(path))?.[1];
      if (format === undefined) {
        if (/count_tokens$/.test(path)) return send(200, { input_tokens: Math.ceil(text.length / 4) });
        if (/:countTokens$/.test(path)) return send(200, { totalTokens: Math.ceil(text.length / 4) });
        if (/\/models$/.test(path)) return send(200, { object: 'list', data: [], models: [] });
        if (request.method !== 'HEAD') state.unknown.push(`${request.method} ${path}`);
        return send(404, { type: 'error', error: { type: 'not_found_error', message: 'not here' } });
      }
      state.requests += 1;
      if (/^Bearer /.test(request.headers.authorization ?? '')) state.bearer += 1;
      const findings = [...refusals(format, body, path), ...unbound(body, signed, state)];
      if (findings.length > 0) {
        state.refused.push({
          path,
          findings: findings.slice(0, 3).map(({ code, path: at, message }) => ({ code, at, message })),
        });
        return send(400, { type: 'error', error: { type: 'invalid_request_error', message: findings[0].message } });
      }
      const fault = faults(state.requests, body);
      if (fault === 'dies') return response.destroy();
      if (typeof fault === 'number') {
        const error = {
          type: 'error',
          error: { type: 'overloaded_error', message: 'try again', code: fault, status: 'UNAVAILABLE' },
        };
        return send(fault, error, { 'retry-after': '0', 'retry-after-ms': '10' });
      }
      if (JSON.stringify(historyOf(body).at(-1) ?? '').includes('Wasted call')) state.stubs += 1;
      const tools = toolsOf(body);
      for (const name of tools) state.tools.add(name);
      if (isInner(body)) state.inner += 1;
      const input = meter(body, format);
      // Each session has a script of its own: sub-agents and side questions begin with other messages.
      const key = createHash('sha1')
        .update(
          JSON.stringify(historyOf(body)[0]?.content ?? historyOf(body)[0] ?? '')
            .slice(0, 20_000)
            .replace(/"cache_control":\{[^}]*\},?/g, ''),
        )
        .digest('hex');
      const isMain = tools.length > 0;
      const step = state.steps.get(key) ?? 0;
      const answer = isMain ? script(step, { tools, body, format }) : sideAnswer(body);
      if (isMain) state.steps.set(key, step + 1);
      const said = sayings[format]({
        answer,
        number: state.requests,
        input,
        model: body.model ?? 'gemini-2.5-pro',
        thinks: ['enabled', 'adaptive'].includes(body.thinking?.type),
      });
      if (format === 'anthropic') signed.set(signatureOf(state.requests), printOf(body.messages));
      const isStream = body.stream === true || /streamGenerate/.test(path);
      if (!isStream) return send(200, said.whole);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const stream = Buffer.from(
        said.events
          .map(
            ([event, data]) =>
              `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
          )
          .join(''),
      );
      if (fault === 'hangs') {
        state.hanging += 1;
        response.on('close', () => (state.cancelled += 1));
        response.write(stream.subarray(0, stream.length / 2));
        return;
      }
      if (fault === 'breaks') {
        response.write(stream.subarray(0, stream.length / 2), () => response.destroy());
        return;
      }
      for (let at = 0; at < stream.length; at += 301) response.write(stream.subarray(at, at + 301));
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    state,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

/** The reply to a side question: a title, or the smallest value that the question's schema allows. */
function sideAnswer({ generationConfig = {} }) {
  const schema = generationConfig.responseJsonSchema ?? generationConfig.responseSchema;
  return schema === undefined ? 'A title' : JSON.stringify(leastOf(schema));
}

function leastOf({ type = 'string', properties = {}, enum: [first] = [] }) {
  if (first !== undefined) return first;
  const least = { string: 'none', number: 0, integer: 0, boolean: false, array: [] };
  if (type.toLowerCase() !== 'object') return least[type.toLowerCase()];
  return Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, leastOf(inner)]));
}

function toolsOf({ tools = [], request }) {
  const list = request?.tools ?? tools;
  return list
    .flatMap((tool) => tool.functionDeclarations ?? [tool])
    .map((tool) => tool.name ?? tool.function?.name ?? tool.type);
}

/** An answer in the form of each API, whole and as events. */
const sayings = {
  anthropic({ answer, number, input, model, thinks }) {
    const isText = typeof answer === 'string';
    const content = isText
      ? [{ type: 'text', text: answer }]
      : [
          { type: 'text', text: `Step ${number}.` },
          ...answer.map(({ name, args }, at) => ({ type: 'tool_use', id: `toolu_${number}_${at}`, name, input: args })),
        ];
    if (thinks)
      content.unshift({
        type: 'thinking',
        thinking: `Thought ${number}.`,
        signature: signatureOf(number),
      });
    const base = { id: `msg_${number}`, type: 'message', role: 'assistant', model, stop_sequence: null };
    const usage = {
      input_tokens: input,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      output_tokens: 20,
    };
    const stop = isText ? 'end_turn' : 'tool_use';
    const events = [
      [
        'message_start',
        {
          type: 'message_start',
          message: { ...base, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
        },
      ],
    ];
    content.forEach((block, index) => {
      const isWords = block.type === 'text';
      if (block.type === 'thinking') {
        events.push(
          [
            'content_block_start',
            { type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '', signature: '' } },
          ],
          [
            'content_block_delta',
            { type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: block.thinking } },
          ],
          [
            'content_block_delta',
            { type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: block.signature } },
          ],
          ['content_block_stop', { type: 'content_block_stop', index }],
        );
        return;
      }
      events.push(
        [
          'content_block_start',
          {
            type: 'content_block_start',
            index,
            content_block: isWords ? { type: 'text', text: '' } : { ...block, input: {} },
          },
        ],
        [
          'content_block_delta',
          {
            type: 'content_block_delta',
            index,
            delta: isWords
              ? { type: 'text_delta', text: block.text }
              : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
          },
        ],
        ['content_block_stop', { type: 'content_block_stop', index }],
      );
    });
    events.push(
      [
        'message_delta',
        { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 20 } },
      ],
      ['message_stop', { type: 'message_stop' }],
    );
    return { whole: { ...base, content, stop_reason: stop, usage }, events };
  },
  'openai-chat'({ answer, number, input, model }) {
    const isText = typeof answer === 'string';
    const calls = isText
      ? undefined
      : answer.map(({ name, args }, index) => ({
          index,
          id: `call_${number}_${index}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        }));
    const message = isText
      ? { role: 'assistant', content: answer }
      : { role: 'assistant', content: '', tool_calls: calls };
    const finish = isText ? 'stop' : 'tool_calls';
    const usage = { prompt_tokens: input, completion_tokens: 20, total_tokens: input + 20 };
    const base = { id: `c${number}`, created: 1, model };
    const chunk = (choice) => ['', { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] }];
    return {
      whole: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage },
      events: [
        chunk({ delta: message, finish_reason: null }),
        chunk({ delta: {}, finish_reason: finish }),
        ['', { ...base, object: 'chat.completion.chunk', choices: [], usage }],
        ['', '[DONE]'],
      ],
    };
  },
  'openai-responses'({ answer, number, input, model }) {
    const output =
      typeof answer === 'string'
        ? [
            {
              type: 'message',
              id: `msg_${number}`,
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: answer, annotations: [] }],
            },
          ]
        : [
            { type: 'reasoning', id: `rs_${number}`, summary: [], encrypted_content: `enc${number}` },
            ...answer.map(({ name, args }, at) => ({
              type: 'function_call',
              id: `fc_${number}_${at}`,
              call_id: `call_${number}_${at}`,
              name,
              arguments: JSON.stringify(args),
              status: 'completed',
            })),
          ];
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + 20,
    };
    const whole = {
      id: `resp_${number}`,
      object: 'response',
      created_at: 1,
      model,
      status: 'completed',
      output,
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
      usage,
    };
    let sequence = 0;
    const event = (type, data) => [type, { type, sequence_number: sequence++, ...data }];
    const events = [event('response.created', { response: { ...whole, status: 'in_progress', output: [] } })];
    output.forEach((item, index) => {
      events.push(
        event('response.output_item.added', { output_index: index, item }),
        event('response.output_item.done', { output_index: index, item }),
      );
    });
    events.push(event('response.completed', { response: whole }));
    return { whole, events };
  },
  gemini({ answer, number, input }) {
    const parts =
      typeof answer === 'string'
        ? [{ text: answer }]
        : answer.map(({ name, args }, at) => ({
            functionCall: { name, args },
            ...(at === 0 ? { thoughtSignature: Buffer.from(`signature ${number}`).toString('base64') } : {}),
          }));
    const whole = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: input, candidatesTokenCount: 20, totalTokenCount: input + 20 },
      modelVersion: 'gemini-2.5-pro',
    };
    return { whole, events: [['', whole]] };
  },
};
