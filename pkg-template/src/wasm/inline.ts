/**
 * `#wasm` wherever code may be compiled at run time: Node, browsers, workers, Deno, Bun.
 * The core is part of the JavaScript, so there is no file to find and none to bundle.
 */
import { base64 } from '../generated/wasm-base64.js';

export function compile(): WebAssembly.Module {
  return new WebAssembly.Module(decode(base64));
}

export function compileAsync(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(decode(base64));
}

/** What a host may have, newest last; not all of it is in the type libraries. */
interface Decoders {
  Buffer?: { from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> };
  Uint8Array: { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const host = globalThis as unknown as Decoders;
  if (typeof host.Buffer?.from === 'function') return host.Buffer.from(text, 'base64');
  if (typeof host.Uint8Array.fromBase64 === 'function') return host.Uint8Array.fromBase64(text);
  const binary = atob(text);
  // A loop: `Uint8Array.from` with a callback takes ten times as long.
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
