/** Reads the body of a request, within bounds. */
import { joined } from './bytes.js';

/** Bytes of the largest body that is packed: Anthropic takes no larger request. */
export const BODY_AT_MOST = 32 * 2 ** 20;

/** A body that was read, or one that is too large, as a stream of all its bytes. */
export type ReadBody =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly stream?: undefined }
  | { readonly bytes?: undefined; readonly stream: ReadableStream<Uint8Array> };

/** The memory that a body takes while it is read. */
export interface Room {
  /** Counts further bytes; returns whether the body may still be held. */
  take(bytes: number): boolean;
  /** Called when the bytes of a body that may not be held were handed on. */
  release(): void;
}

/** A room for one body of at most `most` bytes. */
function roomFor(most: number): Room {
  let size = 0;
  return { take: (bytes) => (size += bytes) <= most, release: () => undefined };
}

/** Reads a body. If the room does not suffice, what was read goes on as a stream, so memory stays bounded. */
export async function readBody(body: ReadableStream<Uint8Array>, room: Room): Promise<ReadBody> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(chunks) };
    chunks.push(value);
    if (!room.take(value.length)) break;
  }
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) return controller.enqueue(chunk);
      room.release();
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel(reason) {
      room.release();
      return reader.cancel(reason);
    },
  });
  return { stream };
}

/** Decompresses bytes; rejects if they are damaged or more than `most` bytes come out. */
export type Decompress = (bytes: Uint8Array<ArrayBuffer>, most: number) => Promise<Uint8Array>;

/** What undoes the encodings of bodies, by name. */
export type Decoders = Readonly<Record<string, Decompress>>;

/** Encodings that web streams can undo. */
const BY_STREAM: Decoders = { gzip: byStream('gzip'), 'x-gzip': byStream('gzip'), deflate: byStream('deflate') };

function byStream(format: CompressionFormat): Decompress {
  return async (bytes, most) => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
    const read = await readBody(stream, roomFor(most));
    if (read.bytes !== undefined) return read.bytes;
    await read.stream.cancel();
    throw new RangeError('too large');
  };
}

/**
 * The plain bytes of a body that may be compressed; `undefined` if the encoding is unknown, the data is damaged, or more
 * than `BODY_AT_MOST` bytes come out. Such a body is forwarded unchanged.
 */
export async function decompressed(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string | null,
  further: Decoders = {},
): Promise<Uint8Array | undefined> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return bytes;
  const decoders = { ...BY_STREAM, ...further };
  try {
    return Object.hasOwn(decoders, name) ? await decoders[name]!(bytes, BODY_AT_MOST) : undefined;
  } catch {
    return undefined;
  }
}
