import type { EngineApi } from './api.js';
import { connect } from './rpc.js';
import { startWorker } from './start.js';
import workerUrl from './worker.ts?worker&url';

/** The worker that reads, counts and replays. */
export const engine = connect<EngineApi>(startWorker(workerUrl));
