/** Lines of what arrives in pieces; one longer than `most` characters is `undefined`, and takes no memory. */
export async function* linesOf(source: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  const line = new Line(most);
  for await (const chunk of source) {
    const text = decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      line.add(text.slice(from, end));
      yield line.take();
      from = end + 1;
    }
    line.add(text.slice(from));
  }
  line.add(decoder.decode());
  if (line.length > 0) yield line.take();
}

/** A line that isn't complete. Its pieces are put together once: time is linear however long it is. */
class Line {
  readonly #most: number;
  #pieces: string[] = [];
  length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(piece: string): void {
    this.length += piece.length;
    if (this.length > this.#most) this.#pieces = [];
    else if (piece !== '') this.#pieces.push(piece);
  }

  take(): string | undefined {
    const line = this.length > this.#most ? undefined : this.#pieces.join('');
    this.#pieces = [];
    this.length = 0;
    return line;
  }
}
