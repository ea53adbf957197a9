/** Items of OpenAI's Agents SDK: those of the Responses API, in other words. */

import { withChanges } from '../../base/share.js';
import { shortenedText } from '../../messages/arguments.js';
import { type Bag, mediaSize } from '../../messages/facts.js';
import { capabilitiesOf, capabilitiesOfTarget, familyOf } from '../../models/profiles.js';
import { besideMedia } from '../beside-media.js';
import type { Atom, Blocks, Changes, Format } from '../format.js';
import type { ImageFormulaName } from '../images.js';
import {
  describeParted,
  embeddedSize,
  insteadOf,
  isTextOf,
  lowSize,
  type Part,
  type Parted,
  withFirstText,
  withoutMedia,
  withParts,
} from '../parts.js';
import type { AgentsItemLike, AgentsOptions } from './types.js';

export const openaiAgents: Format<AgentsItemLike, AgentsOptions> = {
  name: 'openai-agents',
  options: [],
  refusesBlank: false,
  shortensCalls: true,
  // OpenAI's models do not name their provider.
  capabilities: (options) => {
    return familyOf(options) === undefined
      ? capabilitiesOf('openai-responses', options)
      : capabilitiesOfTarget(options);
  },
  request: {
    key: 'input',
    // A runner's request to a model, and the argument of a filter.
    system: ({ systemInstructions, instructions }) => systemInstructions ?? instructions,
    schema: ({ outputType }) => (outputType as Bag | null | undefined)?.schema,
  },
  describe: (item, blocks) => describe(item as AgentsItemLike & Bag, blocks),
  edit: (item, changes) => edit(item as AgentsItemLike & Bag, changes),
  make(speaker, text) {
    if (speaker === 'human') return { type: 'message', role: 'user', content: text } as AgentsItemLike;
    const content = [{ type: 'output_text', text }];
    return { type: 'message', role: 'assistant', status: 'completed', content } as AgentsItemLike;
  },
};

/** What a tool's result is. */
const RESULT = 'function_call_result';

function describe(item: AgentsItemLike & Bag, blocks: Blocks): void {
  switch (item.type) {
    case undefined:
    case 'message':
      return describeMessage(item, blocks);
    case 'reasoning':
      blocks.unit('ai');
      return blocks.thinking(thoughtOf(item));
    case 'function_call':
      blocks.unit('ai');
      return blocks.callOfText(item.callId, item.name, item.arguments, programOf(item), programOf(item) !== undefined);
    case RESULT:
      blocks.unit('tool');
      return describeResult(item, blocks);
    default:
      return describeOther(item, blocks);
  }
}

function describeMessage({ role, content }: Bag, blocks: Blocks): void {
  // What developers say stays as it is, wherever it stands.
  blocks.unit(role === 'assistant' ? 'ai' : role === 'user' ? 'human' : 'other');
  if (typeof content === 'string') return blocks.text(content);
  if (!Array.isArray(content)) return blocks.opaque(content);
  for (const part of content as readonly Part[]) describePart(part, blocks);
}

function describePart(part: Part, blocks: Blocks, atom?: Atom): void {
  switch (part?.type) {
    case 'input_text':
    case 'output_text':
      return blocks.text(part.text, atom);
    case 'input_image':
    case 'image':
      return blocks.media(
        'image/*',
        imageOf(part, blocks.images),
        undefined,
        atom,
        heldBy(part.image),
        besideMedia(part),
      );
    case 'input_file':
    case 'file':
      return blocks.media(
        'application/pdf',
        sizeOf(part.file, blocks.images),
        part.filename,
        atom,
        heldBy(part.file),
        besideMedia(part),
      );
    case 'audio':
      return blocks.media('audio/*', mediaSize(part.audio), undefined, atom);
    default:
      blocks.opaque(part, atom);
  }
}

function imageOf({ image, detail }: Bag, formula: ImageFormulaName): number {
  return lowSize(detail, formula) ?? sizeOf(image, formula, detail);
}

/** The size of what is embedded: as a URL, or as data. */
function sizeOf(given: unknown, formula: ImageFormulaName, detail?: unknown): number {
  const { data, url } = (typeof given === 'object' && given !== null ? given : {}) as Bag;
  const isLinked = data === undefined || data === null;
  return isLinked ? embeddedSize(url ?? given, formula, detail) : mediaSize(data, formula, detail);
}

/** The embedded data, or its address. */
function heldBy(given: unknown): unknown {
  const { data, url, id, fileId } = (typeof given === 'object' && given !== null ? given : {}) as Bag;
  return data ?? url ?? id ?? fileId ?? given;
}

/** What the provider counts of reasoning: the cipher, else what can be read of it. */
function thoughtOf({ providerData, content, rawContent }: Bag): string {
  const { encryptedContent, encrypted_content: cipher } = (providerData ?? {}) as Bag;
  for (const found of [encryptedContent, cipher]) if (typeof found === 'string') return found;
  const parts = [content, rawContent].flatMap((list) => (Array.isArray(list) ? (list as readonly Part[]) : []));
  return parts
    .map((part) => part?.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** A call that a program of the model made belongs to that program. */
function programOf({ caller }: Bag): string | undefined {
  const { callerId: id } = (caller ?? {}) as Bag;
  return typeof id === 'string' ? `item ${id}` : undefined;
}

/** Whether a part of an output is a text. */
const isText = isTextOf('input_text');
const PARTED: Parted = { isText, describeOther: describePart };

/** Whether an output is one text in an object. */
function isOneText(output: unknown): output is Bag & { readonly text: string } {
  const { type, text } = (output ?? {}) as Bag;
  return type === 'text' && typeof text === 'string';
}

function describeResult({ callId: id, name, output }: Bag, blocks: Blocks): void {
  if (isOneText(output)) return blocks.response(id, name, output.text, false);
  const isOne = typeof output === 'object' && output !== null && !Array.isArray(output);
  describeParted(blocks, PARTED, id, name, isOne ? [output] : output, false);
}

/** Items that the host or the provider puts between a call and the next message. */
const OF_THE_HOST = /_(?:output|result|response)$/;

/** Calls and results of the provider's own tools, of shells and computers, programs: together or not at all. */
function describeOther(item: Bag, blocks: Blocks): void {
  const { type, id, callId, providerData } = item;
  const data = (providerData ?? {}) as Bag;
  // What the provider's own tools did is told apart by its name; responses say which request they answer.
  const kind = type === 'hosted_tool_call' ? (data.type ?? item.name) : type;
  const name = callId ?? data.approval_request_id ?? data.approvalRequestId ?? data.id ?? id;
  blocks.unit(typeof kind === 'string' && OF_THE_HOST.test(kind) ? 'tool' : 'ai');
  blocks.opaque(item, typeof name === 'string' ? `item ${name}` : undefined);
  // An earlier summary of the provider's own.
  if (type === 'compaction') blocks.keep();
}

function edit(item: AgentsItemLike & Bag, changes: Changes): AgentsItemLike | undefined {
  const { content, type } = item;
  const first = changes.get(0);
  if (type === RESULT) {
    if (first === null) return undefined;
    const output = first === undefined ? item.output : outputOf(item.output, first);
    return withChanges(item, { output: withoutImages(output, changes) });
  }
  if (!Array.isArray(content) || type === 'reasoning') {
    if (first === null) return undefined;
    if (first === undefined) return item;
    if (type === 'function_call') return withChanges(item, { arguments: shortenedText(item.arguments, first) });
    return typeof content === 'string' ? withChanges(item, { content: first }) : item;
  }
  const left = withParts(content as readonly Bag[], changes, withText);
  return left && withChanges(item, { content: left });
}

function outputOf(output: unknown, text: string): unknown {
  if (isOneText(output)) return withChanges(output, { text });
  if (!Array.isArray(output)) return text;
  return withFirstText(output, (first) => withChanges(first, { text }), isText);
}

/** What media are called: in user messages and lists, and as the only output of a tool. */
const MEDIA: ReadonlySet<unknown> = new Set(['input_image', 'input_file', 'image', 'file']);

/** An output with texts instead of media. */
function withoutImages(output: unknown, changes: Changes): unknown {
  if (Array.isArray(output)) return withoutMedia(output as readonly Bag[], changes, 0, withText, isText);
  const text = changes.get(1);
  return typeof text === 'string' ? { type: 'text', text } : output;
}

/** A text with another text, or media with one in their place. */
function withText(part: Bag, text: string): Bag {
  return MEDIA.has(part.type) ? insteadOf(part, 'input_text', text, 'providerData') : withChanges(part, { text });
}
