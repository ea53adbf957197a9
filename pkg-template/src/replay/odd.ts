/** Reads what may be odd: what can't be read isn't there. */
import type { IContent } from '../base/content.js';
import { densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';

/** A block as far as replays look into it. */
export interface OddBlock {
  readonly type: unknown;
  readonly text?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly parameters?: unknown;
  readonly callId?: unknown;
  readonly result?: unknown;
}

const KEYS = ['type', 'text', 'id', 'name', 'parameters', 'callId', 'result'] as const;
/** Blocks of other types say nothing that is asked for. */
const TYPES: ReadonlySet<unknown> = new Set(['text', 'tool_call', 'tool_response', 'thinking']);

/** The blocks of an entry; those in which an accessor throws as far as they can be read. */
export function blocksOf(content: IContent): readonly OddBlock[] {
  const blocks: unknown = read(content, 'blocks');
  return Array.isArray(blocks) ? blocks.flatMap(readable) : [];
}

function readable(block: unknown): OddBlock[] {
  if (typeof block !== 'object' || block === null) return [];
  const type = read(block, 'type');
  if (!TYPES.has(type)) return [];
  return [Object.fromEntries(KEYS.map((key) => [key, read(block, key)])) as unknown as OddBlock];
}

/** A property, or nothing if it throws. */
export function read(from: object, key: string): unknown {
  try {
    return (from as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}

/** What an entry's metadata say under a name, or nothing. */
export function about(entry: IContent, key: string): unknown {
  const metadata = read(entry, 'metadata');
  return typeof metadata === 'object' && metadata !== null ? read(metadata, key) : undefined;
}

/** The values of an object's properties, as far as they can be read. */
export function valuesOf(object: object): readonly unknown[] {
  try {
    return Object.values(object);
  } catch {
    return keysOf(object).map((key) => read(object, key));
  }
}

function keysOf(object: object): string[] {
  try {
    return Object.keys(object);
  } catch {
    return [];
  }
}

/** Entries must be contents; messages of other formats would be a log in which nothing is said. */
export function checkContents(contents: readonly unknown[]): void {
  contents.forEach((content, index) => {
    if (typeof content === 'object' && content !== null && Array.isArray(read(content, 'blocks'))) return;
    const isOther = typeof content === 'object' && content !== null;
    const found = `messages[${index}]: found ${isOther ? 'an object without blocks' : describe(content)}`;
    const message = `${found}, expected contents {speaker, blocks}: convert messages and logs with readTranscript of densify/transcripts`;
    throw densifyError('invalid-messages', message, { index });
  });
}
