/** Which provider a path belongs to, and which requests hold a history. */

/** The request formats that the gateway packs. */
export type WireFormat = 'anthropic' | 'openai' | 'openai-responses' | 'gemini';

/** Base URLs of providers by the first segment of the path: `/anthropic/v1/messages` goes to `anthropic`. */
export const UPSTREAMS: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  chatgpt: 'https://chatgpt.com',
  gemini: 'https://generativelanguage.googleapis.com',
  'code-assist': 'https://cloudcode-pa.googleapis.com',
};

/** Where a request goes. */
export interface Route {
  /** The name of the provider, for reports and errors. */
  readonly upstream: string;
  /** The provider's URL, with path and query. */
  readonly url: string;
  /** The format of the history in the body; none for all other endpoints. */
  readonly format?: WireFormat | undefined;
  /** The format in which the client expects errors. */
  readonly form: WireFormat | undefined;
  /** The model, where the path names it. */
  readonly model?: string | undefined;
  /** Whether the provider only counts the tokens of the request. */
  readonly isCount: boolean;
}

/** Endpoints that take a history, by the end of their path. */
const ENDPOINTS: readonly (readonly [path: RegExp, format: WireFormat, isCount: boolean])[] = [
  [/\/messages$/, 'anthropic', false],
  [/\/messages\/count_tokens$/, 'anthropic', true],
  [/\/chat\/completions$/, 'openai', false],
  [/\/responses(?:\/compact)?$/, 'openai-responses', false],
  [/\/responses\/input_tokens$/, 'openai-responses', true],
  [/:(?:streamG|g)enerateContent$/, 'gemini', false],
  [/:countTokens$/, 'gemini', true],
];

/** The route of a path without its leading slash; `undefined` if its first segment names no provider. */
export function routeOf(
  path: string,
  query: string,
  method: string,
  upstreams: Readonly<Record<string, string>>,
): Route | undefined {
  const end = path.indexOf('/');
  const upstream = end < 0 ? path : path.slice(0, end);
  const base = Object.hasOwn(upstreams, upstream) ? upstreams[upstream] : undefined;
  if (base === undefined) return undefined;
  const rest = end < 0 ? '' : path.slice(end);
  // A path such as `//evil` or `/..` must not leave the provider's base URL.
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, '') + rest;
  url.search = query;
  const endpoint = method === 'POST' ? ENDPOINTS.find(([pattern]) => pattern.test(rest)) : undefined;
  const [, format, isCount = false] = endpoint ?? [];
  const model = /\/models\/([^/:]+):\w+$/.exec(rest)?.[1];
  const form = formOf(path);
  return { upstream, url: url.href, format, form, model: model === undefined ? undefined : decoded(model), isCount };
}

/** The format of errors for a path, which may be a wrong one: by its end, or by the provider that it names. */
export function formOf(path: string): WireFormat | undefined {
  const [, format] = ENDPOINTS.find(([pattern]) => pattern.test(path)) ?? [];
  if (format !== undefined) return format;
  // The first segment may be a token.
  const named = path.split('/').slice(0, 2);
  if (named.includes('anthropic')) return 'anthropic';
  return named.includes('gemini') || named.includes('code-assist') ? 'gemini' : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
