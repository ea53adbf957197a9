/** Messages of pi's agents. */

import { withChanges } from '../../base/share.js';
import { shortened } from '../../messages/arguments.js';
import { type Bag, isBlank, mediaSize } from '../../messages/facts.js';
import { capabilitiesOfTarget, familyOf } from '../../models/profiles.js';
import type { Target } from '../../models/target.js';
import type { Atom, Blocks, Changes, Format } from '../format.js';
import {
  describeParted,
  insteadOf,
  isText,
  type Part,
  type Parted,
  withOneText,
  withoutMedia,
  withParts,
} from '../parts.js';
import type { PiMessageLike, PiOptions } from './types.js';

type Message = PiMessageLike & Bag;

function formatOf(itemsMayGo: boolean): Format<PiMessageLike, PiOptions> {
  return {
    name: 'pi',
    options: [],
    refusesBlank: true,
    shortensCalls: true,
    request: { key: 'messages', system: ({ systemPrompt }) => systemPrompt, target: ({ model }) => namesOf(model) },
    capabilities: capabilitiesOfTarget,
    forTarget: (target) => (familyOf(target) === 'openai' ? piOfOpenAi : pi),
    describe: (message, blocks) => describe(message as Message, blocks, itemsMayGo),
    time: ({ timestamp }) => timestamp,
    edit: (message, changes) => edit(message as Message, changes),
    make: (speaker, text) => (speaker === 'ai' ? { ...ANSWER, content: [{ type: 'text', text }] } : asked(text)),
  };
}

export const pi = formatOf(false);
const piOfOpenAi = formatOf(true);

/** What pi's model says of itself. */
export function namesOf(called: unknown): Target {
  const { id, provider } = (called ?? {}) as Bag;
  return {
    model: typeof id === 'string' ? id : undefined,
    provider: typeof provider === 'string' ? provider : undefined,
  };
}

const asked = (content: string): Message => ({ role: 'user', content, timestamp: 0 });

/** An answer that no model gave. */
const ANSWER = {
  role: 'assistant',
  api: 'densify',
  provider: 'densify',
  model: 'densify',
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: 'stop',
  timestamp: 0,
};

function describe(message: Message, blocks: Blocks, itemsMayGo: boolean): void {
  const { role, content } = message;
  if (role === 'toolResult') {
    blocks.unit('tool');
    return describeResult(message, blocks);
  }
  if (role !== 'user' && role !== 'assistant') {
    // System messages, and what agents add of their own: summaries, commands of the user.
    blocks.unit('other');
    blocks.opaque(message);
    return blocks.keep();
  }
  blocks.unit(role === 'user' ? 'human' : 'ai');
  if (typeof content === 'string') return blocks.text(content);
  if (!Array.isArray(content)) return blocks.opaque(content);
  if (role === 'assistant') return describeAnswer(content as readonly Part[], blocks, itemsMayGo);
  for (const part of content as readonly Part[]) describePart(part, blocks);
}

function describePart(part: Part, blocks: Blocks, atom?: Atom): void {
  if (part?.type === 'text') blocks.text(part.text, atom);
  else if (part?.type === 'image')
    blocks.media(part.mimeType, mediaSize(part.data, blocks.images), undefined, atom, part.data);
  else blocks.opaque(part, atom);
}

function describeAnswer(parts: readonly Part[], blocks: Blocks, itemsMayGo: boolean): void {
  const isOfItems = parts.some(isItem);
  const atom = isOfItems || isSigned(parts) ? blocks.ownAtom(0) : undefined;
  const mayGo = isOfItems && itemsMayGo && !parts.some((part) => isText(part) && !isBlank(part.text));
  for (const part of parts) {
    if (part?.type === 'toolCall') {
      blocks.call(part.id, part.name, part.arguments, atom, isOfItems || part.thoughtSignature !== undefined);
    } else if (part?.type !== 'thinking') describePart(part, blocks, isOfItems ? atom : undefined);
    else if (!isOfItems) blocks.thinking(part.redacted === true ? part.thinkingSignature : part.thinking);
    else if (mayGo) blocks.thinking(part.thinking, atom);
    else {
      blocks.thought();
      blocks.opaque(part, atom);
    }
  }
}

/** Whether a thought is an item of OpenAI's, which it wants with what follows or not at all; pi keeps it as JSON. */
function isItem(part: Part): boolean {
  return (
    part?.type === 'thinking' && typeof part.thinkingSignature === 'string' && part.thinkingSignature.startsWith('{')
  );
}

/** Whether one of parallel calls carries the signature of all. */
function isSigned(parts: readonly Part[]): boolean {
  const isSigning = (part: Part): boolean => typeof part?.thoughtSignature === 'string' && part.type === 'toolCall';
  return parts.some(isSigning) && parts.filter((part) => part?.type === 'toolCall').length > 1;
}

const PARTED: Parted = { isText, describeOther: describePart };

function describeResult({ toolCallId: id, toolName: name, content, isError }: Message, blocks: Blocks): void {
  describeParted(blocks, PARTED, id, name, content, isError === true);
}

function edit(message: Message, changes: Changes): Message | undefined {
  const { role, content } = message;
  const first = changes.get(0);
  if (role === 'toolResult' || !Array.isArray(content)) {
    if (first === null) return undefined;
    if (!Array.isArray(content)) return first === undefined ? message : withChanges(message, { content: first });
    const parts = first === undefined ? content : withOneText(content, first, 'textSignature');
    return withChanges(message, { content: withoutMedia(parts as readonly Part[], changes, 0, withText) });
  }
  const left = withParts(content as readonly Part[], changes, withText);
  return left && withChanges(message, { content: withShorterCalls(content as readonly Part[], left, changes) });
}

/** A text with another text, or an image with one in its place. */
function withText(part: Part, text: string): Part {
  if (part?.type === 'image') return insteadOf(part, 'text', text);
  return isText(part) ? withChanges(part, { text }) : part;
}

/** What is left of an answer's parts, with shorter arguments of calls. */
function withShorterCalls(parts: readonly Part[], left: readonly unknown[], changes: Changes): readonly unknown[] {
  if (left.length === 0 || !parts.some((part, at) => part?.type === 'toolCall' && typeof changes.get(at) === 'string'))
    return left;
  const shorter = new Map<unknown, Bag>();
  parts.forEach((part, at) => {
    const text = changes.get(at);
    if (part?.type !== 'toolCall' || typeof text !== 'string') return;
    shorter.set(part, withChanges(part, { arguments: shortened(part.arguments, text) }));
  });
  return left.map((part) => shorter.get(part) ?? part);
}
