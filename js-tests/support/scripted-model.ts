// A model with known behaviour, behind a real server. It answers from the request's text, so that a test knows which
// actions packing must change.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server does with a request, instead of answering it. */
export type Fault = (request: IncomingMessage, response: ServerResponse, body: string) => boolean;

export interface Scripted {
  readonly url: string;
  /** The bodies of all requests. */
  readonly bodies: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Tokens that were billed. */
  readonly billed: { input: number; output: number };
  fault: Fault | undefined;
  close(): Promise<void>;
}

export interface Step {
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly text?: string;
}

/** What the script does next, by the text of the whole request and of its last message. */
export type Script = (context: string, last: string) => Step;

interface Asked {
  readonly messages?: readonly unknown[];
  readonly contents?: readonly unknown[];
  readonly tools?: unknown;
}

/** Starts the server; it speaks as each of the three APIs, by the path that it is asked. */
export async function scriptedModel(script: Script): Promise<Scripted> {
  const bodies: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const billed = { input: 0, output: 0 };
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      headers.push(request.headers);
      if (scripted.fault?.(request, response, body) === true) return;
      const asked = JSON.parse(body) as Asked;
      const usage = { input: Math.ceil(body.length / 4), output: 20 };
      billed.input += usage.input;
      billed.output += usage.output;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(replyTo(request.url ?? '', asked, script, usage)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const scripted: Scripted = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    billed,
    fault: undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return scripted;
}

function replyTo(path: string, asked: Asked, script: Script, usage: { input: number; output: number }): object {
  const messages = asked.messages ?? asked.contents ?? [];
  const texts = messages.map((message) => textsIn(message).join('\n'));
  const { tool, input = {}, text = '' } = script(texts.join('\n'), texts.at(-1) ?? '');
  if (path.endsWith('/messages')) {
    const call = tool === undefined ? [] : [{ type: 'tool_use', id: 'toolu_1', name: tool, input }];
    return {
      content: [...(text === '' ? [] : [{ type: 'text', text }]), ...call],
      stop_reason: 'end_turn',
      usage: { input_tokens: usage.input, output_tokens: usage.output },
    };
  }
  if (path.includes(':generateContent')) {
    const parts = tool === undefined ? [{ text }] : [{ functionCall: { name: tool, args: input } }];
    const usageMetadata = { promptTokenCount: usage.input, candidatesTokenCount: usage.output };
    return { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata };
  }
  const isText = asked.tools === undefined && tool !== undefined;
  const call = { id: 'call_1', type: 'function', function: { name: tool, arguments: JSON.stringify(input) } };
  const message = isText
    ? { role: 'assistant', content: `Next:\n${JSON.stringify({ tool, arguments: input })}` }
    : { role: 'assistant', content: text, ...(tool === undefined ? {} : { tool_calls: [call] }) };
  return {
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: usage.input, completion_tokens: usage.output },
  };
}

/** All strings of a message, arguments in JSON included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
