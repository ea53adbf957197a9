// A provider on this machine that reads every request to its end and answers shortly: load tests measure the gateway.
import { createServer } from 'node:http';

const ANSWER = Buffer.from(
  JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 1 },
  }),
);

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length });
    response.end(ANSWER);
  });
  request.on('error', () => undefined);
  request.resume();
});
server.listen(0, '127.0.0.1', () => console.log(`provider at http://127.0.0.1:${server.address().port}`));
