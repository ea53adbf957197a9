/** Answers of the gateway itself, in the form in which the provider's errors come. */
import type { WireFormat } from './routes.js';

/** What the providers call errors of some statuses. */
const ANTHROPIC: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  404: 'not_found_error',
  503: 'overloaded_error',
};
const GEMINI: Readonly<Record<number, string>> = { 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND' };

/** An error that the agent's SDK shows: each expects its own provider's form. */
export function errorAnswer(
  status: number,
  message: string,
  format?: WireFormat | undefined,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const text = `densify gateway: ${message}`;
  const body =
    format === 'anthropic'
      ? { type: 'error', error: { type: ANTHROPIC[status] ?? 'api_error', message: text } }
      : format === 'gemini'
        ? { error: { code: status, message: text, status: GEMINI[status] ?? 'UNAVAILABLE' } }
        : { error: { message: text, type: 'densify_gateway', param: null, code: null } };
  return Response.json(body, { status, headers });
}

export function textAnswer(text: string, type = 'text/plain; version=0.0.4; charset=utf-8'): Response {
  return new Response(text, { headers: { 'content-type': type } });
}
