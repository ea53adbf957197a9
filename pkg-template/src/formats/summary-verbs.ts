import type { Target } from '../models/target.js';
import { summaries } from '../summary/functions.js';
import { redactingErrors } from '../summary/redaction.js';
import { checkRequest } from '../summary/stored.js';
import type { Summaries } from '../summary/summaries.js';
import type { ApplyOptions, DigestOptions, SummaryOptions, SummaryRequest } from '../summary/types.js';
import type { OptimizeOptions } from '../types.js';
import type { Readable } from './format.js';
import { take, untargeted } from './take.js';
import type { Verbs } from './verbs-of.js';

/** Makes `requestSummary` of a format. */
export function requestSummaryOf<L extends object, O extends Target>(
  format: Readable<L, O>,
  instance: () => Summaries = summaries,
): Verbs<L, O>['requestSummary'] {
  return <M extends L>(messages: readonly M[], options: SummaryOptions<M> & O) => {
    const { adapter, rest, target } = take<M, L, O, SummaryOptions<M>>(format, options, true);
    const made = instance().request(adapter, messages, rest as SummaryOptions<M>);
    const told = Object.entries(target).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return made.kind === 'noop' || told.length === 0 ? made : { ...made, target: Object.fromEntries(told) };
  };
}

/** Makes `applySummary` of a format. */
export function applySummaryOf<L extends object, O extends Target>(
  format: Readable<L, O>,
  instance: () => Summaries = summaries,
): Verbs<L, O>['applySummary'] {
  return <M extends L>(
    request: SummaryRequest<M>,
    reply: string,
    messages: readonly M[],
    options?: ApplyOptions<M> & O,
  ) => {
    checkRequest(request);
    const { adapter, rest } = take<M, L, O, ApplyOptions<M>>(format, options, false, request.target);
    return instance().apply(adapter, request, reply, messages, rest);
  };
}

/** Makes `verifySummary` of a format. */
export function verifySummaryOf<L extends object, O extends Target>(
  format: Readable<L, O>,
  instance: () => Summaries = summaries,
): Verbs<L, O>['verifySummary'] {
  return <M extends L>(reply: string, messages: readonly M[], options: SummaryOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, SummaryOptions<M>>(format, options, true);
    return instance().verify(adapter, reply, messages, rest as SummaryOptions<M>);
  };
}

/** Makes `digest` of a format. */
export function digestOf<L extends object, O extends Target>(
  format: Readable<L, O>,
  instance: () => Summaries = summaries,
): Verbs<L, O>['digest'] {
  return <M extends L>(messages: readonly M[], options?: DigestOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, DigestOptions<M>>(format, options);
    return instance().digest(adapter, messages, rest).result;
  };
}

/** Makes `fileOperations` of a format. */
export function fileOperationsOf<L extends object, O extends Target>(
  format: Readable<L, O>,
  instance: () => Summaries = summaries,
): Verbs<L, O>['fileOperations'] {
  return <M extends L>(
    messages: readonly M[],
    options?: Pick<OptimizeOptions, 'workspaceRoot' | 'tools' | 'isFailure'>,
  ) => {
    return redactingErrors(instance().redact, () =>
      instance().read(untargeted<M, L, O>(format), messages, options, (handle, host) => handle.fileOperations(host)),
    );
  };
}
