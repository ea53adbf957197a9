/** Reads the body of a request, within bounds. */

/** Bytes of the largest body that is packed: Anthropic takes no larger request. */
export const BODY_AT_MOST = 32 * 2 ** 20;

/** A body that was read, or one that is too large, as a stream of all its bytes. */
export type ReadBody =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly stream?: undefined }
  | { readonly bytes?: undefined; readonly stream: ReadableStream<Uint8Array> };

/** Reads a body; of one larger than `most` what was read goes on as a stream, so memory stays bounded. */
export async function readBody(body: ReadableStream<Uint8Array>, most = BODY_AT_MOST): Promise<ReadBody> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(chunks, size) };
    chunks.push(value);
    size += value.length;
    if (size > most) break;
  }
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) return controller.enqueue(chunk);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { stream };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Encodings that web streams can undo. */
const KNOWN: Readonly<Record<string, CompressionFormat>> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' };

/**
 * The plain bytes of a body that may be compressed; `undefined` where the encoding is unknown, the data is damaged, or
 * more than `most` bytes come out. Such a body is forwarded as it came.
 */
export async function decompressed(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string | null,
  most = BODY_AT_MOST,
): Promise<Uint8Array | undefined> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return bytes;
  const format = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (format === undefined) return undefined;
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
    const read = await readBody(stream, most);
    if (read.bytes === undefined) await read.stream.cancel();
    return read.bytes;
  } catch {
    return undefined;
  }
}
