/** Where lines go. */
export interface LineSink {
  /** Takes a line without its end; `terminated` is false for a last line that just stops. */
  line(text: string, number: number, terminated: boolean): void;
  /** Gets a report of a line that was longer than allowed. */
  tooLong(number: number): void;
  /** Whether no further line is wanted. */
  readonly done: boolean;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Splits a text that comes in chunks into lines; holds no more than the line under way. */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #limit: number;
  // Pieces are joined once, at the line's end: a huge line in tiny chunks must stay linear.
  #pieces: string[] = [];
  #length = 0;
  #tooLong = false;
  #number = 1;
  #started = false;

  constructor(sink: LineSink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
  }

  push(chunk: string): void {
    if (chunk === '') return;
    let start = this.#started || !chunk.startsWith(BYTE_ORDER_MARK) ? 0 : 1;
    this.#started = true;
    for (let end = chunk.indexOf('\n', start); end !== -1; end = chunk.indexOf('\n', start)) {
      if (this.#sink.done) return;
      this.#take(chunk.slice(start, end));
      this.#emit(true);
      start = end + 1;
    }
    this.#take(chunk.slice(start));
  }

  end(): void {
    if ((this.#length > 0 || this.#tooLong) && !this.#sink.done) this.#emit(false);
  }

  #take(piece: string): void {
    if (piece === '') return;
    this.#length += piece.length;
    if (this.#length <= this.#limit) {
      this.#pieces.push(piece);
    } else {
      this.#tooLong = true;
      this.#pieces = [];
    }
  }

  #emit(terminated: boolean): void {
    if (this.#tooLong) this.#sink.tooLong(this.#number);
    else this.#sink.line(this.#pieces.join(''), this.#number, terminated);
    this.#number += 1;
    this.#pieces = [];
    this.#length = 0;
    this.#tooLong = false;
  }
}
