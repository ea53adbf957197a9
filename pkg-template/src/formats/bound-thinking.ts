/**
 * Thinking that the provider binds to the exact messages before it. A hook knows what it sent. Where a request holds thinking
 * behind anything else, the session began elsewhere: without densify, or in another instance. That thinking is left out.
 */
import { isStackFull } from '../base/stack.js';
import type { Adapter } from '../messages/adapter.js';
import { textWithoutMarks } from './marks.js';

/** How many of the newest requests are remembered. */
const SENT_AT_MOST = 10_000;

/** A number of 64 bits, in two halves. */
type Print = readonly [number, number];

const START: Print = [0x9e3779b9, 0x85ebca6b];

export class BoundThinking<M extends object> {
  readonly #adapter: Pick<Adapter<M>, 'withoutThinking'>;
  /** Prints of the lists that were sent. */
  readonly #sent = new Set<string>();
  readonly #prints = new WeakMap<M, Print>();
  readonly #bare = new WeakMap<M, { readonly left: M | undefined }>();

  constructor(adapter: Pick<Adapter<M>, 'withoutThinking'>) {
    this.#adapter = adapter;
  }

  /** The messages that may be sent, which are remembered: thinking stays only where all before it was sent from here. */
  sent(messages: readonly M[]): readonly M[] {
    let print = START;
    const kept: M[] = [];
    for (const message of messages) {
      const bare = this.#withoutThinking(message);
      const left = bare === message || this.#sent.has(keyOf(print)) ? message : bare;
      if (left === undefined) continue;
      kept.push(left);
      print = followed(print, this.#printOf(left));
    }
    this.#note(keyOf(print));
    return kept.length === messages.length && kept.every((message, at) => message === messages[at]) ? messages : kept;
  }

  #note(key: string): void {
    // Behind all others, as the newest.
    this.#sent.delete(key);
    this.#sent.add(key);
    if (this.#sent.size <= SENT_AT_MOST) return;
    const [oldest] = this.#sent;
    this.#sent.delete(oldest!);
  }

  #withoutThinking(message: M): M | undefined {
    let known = this.#bare.get(message);
    if (known === undefined) this.#bare.set(message, (known = { left: this.#read(message) }));
    return known.left;
  }

  #read(message: M): M | undefined {
    try {
      return this.#adapter.withoutThinking(message);
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
      return message; // what can't be read stays
    }
  }

  #printOf(message: M): Print {
    let known = this.#prints.get(message);
    if (known === undefined) this.#prints.set(message, (known = printOf(textWithoutMarks(message))));
    return known;
  }
}

const keyOf = ([one, other]: Print): string => `${one}.${other}`;

/** The print of a list with a message behind it. */
function followed([one, other]: Print, [first, second]: Print): Print {
  const mixed = (Math.imul(one ^ first, 2654435761) ^ (other >>> 15)) >>> 0;
  return [mixed, (Math.imul(other ^ second, 1597334677) ^ (mixed >>> 13)) >>> 0];
}

function printOf(text: string): Print {
  let [one, other] = START;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  return [one >>> 0, (other ^ text.length) >>> 0];
}
