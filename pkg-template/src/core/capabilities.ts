/** What a provider demands beyond pairs: the bits of the core's `Capabilities`. */
export const CAPABILITY = {
  /** The history must open with a message of the user. */
  opensWithHuman: 1,
  /** Thinking is valid only behind the exact prefix that it was made for. */
  thinkingBoundToPrefix: 1 << 1,
  /** While calls are open, the thinking of that turn must stay. */
  openLoopKeepsThinking: 1 << 2,
  /** A message that holds only thinking stays or goes with the model's next text or call. */
  thinkingKeepsSuccessors: 1 << 3,
  /** The model calls only right behind the user or a result, never behind words of its own. */
  callsFollowOthers: 1 << 4,
  /** What the model said between two words of others may not end with thinking. */
  thinkingLeads: 1 << 5,
  /** The first request stays unless the caller says otherwise. */
  keepsFirstRequest: 1 << 6,
  /** A message of the system may not open the history. */
  systemNeverOpens: 1 << 7,
  /** Reasoning behind a change is taken, and made nothing of; nothing that the core goes by. */
  changesLoseReasoning: 1 << 8,
  /** Thinking doesn't go for its age: the provider may want it back wherever it stands. */
  keepsThinking: 1 << 9,
  /** The provider finds its cache only at breakpoints, and a little before them. */
  cacheAtBreakpoints: 1 << 10,
  /** The host keeps a breakpoint ahead of the next flush. */
  keepsAnchor: 1 << 11,
} as const;

/** Whether the demands on thinking combine those of two generations of models: nobody said which model it is. */
export function demandsOfAll(capabilities: number): boolean {
  const both = CAPABILITY.thinkingBoundToPrefix | CAPABILITY.openLoopKeepsThinking;
  return (capabilities & both) === both;
}
