import workerUrl from './worker.ts?worker&url';
import type { EngineApi } from './api.js';
import { connect } from './rpc.js';
import { startWorker } from './start.js';

/** The worker that reads, counts and replays. */
export const engine = connect<EngineApi>(startWorker(workerUrl));
