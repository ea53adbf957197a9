/** Packs in threads of its own: streams go on meanwhile, and what takes too long can be stopped. */
import { Worker } from 'node:worker_threads';
import type { Job, Packed, Packer, PackOptions } from '../gateway/pack.js';
import { sessionOf } from '../gateway/request.js';

/** Milliseconds that packing a request may take, and milliseconds that it may wait for others. */
export const TIME_LIMIT = 3000;
/** Milliseconds without packing for a session whose request took too long: its next one tends to do so, too. */
const REST = 30_000;
/**
 * New sessions with a larger body go to a thread for slow ones. A timeout ends the thread, which forgets all its sessions:
 * short ones must not suffer from that.
 */
const SLOW = 4 * 2 ** 20;
/** Sessions that are remembered, to send each to the same thread. */
const SESSIONS_AT_MOST = 4000;

export interface ThreadPacker {
  readonly pack: Packer;
  close(): Promise<void>;
}

/** A job, and who waits for it. */
interface Waiting {
  readonly job: Job;
  readonly session: string | undefined;
  readonly resolve: (packed: Packed) => void;
  /** Ends the wait for others. */
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Makes a packer that runs in threads. A thread that fails or takes too long is replaced. */
export function threadPacker(options: PackOptions, limit = TIME_LIMIT): ThreadPacker {
  const usual = new Lane(options, limit);
  const slow = new Lane(options, limit);
  const lanes = new Map<string, Lane>();
  const laneOf = (session: string | undefined, bytes: number): Lane => {
    if (session === undefined) return usual;
    const lane = lanes.get(session) ?? (bytes > SLOW ? slow : usual);
    lanes.delete(session); // behind all others, as the newest
    lanes.set(session, lane);
    if (lanes.size > SESSIONS_AT_MOST) lanes.delete(lanes.keys().next().value!);
    return lane;
  };
  usual.load(); // while the agent starts
  return {
    pack: (job) => {
      const session = knownSession(job);
      return laneOf(session, job.body.length).pack(job, session);
    },
    close: async () => {
      await Promise.all([usual.close(), slow.close()]);
    },
  };
}

function knownSession({ format, body }: Job): string | undefined {
  try {
    return sessionOf(format, body);
  } catch {
    return undefined; // the thread finds out what is wrong with it
  }
}

/** A thread and its queue: it gets one job at a time. */
class Lane {
  readonly #options: PackOptions;
  readonly #limit: number;
  readonly #queue: Waiting[] = [];
  #current: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #thread: Worker | undefined;
  /** Until when a session is not packed. */
  readonly #paused = new Map<string | undefined, number>();

  constructor(options: PackOptions, limit: number) {
    this.#options = options;
    this.#limit = limit;
  }

  load(): void {
    this.#thread ??= this.#start();
  }

  pack(job: Job, session: string | undefined): Promise<Packed> {
    return new Promise((resolve) => {
      const waiting: Waiting = { job, session, resolve, timer: setTimeout(() => this.#leave(waiting), this.#limit) };
      this.#queue.push(waiting);
      this.#advance();
    });
  }

  async close(): Promise<void> {
    const ended = this.#thread;
    this.#thread = undefined;
    await ended?.terminate();
  }

  #start(): Worker {
    const made = new Worker(new URL('./gateway-thread.js', import.meta.url), { workerData: this.#options });
    made.unref();
    made.on('message', (packed: Packed) => {
      // Node.js also delivers what a thread sent just before it was ended: that is none of the current request's.
      if (this.#thread === made) this.#settle(packed);
    });
    const failed = (code?: unknown) => {
      if (this.#thread === made) this.#replace(`the thread ended${typeof code === 'string' ? ` (${code})` : ''}`);
    };
    made.on('error', (error: { readonly code?: unknown }) => failed(error.code));
    made.on('exit', () => failed());
    return made;
  }

  #settle(packed: Packed): void {
    clearTimeout(this.#timer);
    const ended = this.#current;
    this.#current = undefined;
    ended?.resolve(packed);
    this.#advance();
  }

  #replace(failure: string): void {
    const ended = this.#thread;
    this.#thread = undefined;
    void ended?.terminate();
    this.#settle({ failure });
  }

  #advance(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#queue.shift();
    if (this.#current === undefined) return;
    const { job, session, timer } = this.#current;
    clearTimeout(timer);
    if (this.#isPaused(session)) {
      return this.#settle({ failure: `packing of this session is paused for ${REST / 1000} s after a timeout` });
    }
    this.load();
    this.#timer = setTimeout(() => {
      this.#paused.set(session, performance.now() + REST);
      this.#replace(`packing took longer than ${this.#limit} ms`);
    }, this.#limit);
    this.#thread!.postMessage(job);
  }

  #isPaused(session: string | undefined): boolean {
    for (const [name, end] of this.#paused) if (end < performance.now()) this.#paused.delete(name);
    return this.#paused.has(session);
  }

  #leave(waiting: Waiting): void {
    this.#queue.splice(this.#queue.indexOf(waiting), 1);
    waiting.resolve({ failure: `packing of other requests took longer than ${this.#limit} ms` });
  }
}
