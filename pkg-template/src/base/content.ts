/** Plain text. */
export interface TextBlock {
  type: 'text';
  text: string;
}

/** The model calls a tool. */
export interface ToolCallBlock {
  type: 'tool_call';
  /** Pairs the call with its response. */
  id: string;
  name: string;
  /** The arguments: an object for well-behaved models, anything for others. */
  parameters: unknown;
}

/** The host answers a call. */
export interface ToolResponseBlock {
  type: 'tool_response';
  /** The `id` of the call. */
  callId: string;
  toolName: string;
  /** The payload: a string, `{output: string}` or anything that can be written as JSON. */
  result: unknown;
  /** Why the call failed; a response without it succeeded. */
  error?: string | undefined;
}

/** An image, a sound, a file. */
export interface MediaBlock {
  type: 'media';
  mimeType: string;
  data: string;
  encoding: 'url' | 'base64';
  caption?: string | undefined;
  filename?: string | undefined;
}

/** The model's thinking. */
export interface ThinkingBlock {
  type: 'thinking';
  thought: string;
  /** Proves to the provider that the thought is its own; never touched. */
  signature?: string | undefined;
  /** `false` if the host never sends it: then it is neither counted nor summarised. */
  includeInContext?: boolean | undefined;
}

/** A piece of code. */
export interface CodeBlock {
  type: 'code';
  code: string;
  language?: string | undefined;
}

/** One block of an entry. Further keys ride along untouched, and so do blocks of other types. */
export type ContentBlock = TextBlock | ToolCallBlock | ToolResponseBlock | MediaBlock | ThinkingBlock | CodeBlock;

/**
 * One entry of a history in the neutral model. `metadata.includeInContext: false` marks an entry that you keep and
 * never send: densify doesn't count, summarise or send it. densify marks its own entries: `isSummary` is a summary or
 * digest, `synthetic` is the acknowledgement after it, which densify wrote for the model. `metadata.name` is the name of
 * the person who speaks: summaries have it before the words.
 */
export interface IContent {
  speaker: 'human' | 'ai' | 'tool';
  blocks: ContentBlock[];
  metadata?: Record<string, unknown>;
}

/** What densify reads of an entry: any type with these properties will do, class instances included. */
export interface ContentLike {
  readonly speaker: 'human' | 'ai' | 'tool';
  readonly blocks: readonly ContentBlock[];
  readonly metadata?: object | undefined;
}
