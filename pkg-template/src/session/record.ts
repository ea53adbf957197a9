/** What a session is made again of, beside its messages. */
export interface SessionRecord {
  /** All edits, as words. */
  readonly words: Uint32Array;
  /** The texts that they refer to. */
  readonly texts: readonly string[];
  /** So many messages were given out. */
  readonly givenOut: number;
  /** What all edits had saved at the last flush, in tokens. */
  readonly saved: number;
}
