/** What a host may have, newest last; not all of it is in the type libraries. */
interface Decoders {
  Buffer?: {
    from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer>;
    from(bytes: Uint8Array): { toString(encoding: 'base64'): string };
  };
  Uint8Array: { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The value of each letter, by its code. */
const VALUES = /* @__PURE__ */ (() => {
  const values = new Uint8Array(128);
  for (let i = 0; i < LETTERS.length; i++) values[LETTERS.charCodeAt(i)] = i;
  return values;
})();

/** The bytes of a text in base64. */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  const host = globalThis as unknown as Decoders;
  if (typeof host.Buffer?.from === 'function') return host.Buffer.from(text, 'base64');
  if (typeof host.Uint8Array.fromBase64 === 'function') return host.Uint8Array.fromBase64(text);
  // As quick as `atob`, which Hermes doesn't have.
  const end = text.indexOf('=');
  const length = end < 0 ? text.length : end;
  const bytes = new Uint8Array((length * 3) >> 2);
  let [bits, at] = [0, 0];
  for (let i = 0; i < length; i++) {
    bits = (bits << 6) | VALUES[text.charCodeAt(i) & 0x7f]!;
    if (i % 4 > 0) bytes[at++] = bits >> (6 - 2 * (i % 4));
  }
  return bytes;
}

/** Bytes as a text in base64. */
export function encode(bytes: Uint8Array): string {
  const { Buffer } = globalThis as unknown as Decoders;
  if (Buffer !== undefined) return Buffer.from(bytes).toString('base64');
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const bits = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const left = bytes.length - i;
    text += LETTERS[bits >> 18]! + LETTERS[(bits >> 12) & 63]!;
    text += (left > 1 ? LETTERS[(bits >> 6) & 63]! : '=') + (left > 2 ? LETTERS[bits & 63]! : '=');
  }
  return text;
}
