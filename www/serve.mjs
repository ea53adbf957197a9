// Serves the built playground on this machine, and nothing else:
//
//   node serve.mjs [PORT]
//
// Any web server will do. The two isolation headers are for the model inside the page alone, which
// may then use several threads. The page's policy stands in it as well, so that it holds on any web server; the
// header adds that no other page may frame it. Workers have none: the one for models asks where the user told it to.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../target/playground', import.meta.url));
// The small model, where `scripts/llm-setup.sh` put it; a static copy has it as model/model.gguf beside the page.
const model = fileURLToPath(new URL('../.toolchain/llm/model.gguf', import.meta.url));
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The policy that the built page names. */
const POLICY = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(
  readFileSync(join(root, 'index.html'), 'utf8'),
)?.[1];

function find(url) {
  const path = join(root, normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname)));
  if (path === join(root, 'model/model.gguf') && existsSync(model)) return model;
  if (path !== root && !path.startsWith(root + sep)) return undefined;
  const file = path.endsWith(sep) || path === root ? join(path, 'index.html') : path;
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

const server = createServer((request, response) => {
  let file;
  try {
    file = find(request.url ?? '/');
  } catch {
    // A path that can't be decoded is one that isn't there.
  }
  if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
    response.writeHead(file === undefined ? 404 : 405).end();
    return;
  }
  response.writeHead(200, {
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Length': statSync(file).size,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    ...(extname(file) === '.html' && { 'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'` }),
  });
  createReadStream(file).pipe(response);
});

const wanted = Number(process.argv[2] ?? process.env.PORT ?? 4173);
server.on('error', (error) => {
  if (error.code !== 'EADDRINUSE') throw error;
  server.listen(0, '127.0.0.1'); // somebody has that port: any other
});
server.on('listening', () => {
  console.log(`The playground: http://127.0.0.1:${server.address().port}/  (Ctrl+C ends it)`);
});
server.listen(wanted, '127.0.0.1');
