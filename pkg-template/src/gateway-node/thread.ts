/** Packs in a thread of its own: streams go on meanwhile, and what takes too long can be stopped. */
import { Worker } from 'node:worker_threads';
import type { Job, Packed, Packer, PackOptions } from '../gateway/pack.js';
import { sessionOf } from '../gateway/request.js';

/** Milliseconds that packing a request may take, and milliseconds that it may wait for others. */
export const TIME_LIMIT = 3000;
/** Milliseconds without packing for a session whose request took too long: its next one tends to do so, too. */
const REST = 30_000;

export interface ThreadPacker {
  readonly pack: Packer;
  close(): Promise<void>;
}

/** A job, and who waits for it. */
interface Waiting {
  readonly job: Job;
  readonly resolve: (packed: Packed) => void;
  /** Ends the wait for others. */
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Makes a packer that runs in a thread. It gets one job at a time; on a job that fails or takes too long it is replaced. */
export function threadPacker(options: PackOptions, limit = TIME_LIMIT): ThreadPacker {
  const queue: Waiting[] = [];
  let current: Waiting | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let thread: Worker | undefined;
  /** Until when a session is not packed. */
  const paused = new Map<string | undefined, number>();

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
    clearTimeout(current.timer);
    const { job } = current;
    if (isPaused(job))
      return settle({ failure: `packing of this session is paused for ${REST / 1000} s after a timeout` });
    thread ??= start();
    timer = setTimeout(() => {
      paused.set(sessionOf(job.format, job.body), performance.now() + REST);
      replace(`packing took longer than ${limit} ms`);
    }, limit);
    thread.postMessage(job);
  };
  const isPaused = ({ format, body }: Job): boolean => {
    for (const [session, end] of paused) if (end < performance.now()) paused.delete(session);
    return paused.size > 0 && paused.has(sessionOf(format, body));
  };
  const leave = (waiting: Waiting) => {
    queue.splice(queue.indexOf(waiting), 1);
    waiting.resolve({ failure: `packing of other requests took longer than ${limit} ms` });
  };

  thread = start(); // it loads while the agent starts
  return {
    pack: (job) =>
      new Promise((resolve) => {
        const waiting: Waiting = { job, resolve, timer: setTimeout(() => leave(waiting), limit) };
        queue.push(waiting);
        advance();
      }),
    close: async () => {
      const ended = thread;
      thread = undefined;
      await ended?.terminate();
    },
  };
}
