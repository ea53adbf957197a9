/** The adapter of the neutral model. */

import type { ContentBlock, ContentLike, ToolResponseBlock } from '../base/content.js';
import { isPlain, withChanges } from '../base/share.js';
import { secondsOf } from '../base/time.js';
import type { Names, Writer } from '../core/stream.js';
import { FLAG, KIND, LEAF, SPEAKER } from '../generated/protocol.js';
import type { Callbacks } from '../types.js';
import type { Adapter, KnownCall, ShrinkText } from './adapter.js';
import { shortened } from './arguments.js';
import {
  type Bag,
  calledFlags,
  isBlank,
  isCalledFailure,
  keyParameter,
  mediaSize,
  payloadFlags,
  restOf,
  showsFailure,
  textFlags,
  unreadable,
  writeCall,
  writeMedia,
} from './facts.js';
import { jsonText, parametersLength, payloadLength } from './measure.js';
import { type MadeEdit, patched } from './patch.js';
import { holdsSame } from './same.js';

/** Reads and edits contents. */
export const neutral: Adapter<ContentLike> = {
  carrier: 'blocks',
  capabilities: 0,
  read,
  apply,
  isEmpty,
  isUnsent,
  make,
  sameTexts,
  text: textOf,
  time: timeOf,
  withResults,
  withoutThinking: (content) => content, // no provider's demands are known here
  calls,
};

/** The adapter reads what every content has and returns contents of the type that it was given. */
export function neutralAs<M extends ContentLike>(): Adapter<M> {
  return neutral as unknown as Adapter<M>;
}

function read<M extends ContentLike>(
  content: M,
  index: number,
  writer: Writer,
  names: Names,
  callbacks: Callbacks<M>,
  tokens?: number,
): void {
  const start = writer.length;
  try {
    readUnit(content, writer, names, callbacks, calledFlags(callbacks, content, index), tokens);
  } catch (thrown) {
    unreadable(thrown, index, writer, start, tokens);
  }
}

function readUnit<M extends ContentLike>(
  content: M,
  writer: Writer,
  names: Names,
  callbacks: Callbacks<M>,
  called: number,
  tokens: number | undefined,
): void {
  const { speaker, blocks } = content;
  const number = speakerNumber(speaker);
  // What is never sent has no blocks and costs nothing.
  const isLeftOut = isUnsent(content);
  const isOdd = !Array.isArray(blocks) || isLeftOut;
  const isSummary = (content.metadata as Bag | null | undefined)?.isSummary === true && !isLeftOut;
  const flags = called | (isOdd ? FLAG.protected : 0) | (isSummary ? FLAG.summary : 0);
  writer.unit(isOdd ? SPEAKER.other : number, flags, isLeftOut ? 0 : tokens);
  if (isOdd) return;
  for (let at = 0; at < blocks.length; at += 1) {
    readBlock(blocks[at] as ContentBlock, number, writer, names, callbacks.isFailure);
  }
}

function speakerNumber(speaker: unknown): number {
  if (speaker === 'tool') return SPEAKER.tool;
  if (speaker === 'ai') return SPEAKER.ai;
  return speaker === 'human' ? SPEAKER.human : SPEAKER.other;
}

function readBlock(
  block: ContentBlock,
  speaker: number,
  writer: Writer,
  names: Names,
  isFailure: Callbacks['isFailure'],
): void {
  const type: unknown = (block as unknown as Bag | null | undefined)?.type;
  switch (type) {
    case 'text':
      return readText(block as unknown as Bag, speaker, writer);
    case 'tool_call':
      return readCall(block as unknown as Bag, writer, names);
    case 'tool_response':
      return readResponse(block as unknown as Bag, writer, names, isFailure);
    case 'thinking':
      return readString(thoughtOf(block as unknown as Bag), KIND.thinking, writer);
    case 'code':
      return readString((block as unknown as Bag).code, KIND.code, writer);
    case 'media': {
      return readMedia(block as unknown as Bag, writer, names);
    }
    default:
      writer.block(KIND.opaque, 0, 0);
  }
}

/** A thought; nothing of one that the host never sends. */
function thoughtOf({ thought, includeInContext }: Bag): unknown {
  return includeInContext === false ? '' : thought;
}

function readString(text: unknown, kind: number, writer: Writer): void {
  if (typeof text === 'string') writer.block(kind, 0, text.length);
  else writer.block(KIND.opaque, 0, 0);
}

function readMedia(
  { type, data, encoding, mimeType, filename, name, caption, ...others }: Bag,
  writer: Writer,
  names: Names,
): void {
  const said = Object.entries(others).filter(([, value]) => value !== undefined && value !== null);
  const beside = said.length === 0 ? '' : jsonText(Object.fromEntries(said));
  writeMedia(writer, encoding === 'url' ? 0 : mediaSize(data), names.media(data, beside));
}

function readText({ text }: Bag, speaker: number, writer: Writer): void {
  if (typeof text === 'string') writer.block(KIND.text, textFlags(text, speaker), text.length);
  else writer.block(KIND.opaque, 0, 0);
}

function readCall({ id, name, parameters }: Bag, writer: Writer, names: Names): void {
  const tool = names.tool(typeof name === 'string' ? name : '');
  writeCall(writer, names, names.call(id), tool, parameters, parametersLength(parameters));
}

function readResponse(block: Bag, writer: Writer, names: Names, isFailure: Callbacks['isFailure']): void {
  const { callId, toolName, result } = block;
  const tool = typeof toolName === 'string' ? names.tool(toolName).id : 0;
  const length = payloadLength(result);
  const failed = showsFailure(block) || isCalledFailure(block, isFailure) ? FLAG.failed : 0;
  const flags = failed | payloadFlags(result, length);
  writer.response(flags, length ?? 0, names.call(callId), tool);
}

function timeOf(content: ContentLike): number {
  try {
    return secondsOf((content.metadata as Bag | null | undefined)?.timestamp);
  } catch {
    return 0;
  }
}

/** The mark of contents and blocks that the host keeps and never sends. */
function isUnsent(content: ContentLike): boolean {
  try {
    return (content.metadata as Bag | null | undefined)?.includeInContext === false;
  } catch {
    return false; // no content, or an accessor that throws: what reads it next tells so
  }
}

function textOf(content: ContentLike, at: number, leaf: number): string | undefined {
  const block = content.blocks[at] as unknown as Bag | undefined;
  if (leaf === LEAF.text) return editable(block);
  if (leaf === LEAF.keyParameter) {
    if (block?.type !== 'media') return keyParameter(block?.parameters);
    return typeof block.mimeType === 'string' ? block.mimeType : undefined;
  }
  if (leaf === LEAF.detail) return block?.type === 'text' ? nameOf(content) : detailOf(block);
  if (leaf === LEAF.rest) return restOf(block?.result);
  if (block?.type === 'tool_call') return jsonText(block.parameters);
  return jsonText(block?.type === 'tool_response' ? block.result : block);
}

/** Who of several persons speaks. */
function nameOf({ metadata }: ContentLike): string | undefined {
  const name = (metadata as Bag | null | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
}

/** The name and caption of media, the message of a failed call. */
function detailOf(block: Bag | undefined): string | undefined {
  if (block?.type === 'media') {
    const texts = [[block.filename, block.name].find((name) => typeof name === 'string'), block.caption];
    return texts.filter((text) => typeof text === 'string' && text.trim() !== '').join(' — ');
  }
  if (block?.type !== 'tool_response' || !block.error) return undefined;
  return typeof block.error === 'string' ? block.error : jsonText(block.error);
}

function editable(block: Bag | undefined): string | undefined {
  const found = payloadOf(block);
  if (typeof found === 'string') return found;
  const output = (found as Bag | null | undefined)?.output;
  return typeof output === 'string' ? output : undefined;
}

/** What a block is about; keys of other types ride along. */
function payloadOf(block: Bag | undefined): unknown {
  switch (block?.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return thoughtOf(block);
    case 'code':
      return block.code;
    default:
      return block?.result;
  }
}

/** Replaces a removed block. */
const GONE = Symbol('gone');

/** A content after its edits; `undefined` if it is gone. */
export function apply<M extends ContentLike>(content: M, edits: readonly MadeEdit[]): M | undefined {
  const blocks: (ContentBlock | typeof GONE | undefined)[] = content.blocks.slice();
  let cuts: Map<number, MadeEdit[]> | undefined;
  for (const edit of edits) {
    if (edit.kind === 'drop') return undefined;
    const at = edit.block;
    const block = blocks[at];
    if (block === undefined || block === GONE) continue;
    if (edit.kind === 'drop-block') blocks[at] = GONE;
    else if (edit.kind === 'set') blocks[at] = withText(block, edit.text ?? '');
    else if ((cuts ??= new Map<number, MadeEdit[]>()).has(at)) cuts.get(at)?.push(edit);
    else cuts.set(at, [edit]);
  }
  // A text that was replaced after some of it had been cut is whole again.
  for (const [at, spans] of cuts ?? []) {
    const block = blocks[at];
    if (block !== undefined && block !== GONE && block === content.blocks[at]) blocks[at] = cut(block, spans);
  }
  return withChanges(content, { blocks: blocks.includes(GONE) ? blocks.filter((block) => block !== GONE) : blocks });
}

function withText(block: ContentBlock, text: string): ContentBlock {
  if (block.type === 'tool_response') return withChanges(block, { result: text });
  if (block.type === 'tool_call') return withChanges(block, { parameters: shortened(block.parameters, text) });
  if (block.type === 'media') return { type: 'text', text };
  return block.type === 'text' ? withChanges(block, { text }) : block;
}

/** A text block, or a response with a text, after edits of spans in it. */
function cut(block: ContentBlock, spans: readonly MadeEdit[]): ContentBlock {
  if (block.type === 'text') return withChanges(block, { text: patched(block.text, spans) });
  if (block.type !== 'tool_response') return block;
  const text = editable(block as unknown as Bag);
  return text === undefined ? block : withPayload(block, patched(text, spans));
}

/** A response with another text instead of its own. */
function withPayload(block: ToolResponseBlock, text: string): ContentBlock {
  const result = typeof block.result === 'string' ? text : withChanges(block.result as Bag, { output: text });
  return withChanges(block, { result });
}

function make(speaker: 'human' | 'ai', text: string, isSummary: boolean): ContentLike {
  const said = { speaker, blocks: [{ type: 'text', text } as const] };
  if (isSummary) return { ...said, metadata: { isSummary } };
  // The model never said it: a user interface leaves it out.
  return speaker === 'ai' ? { ...said, metadata: { synthetic: true } } : said;
}

function withResults<M extends ContentLike>(content: M, shrink: ShrinkText): M {
  // A copy of an instance would lack its private fields.
  if (content.speaker !== 'tool' || !Array.isArray(content.blocks) || !isPlain(content)) return content;
  const blocks = content.blocks.map((block: ContentBlock | null | undefined) => withResult(block, shrink));
  const isSame = blocks.every((block, at) => block === content.blocks[at]);
  return isSame ? content : withChanges(content, { blocks: blocks as ContentBlock[] });
}

function withResult(block: ContentBlock | null | undefined, shrink: ShrinkText): ContentBlock | null | undefined {
  if (block?.type !== 'tool_response' || !isPlain(block)) return block;
  const text = editable(block as unknown as Bag);
  if (text === undefined) return block;
  const [tool, call]: unknown[] = [block.toolName, block.callId];
  const shorter = shrink(text, typeof tool === 'string' ? tool : '', typeof call === 'string' ? call : '');
  if (shorter === undefined) return block;
  if (typeof block.result === 'object' && !isPlain(block.result)) return block;
  return withPayload(block, shorter);
}

function* calls(content: ContentLike): Generator<KnownCall> {
  if (!Array.isArray(content.blocks)) return;
  for (const block of content.blocks as readonly (ContentBlock | null | undefined)[]) {
    if (block?.type === 'tool_call' && typeof block.id === 'string') yield block;
  }
}

function isEmpty(content: ContentLike): boolean {
  try {
    const { speaker, blocks } = content;
    if (speaker !== 'ai') return false;
    return blocks.every((block: ContentBlock | null | undefined) => block?.type === 'text' && isBlank(block.text));
  } catch {
    return false;
  }
}

/**
 * Edits depend on user messages, on arguments of calls and on results: the length of a text doesn't tell it from
 * another.
 */
function sameTexts(known: ContentLike, fresh: ContentLike): boolean {
  try {
    const isHuman = known.speaker === 'human';
    return known.blocks.every((block: ContentBlock | null | undefined, at) => {
      if (block?.type === 'tool_call') {
        return holdsSame(block.parameters, (fresh.blocks[at] as unknown as Bag | null | undefined)?.parameters);
      }
      if (block?.type !== 'tool_response' && !(isHuman && block?.type === 'text')) return true;
      const text = editable(block as unknown as Bag);
      const other = fresh.blocks[at] as ContentBlock | null | undefined;
      return text === undefined || (other?.type === block.type && editable(other as unknown as Bag) === text);
    });
  } catch {
    return true; // what can't be read holds nothing that an edit depends on
  }
}
