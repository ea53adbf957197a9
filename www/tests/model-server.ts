// A model that is made for tests: it speaks both dialects, and does what the last message asks for.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools?: unknown;
  };
}

export class ModelServer {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  /** Whether an answer was broken off by the one who asked. */
  wasLeft = false;

  constructor() {
    this.#server = createServer((request, response) => {
      response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
      response.setHeader(
        'Access-Control-Allow-Headers',
        'authorization, content-type, x-api-key, anthropic-version, anthropic-dangerous-direct-browser-access',
      );
      if (request.method === 'OPTIONS') return response.writeHead(204).end();
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const body = JSON.parse(text) as Asked['body'];
        this.asked.push({ path: request.url ?? '', headers: request.headers, body });
        response.on('close', () => (this.wasLeft ||= !response.writableFinished));
        this.#answer(request.url ?? '', JSON.stringify(body.messages.at(-1)), response);
      });
      return undefined;
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(path: string, last: string, response: ServerResponse): void {
    const status = /status (\d+)/.exec(last)?.[1];
    if (status !== undefined && this.asked.length === 1) {
      response.writeHead(Number(status), { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'said by the server' } }));
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const say = (event: unknown): boolean => response.write(`data: ${JSON.stringify(event)}\n\n`);
    const wantsFile = last.includes('read the cart');
    const evil = /be evil: (.*)"/.exec(last)?.[1];
    if (evil !== undefined) {
      hostile(say, JSON.parse(`"${evil}"`) as string);
      response.end();
      return;
    }
    if (path.endsWith('/messages')) anthropic(say, wantsFile);
    else openAi(say, wantsFile);
    if (last.includes('for ever')) return; // the answer never ends
    if (!path.endsWith('/messages')) response.write('data: [DONE]\n\n');
    response.end();
  }
}

function openAi(say: (event: unknown) => boolean, wantsFile: boolean): void {
  const delta = (part: unknown): boolean => say({ choices: [{ delta: part }] });
  if (!wantsFile) {
    delta({ content: 'Half of ' });
    delta({ content: 'the answer' });
    return;
  }
  delta({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'read_file', arguments: '{"file_pa' } }] });
  delta({ tool_calls: [{ index: 0, function: { arguments: 'th":"src/cart.ts"}' } }] });
}

function anthropic(say: (event: unknown) => boolean, wantsFile: boolean): void {
  say({ type: 'message_start', message: {} });
  if (wantsFile) {
    say({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} },
    });
    say({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"file_path":"src/cart.ts"}' },
    });
  } else {
    say({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half of the answer' } });
  }
  say({ type: 'message_stop' });
}

/** Everything that a model can fill, filled with a text; and todos of every wrong form. */
function hostile(say: (event: unknown) => boolean, text: string): void {
  const todos = JSON.stringify({
    todos: [null, 1, text, { content: { toString: 1 } }, { content: text, status: text }],
  });
  const call = (index: number, name: string, args: string): unknown => ({
    index,
    id: `${text}${index}`,
    function: { name, arguments: args },
  });
  say({
    choices: [
      {
        delta: {
          reasoning_content: text,
          content: text,
          tool_calls: [call(0, text, text), call(1, 'todo_write', todos), call(2, 'todo_write', 'null')],
        },
      },
    ],
  });
}
