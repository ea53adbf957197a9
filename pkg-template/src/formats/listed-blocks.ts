import { shortJson } from '../embedded.js';
import { keyParameter, restOf, type Bag } from '../facts.js';
import { jsonText } from '../measure.js';
import { LEAF } from '../stream.js';
import type { Blocks, Speaker } from './format.js';
import { parsed } from './json.js';

/** A block as a format says it. */
export interface Listed {
  readonly kind: 'text' | 'thinking' | 'code' | 'media' | 'call' | 'response' | 'opaque';
  readonly speaker: Speaker;
  /** The text, a response's payload, a call's parameters, or whatever it is. */
  readonly value: unknown;
  /** Of media the type, of calls and responses the tool's name. */
  readonly name?: unknown;
  /** Of calls and responses the id, of media the name. */
  readonly id?: unknown;
  /** Whether the value is JSON text. */
  readonly isJson?: boolean;
}

/** Collects what a format says of one message: all of it, or the block of one number. */
export class ListedBlocks implements Blocks {
  readonly list: Listed[] = [];
  /** The units' speakers. */
  readonly speakers: Speaker[] = [];
  readonly #wanted: number | undefined;
  #number = -1;
  #speaker: Speaker = 'other';

  constructor(wanted?: number) {
    this.#wanted = wanted;
  }

  unit(speaker: Speaker): void {
    this.#speaker = speaker;
    this.speakers.push(speaker);
  }

  keep(): void {
    // Nothing is edited here.
  }

  thought(): void {
    // Nothing is lost here.
  }

  text(value: unknown): void {
    if (this.#isWanted()) this.list.push({ kind: stringKind('text', value), speaker: this.#speaker, value });
  }

  thinking(value: unknown): void {
    if (this.#isWanted()) this.list.push({ kind: stringKind('thinking', value), speaker: this.#speaker, value });
  }

  code(value: unknown): void {
    if (this.#isWanted()) this.list.push({ kind: stringKind('code', value), speaker: this.#speaker, value });
  }

  media(name: unknown, value: number, id?: unknown): void {
    if (this.#isWanted()) this.list.push({ kind: 'media', speaker: this.#speaker, value, name, id });
  }

  call(id: unknown, name: unknown, value: unknown): void {
    if (this.#isWanted()) this.list.push({ kind: 'call', speaker: this.#speaker, value, name, id });
  }

  callOfText(id: unknown, name: unknown, value: unknown): void {
    const isJson = typeof value === 'string';
    if (this.#isWanted()) this.list.push({ kind: 'call', speaker: this.#speaker, value, name, id, isJson });
  }

  response(id: unknown, name: unknown, value: unknown): void {
    if (this.#isWanted()) this.list.push({ kind: 'response', speaker: this.#speaker, value, name, id });
  }

  opaque(value: unknown): void {
    if (this.#isWanted()) this.list.push({ kind: 'opaque', speaker: this.#speaker, value });
  }

  alias(): void {
    // Nothing stays or goes here.
  }

  own(name: string | number): string {
    return String(name);
  }

  #isWanted(): boolean {
    this.#number += 1;
    return this.#wanted === undefined || this.#wanted === this.#number;
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
      return editableText(block);
    case LEAF.keyParameter:
      if (block.kind === 'media') return typeof block.name === 'string' ? block.name : undefined;
      return keyParameter(block.isJson === true ? parsed(block.value as string) : block.value);
    case LEAF.detail:
      return block.kind === 'media' && typeof block.id === 'string' ? block.id : undefined;
    case LEAF.rest:
      return block.kind === 'response' ? restOf(block.value) : undefined;
    default:
      if (block.isJson === true) return block.value as string;
      return block.kind === 'opaque' ? shortJson(block.value) : jsonText(block.value);
  }
}

/** The string of a block that an edit may change. */
export function editableText({ kind, value }: Listed): string | undefined {
  if (typeof value === 'string') return kind === 'call' || kind === 'media' ? undefined : value;
  if (kind !== 'response') return undefined;
  const output = (value as Bag | null | undefined)?.output;
  return typeof output === 'string' ? output : undefined;
}
