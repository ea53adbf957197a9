/** The name of errors that say why a wasm file isn't there. */
export const NOT_FETCHED = 'NotFetchedError';

/** Fetches a wasm file and compiles it while it arrives, where the host and the server allow that. */
export async function compileFetched(url: URL): Promise<WebAssembly.Module> {
  const response = await answered(url);
  // Other types are refused, and many servers don't know this one.
  const isTyped = response.headers.get('Content-Type')?.startsWith('application/wasm') === true;
  if (isTyped && typeof WebAssembly.compileStreaming === 'function') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function answered(url: URL): Promise<Response> {
  let why: string;
  try {
    const response = await fetch(url);
    if (response.ok) return response;
    why = `the server answered ${response.status}`;
  } catch (thrown) {
    why = String(thrown);
  }
  throw missing(`${url.href} can't be fetched: ${why}. Serve the file that your bundler copied there`);
}

/** Refuses to compile a file that isn't there yet. */
export function notFetched(file: string): never {
  const calls = '`await init()` first, or `await initConversations()` for conversations and summaries';
  throw missing(`${file} was not fetched yet. Call ${calls}`);
}

function missing(message: string): Error {
  return Object.assign(new Error(message), { name: NOT_FETCHED });
}
