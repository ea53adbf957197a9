/** What a caller says of where messages go. */
export interface Target {
  /**
   * The model that the messages are sent to: it decides which rules hold. Without it those of all models do.
   *
   * @default none
   */
  readonly model?: string | undefined;
  /**
   * Who serves the model.
   *
   * @default none
   */
  readonly provider?: string | undefined;
}
