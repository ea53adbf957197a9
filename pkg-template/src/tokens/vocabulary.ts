import { describe, optionError } from '../base/options.js';
import { isUrl } from '../base/url.js';
import { decode } from '../wasm/decode.js';
import type { Encoding } from './tokenizer.js';

/** A vocabulary: its bytes, or a text with them in base64. */
export type Vocabulary = Uint8Array | ArrayBuffer | string;

/** A vocabulary, or where its bytes lie. */
export type VocabularySource = Vocabulary | URL | Promise<Vocabulary>;

/** Files that `fetch` doesn't reach in Node. */
interface FileHost {
  readonly process?: { getBuiltinModule?(name: string): { readFile(url: URL): Promise<Uint8Array> } | undefined };
}

/** The vocabulary that is part of the package. */
export async function bundledVocabulary(encoding: Encoding): Promise<Uint8Array> {
  // Spelled out, so that bundlers see both.
  const { vocabulary } = encoding === 'o200k_base' ? await import('#o200k_base') : await import('#cl100k_base');
  return decode(vocabulary);
}

/** The vocabulary that the caller has. */
export async function readVocabulary(source: unknown): Promise<Uint8Array> {
  const found: unknown = isUrl(source) ? await readUrl(source) : await source;
  const bytes = bytesOf(found);
  if (bytes !== undefined) return bytes;
  throw unreadable(`found ${describe(found)}, expected bytes, a text in base64, a URL or a promise of them`);
}

/** The bytes of a vocabulary. */
export function bytesOf(found: unknown): Uint8Array | undefined {
  if (typeof found === 'string') return /^[\w+/=]*$/.test(found) ? decode(found) : undefined;
  if (ArrayBuffer.isView(found)) return new Uint8Array(found.buffer, found.byteOffset, found.byteLength);
  return found instanceof ArrayBuffer ? new Uint8Array(found) : undefined;
}

async function readUrl(url: URL): Promise<unknown> {
  try {
    const files = url.protocol === 'file:' && (globalThis as FileHost).process?.getBuiltinModule?.('node:fs/promises');
    if (files) return await files.readFile(url);
    const response = await fetch(url);
    if (response.ok) return await response.arrayBuffer();
    throw new Error(`found status ${response.status}, expected a file`);
  } catch (cause) {
    throw unreadable(`${url.href} can't be read (see 'cause'): pass another address, or the bytes`, cause);
  }
}

function unreadable(why: string, cause?: unknown): Error {
  return optionError('vocabulary', `: ${why}`, cause);
}
