/**
 * Reads the history in a request's bytes, and writes bytes with other messages in its place. Agents send the same
 * messages again and again: those that begin a request as they began the one before it are known, and neither decoded
 * nor parsed again. What is not edited keeps its bytes.
 */
import type { Bag } from '../messages/facts.js';
import { joined } from './bytes.js';
import { Memo } from './memo.js';
import type { WireFormat } from './routes.js';
import { firstElement, LIST, OBJECT, readElements, readEntries, type Span, skipSpace, skipValue } from './scan.js';
import { originOf, spliced } from './splice.js';

/** A request that holds a history. */
export interface HistoryRequest {
  /** The model, where the body names it. */
  readonly model: string | undefined;
  /** What the model reads before the messages: system prompt and tools. */
  readonly rest: Bag;
  /** What it asks of the provider's prompt cache, beside breakpoints in the messages and in front of them. */
  readonly cache: Bag;
  readonly messages: readonly object[];
  /** The bytes with other messages in their place. */
  with(messages: readonly object[]): Uint8Array<ArrayBuffer>;
}

/** The key of the history in a request. */
const HISTORY: Readonly<Record<WireFormat, string>> = {
  anthropic: 'messages',
  openai: 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
};
/** Keys of what stands in front of the messages in the prompt cache. */
const IN_FRONT: ReadonlySet<string> = new Set([
  'tools',
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
]);
/** Keys of what is asked of the prompt cache: a breakpoint at the end, a longer life. */
const OF_CACHE = ['cache_control', 'prompt_cache_retention'];
/** Gemini's token count and the login of Gemini CLI wrap the request in another one. */
const WRAPPERS: ReadonlySet<string> = new Set(['generateContentRequest', 'request']);
/** Keys that say that the provider holds what came before: then nothing here may rest on it. */
const CONTINUING = ['previous_response_id', 'conversation'];

/** Where the values of an object are, by their names. */
type Entries = ReadonlyMap<string, Span>;

/** A value with its bytes. */
interface Part {
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

/** The history of a request. */
interface History {
  readonly bytes: Uint8Array;
  /** The list, from its first bracket to behind the last one. */
  readonly list: Span;
  readonly spans: readonly Span[];
  readonly values: readonly object[];
  readonly front: ReadonlyMap<string, Part>;
  readonly rest: Bag;
}

/** The messages of a list, and what the request before it is known by. */
interface FoundList {
  readonly list: Span;
  readonly spans: readonly Span[];
  /** So many of them began the request before it, too. */
  readonly shared: number;
  readonly session: { newest: History | undefined };
}

/**
 * A key of the session that a request belongs to, by the first message of its history. It reads no further, so it costs
 * little. `undefined` if the body holds no history.
 */
export function sessionOf(format: WireFormat, bytes: Uint8Array): string | undefined {
  let first: Span | undefined;
  const read = (at: number, depth: number): number | undefined =>
    readEntries(bytes, at, (span, place) => {
      const name = parsed(bytes, span) as string;
      if (name === HISTORY[format] && bytes[place] === LIST) first = firstElement(bytes, place);
      if (first !== undefined) return undefined;
      const isInner = depth === 0 && WRAPPERS.has(name) && bytes[place] === OBJECT;
      return isInner ? read(place, 1) : skipValue(bytes, place);
    });
  read(skipSpace(bytes, 0), 0);
  return first && `${format} ${hashOf(bytes, first)}`;
}

/** Reads requests, and remembers the newest ones. What it remembers only saves time. */
export class RequestReader {
  readonly #memo = new Memo<{ newest: History | undefined }>();
  readonly #written = new WeakMap<object, { readonly from: unknown; readonly bytes: Uint8Array }>();

  /** The history in a body; `undefined` where there is none, or only the end of one that the provider holds. */
  read(format: WireFormat, bytes: Uint8Array): HistoryRequest | undefined {
    let found: FoundList | undefined;
    const within = new Map<string, Span>();
    const readHistory = (at: number): number | undefined => {
      if (bytes[at] !== LIST) return skipValue(bytes, at);
      if (found !== undefined) return undefined; // two histories: nobody knows which one counts
      found = this.#list(format, bytes, at);
      return found?.list.end;
    };
    const readRequest = (at: number, entries: Map<string, Span>, depth: number): number | undefined =>
      readEntries(bytes, at, (span, place) => {
        const name = parsed(bytes, span);
        // Readers of JSON disagree on a name that occurs twice.
        if (typeof name !== 'string' || entries.has(name)) return undefined;
        const isInner = depth === 0 && format === 'gemini' && WRAPPERS.has(name) && bytes[place] === OBJECT;
        const end = isInner
          ? readRequest(place, within, 1)
          : name === HISTORY[format]
            ? readHistory(place)
            : skipValue(bytes, place);
        if (end !== undefined) entries.set(name, { start: place, end });
        return end;
      });
    const outer = new Map<string, Span>();
    const start = skipSpace(bytes, 0);
    const end = bytes[start] === OBJECT ? readRequest(start, outer, 0) : undefined;
    if (end === undefined || found === undefined || skipSpace(bytes, end) !== bytes.length) return undefined;
    // The history in a wrapper is the one that counts.
    const entries = within.has(HISTORY[format]) ? within : outer;
    const others = parsedBeside(bytes, outer, within);
    const history = others === undefined || continues(others) ? undefined : this.#history(bytes, found, entries);
    if (history === undefined) return undefined;
    const model = others?.get('model');
    return {
      model: typeof model === 'string' ? model : undefined,
      rest: history.rest,
      cache: Object.fromEntries(OF_CACHE.map((name) => [name, others?.get(name)])),
      messages: history.values,
      with: (messages) => this.#write(history, messages),
    };
  }

  #list(format: WireFormat, bytes: Uint8Array, start: number): FoundList | undefined {
    const first = firstElement(bytes, start);
    const key = `${format} ${first === undefined ? '' : hashOf(bytes, first)}`;
    const session = this.#memo.get(key, bytes.length, () => ({ newest: undefined }));
    const known = session.newest === undefined ? [] : sharedSpans(session.newest, bytes, start);
    const read = readElements(bytes, start, known);
    return read && { list: { start, end: read.end }, spans: read.spans, shared: known.length, session };
  }

  #history(bytes: Uint8Array, { list, spans, shared, session }: FoundList, entries: Entries): History | undefined {
    const before = session.newest;
    const values: object[] = before === undefined ? [] : before.values.slice(0, shared);
    for (const span of spans.slice(shared)) {
      const value = parsed(bytes, span);
      if (typeof value !== 'object' || value === null) return undefined;
      values.push(value);
    }
    const front = frontOf(bytes, entries, before);
    if (front === undefined) return undefined;
    const isSame = front.size === before?.front.size && [...front].every(([name, part]) => isPart(before, name, part));
    const rest = isSame ? before!.rest : Object.fromEntries([...front].map(([name, { value }]) => [name, value]));
    session.newest = { bytes, list, spans, values, front, rest };
    return session.newest;
  }

  /** The bytes with other messages instead of the history. */
  #write(history: History, messages: readonly object[]): Uint8Array<ArrayBuffer> {
    const { bytes, list, spans, values } = history;
    const places = new Map(values.map((value, at) => [value, at]));
    const isAligned = values.length === messages.length;
    const pieces: Uint8Array[] = [bytes.subarray(0, list.start + 1)];
    let next = 0;
    for (let at = 0; at < messages.length; at += 1) {
      const value = messages[at]!;
      if (at > 0) pieces.push(COMMA);
      const same = places.get(value);
      if (same !== undefined) {
        // Neighbours go together, with what stands between them.
        next = same + 1;
        while (at + 1 < messages.length && places.get(messages[at + 1]!) === next) {
          next += 1;
          at += 1;
        }
        pieces.push(bytes.subarray(spans[same]!.start, spans[next - 1]!.end));
        continue;
      }
      const from = isAligned ? at : originOf(value, values, next);
      pieces.push(this.#edited(history, from, value));
      if (from !== undefined) next = from + 1;
    }
    pieces.push(bytes.subarray(list.end - 1));
    return joined(pieces);
  }

  /** An edited message, with the characters of the one that it was made of. */
  #edited({ bytes, spans, values }: History, from: number | undefined, value: object): Uint8Array {
    const origin = from === undefined ? undefined : values[from];
    const known = this.#written.get(value);
    if (known !== undefined && known.from === origin) return known.bytes;
    const text = from === undefined ? JSON.stringify(value) : spliced(textOf(bytes, spans[from]!), origin, value);
    const written = new TextEncoder().encode(text);
    this.#written.set(value, { from: origin, bytes: written });
    return written;
  }
}

const COMMA = Uint8Array.of(44);

/** All values beside the history and what stands in front of it; `undefined` where one of them is no JSON. */
function parsedBeside(bytes: Uint8Array, outer: Entries, within: Entries): ReadonlyMap<string, unknown> | undefined {
  const values = new Map<string, unknown>();
  const skipped = new Set([...IN_FRONT, ...Object.values(HISTORY), ...(within.size > 0 ? WRAPPERS : [])]);
  for (const [name, span] of [...within, ...outer]) {
    if (skipped.has(name)) continue;
    const value = parsed(bytes, span);
    if (value === undefined) return undefined;
    values.set(name, value);
  }
  return values;
}

/** What stands in front of the messages; a value whose bytes are those of the request before it is the same one. */
function frontOf(bytes: Uint8Array, entries: Entries, before: History | undefined): History['front'] | undefined {
  const front = new Map<string, Part>();
  for (const [name, { start, end }] of entries) {
    if (!IN_FRONT.has(name)) continue;
    const own = bytes.subarray(start, end);
    const known = before?.front.get(name);
    const isKnown = known?.bytes.length === own.length && commonOf(known.bytes, 0, own, 0) === own.length;
    const value = isKnown ? known.value : parsed(bytes, { start, end });
    if (value === undefined) return undefined;
    front.set(name, { bytes: own, value });
  }
  return front;
}

function isPart(history: History | undefined, name: string, { value }: Part): boolean {
  return history?.front.get(name)?.value === value;
}

function continues(others: ReadonlyMap<string, unknown>): boolean {
  const isNamed = CONTINUING.some((name) => (others.get(name) ?? null) !== null);
  const thread = others.get('thread');
  const isThread = typeof thread === 'object' && thread !== null && (thread as Bag).type === 'continue';
  return isNamed || isThread;
}

/** The spans of the messages that two requests begin with, in the newer one. */
function sharedSpans({ bytes: old, list, spans }: History, bytes: Uint8Array, start: number): readonly Span[] {
  const common = commonOf(old, list.start, bytes, start);
  const moved = start - list.start;
  const shared: Span[] = [];
  for (const span of spans) {
    if (span.end - list.start > common) break;
    shared.push(moved === 0 ? span : { start: span.start + moved, end: span.end + moved });
  }
  return shared;
}

/** How many bytes are the same from two places on. */
function commonOf(one: Uint8Array, first: number, other: Uint8Array, second: number): number {
  const most = Math.min(one.length - first, other.length - second);
  let at = 0;
  if ((one.byteOffset + first - other.byteOffset - second) % 4 === 0) {
    // Four at a time, as far as both lie alike.
    while (at < most && (one.byteOffset + first + at) % 4 !== 0) {
      if (one[first + at] !== other[second + at]) return at;
      at += 1;
    }
    const count = (most - at) >> 2;
    const left = new Int32Array(one.buffer, one.byteOffset + first + at, count);
    const right = new Int32Array(other.buffer, other.byteOffset + second + at, count);
    let word = 0;
    while (word < count && left[word] === right[word]) word += 1;
    at += word * 4;
  }
  while (at < most && one[first + at] === other[second + at]) at += 1;
  return at;
}

/** A number that tells a message from others, nearly always: what is found by it is compared. */
function hashOf(bytes: Uint8Array, { start, end }: Span): number {
  let hash = end - start;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 2654435761);
  return hash >>> 0;
}

function parsed(bytes: Uint8Array, span: Span): unknown {
  try {
    return JSON.parse(textOf(bytes, span)) as unknown;
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array, { start, end }: Span): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(start, end));
}
