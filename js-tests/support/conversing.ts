// Conversations that are about to need a summary, and a model that behaves.
import {
  type Conversation,
  type ConversationOptions,
  createConversation,
  type IContent,
  type SummarizeStep,
  type SummaryRequest,
} from 'densify';
import { goodReply } from './replies.js';
import { ai, human, read } from './say.js';

export const LIMIT = 4000;
export const options: ConversationOptions = {
  strategy: 'middle-out',
  contextLimit: LIMIT,
  summary: { window: 50_000 },
};
export const LONG = 'a line that is long enough to be worth a summary\n';

/** Entries of some turns, about 200 tokens each. */
export function turns(count: number, from = 0): IContent[] {
  return Array.from({ length: count }, (_, at) => [
    human(`request ${from + at}`),
    ...read(`c${from + at}`, `src/${from + at}.ts`, LONG.repeat(15)),
    ai(`done with ${from + at}`),
  ]).flat();
}

/** A conversation that is over its threshold. */
export function full(more: Partial<ConversationOptions> = {}): Conversation {
  const conversation = createConversation({ ...options, ...more });
  conversation.add(...turns(24));
  return conversation;
}

export function summarize(conversation: Conversation): SummarizeStep {
  const step = conversation.beforeSend();
  if (step.kind !== 'summarize') throw new Error(step.kind);
  return step;
}

export const json = (value: unknown): string => JSON.stringify(value);
export const answer = async (request: SummaryRequest): Promise<string> => Promise.resolve(goodReply(request));
