import type { ContentBlock, IContent } from '../types.js';
import type { Log } from './format.js';
import { filled, idOf, isList, isRecord, type JsonRecord, parseJson } from './json.js';

/**
 * The `error` of a failed response. The logs have a flag and no message of their own, and the
 * reason stands in the result already: a copy of it here would be counted, and paid for, twice.
 */
export const FAILED = 'failed';

/** The tool name of a response that names none and answers no known call. */
export const UNKNOWN_TOOL = 'unknown';

/** Block types with a meaning of their own: a foreign block must not pass for one of them. */
const NEUTRAL_TYPES: ReadonlySet<unknown> = new Set([
  'text',
  'tool_call',
  'tool_response',
  'media',
  'thinking',
  'code',
]);

/** Turns a block of one format into a neutral one, or gives `undefined` for those it doesn't know. */
type Translate = (block: JsonRecord, line: number) => ContentBlock | undefined;

/** A content, with `metadata` only where there is some. */
export function content(
  speaker: IContent['speaker'],
  blocks: ContentBlock[],
  metadata: Record<string, unknown> | undefined,
): IContent {
  return metadata === undefined ? { speaker, blocks } : { speaker, blocks, metadata };
}

/** A text block. */
export function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}

/** A tool call, as a log names and calls it. */
export function callBlock(id: string, name: unknown, parameters: unknown): ContentBlock {
  return { type: 'tool_call', id, name: filled(name) ?? '', parameters: parameters ?? {} };
}

/** A tool result. Pairing it with its call fills in an empty tool name. */
export function responseBlock(callId: string, toolName: unknown, result: unknown, failed: boolean): ContentBlock {
  const block = { type: 'tool_response' as const, callId, toolName: filled(toolName) ?? '', result };
  return failed ? { ...block, error: FAILED } : block;
}

/** An image, a sound or a file, given as base64. */
export function base64Block(mimeType: unknown, data: string, filename?: unknown): ContentBlock {
  const block = {
    type: 'media' as const,
    mimeType: filled(mimeType) ?? 'application/octet-stream',
    data,
    encoding: 'base64' as const,
  };
  return typeof filename === 'string' ? { ...block, filename } : block;
}

/** Something behind a URL; a `data:` URL with base64 in it becomes base64. */
export function urlBlock(url: string, mimeType: string, filename?: unknown): ContentBlock {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  if (comma > 0 && url.slice(0, comma).endsWith(';base64')) {
    const semicolon = url.indexOf(';');
    return base64Block(url.slice('data:'.length, semicolon), url.slice(comma + 1), filename);
  }
  const block = { type: 'media' as const, mimeType, data: url, encoding: 'url' as const };
  return typeof filename === 'string' ? { ...block, filename } : block;
}

/** An unknown block, kept whole: adapters and strategies leave such blocks alone. */
export function unknownBlock(original: unknown): ContentBlock {
  const own = isRecord(original) && typeof original['type'] === 'string';
  const block = own && !NEUTRAL_TYPES.has(original['type']) ? original : { type: 'unknown', original };
  // The one place where something that the types don't describe enters a history.
  return block as unknown as ContentBlock;
}

/**
 * The keys of a native block that have no neutral name ride along with the neutral block
 * (signatures, citations), but never in place of a neutral key.
 */
export function withRest<T extends object>(block: T, source: JsonRecord, used: readonly string[]): T {
  const rest = Object.entries(source).filter(
    ([key]) => key !== 'type' && !used.includes(key) && !Object.hasOwn(block, key),
  );
  // Not by assignment, which a key called `__proto__` would turn against us.
  return rest.length === 0 ? block : (Object.fromEntries([...Object.entries(block), ...rest]) as T);
}

/** The blocks of a message: a string, or a list of strings and native blocks. */
export function readBlocks(value: unknown, translate: Translate, log: Log, line: number): ContentBlock[] {
  if (typeof value === 'string') return value === '' ? [] : [textBlock(value)];
  if (value === undefined || value === null) return [];
  if (!isList(value)) {
    log.warn('odd-shape', line);
    return [unknownBlock(value)];
  }
  return value.map((item) => readBlock(item, translate, log, line));
}

function readBlock(item: unknown, translate: Translate, log: Log, line: number): ContentBlock {
  if (typeof item === 'string') return textBlock(item);
  if (isRecord(item)) {
    const block = translate(item, line) ?? readText(item);
    if (block !== undefined) return block;
  }
  log.warn('unknown-block', line);
  return unknownBlock(item);
}

/** Text blocks look the same everywhere; some logs leave their type out. */
function readText(item: JsonRecord): ContentBlock | undefined {
  const { type, text } = item;
  if (typeof text !== 'string' || (type !== 'text' && type !== undefined)) return undefined;
  return withRest({ type: 'text' as const, text }, item, ['text']);
}

/**
 * A tool's output: its texts joined by newlines are the result, its images and other parts follow as blocks of their own.
 */
export function readOutput(
  value: unknown,
  translate: Translate,
  log: Log,
  line: number,
): { result: unknown; others: ContentBlock[] } {
  if (isRecord(value)) return { result: value, others: [] };
  const texts: string[] = [];
  const others: ContentBlock[] = [];
  for (const block of readBlocks(value, translate, log, line)) {
    if (block.type === 'text') texts.push(block.text);
    else others.push(block);
  }
  return { result: texts.join('\n'), others };
}

/** The id that pairs a call with its response; its absence is worth a warning. */
export function pairingId(value: unknown, log: Log, line: number): string {
  const id = idOf(value);
  if (id === '') log.warn('missing-id', line);
  return id;
}

/** Arguments are a JSON text; one that isn't an object is kept as it is. */
export function readArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  return isRecord(parsed) ? parsed : value;
}
