/** Messages of LangChain: instances, which stay of their class, and the stored form of them. */

import { withChanges } from '../../base/share.js';
import { type Bag, mediaSize } from '../../messages/facts.js';
import { capabilitiesOfTarget } from '../../models/profiles.js';
import { besideMedia } from '../beside-media.js';
import { type Breakpoints, breakpointsAt } from '../breakpoints.js';
import type { Atom, Blocks, Changes, Format, Speaker } from '../format.js';
import {
  describeParted,
  embeddedSize,
  insteadOf,
  isText,
  type Part,
  type Parted,
  serverAtom,
  withOneText,
  withoutMedia,
  withParts,
} from '../parts.js';
import {
  type Call,
  callsOf,
  hasOtherCalls,
  isCallPart,
  isSealed,
  listOf,
  withoutCalls,
  withShorterCalls,
} from './calls.js';
import { fieldsOf, formOf, typeOf, withFields } from './fields.js';
import { type Kinds, kindsOf } from './kinds.js';
import { editPlain, isPlainAnswer } from './plain.js';
import { langchainRequest } from './request.js';
import type { LangChainMessageLike, LangChainOptions } from './types.js';

type Message = LangChainMessageLike;

/** Blocks that bear no breakpoint of the cache. */
const UNMARKED: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning', 'compaction']);

const BREAKPOINTS: Breakpoints = {
  ...breakpointsAt('cache_control', ({ type, text }) => !UNMARKED.has(type) && text !== ''),
  fieldsOf: (message) => fieldsOf(message as unknown as Message),
  withFields: (message, changes) => withFields(message as unknown as Message, changes) as unknown as Bag,
};

/** A format that remembers the classes of the messages: those of ours are of the same. */
function formatOf(kinds: Kinds): Format<Message, LangChainOptions> {
  return {
    name: 'langchain',
    options: [],
    refusesBlank: true,
    shortensCalls: true,
    request: langchainRequest,
    breakpoints: BREAKPOINTS,
    capabilities: capabilitiesOfTarget,
    forTarget: () => formatOf(kindsOf()),
    describe(message, blocks) {
      const form = formOf(message);
      const type = typeOf(message, form);
      kinds.note(message, form, type);
      describe(type, fieldsOf(message, form), blocks);
    },
    edit,
    make: (speaker, text) => kinds.make(speaker, text),
  };
}

export const langchain = formatOf(kindsOf());

function speakerOf(type: string): Speaker {
  return type === 'human' || type === 'ai' || type === 'tool' ? type : 'other';
}

function describe(type: string, fields: Bag, blocks: Blocks): void {
  const speaker = speakerOf(type);
  blocks.unit(speaker, false, speaker === 'human' ? fields.name : undefined);
  if (speaker === 'ai') return describeAnswer(fields, blocks);
  if (speaker === 'tool') return describeResult(fields, blocks);
  const { content } = fields;
  if (!Array.isArray(content)) return typeof content === 'string' ? blocks.text(content) : blocks.opaque(content);
  for (const part of content as readonly Part[]) describePart(part, blocks);
}

/** What is said, then the calls: blocks of the content that repeat calls are none of their own. */
function describeAnswer(fields: Bag, blocks: Blocks): void {
  if (isPlainAnswer(fields)) return describePlain(fields, blocks);
  const { content } = fields;
  const calls = callsOf(fields);
  const sealed = isSealed(fields);
  const atom = calls.length > 0 && (sealed || calls.some(({ isSigned }) => isSigned)) ? blocks.ownAtom(0) : undefined;
  for (const part of partsOf(fields, calls)) describePart(part, blocks, isReasoning(part) ? atom : undefined);
  if (!Array.isArray(content) && typeof content !== 'string') blocks.opaque(content);
  // What only the provider can read of this answer holds its calls too.
  if (sealed) {
    blocks.thought();
    blocks.opaque(fields.additional_kwargs, atom);
  }
  for (const { id, name, args, isSigned } of calls) {
    const stays = isSigned || sealed;
    if (typeof args === 'string') blocks.callOfText(id, name, args, atom, stays);
    else blocks.call(id, name, args, atom, stays);
  }
}

function describePlain({ content, tool_calls: given }: Bag, blocks: Blocks): void {
  const calls = listOf(given);
  if (typeof content !== 'string') {
    for (const part of listOf(content)) if (!isCallPart(part)) describePart(part, blocks);
  } else if (content !== '' || calls.length === 0) blocks.text(content);
  for (let at = 0; at < calls.length; at += 1) {
    const { id, name, args } = (calls[at] ?? {}) as Bag;
    if (typeof args === 'string') blocks.callOfText(id, name, args);
    else blocks.call(id, name, args);
  }
}

function isReasoning(part: Part): boolean {
  return part?.type === 'reasoning' && typeof part.id === 'string';
}

/** The parts of an answer's content that are no calls; an empty text beside calls is none. */
function partsOf({ content }: Bag, calls: readonly Call[]): readonly Part[] {
  if (typeof content === 'string') return content === '' && calls.length > 0 ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return calls.length === 0 ? content : (content as readonly Part[]).filter((part) => !isCallPart(part));
}

function describePart(part: Part, blocks: Blocks, atom?: Atom): void {
  switch (part?.type) {
    case 'text':
      return blocks.text(part.text, atom);
    case 'thinking':
      return blocks.thinking(part.thinking, atom);
    case 'redacted_thinking':
      return blocks.thinking(part.data, atom);
    case 'reasoning':
      if (isReasoning(part)) return blocks.opaque(part, atom);
      return blocks.thinking(part.reasoning ?? part.text, atom);
    case 'compaction':
      blocks.opaque(part);
      return blocks.keep();
    default:
      if (isMedia(part)) return describeMedia(part, blocks, atom);
      blocks.opaque(part, atom ?? serverAtom(idOf(part)));
  }
}

function idOf(part: Part): unknown {
  return part?.type === undefined ? undefined : (part.tool_use_id ?? part.toolCallId ?? part.id);
}

function isMedia(part: Part): part is Bag {
  const type = part?.type;
  return typeof type === 'string' && /^(?:image|image_url|file|audio|input_audio|video|media|document)$/.test(type);
}

function describeMedia(part: Bag, blocks: Blocks, atom?: Atom): void {
  const { type, source, image_url: image, input_audio: audio } = part;
  const inner = { ...(source as Bag | undefined), ...(audio as Bag | undefined) } as Bag;
  const url = typeof image === 'string' ? image : (image as Part)?.url;
  const data = part.data ?? inner.data;
  const size =
    data === undefined || data === null
      ? embeddedSize(url ?? part.url ?? inner.url, blocks.images)
      : mediaSize(data, blocks.images);
  const mime = part.mimeType ?? part.mime_type ?? inner.media_type ?? inner.mime_type;
  const isSound = type === 'audio' || type === 'input_audio';
  const fallback = isSound ? 'audio/*' : type === 'image' || type === 'image_url' ? 'image/*' : 'application/pdf';
  const all = { ...part, ...inner, ...(typeof image === 'string' ? undefined : (image as Part)) };
  const held = data ?? url ?? part.url ?? inner.url ?? part.fileId ?? part.file_id ?? inner.file_id;
  blocks.media(
    typeof mime === 'string' ? mime : fallback,
    size,
    part.filename ?? part.title,
    atom,
    held,
    besideMedia(all),
  );
}

function describeResult({ tool_call_id: id, name: tool, content, status }: Bag, blocks: Blocks): void {
  describeParted(blocks, PARTED, id, typeof tool === 'string' ? tool : undefined, content, status === 'error');
}

function describeOther(part: Part, blocks: Blocks, atom?: Atom): void {
  if (isMedia(part)) describeMedia(part, blocks, atom);
  else blocks.opaque(part, atom);
}

const PARTED: Parted = { isText, describeOther };

function edit(message: Message, changes: Changes): Message | undefined {
  const form = formOf(message);
  const fields = fieldsOf(message, form);
  const type = typeOf(message, form);
  const edited = type === 'ai' ? editAnswer(fields, changes) : editSaid(type, fields, changes);
  return edited && withFields(message, edited);
}

/** The changed fields of a user's or tool's message. */
function editSaid(type: string, { content }: Bag, changes: Changes): Bag | undefined {
  if (type === 'tool') {
    const text = changes.get(0);
    if (text === null) return undefined;
    if (!Array.isArray(content)) return text === undefined ? {} : { content: text };
    const parts = text === undefined ? content : withOneText(content, text, 'cache_control');
    return { content: withoutMedia(parts as readonly Part[], changes, 0, withText) };
  }
  if (!Array.isArray(content)) {
    const text = changes.get(0);
    return text === null ? undefined : text === undefined ? {} : { content: text };
  }
  const left = withParts(content as readonly Part[], changes, withText);
  return left && { content: left };
}

/** A text with another text, or media with one in their place. */
function withText(part: Part, text: string): Part {
  if (isMedia(part)) return insteadOf(part, 'text', text, 'cache_control');
  return isText(part) ? withChanges(part, { text }) : part;
}

/** The fields of an answer that change: what goes of its content, and its calls wherever they stand. */
function editAnswer(fields: Bag, changes: Changes): Bag | undefined {
  if (isPlainAnswer(fields) && !hasOtherCalls(fields)) return editPlain(fields, changes);
  const calls = callsOf(fields);
  const parts = partsOf(fields, calls);
  const { content } = fields;
  const gone = new Set<Part>();
  for (let at = 0; at < parts.length; at += 1) if (changes.get(at) === null) gone.add(parts[at]);
  const isOdd = !Array.isArray(content) && typeof content !== 'string';
  const first = parts.length + (isOdd ? 1 : 0) + (isSealed(fields) ? 1 : 0);
  const goneCalls: Call[] = [];
  const shorter: { readonly call: Call; readonly text: string }[] = [];
  for (let at = 0; at < calls.length; at += 1) {
    const [call, change] = [calls[at]!, changes.get(first + at)];
    if (typeof change === 'string') shorter.push({ call, text: change });
    if (change !== null) continue;
    goneCalls.push(call);
    for (const part of call.parts) gone.add(part);
  }
  if (shorter.length > 0) {
    // Removed parts are found by identity, so they go first.
    const others = new Map([...changes].filter(([, change]) => typeof change !== 'string'));
    const left = editAnswer(fields, others);
    return left && { ...left, ...withShorterCalls({ ...fields, ...left }, shorter) };
  }
  if (gone.size === 0 && goneCalls.length === 0) return {};
  if (first + calls.length === changes.size && [...changes.values()].every((change) => change === null))
    return undefined;
  const left = Array.isArray(content) ? content.filter((part: Part) => !gone.has(part)) : content;
  const isEmptied = Array.isArray(left) && left.length === 0;
  return { ...(left === content ? {} : { content: isEmptied ? '' : left }), ...withoutCalls(fields, goneCalls) };
}
