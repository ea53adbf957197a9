/** Input items of OpenAI's Responses API: each is a message of its own. */

import { withChanges } from '../../base/share.js';
import { shortened, shortenedText } from '../../messages/arguments.js';
import type { Bag } from '../../messages/facts.js';
import { capabilitiesOf } from '../../models/profiles.js';
import { besideMedia } from '../beside-media.js';
import { breakpointsAt } from '../breakpoints.js';
import type { Atom, Blocks, Changes, Format, Speaker } from '../format.js';
import {
  describeParted,
  embeddedSize,
  insteadOf,
  isTextOf,
  openaiImage,
  type Parted,
  withFirstText,
  withoutMedia,
  withParts,
} from '../parts.js';
import type { ResponsesItemLike, ResponsesOptions } from './types.js';

/** Parts that bear a breakpoint of the cache. */
const MARKED: ReadonlySet<unknown> = new Set(['input_text', 'input_image', 'input_file']);

export const openaiResponses: Format<ResponsesItemLike, ResponsesOptions> = {
  name: 'openai-responses',
  family: 'openai-responses',
  options: [],
  refusesBlank: false,
  shortensCalls: true,
  breakpoints: {
    ...breakpointsAt('prompt_cache_breakpoint', ({ type, text }) => MARKED.has(type) && text !== ''),
    // What the model said bears none.
    blockOf: (text, { role }) => (role === 'assistant' ? undefined : { type: 'input_text', text }),
  },
  request: { key: 'input', isOptional: true, system: ({ instructions }) => instructions, schema: schemaOf },
  capabilities: (options) => capabilitiesOf('openai-responses', options),
  describe,
  edit,
  make: (speaker, text) => ({ type: 'message', role: speaker === 'ai' ? 'assistant' : 'user', content: text }),
};

/** The schema of the answer: `text.format`. */
function schemaOf({ text }: Bag): unknown {
  return ((text as Bag | null | undefined)?.format as Bag | null | undefined)?.schema;
}

function describe(item: ResponsesItemLike, blocks: Blocks): void {
  const found = item as ResponsesItemLike & Bag;
  switch (found.type) {
    case undefined:
    case null:
    case 'message':
      return describeMessage(found, blocks);
    case 'reasoning':
      blocks.unit('ai');
      return blocks.thinking(thoughtOf(found));
    case 'item_reference':
      if (typeof found.id !== 'string' || !REASONING.test(found.id)) return describeOther(found, blocks);
      // The referenced item belongs to the items after it, as reasoning does.
      blocks.unit('ai');
      return blocks.thinking(found.id);
    case 'function_call':
      blocks.unit('ai');
      return blocks.callOfText(found.call_id, found.name, found.arguments, programOf(found), isOfProgram(found));
    case 'custom_tool_call':
      blocks.unit('ai');
      return blocks.call(found.call_id, found.name, { input: found.input }, programOf(found), isOfProgram(found));
    case 'local_shell_call':
      blocks.unit('ai');
      return blocks.call(found.call_id, 'local_shell', found.action, undefined, true);
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      blocks.unit('tool');
      return describeOutput(found, blocks);
    default:
      return describeOther(found, blocks);
  }
}

function describeMessage({ role, content }: Bag, blocks: Blocks): void {
  blocks.unit(speakerOf(role));
  if (typeof content === 'string') return blocks.text(content);
  if (!Array.isArray(content)) return blocks.opaque(content);
  for (const part of content as readonly (Bag | null | undefined)[]) describePart(part, blocks);
}

/** What developers say stays as it is, wherever it stands. */
function speakerOf(role: unknown): Speaker {
  if (role === 'assistant') return 'ai';
  return role === 'user' ? 'human' : 'other';
}

function describePart(part: Bag | null | undefined, blocks: Blocks, atom?: Atom): void {
  switch (part?.type) {
    case 'input_text':
    case 'output_text':
      return blocks.text(part.text, atom);
    case 'input_image':
      return blocks.media(
        'image/*',
        openaiImage(part.image_url, part.detail, blocks.images),
        undefined,
        atom,
        heldBy(part),
        besideMedia(part),
      );
    case 'input_file':
      return blocks.media(
        'application/pdf',
        embeddedSize(part.file_data),
        part.filename,
        atom,
        heldBy(part),
        besideMedia(part),
      );
    default:
      blocks.opaque(part, atom);
  }
}

/** What an image or a file is, or where. */
function heldBy({ image_url: image, file_data: data, file_url: url, file_id: id }: Bag): unknown {
  return image ?? data ?? url ?? id;
}

/** What the provider counts of reasoning: the cipher, else the summary and the text. */
function thoughtOf({ encrypted_content: cipher, summary, content }: Bag): string {
  if (typeof cipher === 'string') return cipher;
  const parts = [summary, content].flatMap((list) => (Array.isArray(list) ? (list as readonly (Bag | null)[]) : []));
  return parts
    .map((part) => part?.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** A call that a program of the model made belongs to that program. */
function programOf({ caller }: Bag): string | undefined {
  const { caller_id: id } = (caller ?? {}) as Bag;
  return typeof id === 'string' ? `item ${id}` : undefined;
}

/** The source of a program stays unchanged. */
const isOfProgram = (item: Bag): boolean => programOf(item) !== undefined;

/** Whether a part of an output is a text. */
const isText = isTextOf('input_text');
const PARTED: Parted = { isText, describeOther: describePart };

function describeOutput({ call_id: call, id, name, output }: Bag, blocks: Blocks): void {
  describeParted(blocks, PARTED, call ?? id, name ?? undefined, output, false);
}

/** What the ids of reasoning begin with. */
const REASONING = /^rs_/;

/** Items that the host or the provider puts between a call and the next message. */
const OF_THE_HOST = /_(?:output|response)$/;

/** Calls and results of the provider's own tools, approvals, programs: together or not at all, and never edited. */
function describeOther(item: Bag, blocks: Blocks): void {
  const { type, id, call_id: call, approval_request_id: approval } = item;
  const isOfHost = typeof type === 'string' && OF_THE_HOST.test(type);
  const name = call ?? approval ?? id;
  blocks.unit(isOfHost ? 'tool' : 'ai');
  blocks.opaque(item, typeof name === 'string' ? `item ${name}` : undefined);
  // An earlier summary of the provider's own, and what only the provider can look up.
  if (type === 'compaction' || type === 'compaction_trigger' || type === 'item_reference') blocks.keep();
}

function edit(item: ResponsesItemLike, changes: Changes): ResponsesItemLike | undefined {
  const found = item as ResponsesItemLike & Bag;
  if ('output' in found) return withOutput(found, changes);
  const { content } = found;
  if (typeof content === 'string' || !Array.isArray(content) || found.type === 'reasoning') {
    const text = changes.get(0);
    if (text === null) return undefined;
    if (text === undefined) return item;
    if (found.type === 'function_call') return withChanges(found, { arguments: shortenedText(found.arguments, text) });
    if (found.type === 'custom_tool_call') return withChanges(found, { input: shortened(found.input, text) });
    return typeof content === 'string' ? withChanges(found, { content: text }) : item;
  }
  const left = withParts(content as readonly Bag[], changes, withText);
  return left && withChanges(found, { content: left });
}

function withOutput(item: ResponsesItemLike & Bag, changes: Changes): ResponsesItemLike | undefined {
  const { output } = item;
  const text = changes.get(0);
  if (text === null) return undefined;
  if (!Array.isArray(output)) return text === undefined ? item : withChanges(item, { output: text });
  const parts = text === undefined ? output : withFirstText(output, (first) => withChanges(first, { text }), isText);
  return withChanges(item, { output: withoutMedia(parts as readonly Bag[], changes, 0, withText, isText) });
}

/** A text with another text, or media with one in their place. */
function withText(part: Bag, text: string): Bag {
  if (part.type !== 'input_image' && part.type !== 'input_file') return withChanges(part, { text });
  return insteadOf(part, 'input_text', text, 'prompt_cache_breakpoint');
}
