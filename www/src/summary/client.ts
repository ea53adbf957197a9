import { connect, type Remote } from '../engine/rpc.js';
import { startWorker } from '../engine/start.js';
import type { SummaryApi } from './api.js';
import workerUrl from './worker.ts?worker&url';

let started: Remote<SummaryApi> | undefined;

/** The worker for summaries and redaction; it starts when it is first used. */
export function summaries(): Remote<SummaryApi> {
  return (started ??= connect<SummaryApi>(startWorker(workerUrl)));
}
