// A provider on this machine: it gives the next of its answers to each request, and keeps the requests.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was asked, as it came over the wire. */
export type Asked = Readonly<Record<string, unknown>>;

/** A call of a tool that a model answers with, or what it says. */
export type Said = { readonly name: string; readonly arguments: object } | string;

/** The same, or a function of the request. */
export type Answer = Said | ((asked: Asked) => Said);

/** Provides models by one API. */
export interface Provider {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** Says an answer as an API does; the number makes ids. */
export type Saying = (answer: Said, number: number) => { readonly type: string; readonly body: string };

/** Starts a provider. */
export async function provider(say: Saying, answers: readonly Answer[]): Promise<Provider> {
  const asked: Asked[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const answer = answers[asked.length] ?? 'Done.';
      asked.push(JSON.parse(body) as Asked);
      const said = say(typeof answer === 'function' ? answer(asked.at(-1)!) : answer, asked.length);
      response.writeHead(200, { 'content-type': said.type });
      response.end(said.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });

/** Anthropic's Messages API. */
export const messagesApi: Saying = (answer, number) => {
  const content =
    typeof answer === 'string'
      ? { type: 'text', text: answer }
      : { type: 'tool_use', id: `c${number}`, name: answer.name, input: answer.arguments };
  return json({
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'model',
    content: [content],
    stop_reason: typeof answer === 'string' ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
};

/** OpenAI's Responses API. */
export const responsesApi: Saying = (answer, number) => {
  const output =
    typeof answer === 'string'
      ? {
          type: 'message',
          id: `msg_${number}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: answer, annotations: [] }],
        }
      : {
          type: 'function_call',
          id: `fc_${number}`,
          call_id: `c${number}`,
          name: answer.name,
          arguments: JSON.stringify(answer.arguments),
          status: 'completed',
        };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return json({
    id: `resp_${number}`,
    object: 'response',
    status: 'completed',
    model: 'model',
    output: [output],
    usage,
  });
};

/** OpenAI's Chat Completions. */
export const chatAnswer: Saying = (answer, number) => {
  const { message, reason } = chatMessage(answer, number);
  const choices = [{ index: 0, message, finish_reason: reason }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return json({ id: `x${number}`, object: 'chat.completion', created: 1, model: 'model', choices, usage });
};

function chatMessage(answer: Said, number: number) {
  const message =
    typeof answer === 'string'
      ? { role: 'assistant', content: answer }
      : {
          role: 'assistant',
          tool_calls: [
            {
              index: 0,
              id: `c${number}`,
              type: 'function',
              function: { name: answer.name, arguments: JSON.stringify(answer.arguments) },
            },
          ],
        };
  return { message, reason: typeof answer === 'string' ? 'stop' : 'tool_calls' };
}

/** The same as a stream. */
export const chatStream: Saying = (answer, number) => {
  const { message: delta, reason } = chatMessage(answer, number);
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({ id: `x${number}`, object: 'chat.completion.chunk', created: 1, model: 'model', choices: [{ index: 0, ...choice }] })}\n\n`;
  const body = `${chunk({ delta, finish_reason: null })}${chunk({ delta: {}, finish_reason: reason })}data: [DONE]\n\n`;
  return { type: 'text/event-stream', body };
};

/** Gemini's API. */
export const geminiApi: Saying = (answer, number) => {
  const part =
    typeof answer === 'string'
      ? { text: answer }
      : { functionCall: { id: `c${number}`, name: answer.name, args: answer.arguments } };
  return json({ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }] });
};
