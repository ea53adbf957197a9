import { parseJson } from '../base/json.js';
import { saysOutcome } from '../core/outcomes.js';
import type { Names, Writer } from '../core/stream.js';
import { FLAG, KIND, SPEAKER } from '../generated/protocol.js';
import { embeddedTokens } from '../messages/embedded.js';
import {
  ANY_IMAGE,
  type Bag,
  isCalledFailure,
  payloadFlags,
  textFlags,
  writeCall,
  writeMedia,
} from '../messages/facts.js';
import { parametersLength, payloadLength } from '../messages/measure.js';
import type { Callbacks } from '../types.js';
import type { Atom, Blocks, Format, Speaker } from './format.js';
import type { ImageFormulaName } from './images.js';

/** What of a format decides how its messages are read. */
type Reading = Pick<Format<object>, 'shortensCalls'>;

/** This many atoms of a message have a number. Looking up a number is much faster than looking up a text. */
const OWN_ATOMS = 256;

/** Writes what a format says of one message into the stream. */
export class StreamBlocks implements Blocks {
  #writer!: Writer;
  #names!: Names;
  #index = 0;
  #flags = 0;
  #isFailure: Callbacks['isFailure'];
  #tokens: number | undefined;
  #callFlags = 0;
  #images: ImageFormulaName = ANY_IMAGE;
  #speaker = -1;

  /** Begins a message. */
  begin(
    writer: Writer,
    names: Names,
    index: number,
    flags: number,
    isFailure: Callbacks['isFailure'],
    tokens: number | undefined,
    format: Reading,
    images: ImageFormulaName,
  ): void {
    this.#speaker = -1;
    this.#writer = writer;
    this.#names = names;
    this.#index = index;
    this.#flags = flags;
    this.#isFailure = isFailure;
    this.#tokens = tokens;
    this.#images = images;
    this.#callFlags = format.shortensCalls === true ? 0 : FLAG.fixedResult;
  }

  /** Forgets what belongs to the caller that read the message. */
  end(): void {
    this.#writer = undefined as unknown as Writer;
    this.#names = undefined as unknown as Names;
    this.#isFailure = undefined;
  }

  get images(): ImageFormulaName {
    return this.#images;
  }

  /** Whether anything was said. */
  get hasUnit(): boolean {
    return this.#speaker >= 0;
  }

  unit(speaker: Speaker, isSummary = false): void {
    const flags = this.#flags | (isSummary ? FLAG.summary : 0);
    const isFirst = this.#speaker < 0;
    this.#speaker = SPEAKER[speaker];
    if (isFirst) this.#writer.unit(this.#speaker, flags, this.#tokens);
    else this.#writer.next(this.#speaker, flags);
  }

  keep(): void {
    this.#writer.flag(FLAG.protected);
  }

  text(text: unknown, atom?: Atom): void {
    if (typeof text !== 'string') return this.#opaque(atom);
    this.#writer.block(KIND.text, textFlags(text, this.#speaker), text.length, this.#names.atom(atom));
  }

  thought(): void {
    this.#writer.thoughts += 1;
  }

  thinking(text: unknown, atom?: Atom): void {
    this.thought();
    this.#string(KIND.thinking, text, atom);
  }

  code(text: unknown, atom?: Atom): void {
    this.#string(KIND.code, text, atom);
  }

  media(
    _mimeType: unknown,
    size: number | string,
    _name?: unknown,
    atom?: Atom,
    data?: unknown,
    beside?: string,
  ): void {
    const [held, group] = [this.#names.media(data, beside), this.#names.atom(atom)];
    if (typeof size === 'string') this.#writer.media(FLAG.readable, size.length, held, group);
    else writeMedia(this.#writer, size, held, group);
  }

  call(id: unknown, name: unknown, parameters: unknown, atom?: Atom, isSealed?: boolean): void {
    this.#call(id, name, parameters, parametersLength(parameters), atom, isSealed);
  }

  callOfText(id: unknown, name: unknown, json: unknown, atom?: Atom, isSealed?: boolean): void {
    if (typeof json !== 'string') return this.call(id, name, json, atom, isSealed);
    const { flags, mode } = this.#names.tool(typeof name === 'string' ? name : '');
    const isOfFiles = (flags & (FLAG.read | FLAG.write)) !== 0 || mode !== undefined;
    // No rule asks for the arguments of other tools.
    this.#call(id, name, isOfFiles ? parseJson(json) : NOTHING, json.length, atom, isSealed);
  }

  #call(
    id: unknown,
    name: unknown,
    parameters: unknown,
    length: number,
    atom: Atom | undefined,
    isSealed = false,
  ): void {
    const names = this.#names;
    const tool = names.tool(typeof name === 'string' ? name : '');
    const call = names.call(id);
    names.calls(call, tool);
    writeCall(
      this.#writer,
      names,
      call,
      tool,
      parameters,
      length,
      names.atom(atom),
      isSealed ? FLAG.fixedResult : this.#callFlags,
    );
  }

  response(id: unknown, name: unknown, result: unknown, failed: boolean, atom?: Atom): void {
    this.#respond(id, name, result, failed ? FLAG.failed : 0, atom);
  }

  #respond(id: unknown, name: unknown, result: unknown, given: number, atom: Atom | undefined): void {
    const names = this.#names;
    const call = names.call(id);
    const isNamed = typeof name === 'string';
    const length = payloadLength(result);
    let flags = payloadFlags(result, length) | given;
    const tool = isNamed ? names.tool(name) : names.caller(call);
    const outcomes = tool?.outcomes;
    const isSaid = outcomes !== undefined && typeof result === 'string' && saysOutcome(outcomes, result);
    const isFailure = (): boolean => isSaid || this.#isCalledFailure(id, name ?? tool?.name ?? '', result);
    if (given === 0 && isFailure()) flags |= FLAG.failed;
    if (!isNamed) flags |= FLAG.namedByCall;
    this.#writer.response(flags, length ?? 0, call, isNamed ? tool!.id : 0, names.atom(atom));
  }

  refusal(id: unknown, name: unknown, _reason: unknown, atom?: Atom): void {
    this.#respond(id, name, undefined, FLAG.failed | FLAG.refused, atom);
  }

  #isCalledFailure(callId: unknown, toolName: unknown, result: unknown): boolean {
    if (this.#isFailure === undefined) return false;
    return isCalledFailure({ type: 'tool_response', callId, toolName, result } satisfies Bag, this.#isFailure);
  }

  opaque(value: unknown, atom?: Atom): void {
    this.#opaque(atom, embeddedTokens(value));
  }

  alias(name: string, of: Atom): void {
    this.#names.alias(name, of);
  }

  ownAtom(number: number): Atom {
    return number < OWN_ATOMS ? this.#index * OWN_ATOMS + number : this.own(String(number));
  }

  own(name: string, before = 0): string {
    return `${this.#index - before}/${name}`;
  }

  #string(kind: number, text: unknown, atom: Atom | undefined): void {
    if (typeof text === 'string') this.#writer.block(kind, 0, text.length, this.#names.atom(atom));
    else this.#opaque(atom);
  }

  #opaque(atom: Atom | undefined, tokens = 0): void {
    this.#writer.block(KIND.opaque, 0, tokens, this.#names.atom(atom));
  }
}

const NOTHING: Bag = Object.freeze({});
