// Conversations of an agent, made from a seed: the same on every host, in Node and in a browser.
import type { IContent } from 'densify';
import { ai, call, human, inclusion, response, tool, turn } from './say.js';

/** Numbers from 0 to 1 that depend on nothing but the seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS = ['index', 'search', 'naïve', '検索', '🙂', 'return', 'the', 'a', 'of', '{', '}', '=>', 'Größe'];

/** Makes turns: what an agent adds to its history between two calls of its model. */
export class Agent {
  readonly #next: () => number;
  #calls = 0;

  constructor(seed: number) {
    this.#next = random(seed);
  }

  turn(): IContent[] {
    const entries: IContent[] = [];
    if (this.#below(4) === 0) entries.push(this.#request());
    for (let left = 1 + this.#below(2); left > 0; left -= 1) entries.push(...this.#work());
    if (this.#below(5) === 0) entries.push(ai({ type: 'thinking', thought: this.#text(8) }, this.#text(12)));
    return entries;
  }

  #request(): IContent {
    const text = this.#below(2) === 0 ? '' : inclusion(this.#path(), this.#text(40));
    return human(`${text}Please look at this.\n${this.#text(6)}`);
  }

  #work(): IContent[] {
    const id = `call_${(this.#calls += 1)}`;
    switch (this.#below(6)) {
      case 0:
        return turn(id, 'write_file', { file_path: this.#path(), content: this.#text(20) }, 'written');
      case 1:
        return turn(id, 'replace', { file_path: this.#path() }, '', this.#below(2) === 0 ? 'no match' : undefined);
      case 2:
        return turn(
          id,
          'run_shell_command',
          { command: 'npm test' },
          { output: this.#text(60), exitCode: this.#below(2) },
        );
      case 3: {
        const calls = [
          call(id, 'read_file', { file_path: this.#path() }),
          call(`${id}b`, 'read_many_files', { paths: [this.#path(), this.#path()] }),
        ];
        return [
          ai(...calls),
          tool(response(id, 'read_file', this.#text(50)), response(`${id}b`, 'read_many_files', this.#text(90))),
        ];
      }
      default:
        return turn(id, 'read_file', { file_path: this.#path() }, this.#text(80));
    }
  }

  #path(): string {
    return `src/file-${this.#below(7)}.ts`;
  }

  #text(words: number): string {
    return Array.from({ length: words }, () => WORDS[this.#below(WORDS.length)]).join(' ');
  }

  #below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }
}

/** A whole history. */
export function conversation(seed: number, turns: number): IContent[] {
  const agent = new Agent(seed);
  return Array.from({ length: turns }, () => agent.turn()).flat();
}
