// Gets requests and results, and fails if there are none.
import { type IContent, requestSummary, type SummaryOptions, type SummaryRequest, type SummaryResult } from 'densify';

type AppliedSummary = Extract<SummaryResult, { kind: 'applied' }>;

/** A request; that there is nothing to summarise is an error. */
export function requested(messages: readonly IContent[], options: SummaryOptions): SummaryRequest {
  const request = requestSummary(messages, options);
  if (request.kind !== 'request') throw new Error(`no request: ${request.reason}`);
  return request;
}

/** What a reply made of a history; that it was refused is an error. */
export function applied(result: SummaryResult): AppliedSummary {
  if (result.kind !== 'applied') throw new Error(JSON.stringify(result, null, 1));
  return result;
}
