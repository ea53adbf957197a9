/** Calls of an answer: LangChain has each in up to three places. */

import { withChanges } from '../../base/share.js';
import { shortened, shortenedText } from '../../messages/arguments.js';
import type { Bag } from '../../messages/facts.js';
import type { Part } from '../parts.js';

/** A call, and all that says so. */
export interface Call {
  readonly id: unknown;
  readonly name: unknown;
  /** The arguments: JSON text, if they are invalid or were never parsed. */
  readonly args: unknown;
  /** The parts of the content that repeat it. */
  readonly parts: readonly Part[];
  /** Whether a signature says that it is one of several that belong together. */
  readonly isSigned: boolean;
}

/** The lists of an answer's fields that hold calls, with ids of their own. */
const LISTS = ['tool_calls', 'invalid_tool_calls', 'tool_call_chunks'] as const;

/** Where Gemini's signatures of calls are kept. */
export const SIGNATURES = '__gemini_function_call_thought_signatures__';

export const listOf = (value: unknown): readonly Part[] => (Array.isArray(value) ? (value as readonly Part[]) : []);

/** The calls of an answer, in order: those that were parsed, those that couldn't be, those that are only in the content. */
export function callsOf(fields: Bag): readonly Call[] {
  const raw = listOf(fields.content).filter(isCallPart);
  const { additional_kwargs: further } = fields;
  const [parsed, invalid] = [listOf(fields.tool_calls), listOf(fields.invalid_tool_calls)];
  const listed = invalid.length === 0 ? parsed : [...parsed, ...invalid];
  if (listed.length === 0 && raw.length === 0) return [];
  const signatures = (further as Part)?.[SIGNATURES];
  const isAllSigned = typeof signatures === 'object' && signatures !== null && Object.keys(signatures).length > 0;
  const unused = new Set(raw);
  const calls = listed.map((call): Call => {
    const parts: Part[] = [];
    for (const part of unused) if (repeats(part, call)) parts.push(part);
    for (const part of parts) unused.delete(part);
    const isSigned = isAllSigned || parts.some(hasSignature);
    return { id: call?.id, name: call?.name, args: call?.args, parts, isSigned };
  });
  if (unused.size === 0) return calls;
  const others = [...unused].map((part): Call => {
    const { name, args, arguments: text } = { ...part, ...(part?.functionCall as Part) } as Bag;
    return { id: idOf(part), name, args: part?.input ?? args ?? text, parts: [part], isSigned: hasSignature(part) };
  });
  return [...calls, ...others];
}

/** Whether a part of the content is a call: it is one of `callsOf`. */
export function isCallPart(part: Part): boolean {
  switch (part?.type) {
    // Most parts are these; else their types would be compared with all that follow.
    case 'text':
    case 'thinking':
      return typeof part.functionCall === 'object';
    case 'tool_use':
    case 'tool_call':
    case 'function_call':
    case 'functionCall':
    case 'tool_call_chunk':
    case 'custom_tool_call':
      return true;
    default:
      return typeof part?.functionCall === 'object';
  }
}

/** The id of a part that is a call. */
export function idOf(part: Part): unknown {
  return part?.call_id ?? (part?.functionCall as Part)?.id ?? part?.id;
}

/** Whether a part of the content says what a listed call says: by its id, else by its name. */
function repeats(part: Part, call: Part): boolean {
  const id = idOf(part);
  if (typeof id === 'string') return id === call?.id;
  return ((part?.functionCall as Part)?.name ?? part?.name) === call?.name;
}

/** Whether a part has a signature of Gemini's. */
export function hasSignature(part: Part): boolean {
  return typeof (part?.thoughtSignature ?? part?.thought_signature) === 'string';
}

/** Whether the provider keeps reasoning that belongs to this answer as it is, all of it. */
export function isSealed({ additional_kwargs: further, response_metadata: metadata, content }: Bag): boolean {
  const { id } = ((further as Part)?.reasoning ?? {}) as Bag;
  if (typeof id === 'string') return true;
  if (listOf(content).some((part) => part?.type === 'reasoning' && typeof part.id === 'string')) return true;
  return listOf((metadata as Part)?.output).some((item) => item?.type === 'reasoning');
}

/** Whether calls stand in more places than the content and the list of those that were parsed. */
export function hasOtherCalls({ tool_call_chunks: chunks, additional_kwargs: further }: Bag): boolean {
  return listOf(chunks).length > 0 || Array.isArray((further as Part)?.tool_calls);
}

function isCallItem(item: Part, id: unknown): boolean {
  return typeof id === 'string' && item?.call_id === id;
}

/** The fields of an answer that change when calls go, beside its content. */
export function withoutCalls(fields: Bag, calls: readonly Call[]): Bag {
  const changed: Record<string, unknown> = {};
  if (calls.length === 0) return changed;
  const isGone = (entry: Part) =>
    calls.some(({ id, name }) => entry?.id === id && (id !== undefined || entry?.name === name));
  const left = (list: unknown) => listOf(list).filter((entry) => !isGone(entry));
  for (const key of LISTS) {
    const list = listOf(fields[key]);
    const kept = list.length === 0 ? list : left(list);
    if (kept.length < list.length) changed[key] = kept;
  }
  const metadata = fields.response_metadata as Part;
  // If present, LangChain sends only this to OpenAI's Responses API.
  if (Array.isArray(metadata?.output)) {
    const output = listOf(metadata.output).filter((item) => !calls.some(({ id }) => isCallItem(item, id)));
    if (output.length < metadata.output.length) changed.response_metadata = { ...metadata, output };
  }
  const further = fields.additional_kwargs as Part;
  if (Array.isArray(further?.tool_calls)) {
    const { tool_calls: raw, ...rest } = further;
    const kept = left(raw);
    changed.additional_kwargs = kept.length === 0 ? rest : { ...rest, tool_calls: kept };
  }
  return changed;
}

/** The keys of a call's arguments, in any of its places. */
const ARGUMENTS = ['args', 'input', 'arguments'] as const;

/** An entry with shorter arguments: an object, or JSON text. */
export function withShorter(entry: Bag, text: string): Bag {
  const inner = ['functionCall', 'function'].find((key) => typeof entry[key] === 'object' && entry[key] !== null);
  if (inner !== undefined) return withChanges(entry, { [inner]: withShorter(entry[inner] as Bag, text) });
  const key = ARGUMENTS.find((key) => entry[key] !== undefined);
  if (key === undefined) return entry;
  return withChanges(entry, { [key]: key === 'input' ? shortened(entry[key], text) : shortenedText(entry[key], text) });
}

/** The fields of an answer that change when calls get shorter arguments, wherever they stand. */
export function withShorterCalls(fields: Bag, made: readonly { readonly call: Call; readonly text: string }[]): Bag {
  const textOf = (entry: Part) =>
    made.find(({ call: { id, name } }) => entry?.id === id && (id !== undefined || entry?.name === name))?.text;
  const edited = (list: unknown, of: (entry: Part) => string | undefined) =>
    listOf(list).map((entry) => {
      const text = of(entry);
      return text === undefined ? entry : withShorter(entry as Bag, text);
    });
  const changed: Record<string, unknown> = {};
  for (const key of LISTS) if (listOf(fields[key]).length > 0) changed[key] = edited(fields[key], textOf);
  const { content, additional_kwargs: further } = fields;
  const inContent = (part: Part) => made.find(({ call }) => call.parts.includes(part))?.text;
  if (Array.isArray(content)) changed.content = edited(content, inContent);
  if (Array.isArray((further as Part)?.tool_calls)) {
    const bag = further as Bag;
    changed.additional_kwargs = withChanges(bag, { tool_calls: edited(bag.tool_calls, textOf) });
  }
  return changed;
}
