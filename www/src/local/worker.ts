// A small model inside the page: llama.cpp as WebAssembly (wllama), fetched from where the page is from
// when it is asked for. It is kept in memory and gone with the page.
import { Wllama } from '@wllama/wllama/esm/index.js';
import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import type { ContentBlock, IContent } from 'densify';
import { openAiBody } from '../endpoint/messages.js';
import { Reply } from '../endpoint/streams.js';
import { serve } from '../engine/rpc.js';
import { LOCAL_WINDOW, type LocalApi } from './api.js';

const REPLY_TOKENS = 384;
let llama: Wllama | undefined;

async function load(model: string, port: MessagePort): Promise<void> {
  if (llama) return;
  const file = await download(model, (part) => port.postMessage(part));
  const fresh = new Wllama({ default: new URL(wasmUrl, self.location.href).href }, { suppressNativeLog: true });
  // Threads need a page that is isolated (COOP, COEP); without that it is one, and slower.
  const threads = self.crossOriginIsolated
    ? Math.max(1, Math.min(4, Math.floor(navigator.hardwareConcurrency / 2)))
    : 1;
  await fresh.loadModel([file], { n_ctx: LOCAL_WINDOW, n_threads: threads });
  llama = fresh;
  port.close();
}

async function download(url: string, progress: (part: number) => void): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok || !response.body || response.headers.get('content-type')?.includes('html')) {
    throw new Error(
      'This server has no model. Add one as model/model.gguf, or run scripts/llm-setup.sh before make playground.',
    );
  }
  const length = Number(response.headers.get('content-length')) || 100e6;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let read = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks);
    chunks.push(value);
    read += value.length;
    progress(Math.min(1, read / length));
  }
}

async function ask(
  messages: readonly IContent[],
  isBare: boolean,
  port: MessagePort,
): Promise<readonly ContentBlock[]> {
  if (!llama) throw new Error('The model isn’t loaded yet.');
  const stop = new AbortController();
  port.onmessage = () => stop.abort();
  const reply = new Reply((piece) => port.postMessage(piece));
  const { messages: list } = openAiBody({
    endpoint: { dialect: 'openai', url: '', model: 'local' },
    messages,
    withTools: false,
    isBare,
  });
  try {
    const stream = await llama.createChatCompletion({
      messages: list as { role: 'user'; content: string }[],
      stream: true,
      max_tokens: REPLY_TOKENS,
      temperature: 0,
      abortSignal: stop.signal,
    });
    for await (const chunk of stream) reply.openAi(chunk);
  } catch (error) {
    if (!stop.signal.aborted)
      throw new Error(
        `The small model gave up: ${error instanceof Error ? error.message : String(error)}. Its window is ${LOCAL_WINDOW} tokens.`,
      );
  } finally {
    port.close();
  }
  return reply.blocks;
}

const api: LocalApi = { load, ask };
serve(api);
