import type { Target } from '../../models/target.js';

/** What messages have besides, each kind its own: named so that they may be written in place. */
type MessageKey =
  | ('content' | 'timestamp' | 'toolCallId' | 'toolName' | 'details' | 'isError')
  | ('api' | 'provider' | 'model' | 'usage' | 'stopReason' | 'errorMessage');

/** What densify reads of a message of pi: `Message`, `AgentMessage`, or one of a role of your own. */
export interface PiMessageLike extends Readonly<Partial<Record<MessageKey, unknown>>> {
  readonly role: string;
}

/** Options of every verb, about where the messages go. Without them the rules of all providers hold together. */
export interface PiOptions extends Target {}
