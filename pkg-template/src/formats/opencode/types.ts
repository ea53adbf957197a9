import type { Target } from '../../models/target.js';

/** What parts have beside their type, each kind its own: named so that they may be written in place. */
type PartKey =
  | ('id' | 'sessionID' | 'messageID' | 'text' | 'ignored' | 'synthetic' | 'time' | 'metadata')
  | ('mime' | 'filename' | 'url' | 'source' | 'callID' | 'tool' | 'state');

/** A part of a message; densify knows the types that it edits, all others ride along untouched. */
export interface OpencodePartLike extends Readonly<Partial<Record<PartKey, unknown>>> {
  readonly type: string;
}

/** What densify reads of a message of opencode 1, as its plug-ins get it. */
export interface OpencodeMessageLike {
  readonly info: { readonly role: string };
  readonly parts: readonly OpencodePartLike[];
}

/** What densify reads of a message of opencode 2, as its plug-ins get it. */
export interface OpencodeModelMessageLike {
  readonly role: string;
  readonly content: readonly { readonly type: string }[];
}

/** Options of every verb, about where the messages go. Without them the rules of all providers hold together. */
export interface OpencodeOptions extends Target {}
