// Bodies of OpenAI's chat protocol, for the endpoint and for the faults in front of it.

/** The request's body, parsed. */
export async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

export function sendJson(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

export const errorBody = (message, type, code = null) => ({ error: { message, type, code } });

export const replyBody = (model, { text, finishReason, usage }) => ({
  id: 'chatcmpl-local',
  object: 'chat.completion',
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason }],
  usage,
});

const event = (data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const chunk = (model, delta, finishReason = null) => ({
  id: 'chatcmpl-local',
  object: 'chat.completion.chunk',
  model,
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});

/** A part of a streamed reply. */
export const streamPart = (model, text) => event(chunk(model, { content: text }));

/** What ends a streamed reply. */
export const streamEnd = (model, { finishReason }) => event(chunk(model, {}, finishReason)) + event('[DONE]');
