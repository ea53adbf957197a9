/**
 * The optimizers of sessions: each knows its history so far, so a request only costs its new messages. The memo is
 * bounded, and only saves time.
 */

/** Bytes of the newest requests of all sessions together. */
const BYTES_AT_MOST = 64 * 2 ** 20;
/** Sessions at most, however short their requests. */
const SESSIONS_AT_MOST = 2000;

interface Entry<V> {
  readonly value: V;
  bytes: number;
}

/** A map that forgets the session that rested longest. */
export class Memo<V> {
  readonly #entries = new Map<string, Entry<V>>();
  #bytes = 0;

  /** The value of a key, made if there is none; `bytes` is the size of the newest request. */
  get(key: string, bytes: number, make: () => V): V {
    const entry = this.#entries.get(key) ?? { value: make(), bytes: 0 };
    this.#entries.delete(key); // behind all others, as the newest
    this.#entries.set(key, entry);
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    for (const [old, { bytes: gone }] of this.#entries) {
      if ((this.#bytes <= BYTES_AT_MOST && this.#entries.size <= SESSIONS_AT_MOST) || old === key) break;
      this.#entries.delete(old);
      this.#bytes -= gone;
    }
    return entry.value;
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
