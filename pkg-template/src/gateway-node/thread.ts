/** Packs in a thread of its own: streams go on meanwhile, and what takes too long can be stopped. */
import { Worker } from 'node:worker_threads';
import type { Job, Packed, Packer, PackOptions } from '../gateway/pack.js';

/** Milliseconds that packing a request may take. */
export const TIME_LIMIT = 3000;
/** Milliseconds without packing after a request took too long: such requests tend to come again. */
const REST = 30_000;

export interface ThreadPacker {
  readonly pack: Packer;
  close(): Promise<void>;
}

/** A job, and who waits for it. */
interface Waiting {
  readonly job: Job;
  readonly resolve: (packed: Packed) => void;
}

/** Makes a packer that runs in a thread. It gets one job at a time; on a job that fails or takes too long it is replaced. */
export function threadPacker(options: PackOptions, limit = TIME_LIMIT): ThreadPacker {
  const queue: Waiting[] = [];
  let current: Waiting | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let thread: Worker | undefined;
  let restsUntil = 0;

  const start = (): Worker => {
    const made = new Worker(new URL('./gateway-thread.js', import.meta.url), { workerData: options });
    made.unref();
    made.on('message', (packed: Packed) => settle(packed));
    const failed = () => {
      if (thread === made) replace('the thread ended');
    };
    made.on('error', failed);
    made.on('exit', failed);
    return made;
  };
  const settle = (packed: Packed) => {
    clearTimeout(timer);
    const ended = current;
    current = undefined;
    ended?.resolve(packed);
    advance();
  };
  const replace = (failure: string) => {
    const ended = thread;
    thread = undefined;
    void ended?.terminate();
    settle({ failure });
  };
  const advance = () => {
    if (current !== undefined) return;
    current = queue.shift();
    if (current === undefined) return;
    if (performance.now() < restsUntil)
      return settle({ failure: `packing is paused for ${REST / 1000} s after a timeout` });
    thread ??= start();
    timer = setTimeout(() => {
      restsUntil = performance.now() + REST;
      replace(`packing took longer than ${limit} ms`);
    }, limit);
    thread.postMessage(current.job);
  };

  thread = start(); // it loads while the agent starts
  return {
    pack: (job) =>
      new Promise((resolve) => {
        queue.push({ job, resolve });
        advance();
      }),
    close: async () => {
      const ended = thread;
      thread = undefined;
      await ended?.terminate();
    },
  };
}
