// The small model behind an OpenAI-compatible endpoint:
//
//   node llm/server.mjs
//
// Prints its address as a line of JSON once it takes requests. It ends with its parent: when stdin ends.

import { createEndpoint } from './endpoint.mjs';
import { createEngine } from './engine.mjs';
import { MODEL_NAME } from './local-model.mjs';

const server = createEndpoint(await createEngine(), MODEL_NAME);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/v1` })}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
