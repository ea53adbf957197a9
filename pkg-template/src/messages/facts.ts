/** What adapters read of messages, in any format. */
import type { ToolResponseBlock } from '../base/content.js';
import { type DensifyError, densifyError } from '../base/errors.js';
import { isStackFull } from '../base/stack.js';
import { Trapped } from '../core/engine.js';
import type { Names, ToolFacts, Writer } from '../core/stream.js';
import { bracketedLimit, failureStatuses, keyParameters, tryingKeys } from '../generated/constants.js';
import { FLAG, SPEAKER } from '../generated/protocol.js';
import { imageSize } from '../tokens/image-size.js';
import { type ImageFormulaName, imageFormulas, tokensBy } from '../tokens/images.js';
import { pdfPages } from '../tokens/pdf-pages.js';
import type { Callbacks } from '../types.js';
import { jsonText } from './measure.js';

/** An object of which nothing is known. */
export type Bag = Readonly<Record<string, unknown>>;

/** What one of the caller's functions threw; what accessors throw is never an error. */
class CallbackFailure {
  readonly #name: string;
  readonly #cause: unknown;

  constructor(name: string, cause: unknown) {
    this.#name = name;
    this.#cause = cause;
  }

  about(index: number): DensifyError {
    const details = { cause: this.#cause, index, key: this.#name };
    const message = `option ${this.#name}: your function threw (see 'cause'); it must return a value for every message`;
    return densifyError('callback-failed', message, details);
  }
}

/** Calls one of the caller's functions; a promise is truthy before it settles, so it is not an answer. */
function called(name: string, action: () => unknown): boolean {
  let answer: unknown;
  try {
    answer = action();
    if (typeof (answer as { readonly then?: unknown } | null | undefined)?.then !== 'function') return Boolean(answer);
  } catch (cause) {
    throw new CallbackFailure(name, cause);
  }
  throw new CallbackFailure(name, new TypeError('it returned a promise, expected true or false'));
}

/** Whether the caller protects a message. */
function isProtected<M>({ protect }: Callbacks<M>, message: M, index: number): boolean {
  return protect !== undefined && called('protect', () => protect(message, index));
}

/** The flags of a message that the caller's functions decide. */
export function calledFlags<M>(callbacks: Callbacks<M>, message: M, index: number): number {
  const { isUser } = callbacks;
  const flags = isProtected(callbacks, message, index) ? FLAG.protected : 0;
  return isUser === undefined || called('isUser', () => isUser(message, index)) ? flags : flags | FLAG.observation;
}

/** What was thrown while a message was read: it stays unchanged, without a warning. */
export function unreadable(
  thrown: unknown,
  index: number,
  writer: Writer,
  start: number,
  tokens: number | undefined,
): void {
  writer.length = start;
  if (thrown instanceof Trapped || isStackFull(thrown)) throw thrown;
  if (thrown instanceof CallbackFailure) throw thrown.about(index);
  // A throwing accessor or proxy.
  writer.unit(SPEAKER.other, FLAG.protected, tokens);
}

/** The flags of a text. */
export function textFlags(text: string, speaker: number): number {
  let flags = isBlank(text) ? FLAG.blank : 0;
  if (speaker !== SPEAKER.human) return flags;
  if (text.includes('---')) flags |= FLAG.markers;
  if (text.startsWith('[')) flags |= FLAG.bracketed;
  return flags;
}

/** Whether a text is nothing but white space. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text begins with a letter or a sign; only the others are worth a closer look.
  if (first > 32 && first < 127) return false;
  return text.trim() === '';
}

/** Unknown provider: priced like Anthropic's images, the median. */
export const ANY_IMAGE = 'claude' satisfies ImageFormulaName;

/** More tokens than any image costs: the first bytes of a broken one may say anything. */
const MOST_TOKENS = 50_000;

/** Tokens of a page of a PDF. (Google, "Document understanding" and "Media resolution") */
const PAGE: { readonly [Name in ImageFormulaName]?: number } = { gemini: 258, 'gemini-3': 560 };
/** Of others: text and image of an ordinary page. (Anthropic, "PDF support": 1,500 to 3,000 for the text alone) */
const ANY_PAGE = 2000;
/** Bytes of a page whose number can't be read, as the core has it. */
const PAGE_BYTES = 50_000;

/**
 * The size of media: for an image its tokens by a formula, as a negative number, if its first bytes tell its size;
 * for a PDF the tokens of its pages; otherwise the bytes that its data has or decodes to. The content behind a URL is
 * unknown.
 */
export function mediaSize(data: unknown, formula: ImageFormulaName = ANY_IMAGE, asked?: unknown): number {
  const bytes =
    typeof data === 'string' ? Math.floor((data.length * 3) / 4) : (data as Bag | null | undefined)?.byteLength;
  if (typeof bytes !== 'number' || !(bytes >= 0)) return 0;
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) return bytes;
  const image = imageSize(data);
  const pages = image === undefined ? pdfPages(data) : undefined;
  if (pages !== undefined)
    return -(pages || Math.min(100, Math.ceil(bytes / PAGE_BYTES))) * (PAGE[formula] ?? ANY_PAGE);
  if (image === undefined) return bytes;
  const detail = asked === 'high' ? 'high' : 'auto';
  return -Math.min(tokensBy(imageFormulas[formula], { ...image, detail }), MOST_TOKENS);
}

/** Writes media of a size as {@link mediaSize} gives it; `held` is the number of what they hold. */
export function writeMedia(writer: Writer, size: number, held: number, atom = 0): void {
  writer.media(size < 0 ? FLAG.tokens : 0, Math.abs(size), held, atom);
}

/** Writes a call and the paths that it names. */
export function writeCall(
  writer: Writer,
  names: Names,
  call: number,
  tool: ToolFacts,
  parameters: unknown,
  length: number,
  atom = 0,
  further = 0,
): void {
  const isObject = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
  if (!isObject) return writer.call(further | FLAG.vaguePaths, length, call, tool.id, atom);
  const flags = further | callFlags(tool, parameters as Bag);
  if ((flags & (FLAG.read | FLAG.write)) === 0) return writer.call(flags, length, call, tool.id, atom);
  const list = tool.pathListKey === undefined ? undefined : (parameters as Bag)[tool.pathListKey];
  if (Array.isArray(list)) {
    const paths = list.filter((path): path is string => typeof path === 'string');
    writer.call(flags | (paths.length < list.length ? FLAG.vaguePaths : 0), length, call, tool.id, atom);
    for (let at = 0; at < paths.length; at += 1) writer.path(names.listedPath(paths[at] as string), at);
    return;
  }
  for (const key of tool.pathKeys) {
    const path = (parameters as Bag)[key];
    if (typeof path !== 'string' || path === '') continue;
    writer.call(flags, length, call, tool.id, atom);
    return writer.path(names.path(path), 0);
  }
  writer.call(flags | FLAG.vaguePaths, length, call, tool.id, atom);
}

function callFlags(tool: ToolFacts, parameters: Bag): number {
  let { flags } = tool;
  if (tool.mode !== undefined) flags = tool.mode.flags.get(parameters[tool.mode.key] as string) ?? flags;
  if ((flags & (FLAG.read | FLAG.write)) === 0) return flags;
  const { mode, force, apply, preview, dry_run: dryRun } = parameters;
  if (force === false || preview === true || dryRun === true) flags |= FLAG.preview;
  const isTrying = mode === 'preview' || mode === 'dry_run' || apply === false;
  return isTrying || tryingKeys.some((key) => parameters[key] === true) ? flags | FLAG.doubtful : flags;
}

/** The flags of a response's payload, whose length as JSON is known. */
export function payloadFlags(result: unknown, length: number | undefined): number {
  if (length === undefined) return FLAG.fixedResult;
  if (typeof result === 'string') return stringFlags(result);
  const flags = isDoubtful(result as Bag) ? FLAG.doubtful : 0;
  return typeof (result as Bag).output === 'string' ? flags | FLAG.outputResult : flags;
}

/** Whether a result says of the call that it did nothing, or of something else: an order is cancelled, too. */
function isDoubtful({ isError, success, ok, status }: Bag): boolean {
  return isError === true || success === false || ok === false || failureStatuses.includes(status as string);
}

function stringFlags(result: string): number {
  const isBracketed = result.length <= bracketedLimit && result.startsWith('[') && result.endsWith(']');
  return isBracketed ? FLAG.stringResult | FLAG.bracketed : FLAG.stringResult;
}

/** Whether the caller says that a call failed. */
export function isCalledFailure(response: Bag, isFailure: Callbacks['isFailure']): boolean {
  return isFailure !== undefined && called('isFailure', () => isFailure(response as unknown as ToolResponseBlock));
}

/** Whether a response of our own form says that the call failed: a flag, a structured error, an exit code other than 0. */
export function showsFailure({ error, result }: Bag): boolean {
  if (error) return true;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return false;
  const { error: inner, exit_code: code, exitCode } = result as Bag;
  return Boolean(inner) || (typeof code === 'number' && code !== 0) || (typeof exitCode === 'number' && exitCode !== 0);
}

/** The members of a payload beside its `output`, as JSON. */
export function restOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || Object.keys(result).length < 2) return undefined;
  const { output: _, ...rest } = result as Bag;
  return jsonText(rest);
}

/** The parameter that names the subject of a call. */
export function keyParameter(parameters: unknown): string | undefined {
  if (typeof parameters !== 'object' || parameters === null) return undefined;
  for (const key of keyParameters) {
    const value = (parameters as Bag)[key];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'))
      return value.join(', ');
  }
  return undefined;
}
