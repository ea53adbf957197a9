/** Where a command prints. */
export interface Output {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Whether a person watches standard error, so that progress is worth printing. */
  readonly isTty: boolean;
}

/** One command of `densify`: a file of its own, and a line in the table of `index.ts`. */
export interface Command {
  /** How it is called, what it does and its options, as the help prints them; ends with a line break. */
  readonly usage: string;
  /** Runs it; resolves with the exit code: 0, 1 if a part of the work failed, 2 if the arguments are wrong. */
  run(given: readonly string[], output: Output): Promise<number>;
}
