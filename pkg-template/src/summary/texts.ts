import { densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';
import type { PlannedMessage, Segment } from '../generated/summary.js';
import type { Adapter } from '../messages/adapter.js';
import type { Host } from '../session/host.js';
import type { Redact } from './redaction.js';
import type { PartMessage } from './types.js';

/** Makes what was planned into messages: texts are put together here, so that large ones never cross. */
export class TextMaker<M> {
  readonly #adapter: Adapter<M>;
  readonly #host: Host<M>;
  readonly #redact: Redact;
  #whole = { text: '', redacted: '' };

  constructor(adapter: Adapter<M>, host: Host<M>, redact: Redact) {
    this.#adapter = adapter;
    this.#host = host;
    this.#redact = redact;
  }

  /** Messages that were planned; of those that are `clean` it is known that there is nothing to redact in them. */
  messages(planned: readonly PlannedMessage[], clean: readonly boolean[] = []): M[] {
    return planned.map(({ speaker, segments }, index) => {
      // Nothing is copied until the whole is read, as in what `JSON.stringify` makes.
      let text = '';
      for (const segment of segments) text += this.#textOf(segment, segments) ?? '';
      return this.#adapter.make(speaker, clean[index] === true ? text : this.#redact(text), false);
    });
  }

  /** The messages of a later part, in which the summary so far isn't known yet. */
  part(planned: readonly PlannedMessage[]): PartMessage[] {
    return planned.map(({ speaker, segments }) => {
      const joined: (string | null)[] = [];
      let text = '';
      for (const segment of segments) {
        const piece = this.#textOf(segment, segments);
        if (piece !== null) {
          text += piece;
          continue;
        }
        joined.push(this.#redact(text), null);
        text = '';
      }
      joined.push(this.#redact(text));
      return { speaker, segments: joined };
    });
  }

  #textOf(segment: Segment, segments: readonly Segment[]): string | null {
    if (segment === null || typeof segment === 'string') return segment;
    // The same text as that segment of the message.
    if (typeof segment === 'number') return segments[segment] as string;
    const [unit, block, leaf, from, to] = segment;
    const text = this.#host.text(unit, block, leaf);
    return from === undefined ? text : this.#span(text, from, to ?? text.length);
  }

  /** A span of a text that is cut into parts: a credential may lie across a cut, so the whole is redacted first. */
  #span(text: string, from: number, to: number): string {
    if (this.#whole.text !== text) this.#whole = { text, redacted: this.#redact(text) };
    const { redacted } = this.#whole;
    if (redacted === text) return text.slice(from, to);
    // The same share of the other text: what one part ends with the next one goes on from.
    const place = (at: number): number => {
      const there = Math.round((Math.min(at, text.length) / text.length) * redacted.length);
      const unit = redacted.charCodeAt(there);
      // Never between the halves of a character.
      return unit >= 0xdc00 && unit <= 0xdfff ? there - 1 : there;
    };
    return redacted.slice(place(from), place(to));
  }
}

/** The messages of a part once the summary so far is known. */
export function messagesOfPart<M>(adapter: Adapter<M>, part: readonly PartMessage[], previous: string): M[] {
  return part.map(({ speaker, segments }) => {
    return adapter.make(speaker, segments.map((segment) => segment ?? previous).join(''), false);
  });
}

/** Refuses what can't be a model's reply. */
export function checkReply(reply: unknown): asserts reply is string {
  if (typeof reply === 'string') return;
  throw densifyError('invalid-reply', `reply: found ${describe(reply)}, expected the model's text`);
}
