/** The adapter of the neutral model. */
import type { Adapter } from './adapter.js';
import type { ContentBlock, ContentLike, ToolResponseBlock } from './content.js';
import { Trapped } from './engine.js';
import { densifyError, type DensifyError } from './errors.js';
import { keyParameters } from './generated/constants.js';
import { jsonLength, jsonText, parametersLength, SHORT } from './measure.js';
import type { LoggedEdit } from './output.js';
import { withChanges } from './share.js';
import { isStackFull } from './stack.js';
import { FLAG, KIND, LEAF, type Names, SPEAKER, type ToolFacts, type Writer } from './stream.js';
import type { Callbacks } from './types.js';

type Bag = Readonly<Record<string, unknown>>;

/** Reads and edits contents. */
export const neutral: Adapter<ContentLike> = { read, apply, isEmpty, make, sameTexts, text: textOf, withResults };

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
    const isProtected = callbacks.protect !== undefined && called(() => callbacks.protect?.(content, index));
    readUnit(content, writer, names, callbacks, isProtected, tokens);
  } catch (thrown) {
    writer.length = start;
    if (thrown instanceof Trapped || isStackFull(thrown)) throw thrown;
    if (thrown instanceof CallbackFailure) throw thrown.about(index);
    // A throwing accessor or proxy: the message is kept as it is and nothing is said about it.
    writer.unit(SPEAKER.other, FLAG.protected, tokens);
  }
}

/** What one of the caller's functions threw; what accessors throw is never an error. */
class CallbackFailure {
  readonly #cause: unknown;

  constructor(cause: unknown) {
    this.#cause = cause;
  }

  about(index: number): DensifyError {
    const details = { cause: this.#cause, index };
    return densifyError('callback-failed', 'protect or isFailure threw; they must be pure and total', details);
  }
}

/** Calls one of the caller's functions. */
function called(action: () => unknown): boolean {
  try {
    return Boolean(action());
  } catch (cause) {
    throw new CallbackFailure(cause);
  }
}

function readUnit<M extends ContentLike>(
  content: M,
  writer: Writer,
  names: Names,
  callbacks: Callbacks<M>,
  isProtected: boolean,
  tokens: number | undefined,
): void {
  const { speaker, blocks } = content;
  const number = speakerNumber(speaker);
  const isOdd = !Array.isArray(blocks);
  const isSummary = (content.metadata as Bag | null | undefined)?.isSummary === true;
  const flags = (isProtected || isOdd ? FLAG.protected : 0) | (isSummary ? FLAG.summary : 0);
  writer.unit(isOdd ? SPEAKER.other : number, flags, tokens);
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
      return readString((block as unknown as Bag).thought, KIND.thinking, writer);
    case 'code':
      return readString((block as unknown as Bag).code, KIND.code, writer);
    case 'media': {
      return readMedia(block as unknown as Bag, writer);
    }
    default:
      writer.block(KIND.opaque, 0, 0);
  }
}

function readString(text: unknown, kind: number, writer: Writer): void {
  if (typeof text === 'string') writer.block(kind, 0, text.length);
  else writer.block(KIND.opaque, 0, 0);
}

/** The size of media is what its data decodes to; nobody knows what is behind a URL. */
function readMedia({ data, encoding }: Bag, writer: Writer): void {
  const isEmbedded = typeof data === 'string' && encoding !== 'url';
  writer.block(KIND.media, 0, isEmbedded ? Math.floor((data.length * 3) / 4) : 0);
}

function readText({ text }: Bag, speaker: number, writer: Writer): void {
  if (typeof text !== 'string') return writer.block(KIND.opaque, 0, 0);
  let flags = isBlank(text) ? FLAG.blank : 0;
  if (speaker === SPEAKER.human && text.includes('---')) flags |= FLAG.markers;
  writer.block(KIND.text, flags, text.length);
}

function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text begins with a letter or a sign; only the others are worth a closer look.
  if (first > 32 && first < 127) return false;
  return text.trim() === '';
}

function readCall({ id, name, parameters }: Bag, writer: Writer, names: Names): void {
  const tool = names.tool(typeof name === 'string' ? name : '');
  const isObject = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
  const length = parametersLength(parameters);
  if (!isObject) return writer.call(FLAG.vaguePaths, length, names.call(id), tool.id);
  const flags = callFlags(tool, parameters as Bag);
  if ((flags & (FLAG.read | FLAG.write)) === 0) return writer.call(flags, length, names.call(id), tool.id);
  readPaths(flags, length, names.call(id), tool, parameters as Bag, writer, names);
}

function callFlags(tool: ToolFacts, parameters: Bag): number {
  let { flags } = tool;
  if (tool.mode !== undefined) flags = tool.mode.flags.get(parameters[tool.mode.key] as string) ?? flags;
  if (parameters.force === false || parameters.preview === true || parameters.dry_run === true) flags |= FLAG.preview;
  return flags;
}

function readPaths(
  flags: number,
  length: number,
  call: number,
  tool: ToolFacts,
  parameters: Bag,
  writer: Writer,
  names: Names,
): void {
  const list = tool.pathListKey === undefined ? undefined : parameters[tool.pathListKey];
  if (Array.isArray(list)) {
    const paths = list.filter((path): path is string => typeof path === 'string');
    writer.call(flags | (paths.length < list.length ? FLAG.vaguePaths : 0), length, call, tool.id);
    for (let at = 0; at < paths.length; at += 1) writer.path(names.listedPath(paths[at] as string), at);
    return;
  }
  for (const key of tool.pathKeys) {
    const path = parameters[key];
    if (typeof path !== 'string' || path === '') continue;
    writer.call(flags, length, call, tool.id);
    return writer.path(names.path(path), 0);
  }
  writer.call(flags | FLAG.vaguePaths, length, call, tool.id);
}

function readResponse(block: Bag, writer: Writer, names: Names, isFailure: Callbacks['isFailure']): void {
  const { callId, toolName, result } = block;
  const tool = typeof toolName === 'string' ? names.tool(toolName).id : 0;
  const failed =
    saysFailure(block.error, result) ||
    (isFailure !== undefined && called(() => isFailure(block as unknown as ToolResponseBlock)));
  const length = result === undefined || result === null ? undefined : jsonLength(result);
  let flags = failed ? FLAG.failed : 0;
  if (length === undefined) flags |= FLAG.fixedResult;
  else if (typeof result === 'string') flags |= stringFlags(result);
  else if (typeof (result as Bag).output === 'string') flags |= FLAG.outputResult;
  writer.response(flags, length ?? 0, names.call(callId), tool);
}

function stringFlags(result: string): number {
  const isBracketed = result.length <= SHORT && result.startsWith('[') && result.endsWith(']');
  return isBracketed ? FLAG.stringResult | FLAG.bracketed : FLAG.stringResult;
}

/** The format's own flag, a structured error, or an exit code other than 0. */
function saysFailure(error: unknown, result: unknown): boolean {
  if (error) return true;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return false;
  const { error: inner, exit_code: code, exitCode } = result as Bag;
  return Boolean(inner) || (typeof code === 'number' && code !== 0) || (typeof exitCode === 'number' && exitCode !== 0);
}

function textOf(content: ContentLike, at: number, leaf: number): string | undefined {
  const block = content.blocks[at] as unknown as Bag | undefined;
  if (leaf === LEAF.text) return editable(block);
  if (leaf === LEAF.keyParameter) {
    if (block?.type !== 'media') return keyParameter(block?.parameters);
    return typeof block.mimeType === 'string' ? block.mimeType : undefined;
  }
  if (leaf === LEAF.detail) return detailOf(block);
  if (leaf === LEAF.rest) return restOf(block?.result);
  if (block?.type === 'tool_call') return jsonText(block.parameters);
  return jsonText(block?.type === 'tool_response' ? block.result : block);
}

/** The name of media, the message of a failed call. */
function detailOf(block: Bag | undefined): string | undefined {
  if (block?.type === 'media') {
    return [block.filename, block.name, block.caption].find((name) => typeof name === 'string');
  }
  if (block?.type !== 'tool_response' || !block.error) return undefined;
  return typeof block.error === 'string' ? block.error : jsonText(block.error);
}

/** The members of a payload beside its `output`, as JSON. */
function restOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || Object.keys(result).length < 2) return undefined;
  const { output: _, ...rest } = result as Bag;
  return jsonText(rest);
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
      return block.thought;
    case 'code':
      return block.code;
    default:
      return block?.result;
  }
}

function keyParameter(parameters: unknown): string | undefined {
  if (typeof parameters !== 'object' || parameters === null) return undefined;
  for (const key of keyParameters) {
    const value = (parameters as Bag)[key];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'))
      return value.join(', ');
  }
  return undefined;
}

/** Stands in the place of a block that is gone. */
const GONE = Symbol('gone');

function apply<M extends ContentLike>(content: M, edits: readonly LoggedEdit[]): M | undefined {
  const blocks: (ContentBlock | typeof GONE | undefined)[] = content.blocks.slice();
  let cuts: Map<number, LoggedEdit[]> | undefined;
  for (const edit of edits) {
    if (edit.kind === 'drop') return undefined;
    const at = edit.block;
    const block = blocks[at];
    if (block === undefined || block === GONE) continue;
    if (edit.kind === 'drop-block') blocks[at] = GONE;
    else if (edit.kind === 'set') blocks[at] = withText(block, edit.text ?? '');
    else if ((cuts ??= new Map<number, LoggedEdit[]>()).has(at)) cuts.get(at)?.push(edit);
    else cuts.set(at, [edit]);
  }
  // A text that was replaced after some of it had been cut is whole again.
  for (const [at, spans] of cuts ?? []) {
    const block = blocks[at];
    if (block !== undefined && block !== GONE && block === content.blocks[at]) blocks[at] = without(block, spans);
  }
  return withChanges(content, { blocks: blocks.includes(GONE) ? blocks.filter((block) => block !== GONE) : blocks });
}

function withText(block: ContentBlock, text: string): ContentBlock {
  if (block.type === 'tool_response') return withChanges(block, { result: text });
  return block.type === 'text' ? withChanges(block, { text }) : block;
}

/** A text block without some spans, whose offsets are those of the text as it was pushed. */
function without(block: ContentBlock, spans: LoggedEdit[]): ContentBlock {
  if (block.type !== 'text') return block;
  spans.sort((left, right) => (left.start ?? 0) - (right.start ?? 0));
  let text = '';
  let from = 0;
  for (const { start, end = from } of spans) {
    text += block.text.slice(from, start);
    from = end;
  }
  return withChanges(block, { text: text + block.text.slice(from) });
}

function make(speaker: 'human' | 'ai', text: string, isSummary: boolean): ContentLike {
  const said = { speaker, blocks: [{ type: 'text', text } as const] };
  return isSummary ? { ...said, metadata: { isSummary } } : said;
}

function withResults<M extends ContentLike>(content: M, shrink: (text: string, tool: string) => string | undefined): M {
  if (content.speaker !== 'tool' || !Array.isArray(content.blocks)) return content;
  const blocks = content.blocks.map((block: ContentBlock | null | undefined) => withResult(block, shrink));
  const isSame = blocks.every((block, at) => block === content.blocks[at]);
  return isSame ? content : withChanges(content, { blocks: blocks as ContentBlock[] });
}

function withResult(
  block: ContentBlock | null | undefined,
  shrink: (text: string, tool: string) => string | undefined,
): ContentBlock | null | undefined {
  if (block?.type !== 'tool_response') return block;
  const text = editable(block as unknown as Bag);
  // What isn't well-formed would come back changed.
  if (text === undefined || /\p{Surrogate}/u.test(text)) return block;
  const tool: unknown = block.toolName;
  const shorter = shrink(text, typeof tool === 'string' ? tool : '');
  if (shorter === undefined) return block;
  const result = typeof block.result === 'string' ? shorter : withChanges(block.result as Bag, { output: shorter });
  return withChanges(block, { result });
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

/** What the user says is what edits depend on: the length of a text doesn't tell it from another. */
function sameTexts(known: ContentLike, fresh: ContentLike): boolean {
  try {
    if (known.speaker !== 'human') return true;
    return known.blocks.every((block: ContentBlock | null | undefined, at) => {
      if (block?.type !== 'text' || typeof block.text !== 'string') return true;
      const other = fresh.blocks[at] as ContentBlock | null | undefined;
      return other?.type === 'text' && other.text === block.text;
    });
  } catch {
    return true; // what can't be read holds nothing that an edit depends on
  }
}
