// Talks to models. The page itself may reach only its own server. This worker sees no page, and gets a log's contents only
// to send them to a model at the address that the user named.
import type { ContentBlock } from 'densify';
import { serve } from '../engine/rpc.js';
import { oneLine } from '../lib/text.js';
import type { Endpoint, EndpointApi, Question } from './api.js';
import { anthropicBody, openAiBody } from './messages.js';
import { events, Reply } from './streams.js';

function target({ dialect, url }: Endpoint): URL {
  let base: URL;
  try {
    base = new URL(url);
  } catch {
    throw new Error('Invalid URL. It should look like http://localhost:8080/v1');
  }
  if (base.protocol !== 'https:' && base.protocol !== 'http:')
    throw new Error('Invalid URL. It must begin with http:// or https://');
  const path = dialect === 'openai' ? 'chat/completions' : 'messages';
  return new URL(`${base.pathname.replace(/\/+$/, '')}/${path}`, base.origin);
}

function headers({ dialect, key }: Endpoint, { origin }: URL): Record<string, string> {
  const found: Record<string, string> = { 'Content-Type': 'application/json' };
  if (dialect === 'anthropic') {
    found['anthropic-version'] = '2023-06-01';
    found['anthropic-dangerous-direct-browser-access'] = 'true';
  }
  if (!key || key.text === '' || key.origin !== origin) return found;
  if (dialect === 'anthropic') found['x-api-key'] = key.text;
  else found['Authorization'] = `Bearer ${key.text}`;
  return found;
}

async function ask(question: Question, port: MessagePort): Promise<readonly ContentBlock[]> {
  const { endpoint } = question;
  const stop = new AbortController();
  port.onmessage = () => stop.abort();
  const url = target(endpoint);
  const body = endpoint.dialect === 'openai' ? openAiBody(question) : anthropicBody(question);
  const reply = new Reply((piece) => port.postMessage(piece));
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headers(endpoint, url),
      body: JSON.stringify(body),
      signal: stop.signal,
      credentials: 'omit',
      redirect: 'error', // a key must not follow to another place
      referrerPolicy: 'no-referrer',
    });
    if (!response.ok) throw new Error(await refusal(response));
    await read(response, endpoint, reply);
  } catch (error) {
    if (stop.signal.aborted) return reply.blocks;
    throw error instanceof TypeError ? new Error(unreachable(url)) : error;
  } finally {
    port.close();
  }
  if (reply.blocks.length === 0) throw new Error('The model said nothing. Try again, or try another model.');
  return reply.blocks;
}

async function read(response: Response, { dialect }: Endpoint, reply: Reply): Promise<void> {
  const take = (event: unknown): void => (dialect === 'openai' ? reply.openAi(event) : reply.anthropic(event));
  if (!response.headers.get('content-type')?.includes('event-stream') || !response.body)
    return take(await response.json());
  for await (const data of events(response.body)) {
    if (data === '[DONE]') return;
    const event = JSON.parse(data) as { readonly error?: { readonly message?: unknown } };
    if (event.error) throw new Error(`The server ended the stream: ${oneLine(String(event.error.message), 200)}`);
    take(event);
  }
}

const unreachable = ({ origin }: URL): string =>
  `No answer from ${origin}. Is the server running, and does it allow this page (CORS, for ${location.origin})? An https page can call http URLs only on this machine.`;

async function refusal(response: Response): Promise<string> {
  const said = oneLine(messageIn(await response.text().catch(() => '')), 240);
  const what =
    ADVICE[response.status] ??
    (response.status >= 500 ? 'The server failed. Try again in a moment.' : 'The server refused the request.');
  return `${what} (${response.status}${said === '' ? '' : `: ${said}`})`;
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'The key was not accepted. Type it again.',
  403: 'This key lacks permission. Check its rights, or use another one.',
  404: 'There is no such address or model. Does the address end in /v1, and is the model’s name right?',
  413: 'The request is too large for this server. Choose a smaller window.',
  429: 'Too many requests, or no credit left. Wait a little, then try again.',
};

function messageIn(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown };
    return String((typeof error === 'object' ? error.message : error) ?? message ?? '');
  } catch {
    return text;
  }
}

const api: EndpointApi = { ask };
serve(api);
