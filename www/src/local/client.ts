import { signal } from '@preact/signals';
import type { ContentBlock, IContent } from 'densify';
import type { Piece } from '../endpoint/api.js';
import { connect, type Remote } from '../engine/rpc.js';
import { startWorker } from '../engine/start.js';
import type { LocalApi } from './api.js';
import workerUrl from './worker.ts?worker&url';

/** How far the small model is: not requested, partly fetched, ready, or failed with a reason. */
export const localState = signal<
  | { readonly kind: 'absent' | 'ready' }
  | { readonly kind: 'loading'; readonly part: number }
  | { readonly kind: 'failed'; readonly why: string }
>({
  kind: 'absent',
});

let started: Remote<LocalApi> | undefined;

/** Fetches the model, from where the page is from; nothing of it is fetched before. */
export async function loadLocal(): Promise<void> {
  started ??= connect<LocalApi>(startWorker(workerUrl));
  localState.value = { kind: 'loading', part: 0 };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<number>) => {
    if (localState.value.kind === 'loading') localState.value = { kind: 'loading', part: data };
  };
  try {
    await started.load(new URL('model/model.gguf', document.baseURI).href, port2);
    localState.value = { kind: 'ready' };
  } catch (error) {
    localState.value = { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    port1.close();
  }
}

export async function askLocal(
  messages: readonly IContent[],
  isBare: boolean,
  say: (piece: Piece) => void,
  signal: AbortSignal,
): Promise<readonly ContentBlock[]> {
  if (!started || localState.value.kind !== 'ready')
    throw new Error('Load the small model first: the button is above.');
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<Piece>) => say(data);
  signal.addEventListener('abort', () => port1.postMessage('stop'), { once: true });
  try {
    return await started.ask(messages, isBare, port2);
  } finally {
    port1.close();
  }
}
