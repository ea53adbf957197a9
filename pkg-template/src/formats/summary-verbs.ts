import type { FileOperations } from '../generated/summary.js';
import type { Adapter } from '../messages/adapter.js';
import type { Target } from '../models/target.js';
import { type FileOptions, summaries } from '../summary/functions.js';
import { checkRequest } from '../summary/stored.js';
import type { ApplyOptions, DigestOptions, SummaryOptions, SummaryRequest } from '../summary/types.js';
import { adapterFor } from './adapter.js';
import type { Format } from './format.js';
import { take } from './take.js';
import type { Verbs } from './verbs-of.js';

/** Makes `requestSummary` of a format. */
export function requestSummaryOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['requestSummary'] {
  return <M extends L>(messages: readonly M[], options: SummaryOptions<M> & O) => {
    const { adapter, rest, target } = take<M, L, O, SummaryOptions<M>>(format, options, true);
    const made = summaries().request(adapter, messages, rest as SummaryOptions<M>);
    const told = Object.entries(target).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return made.kind === 'noop' || told.length === 0 ? made : { ...made, target: Object.fromEntries(told) };
  };
}

/** Makes `applySummary` of a format. */
export function applySummaryOf<L extends object, O extends Target>(format: Format<L, O>): Verbs<L, O>['applySummary'] {
  return <M extends L>(
    request: SummaryRequest<M>,
    reply: string,
    messages: readonly M[],
    options?: ApplyOptions & O,
  ) => {
    checkRequest(request);
    const { adapter, rest } = take<M, L, O, ApplyOptions>(format, options, false, request.target);
    return summaries().apply(adapter, request, reply, messages, rest);
  };
}

/** Makes `verifySummary` of a format. */
export function verifySummaryOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['verifySummary'] {
  return <M extends L>(reply: string, messages: readonly M[], options: SummaryOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, SummaryOptions<M>>(format, options, true);
    return summaries().verify(adapter, reply, messages, rest as SummaryOptions<M>);
  };
}

/** Makes `digest` of a format. */
export function digestOf<L extends object, O extends Target>(format: Format<L, O>): Verbs<L, O>['digest'] {
  return <M extends L>(messages: readonly M[], options?: DigestOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, DigestOptions<M>>(format, options);
    return summaries().digest(adapter, messages, rest).result;
  };
}

/** Makes `fileOperations` of a format. */
export function fileOperationsOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['fileOperations'] {
  return <M extends L>(messages: readonly M[], options?: FileOptions) => {
    const adapter = adapterFor(format, 0) as unknown as Adapter<M>;
    const found = summaries().read(adapter, messages, options, (handle, host) => handle.fileOperations(host));
    return JSON.parse(found) as FileOperations;
  };
}
