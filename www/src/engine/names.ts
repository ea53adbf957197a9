import type { IContent } from 'densify';
import type { Facts, Replay } from './api.js';
import type { EditText } from './edit-log.js';
import { textOf } from './facts.js';

/** Names that tell things apart: paths, and identifiers of several parts. Ordinary words are none. */
const NAME = /[\w$@-]*(?:[./][\w$@-]+)+|[a-z]+[A-Z]\w+|\w+_\w+|[A-Z][a-z]+[A-Z]\w*/g;
const SHORTEST = 6;

/** How many of the names that the agent used were in the context sent just before. */
export interface NamesAtHand {
  readonly used: number;
  readonly atHand: number;
}

function namesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const [name] of text.matchAll(NAME)) if (name.length >= SHORTEST) found.add(name);
  return found;
}

/** Which names an agent used when, and where they stood before: what a context must hold to be of use. */
export class Names {
  readonly #facts: Facts;
  /** The names that the model's answer to each call used and that stood in the history before it. */
  readonly #used: (readonly string[])[] = [];
  /** The blocks that hold a name, in their order. */
  readonly #places = new Map<string, number[]>();

  constructor(facts: Facts, contents: readonly IContent[]) {
    this.#facts = facts;
    const wanted = new Set<string>();
    const byCall: Set<string>[] = [...facts.calls].map((entry) =>
      namesIn((contents[entry]?.blocks ?? []).map(textOf).join('\n')),
    );
    for (const names of byCall) for (const name of names) wanted.add(name);
    let block = 0;
    for (const content of contents) {
      for (const one of content.blocks) {
        for (const name of namesIn(textOf(one))) if (wanted.has(name)) this.#note(name, block);
        block += 1;
      }
    }
    facts.calls.forEach((entry, call) => {
      const end = facts.blockStart[entry] ?? 0;
      this.#used.push([...(byCall[call] ?? [])].filter((name) => (this.#places.get(name)?.[0] ?? end) < end));
    });
  }

  #note(name: string, block: number): void {
    const places = this.#places.get(name);
    if (places) places.push(block);
    else this.#places.set(name, [block]);
  }

  /** Follows a replay call by call. */
  measure(replay: Replay, texts: readonly EditText[]): NamesAtHand {
    /** What an edited block says now; blocks that are missing here are unchanged. */
    const now = new Map<number, string>();
    let [edit, used, atHand] = [0, 0, 0];
    this.#used.forEach((names, call) => {
      for (; edit < texts.length && (replay.editCall[edit] ?? 0) <= call; edit += 1) {
        const block = replay.editBlock[edit] ?? 0;
        now.set(block, texts[edit]?.text ?? '');
      }
      const end = this.#facts.blockStart[this.#facts.calls[call] ?? 0] ?? 0;
      used += names.length;
      for (const name of names)
        if (this.#places.get(name)?.some((block) => block < end && (now.get(block)?.includes(name) ?? true)))
          atHand += 1;
    });
    return { used, atHand };
  }
}
