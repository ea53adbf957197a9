import { connect, type Remote } from '../engine/rpc.js';
import { startWorker } from '../engine/start.js';
import type { ConversedApi } from './api.js';
import workerUrl from './worker.ts?worker&url';

let started: Remote<ConversedApi> | undefined;

/** The worker for conversations; it starts when it is first used, by the worker that has the contents. */
export function conversations(): Remote<ConversedApi> {
  return (started ??= connect<ConversedApi>(startWorker(workerUrl)));
}
