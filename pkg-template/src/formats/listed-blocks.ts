import { parseJson } from '../base/json.js';
import { LEAF } from '../generated/protocol.js';
import { shortJson } from '../messages/embedded.js';
import { ANY_IMAGE, type Bag, keyParameter, restOf } from '../messages/facts.js';
import { jsonText } from '../messages/measure.js';
import type { Blocks, Speaker } from './format.js';

/** Stands for the numbers of all blocks. */
export const EVERY = -1;

/** A block as a format says it. */
export interface Listed {
  readonly kind: 'text' | 'thinking' | 'code' | 'media' | 'call' | 'response' | 'opaque';
  readonly speaker: Speaker;
  /** The text, a response's payload, a call's parameters, or any other value. */
  readonly value: unknown;
  /** Of media the type, of calls and responses the tool's name. */
  readonly name: unknown;
  /** Of calls and responses the id, of media the name. */
  readonly id: unknown;
  /** Whether the value is JSON text. */
  readonly isJson: boolean;
  /** Of texts the name of the speaker, of refused calls the user's reason. */
  readonly detail: unknown;
}

/** What a format says of one message. */
export interface Listing {
  readonly list: readonly Listed[];
  /** The units' speakers. */
  readonly speakers: readonly Speaker[];
}

/** Collects what a format says of one message: all of it, or the block of one number. */
export class ListedBlocks implements Blocks {
  /** The cost of media is not needed here. */
  readonly images = ANY_IMAGE;
  #list: Listed[] = [];
  #speakers: Speaker[] = [];
  #wanted = EVERY;
  #number = -1;
  #speaker: Speaker = 'other';
  #name: unknown;

  /** Begins a message. */
  begin(wanted: number): void {
    this.#wanted = wanted;
    this.#number = -1;
    this.#speaker = 'other';
  }

  /** Hands out what was said, and keeps nothing of it. */
  end(): Listing {
    const listing = { list: this.#list, speakers: this.#speakers };
    this.#list = [];
    this.#speakers = [];
    return listing;
  }

  unit(speaker: Speaker, _isSummary?: boolean, name?: unknown): void {
    this.#speaker = speaker;
    this.#name = name;
    this.#speakers.push(speaker);
  }

  keep(): void {
    // Nothing is edited here.
  }

  thought(): void {
    // Nothing is lost here.
  }

  text(value: unknown): void {
    this.#add(stringKind('text', value), value, undefined, undefined, false, this.#name);
  }

  thinking(value: unknown): void {
    this.#add(stringKind('thinking', value), value);
  }

  code(value: unknown): void {
    this.#add(stringKind('code', value), value);
  }

  media(name: unknown, value: number | string, id?: unknown): void {
    this.#add('media', value, name, id);
  }

  call(id: unknown, name: unknown, value: unknown): void {
    this.#add('call', value, name, id);
  }

  callOfText(id: unknown, name: unknown, value: unknown): void {
    this.#add('call', value, name, id, typeof value === 'string');
  }

  response(id: unknown, name: unknown, value: unknown): void {
    this.#add('response', value, name, id);
  }

  refusal(id: unknown, name: unknown, reason: unknown): void {
    this.#add('response', undefined, name, id, false, reason);
  }

  opaque(value: unknown): void {
    this.#add('opaque', value);
  }

  alias(): void {
    // Nothing stays or goes here.
  }

  ownAtom(number: number): number {
    return number;
  }

  own(name: string): string {
    return name;
  }

  #add(kind: Listed['kind'], value: unknown, name?: unknown, id?: unknown, isJson = false, detail?: unknown): void {
    this.#number += 1;
    if (this.#wanted !== EVERY && this.#wanted !== this.#number) return;
    this.#list.push({ kind, speaker: this.#speaker, value, name, id, isJson, detail });
  }
}

/** The kind of a block that must hold a string. */
function stringKind(kind: Listed['kind'], value: unknown): Listed['kind'] {
  return typeof value === 'string' ? kind : 'opaque';
}

/** One of a block's strings. */
export function leafOf(block: Listed, leaf: number): string | undefined {
  switch (leaf) {
    case LEAF.text:
      return block.kind === 'media' && typeof block.value === 'string' ? block.value : editableText(block);
    case LEAF.keyParameter:
      if (block.kind === 'media') return typeof block.name === 'string' ? block.name : undefined;
      return keyParameter(block.isJson ? parseJson(block.value as string) : block.value);
    case LEAF.detail:
      return textOf(block.kind === 'media' ? block.id : block.detail);
    case LEAF.rest:
      return block.kind === 'response' ? restOf(block.value) : undefined;
    default:
      if (block.isJson) return block.value as string;
      return block.kind === 'opaque' ? shortJson(block.value) : jsonText(block.value);
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The string of a block that an edit may change. */
export function editableText({ kind, value }: Listed): string | undefined {
  if (typeof value === 'string') return kind === 'call' || kind === 'media' ? undefined : value;
  if (kind !== 'response') return undefined;
  const output = (value as Bag | null | undefined)?.output;
  return typeof output === 'string' ? output : undefined;
}
