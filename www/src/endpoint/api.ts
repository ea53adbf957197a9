import type { ContentBlock, IContent } from 'densify';

/** What an endpoint speaks. */
export const DIALECTS = ['openai', 'anthropic'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Where a model is asked. The key goes to the origin that it was typed for, and nowhere else. */
export interface Endpoint {
  readonly dialect: Dialect;
  /** The base address, up to and with `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key?: { readonly text: string; readonly origin: string };
}

export interface Question {
  readonly endpoint: Endpoint;
  readonly messages: readonly IContent[];
  /** Whether the tools of the virtual project are offered. */
  readonly withTools: boolean;
  /** Whether the messages go as they are, without a system prompt for the agent. */
  readonly isBare?: boolean;
}

/** What arrives while a model answers: a piece of text or of thought. */
export type Piece = { readonly kind: 'text' | 'thinking'; readonly text: string };

/** The functions of the worker that calls models. */
export interface EndpointApi {
  /** Asks; pieces go to the port, and any message from there stops. */
  ask(question: Question, port: MessagePort): Promise<readonly ContentBlock[]>;
}
