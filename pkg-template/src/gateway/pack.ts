/** Packs the history in a request's body. It decides nothing about messages: that is the core's business. */
import { checksum } from '../base/checksum.js';
import type { HookWarning } from '../formats/hooks.js';
import { textWithoutMarks } from '../formats/marks.js';
import type { OptimizeOptions, Result } from '../types.js';
import { type AnyMessage, checkOptimize, type Pack, WIRES } from './formats.js';
import { Memo } from './memo.js';
import { type Parts, partsOf } from './prefix.js';
import { RequestReader } from './request.js';
import type { WireFormat } from './routes.js';

/** A request whose history is to be packed. */
export interface Job {
  readonly format: WireFormat;
  /** The model, where the path names it. */
  readonly model: string | undefined;
  readonly body: Uint8Array;
  /** Whether the provider was seen to cache requests that had no breakpoint here: something behind the gateway sets them. */
  readonly isMarkedLater?: boolean;
}

/** Tokens of a request with densify and without, and those of them that the prompt cache holds; all are estimates. */
export interface Sizes {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly cachedBefore: number;
  readonly cachedAfter: number;
}

/** A request without and with densify, by its parts. */
export interface Outline {
  /** Tells sessions from each other. */
  readonly session: string;
  readonly raw: Parts;
  readonly sent: Parts;
}

/** What came of a job. */
export interface Packed {
  /** The packed body; none if the body that came in is to be sent. */
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  readonly model?: string | undefined;
  /** None if the body holds no history. */
  readonly outline?: Outline | undefined;
  /** Whether the request has no breakpoint, so that its provider should cache nothing. */
  readonly isUncached?: boolean;
  /** Why the body was left alone, where something failed. */
  readonly failure?: string | undefined;
}

/** Packs bodies, one at a time or in another thread. */
export type Packer = (job: Job) => Packed | Promise<Packed>;

/** How bodies are packed. */
export interface PackOptions {
  readonly optimize?: OptimizeOptions<AnyMessage> | undefined;
  readonly observe?: boolean | undefined;
  /**
   * Whether results are shortened before they are first sent.
   *
   * @default true
   */
  readonly intake?: boolean | undefined;
}

/** What is kept of a session, to save time and for the figures of reports. */
interface Session {
  readonly pack: (
    ...request: Parameters<Pack>
  ) => ReturnType<Pack> & { readonly result: Result<AnyMessage> | undefined };
  failure: string | undefined;
}

/** Makes a packer for this thread. */
export function localPacker({ optimize, observe, intake = true }: PackOptions): (job: Job) => Packed {
  checkOptimize(optimize, intake);
  const memo = new Memo<Session>();
  const session = (format: WireFormat): Session => {
    let result: Result<AnyMessage> | undefined;
    const made: Session = {
      failure: undefined,
      pack(...request) {
        result = undefined;
        return { ...pack(...request), result };
      },
    };
    const options = {
      ...optimize,
      observe,
      onResult: (found: Result<AnyMessage>) => {
        result = found;
      },
      onWarning: (warning: HookWarning) => {
        if (warning instanceof Error) made.failure = nameOf(warning);
      },
    };
    const pack = WIRES[format].packer(options, intake);
    return made;
  };
  const reader = new RequestReader();
  return ({ format, model: ofPath, body, isMarkedLater }) => {
    const found = reader.read(format, body);
    if (found === undefined || found.messages.length === 0) return {};
    const { messages, rest, cache } = found;
    const model = ofPath ?? found.model;
    // Agents ask several models, and begin sub-agents and title requests, under one id: the history tells them apart.
    const key = `${format} ${model ?? ''} ${checksum(textWithoutMarks(messages[0]))}`;
    const known = memo.get(key, body.length, () => session(format));
    known.failure = undefined;
    const beside = { ...rest, ...cache };
    const { changed, isUncached, result } = known.pack(messages, model, beside, isMarkedLater);
    const { failure } = known;
    if (failure !== undefined) memo.delete(key);
    const shown = result?.messages ?? messages;
    const outline = { session: key, raw: partsOf(rest, messages), sent: partsOf(rest, shown) };
    // What failed goes out as it came in.
    if (changed === undefined || failure !== undefined) return { model, outline, failure, isUncached };
    return { model, outline, failure, isUncached, body: found.with(changed) };
  };
}

/**
 * The body to send if packing failed: the original without thinking that is bound to earlier messages. The provider would
 * refuse that thinking.
 */
export function unpacked({ format, model, body }: Job): Uint8Array<ArrayBuffer> | undefined {
  try {
    const found = new RequestReader().read(format, body);
    if (found === undefined) return undefined;
    const left = WIRES[format].unbound(found.messages, model ?? found.model);
    return left.every((message, at) => message === found.messages[at]) ? undefined : found.with(left);
  } catch {
    return undefined;
  }
}

/** What failed, without contents: messages of other errors may quote them. */
function nameOf(error: Error): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
