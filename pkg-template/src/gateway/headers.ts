/** Which headers concern one connection only, and which name what changes on the way. */

/** Headers of a connection (RFC 9110, 7.6.1); the next one has its own. */
const OF_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The header that carries the gateway's token. */
export const TOKEN_HEADER = 'x-densify-token';

/** A request's headers for the provider. */
export function forwardedHeaders(given: Headers): Headers {
  const headers = endToEnd(given);
  // The transport sets these from the URL and the body; `expect` was answered here.
  for (const name of ['host', 'content-length', 'expect', TOKEN_HEADER]) headers.delete(name);
  return headers;
}

/** An answer's headers for the client. */
export function returnedHeaders(given: Headers): Headers {
  return endToEnd(given);
}

function endToEnd(given: Headers): Headers {
  const headers = new Headers(given);
  const named = (given.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of [...OF_CONNECTION, ...named]) if (/^[\w-]+$/.test(name)) headers.delete(name);
  return headers;
}
