// Runs the example of a worker as gateway in workerd, in front of a provider on this machine; says what reached it.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';

const [folder] = process.argv.slice(2);
const TOKEN = 'a-token-of-16-characters';

const arrived = [];
const provider = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { url, headers } = request;
    arrived.push({
      url,
      key: headers['x-api-key'],
      token: headers['x-densify-token'],
      body: Buffer.concat(chunks).toString(),
    });
    if (url.endsWith('/slow')) {
      response.writeHead(200).write('first');
      setTimeout(() => response.end('last'), 100);
      return;
    }
    response.writeHead(url.endsWith('/odd') ? 529 : 200, { 'content-type': 'text/event-stream', 'x-own': '1' });
    for (const word of ['data: one\n\n', 'data: ü\n\n', 'data: [DONE]\n\n']) response.write(word);
    response.end();
  });
});
await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve));
const worker = new Miniflare({
  modules: true,
  modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
  modulesRoot: folder,
  scriptPath: join(folder, 'worker.js'),
  compatibilityDate: '2026-04-01',
  bindings: {
    DENSIFY_TOKEN: TOKEN,
    UPSTREAMS: JSON.stringify({ anthropic: `http://127.0.0.1:${provider.address().port}` }),
  },
});

const messages = [{ role: 'user', content: 'Please refactor the project.' }];
for (let step = 0; step < 40; step += 1) {
  const [id, file] = [`toolu_${step}`, step % 3];
  const text = Array.from({ length: 60 }, (_, at) => `${at + 1}\tconst value${file}_${at} = ${at * 7919};`);
  messages.push(
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/w/file${file}.ts` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text.join('\n') }] },
  );
}
const whole = JSON.stringify({ model: 'claude-opus-4-8', max_tokens: 100, messages });
const ask = async (path, body = whole, headers = {}) => {
  const answer = await worker.dispatchFetch(`http://gateway${path}`, {
    method: 'POST',
    body,
    headers: { 'x-api-key': 'key', ...headers },
  });
  return { status: answer.status, own: answer.headers.get('x-own'), text: await answer.text() };
};

// An unread body may reset the connection.
const refused = await ask('/anthropic/v1/messages', '');
const packed = await ask(`/${TOKEN}/anthropic/v1/messages`);
const odd = await ask(`/${TOKEN}/anthropic/v1/odd`, 'no JSON');
const inHeader = await ask('/anthropic/v1/messages', '{"messages": [', { 'x-densify-token': TOKEN });
const slow = await ask(`/${TOKEN}/anthropic/v1/slow`, '{}');
const metrics = await ask('/metrics', '', { authorization: `Bearer ${TOKEN}` });
const health = await ask('/healthz', '');
await worker.dispose();
provider.closeAllConnections();
provider.close();
console.log(JSON.stringify({ whole, refused, packed, odd, inHeader, slow, metrics, health, arrived }));
