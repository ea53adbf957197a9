/** What a session is made again of, beside its messages. */
export interface SessionRecord {
  /** All edits, as words. */
  readonly words: Uint32Array;
  /** The texts that they refer to. */
  readonly texts: readonly string[];
  /** The number of messages given out. */
  readonly givenOut: number;
  /** What requests have cost, as the core keeps its books; empty where the policy doesn't go by it. */
  readonly bills: readonly number[];
  /** To so many messages the history was taken back since the last run, if it was. */
  readonly rewound?: number | undefined;
}
