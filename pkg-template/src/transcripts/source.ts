import type { ReadableStreamLike, TranscriptSource } from './api.js';
import { unexpected } from './settings.js';

type Chunk = string | Uint8Array;

/** Gives every chunk of a source as text; UTF-8 may be split anywhere. */
export async function forEachChunk(source: TranscriptSource, take: (text: string) => void): Promise<void> {
  // A byte order mark is left to the splitter, which treats text and bytes alike.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of chunksOf(source)) {
    if (typeof chunk === 'string') take(decoder.decode() + chunk);
    else if (ArrayBuffer.isView(chunk)) take(decoder.decode(chunk, { stream: true }));
    else throw unexpected('source', chunk, 'chunks that are strings or Uint8Arrays');
  }
  take(decoder.decode());
}

function chunksOf(source: TranscriptSource): AsyncIterable<Chunk> {
  if (typeof source === 'object' && source !== null) {
    // Asked first, since not every engine can iterate over its ReadableStream.
    if ('getReader' in source) return readerChunks(source as ReadableStreamLike<Chunk>);
    if (Symbol.asyncIterator in source) return source;
  }
  throw unexpected('source', source, 'an async iterable or a ReadableStream');
}

async function* readerChunks(stream: ReadableStreamLike<Chunk>): AsyncGenerator<Chunk> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      if (value !== undefined) yield value;
    }
  } finally {
    // A stream that is left early is told so; one that failed has no reader left.
    if (!ended) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
