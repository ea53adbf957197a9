// The part of OpenAI's chat protocol that the tests need, around any engine.

import { createServer } from 'node:http';
import { errorBody, readJson, replyBody, sendJson, streamEnd, streamPart } from './protocol.mjs';

const MAX_REPLY_TOKENS = 1024;
const DEFAULT_REPLY_TOKENS = 256;

/** A server, not yet listening, for `POST /v1/chat/completions` and `GET /v1/models`. */
export function createEndpoint(engine, model) {
  let turn = Promise.resolve();
  return createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/v1/models') {
      sendJson(response, 200, { object: 'list', data: [{ id: model, object: 'model' }] });
    } else if (request.method === 'POST' && request.url === '/v1/chat/completions') {
      // The engine has one sequence: requests wait for each other.
      turn = turn.then(() => answer(engine, model, request, response)).catch((error) => fail(response, error));
    } else {
      sendJson(response, 404, errorBody(`no such path: ${request.method} ${request.url}`, 'not_found'));
    }
  });
}

async function answer(engine, model, request, response) {
  const body = await readJson(request);
  const messages = toMessages(body.messages);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  if (response.destroyed) return;
  const result = await engine.reply(messages, {
    maxTokens: Math.min(MAX_REPLY_TOKENS, body.max_tokens ?? body.max_completion_tokens ?? DEFAULT_REPLY_TOKENS),
    temperature: body.temperature ?? 0,
    grammar: body.grammar, // as other servers of such models have it; not OpenAI's
    signal: gone.signal,
    onText: body.stream ? (text) => response.write(streamHead(response) + streamPart(model, text)) : undefined,
  });
  if (gone.signal.aborted) return;
  if (body.stream) response.end(streamHead(response) + streamEnd(model, result));
  else sendJson(response, 200, replyBody(model, result));
}

/** Writes the head before the first part; until then a failure can still have a status of its own. */
function streamHead(response) {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  return '';
}

function fail(response, error) {
  if (response.destroyed) return;
  if (response.headersSent) response.destroy();
  else if (error.name === 'WindowError')
    sendJson(response, 400, errorBody(error.message, 'invalid_request_error', 'context_length_exceeded'));
  else if (error instanceof SyntaxError || error instanceof TypeError)
    sendJson(response, 400, errorBody(error.message, 'invalid_request_error'));
  else sendJson(response, 500, errorBody(error.message, 'server_error'));
}

/** Plain roles and texts: the small model knows neither tools nor media. */
function toMessages(messages) {
  if (!Array.isArray(messages) || messages.length === 0) throw new TypeError('messages is not a list with entries');
  return messages.map(({ role, content, tool_calls = [] }) => {
    const calls = tool_calls.map(({ function: { name, arguments: text } }) => `${name}(${text})`);
    return { role, content: [textOf(content), ...calls].filter(Boolean).join('\n') };
  });
}

function textOf(content) {
  if (Array.isArray(content)) return content.map((part) => part.text ?? `[${part.type}]`).join('\n');
  return content ?? '';
}
