/** Reads the provider's token figures out of an answer that passes through. */

/** Tokens as the provider counted them. */
export interface Usage {
  /** All input, the cached part included. */
  readonly input: number;
  /** Input that came from the prompt cache. */
  readonly cached: number;
  /** Input that was written to the prompt cache, where the provider counts it apart. */
  readonly written: number;
  readonly output: number;
}

/** Bytes that are kept of an answer's beginning and end: usage is in one of them. */
const KEPT = 16_384;

/** Collects the two ends of an answer. */
export class UsageReader {
  #head = new Uint8Array(KEPT);
  #headSize = 0;
  #tail: Uint8Array[] = [];
  #tailSize = 0;

  add(chunk: Uint8Array): void {
    const room = KEPT - this.#headSize;
    const first = chunk.subarray(0, room);
    this.#head.set(first, this.#headSize);
    this.#headSize += first.length;
    if (chunk.length <= room) return;
    const rest = chunk.subarray(Math.max(room, chunk.length - KEPT));
    // A copy: the chunk may be a view of a large buffer.
    this.#tail.push(rest.slice());
    this.#tailSize += rest.length;
    while (this.#tail.length > 1 && this.#tailSize - this.#tail[0]!.length >= KEPT) {
      this.#tailSize -= this.#tail.shift()!.length;
    }
  }

  /** The usage, if the answer held any. */
  read(): Usage | undefined {
    const decoder = new TextDecoder();
    let text = decoder.decode(this.#head.subarray(0, this.#headSize), { stream: true });
    for (const chunk of this.#tail) text += decoder.decode(chunk, { stream: true });
    return usageIn(text);
  }
}

/** The usage in the text of an answer, streamed or not: of several figures the last one counts. */
export function usageIn(text: string): Usage | undefined {
  const last = (...names: readonly string[]): number | undefined => {
    const found = [...text.matchAll(new RegExp(`"(?:${names.join('|')})"\\s*:\\s*(\\d+)`, 'g'))].at(-1);
    return found === undefined ? undefined : Number(found[1]);
  };
  const read = last('cache_read_input_tokens');
  const written = last('cache_creation_input_tokens');
  const input = last('input_tokens', 'prompt_tokens', 'promptTokenCount');
  if (input === undefined) return undefined;
  const cached = read ?? last('cached_tokens', 'cachedContentTokenCount') ?? 0;
  // Anthropic counts what the cache holds apart; the others count it in.
  const isApart = read !== undefined || written !== undefined;
  return {
    input: isApart ? input + (read ?? 0) + (written ?? 0) : input,
    cached,
    written: written ?? 0,
    output: last('output_tokens', 'completion_tokens', 'candidatesTokenCount') ?? 0,
  };
}
