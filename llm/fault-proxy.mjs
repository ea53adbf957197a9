// Stands in front of any endpoint and does to its replies what networks and models do.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorBody, readJson, replyBody, sendJson, streamEnd, streamPart } from './protocol.mjs';

const ZERO = { prompt_tokens: 0, completion_tokens: 0 };

/** Replies that never saw a model. */
const TEXTS = {
  empty: ['', 'stop'],
  blank: [' \n\t\n ', 'stop'],
  'cut-off': ['<scratchpad>short</scratchpad>\n<state_snapshot>\n<overall_goal>\nMake the tests', 'length'],
  'tool-call': ['<tool_call>\n{"name": "read_file", "arguments": {"path": "src/main.rs"}}\n</tool_call>', 'stop'],
  chatter: ['Sure! I can help with that. What would you like me to do next?', 'stop'],
};

/**
 * What can be asked for by `inject`, or for one request by the header `x-densify-fault`:
 * a name of `TEXTS`, `reply` (with `text`), `delay` (with `ms`), `hang`, `status` (with `status`), `reset`,
 * `die` (in the middle of a reply) and `html`.
 */
export async function startFaultProxy(upstream) {
  const queue = [];
  const server = createServer((request, response) => {
    const fault = queue.shift() ?? parseFault(request.headers['x-densify-fault']);
    serve(fault, upstream(), request, response).catch((error) => fail(response, error));
  });
  await listen(server, 0);
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/v1`,
    /** The next requests get these, one each. */
    inject: (...faults) => queue.push(...faults),
    /** Faults that no request has met. */
    clear: () => queue.splice(0).length,
    /** Refuses connections until `up`. */
    down: () => close(server),
    up: async () => server.listening || (await listen(server, port)),
  };
}

/** The endpoint itself can't be reached, or died. */
function fail(response, error) {
  if (response.headersSent) response.destroy();
  else sendJson(response, 502, errorBody(error.cause?.message || error.message, 'server_error'));
}

async function listen(server, port) {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

async function close(server) {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** `delay:500`, `status:503`, `hang`. */
function parseFault(text) {
  if (!text) return undefined;
  const [kind, number] = text.split(':');
  return { kind, ms: Number(number), status: Number(number) };
}

async function serve(fault, endpoint, request, response) {
  const body = await readJson(request);
  const [text, finishReason = 'stop'] = fault?.kind === 'reply' ? [fault.text] : (TEXTS[fault?.kind] ?? []);
  if (text !== undefined) return sendReply(response, body, { text, finishReason, usage: ZERO });
  switch (fault?.kind) {
    case 'hang':
      return once(response, 'close');
    case 'reset':
      return request.socket.resetAndDestroy();
    case 'status':
      return sendJson(response, fault.status, errorBody('injected by the tests', 'server_error'));
    case 'html':
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>');
    case 'die':
      return die(response, body);
    case 'delay':
      await sleep(fault.ms);
  }
  return forward(endpoint, body, request, response);
}

function sendReply(response, body, reply) {
  if (!body.stream) return sendJson(response, 200, replyBody(body.model, reply));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of reply.text.match(/[\s\S]{1,24}/g) ?? []) response.write(streamPart(body.model, part));
  response.end(streamEnd(body.model, reply));
}

/** Half a reply, then the connection breaks. */
function die(response, body) {
  const [text] = TEXTS['cut-off'];
  const type = body.stream ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type, ...(body.stream ? {} : { 'content-length': 1000 }) });
  const half = body.stream
    ? streamPart(body.model, text)
    : JSON.stringify({ choices: [{ message: { content: text } }] });
  response.write(half, () => response.socket.resetAndDestroy());
}

async function forward({ url, key }, body, request, response) {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify(body),
    signal: gone.signal,
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  const pipe = Readable.fromWeb(answer.body);
  pipe.on('error', () => response.destroy());
  pipe.pipe(response);
}
