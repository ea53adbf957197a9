/**
 * Thinking that the provider binds to the exact messages before it. A hook knows what it sent. Where a request holds thinking
 * behind anything else, the session began elsewhere: without densify, or in another instance. That thinking is left out.
 */
import { checksum } from '../base/checksum.js';
import { type Adapter, bareOf } from '../messages/adapter.js';
import { textWithoutMarks } from './marks.js';

/** How many of the newest requests are remembered. */
const SENT_AT_MOST = 10_000;

export class BoundThinking<M extends object> {
  readonly #adapter: Pick<Adapter<M>, 'withoutThinking'>;
  /** Hashes of the lists that were sent. */
  readonly #sent = new Set<string>();
  readonly #hashes = new WeakMap<M, string>();
  readonly #bare = new WeakMap<M, { readonly left: M | undefined }>();

  constructor(adapter: Pick<Adapter<M>, 'withoutThinking'>) {
    this.#adapter = adapter;
  }

  /** The messages that may be sent, which are remembered: thinking stays only where all before it was sent from here. */
  sent(messages: readonly M[]): readonly M[] {
    let hash = '';
    const kept: M[] = [];
    for (const message of messages) {
      const bare = this.#bareOf(message);
      const left = bare === message || this.#sent.has(hash) ? message : bare;
      if (left === undefined) continue;
      kept.push(left);
      hash = checksum(hash + this.#hashOf(left));
    }
    this.#note(hash);
    return kept.length === messages.length && kept.every((message, at) => message === messages[at]) ? messages : kept;
  }

  #note(hash: string): void {
    // Behind all others, as the newest.
    this.#sent.delete(hash);
    this.#sent.add(hash);
    if (this.#sent.size <= SENT_AT_MOST) return;
    const [oldest] = this.#sent;
    this.#sent.delete(oldest!);
  }

  #bareOf(message: M): M | undefined {
    if (!isObject(message)) return message;
    let known = this.#bare.get(message);
    if (known === undefined) this.#bare.set(message, (known = { left: bareOf(this.#adapter, message) }));
    return known.left;
  }

  #hashOf(message: M): string {
    if (!isObject(message)) return checksum(textWithoutMarks(message));
    let known = this.#hashes.get(message);
    if (known === undefined) this.#hashes.set(message, (known = checksum(textWithoutMarks(message))));
    return known;
  }
}

/** Lists may hold what is no message. */
function isObject(message: unknown): boolean {
  return typeof message === 'object' && message !== null;
}
