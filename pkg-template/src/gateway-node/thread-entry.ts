/** The thread that packs: a file of its own, since a thread is started by its file. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Job, localPacker, type Packed, type PackOptions } from '../gateway/pack.js';

const pack = localPacker(workerData as PackOptions);

parentPort?.on('message', (job: Job) => {
  let packed: Packed;
  try {
    packed = pack(job);
  } catch (error) {
    packed = { failure: error instanceof Error ? error.name : 'unknown' };
  }
  parentPort?.postMessage(packed, packed.body === undefined ? [] : [packed.body.buffer]);
});
