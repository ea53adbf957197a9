/** What a host may have, newest last; not all of it is in the type libraries. */
interface Decoders {
  Buffer?: { from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> };
  Uint8Array: { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
}

/** The bytes of a text in base64. */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  const host = globalThis as unknown as Decoders;
  if (typeof host.Buffer?.from === 'function') return host.Buffer.from(text, 'base64');
  if (typeof host.Uint8Array.fromBase64 === 'function') return host.Uint8Array.fromBase64(text);
  const binary = atob(text);
  // A loop: `Uint8Array.from` with a callback takes ten times as long.
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
