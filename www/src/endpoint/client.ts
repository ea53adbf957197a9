import { connect, type Remote } from '../engine/rpc.js';
import { startWorker } from '../engine/start.js';
import type { EndpointApi, Piece, Question } from './api.js';
import workerUrl from './worker.ts?worker&url';

let started: Remote<EndpointApi> | undefined;

/** Asks a model; pieces of its answer come while it speaks, and the signal stops it where it is. */
export async function askModel(
  question: Question,
  say: (piece: Piece) => void,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<EndpointApi['ask']>>> {
  started ??= connect<EndpointApi>(startWorker(workerUrl));
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<Piece>) => say(data);
  signal.addEventListener('abort', () => port1.postMessage('stop'), { once: true });
  try {
    return await started.ask(question, port2);
  } finally {
    port1.close();
  }
}
