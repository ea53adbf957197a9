import type { Target } from '../../models/target.js';

/** What densify reads of a message of pi: `Message`, `AgentMessage`, or one of a role of your own. */
export interface PiMessageLike {
  readonly role: string;
}

/** Options of every verb, about where the messages go. Without them the rules of all providers hold together. */
export interface PiOptions extends Target {}
