/** Messages of Anthropic's Messages API. */

import { withChanges } from '../../base/share.js';
import { shortened } from '../../messages/arguments.js';
import { type Bag, mediaSize } from '../../messages/facts.js';
import { capabilitiesOf } from '../../models/profiles.js';
import { besideMedia } from '../beside-media.js';
import { breakpointsAt } from '../breakpoints.js';
import type { Atom, Blocks, Changes, Format, Speaker } from '../format.js';
import {
  describeParted,
  insteadOf,
  isText,
  type Part,
  type Parted,
  serverAtom,
  withOneText,
  withoutMedia,
} from '../parts.js';
import type { AnthropicBlockLike, AnthropicMessageLike, AnthropicOptions } from './types.js';

/** Blocks that bear no breakpoint of the cache. */
const UNMARKED: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'compaction']);

export const anthropic: Format<AnthropicMessageLike, AnthropicOptions> = {
  name: 'anthropic',
  family: 'anthropic',
  options: ['generation'],
  refusesBlank: true,
  shortensCalls: true,
  breakpoints: breakpointsAt('cache_control', ({ type, text }) => !UNMARKED.has(type) && text !== ''),
  request: { key: 'messages', system: ({ system }) => system, schema: schemaOf },
  capabilities: (options) => capabilitiesOf('anthropic', options),
  describe,
  edit,
  make: (speaker, text) => ({ role: speaker === 'ai' ? 'assistant' : 'user', content: text }),
};

/** The schema of the answer; betas had it elsewhere. */
function schemaOf({ output_config: config, output_format: beta }: Bag): unknown {
  const { format = beta } = (config ?? {}) as Bag;
  return (format as Bag | null | undefined)?.schema;
}

function describe({ role, content }: AnthropicMessageLike, blocks: Blocks): void {
  const speaker = speakerOf(role);
  if (typeof content === 'string') {
    blocks.unit(speaker);
    return blocks.text(content);
  }
  if (!Array.isArray(content)) {
    blocks.unit('other');
    return blocks.opaque(content);
  }
  let current: Speaker | undefined;
  for (let at = 0; at < content.length; at += 1) {
    const block = content[at] as Bag | null | undefined;
    // The host's answers are no words of the user, though they stand in one message.
    const next = speaker === 'human' && block?.type === 'tool_result' ? 'tool' : speaker;
    if (next !== current) blocks.unit((current = next));
    describeBlock(block, blocks, at);
  }
  if (current === undefined) blocks.unit(speaker);
}

function speakerOf(role: unknown): Speaker {
  if (role === 'assistant') return 'ai';
  return role === 'user' ? 'human' : 'other';
}

function describeBlock(block: Bag | null | undefined, blocks: Blocks, at: number): void {
  switch (block?.type) {
    case 'text':
      return blocks.text(block.text);
    case 'thinking':
      return blocks.thinking(block.thinking);
    case 'redacted_thinking':
      return blocks.thinking(block.data);
    case 'tool_use':
      return blocks.call(block.id, block.name, block.input, callerOf(block));
    case 'tool_result':
      return describeResult(block, blocks, at);
    case 'image':
    case 'document':
      return describeMedia(block, blocks);
    case 'compaction':
      // The provider's own summary: everything before it is in it.
      blocks.opaque(block);
      return blocks.keep();
    default:
      blocks.opaque(block, serverAtom(block?.type === undefined ? undefined : (block.tool_use_id ?? block.id)));
  }
}

/** A call that the provider's code made belongs to the call of that code. */
function callerOf({ caller }: Bag): string | undefined {
  return serverAtom((caller as Bag | null | undefined)?.tool_id);
}

function describeMedia(block: Bag, blocks: Blocks, atom?: Atom): void {
  const { source, title, type } = block;
  const { media_type: mime, type: kind, data, content, url, file_id: id } = (source ?? {}) as Bag;
  // A document of texts and images of its own.
  if (kind === 'content') return blocks.opaque(content, atom);
  const fallback = type === 'image' ? 'image/*' : 'application/pdf';
  const isText = kind === 'text' && typeof data === 'string';
  const size = isText ? data : mediaSize(kind === 'base64' ? data : 0, blocks.images);
  blocks.media(typeof mime === 'string' ? mime : fallback, size, title, atom, data ?? url ?? id, besideMedia(block));
}

function describeResult({ tool_use_id: id, content, is_error: failed }: Bag, blocks: Blocks, at: number): void {
  if (typeof content === 'string') return blocks.response(id, undefined, content, failed === true);
  describeParted(blocks, PARTED, id, undefined, content, failed === true, at);
}

function describeOther(part: Part, blocks: Blocks, atom?: Atom): void {
  if (part?.type === 'image' || part?.type === 'document') describeMedia(part, blocks, atom);
  else blocks.opaque(part, atom);
}

const PARTED: Parted = { isText, describeOther };

function edit(message: AnthropicMessageLike, changes: Changes): AnthropicMessageLike | undefined {
  const { content } = message;
  if (typeof content === 'string') {
    const text = changes.get(0);
    if (text === null) return undefined;
    return text === undefined ? message : withChanges(message, { content: text });
  }
  const left: AnthropicBlockLike[] = [];
  const blocks = content ?? [];
  let number = 0;
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at]!;
    const change = changes.get(number);
    const others = othersIn(block);
    if (change !== null) {
      const edited = change === undefined ? block : withText(block, change);
      left.push(others === 0 ? edited : withoutMediaIn(edited, others, changes, number));
    }
    number += 1 + others;
  }
  return left.length === 0 ? undefined : withChanges(message, { content: left });
}

/** How many blocks of their own there are in a result. */
function othersIn(block: AnthropicBlockLike | null | undefined): number {
  if (block?.type !== 'tool_result') return 0;
  const { content } = block as AnthropicBlockLike & Bag;
  if (!Array.isArray(content)) return 0;
  let others = 0;
  for (const part of content) if (!isText(part)) others += 1;
  return others;
}

/** A result with texts instead of media, its block's number given. */
function withoutMediaIn(
  block: AnthropicBlockLike,
  others: number,
  changes: Changes,
  number: number,
): AnthropicBlockLike {
  let hasChanges = false;
  for (let at = 1; at <= others; at += 1) hasChanges ||= changes.has(number + at);
  if (!hasChanges) return block;
  const { content } = block as AnthropicBlockLike & Bag;
  return withChanges(block, { content: withoutMedia(content as readonly unknown[], changes, number, instead) });
}

const instead = (part: unknown, text: string): unknown => insteadOf(part, 'text', text, 'cache_control');

function withText(block: AnthropicBlockLike, text: string): AnthropicBlockLike {
  if (block.type === 'image' || block.type === 'document') return instead(block, text) as AnthropicBlockLike;
  if (block.type === 'text') return withChanges(block, { text });
  if (block.type === 'tool_use') return withChanges(block, { input: shortened((block as unknown as Bag).input, text) });
  if (block.type !== 'tool_result') return block;
  const { content } = block as AnthropicBlockLike & Bag;
  if (!Array.isArray(content)) return withChanges(block, { content: text });
  return withChanges(block, { content: withOneText(content as readonly unknown[], text, 'cache_control') });
}
