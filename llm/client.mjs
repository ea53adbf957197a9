// A client for any OpenAI-compatible endpoint.

/** The endpoint that the environment names; undefined if it names none. */
export function endpointOf({ DENSIFY_LLM_URL: url, DENSIFY_LLM_KEY: key, DENSIFY_LLM_MODEL: model }) {
  if (!url) return undefined;
  if (!model) throw new Error('DENSIFY_LLM_MODEL must name a model of DENSIFY_LLM_URL');
  return { url: baseOf(url), key, model };
}

/** `…/v1` from what people write: with the path of the chat, or with a slash at the end. */
const baseOf = (url) => url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');

/**
 * Why there is no reply. `kind`: `status` (an HTTP error), `connection` (refused, reset, ended too early),
 * `protocol` (not what the protocol says), `timeout` or `aborted`.
 */
export class LlmError extends Error {
  constructor(kind, message, options) {
    super(message, options);
    this.name = 'LlmError';
    this.kind = kind;
  }
}

/** One reply as `{text, finishReason}`. Never answers with a reply that did not come to its end. */
export async function complete(endpoint, messages, options = {}) {
  const { maxTokens, signal, timeout, stream = false, tools, grammar, fault } = options;
  const signals = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)].filter(Boolean);
  const headers = { 'content-type': 'application/json' };
  if (endpoint.key) headers.authorization = `Bearer ${endpoint.key}`;
  if (fault) headers['x-densify-fault'] = fault;
  try {
    const response = await fetch(`${endpoint.url}/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: endpoint.model, messages, max_tokens: maxTokens, stream, tools, grammar }),
      signal: AbortSignal.any(signals),
    });
    if (!response.ok) throw new LlmError('status', await failureOf(response));
    return stream ? await readStream(response) : readReply(await response.json());
  } catch (error) {
    throw toLlmError(error, signal);
  }
}

async function failureOf(response) {
  const text = await response.text();
  return `HTTP ${response.status}: ${text.replace(/\s+/g, ' ').slice(0, 200)}`;
}

function toLlmError(error, signal) {
  if (error instanceof LlmError) return error;
  if (signal?.aborted) return new LlmError('aborted', 'the call was cancelled', { cause: error });
  if (error.name === 'TimeoutError') return new LlmError('timeout', 'no reply in time', { cause: error });
  if (error instanceof SyntaxError) return new LlmError('protocol', 'the reply is not JSON', { cause: error });
  return new LlmError('connection', error.cause?.message || error.message, { cause: error });
}

function readReply(body) {
  const choice = body?.choices?.[0];
  if (!choice?.message) throw new LlmError('protocol', 'the reply has no message');
  return { text: choice.message.content ?? '', finishReason: choice.finish_reason };
}

async function readStream(response) {
  let text = '';
  let finishReason;
  for await (const data of eventsOf(response.body)) {
    if (data === '[DONE]') break;
    const choice = JSON.parse(data).choices?.[0];
    text += choice?.delta?.content ?? '';
    finishReason = choice?.finish_reason ?? finishReason;
  }
  if (finishReason === undefined) throw new LlmError('connection', 'the stream ended before the reply did');
  return { text, finishReason };
}

/** The data of server-sent events, a line each. */
async function* eventsOf(body) {
  let rest = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split(/\r?\n/);
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
  }
}
