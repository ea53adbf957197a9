/** Messages of OpenAI's Chat Completions API, and of the servers that speak it. */

import { withChanges } from '../../base/share.js';
import { shortened, shortenedText } from '../../messages/arguments.js';
import { type Bag, mediaSize } from '../../messages/facts.js';
import { chatCapabilities } from '../../models/profiles.js';
import { besideMedia } from '../beside-media.js';
import type { Atom, Blocks, Changes, Format } from '../format.js';
import {
  describeParted,
  embeddedSize,
  insteadOf,
  isText,
  openaiImage,
  type Parted,
  withOneText,
  withoutMedia,
} from '../parts.js';
import { listedTools } from '../requests.js';
import type { OpenAIMessageLike, OpenAIOptions } from './types.js';

/** The keys of the model's thinking on compatible servers. */
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

/** The key of the older form, in which a message makes one call, without an id. */
const LEGACY = 'function_call';

/** Where a text part says that the cache is to hold up to it: to OpenAI, and to gateways that pass it on to others. */
const BREAKPOINTS = ['prompt_cache_breakpoint', 'cache_control'];

/** The keys of a part that is nothing but its text. */
const BARE: ReadonlySet<string> = new Set(['type', 'text']);

export const openai: Format<OpenAIMessageLike, OpenAIOptions> = {
  name: 'openai',
  family: 'openai-chat',
  options: ['generation'],
  refusesBlank: true,
  shortensCalls: true,
  breakpoints: {
    read(part) {
      const marks = BREAKPOINTS.filter((key) => isThere(part[key])).map((key) => [key, part[key]] as const);
      return marks.length === 0 ? undefined : Object.fromEntries(marks);
    },
    write: (part, marks) => withChanges(part, marks as Bag),
    canBear: ({ type, text }) => type === 'text' && text !== '',
  },
  request: {
    key: 'messages',
    system: ({ system }) => system,
    // The older form lists functions.
    tools: ({ tools, functions }) => [...listedTools(tools), ...listedTools(functions)],
    schema: ({ response_format: format }) => (format as Bag | null | undefined)?.json_schema,
  },
  capabilities: ({ generation, ...target }) => chatCapabilities({ ...target, generation }),
  describe,
  edit,
  make: (speaker, text) => ({ role: speaker === 'ai' ? 'assistant' : 'user', content: text }),
};

function describe(message: OpenAIMessageLike, blocks: Blocks): void {
  switch (message.role as unknown) {
    case 'user':
      blocks.unit('human', false, message.name);
      return describeContent(message.content, blocks);
    case 'assistant':
      blocks.unit('ai');
      return describeAnswer(message as unknown as Bag, blocks);
    case 'tool':
    case 'function':
      blocks.unit('tool');
      return describeResult(message as unknown as Bag, blocks);
    default:
      blocks.unit('other');
      return describeContent(message.content, blocks);
  }
}

function describeContent(content: unknown, blocks: Blocks): void {
  if (content === null || content === undefined) return;
  if (!Array.isArray(content)) return blocks.text(content);
  for (const part of content as readonly (Bag | null | undefined)[]) describePart(part, blocks);
}

function describePart(part: Bag | null | undefined, blocks: Blocks, atom?: Atom): void {
  const { type } = part ?? {};
  if (type === 'text') return blocks.text(part?.text, atom);
  if (type === 'refusal') return blocks.text(part?.refusal, atom);
  const inner = innerOf(part);
  const { url, detail, data, file_data: file, file_id: id, filename } = inner;
  const beside = besideMedia(inner);
  if (type === 'image_url')
    return blocks.media('image/*', openaiImage(url, detail, blocks.images), undefined, atom, url, beside);
  if (type === 'input_audio') return blocks.media('audio/*', mediaSize(data), undefined, atom, data, beside);
  if (type === 'file') return blocks.media('application/pdf', embeddedSize(file), filename, atom, file ?? id, beside);
  blocks.opaque(part, atom);
}

/** What a part holds, under its type's name. */
function innerOf(part: Bag | null | undefined): Bag {
  const { type } = part ?? {};
  return ((typeof type === 'string' ? part?.[type] : undefined) ?? {}) as Bag;
}

/** In this order: thinking, content, refusal, audio, calls. */
function describeAnswer(message: Bag, blocks: Blocks): void {
  const reasoning = REASONING.filter((key) => isThere(message[key]));
  if (reasoning.length > 0)
    blocks.thinking(reasoning.map((key) => message[key]).find((text) => typeof text === 'string') ?? '');
  describeContent(message.content, blocks);
  if (isThere(message.refusal)) blocks.text(message.refusal);
  if (isThere(message.audio)) blocks.media('audio/*', 0);
  const { tool_calls: calls } = message;
  if (Array.isArray(calls)) for (const call of calls as readonly (Bag | null | undefined)[]) describeCall(call, blocks);
  const legacy = message[LEGACY] as Bag | null | undefined;
  if (isThere(legacy)) blocks.callOfText(legacyId(legacy.name), legacy.name, legacy.arguments);
}

function isThere<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

function describeCall(call: Bag | null | undefined, blocks: Blocks): void {
  const { function: made, custom } = (call ?? {}) as Readonly<Record<string, Bag | null | undefined>>;
  if (isThere(made)) return blocks.callOfText(call?.id, made.name, made.arguments);
  // The text is an argument by the name that it has here: a patch in it is understood.
  if (isThere(custom)) return blocks.call(call?.id, custom.name, { input: custom.input });
  blocks.opaque(call);
}

/** Legacy calls and results have no id: the name pairs them. */
function legacyId(name: unknown): unknown {
  return typeof name === 'string' ? `function ${name}` : undefined;
}

const PARTED: Parted = { isText, describeOther: describePart };

function describeResult({ role, tool_call_id: given, name, content }: Bag, blocks: Blocks): void {
  const id = role === 'function' ? legacyId(name) : given;
  describeParted(blocks, PARTED, id, typeof name === 'string' ? name : undefined, content, false);
}

function edit(message: OpenAIMessageLike, changes: Changes): OpenAIMessageLike | undefined {
  if (message.role === 'tool' || message.role === 'function') return withResult(message, changes);
  const left: Left = { changed: {}, gone: [], isEmpty: true, number: 0, changes };
  const given = message as unknown as Bag;
  if (message.role === 'assistant') editReasoning(given, left);
  editContent(given, left);
  if (message.role === 'assistant') editCalls(given, left);
  return left.isEmpty ? undefined : withoutKeys(withChanges(message, left.changed), left.gone);
}

function withResult(message: OpenAIMessageLike, changes: Changes): OpenAIMessageLike | undefined {
  const change = changes.get(0);
  if (change === null) return undefined;
  const { content } = message;
  if (change === undefined) {
    return Array.isArray(content)
      ? withChanges(message, { content: withoutMedia(content as readonly unknown[], changes, 0, instead) })
      : message;
  }
  // A list with one text becomes a string, unless the text part has further keys.
  const isRich =
    Array.isArray(content) && content.some((part) => !isText(part) || Object.keys(part).some((key) => !BARE.has(key)));
  if (!isRich) return withChanges(message, { content: change });
  const parts = withOneText(content as readonly unknown[], change, ...BREAKPOINTS);
  return withChanges(message, { content: withoutMedia(parts, changes, 0, instead) });
}

const instead = (part: unknown, text: string): unknown => insteadOf(part, 'text', text, ...BREAKPOINTS);

/** The rest of a message. It walks the blocks in the order of `describe`. */
interface Left {
  readonly changed: Record<string, unknown>;
  readonly gone: string[];
  isEmpty: boolean;
  /** The number of the next block. */
  number: number;
  readonly changes: Changes;
}

/** What becomes of the next block. */
function next(left: Left): string | null | undefined {
  const change = left.changes.get(left.number);
  left.number += 1;
  if (change !== null) left.isEmpty = false;
  return change;
}

function editReasoning(message: Bag, left: Left): void {
  const keys = REASONING.filter((key) => isThere(message[key]));
  if (keys.length > 0 && next(left) === null) left.gone.push(...keys);
}

function editContent({ content }: Bag, left: Left): void {
  if (!isThere(content)) return;
  if (!Array.isArray(content)) {
    const change = next(left);
    if (change !== undefined) left.changed.content = change;
    return;
  }
  let isChanged = false;
  const parts: unknown[] = [];
  for (const part of content as readonly unknown[]) {
    const change = next(left);
    if (change !== undefined) isChanged = true;
    if (change === undefined) parts.push(part);
    else if (change !== null) parts.push(isText(part) ? withChanges(part, { text: change }) : instead(part, change));
  }
  if (isChanged) left.changed.content = parts.length > 0 ? parts : null;
}

function editCalls(message: Bag, left: Left): void {
  const { refusal, audio, tool_calls: calls } = message;
  if (isThere(refusal) && next(left) === null) left.gone.push('refusal');
  if (isThere(audio) && next(left) === null) left.gone.push('audio');
  if (Array.isArray(calls)) {
    const changes = calls.map(() => next(left));
    const kept = calls.flatMap((call: Bag, at) => withArguments(call, changes[at]));
    // An empty list is refused.
    if (kept.length === 0 && calls.length > 0) left.gone.push('tool_calls');
    else if (changes.some((change) => change !== undefined)) left.changed.tool_calls = kept;
  }
  editLegacy(message, left);
}

function editLegacy(message: Bag, left: Left): void {
  const legacy = message[LEGACY] as Bag | null | undefined;
  if (!isThere(legacy)) return;
  const change = next(left);
  if (change === null) left.gone.push(LEGACY);
  else if (change !== undefined) left.changed[LEGACY] = withShorter(legacy, change);
}

/** A call after a change; nothing if it goes. */
function withArguments(call: Bag, text: string | null | undefined): readonly Bag[] {
  if (text === null) return [];
  if (text === undefined) return [call];
  const { function: made, custom } = call as Readonly<Record<string, Bag | null | undefined>>;
  if (isThere(made)) return [withChanges(call, { function: withShorter(made, text) })];
  if (!isThere(custom)) return [call];
  return [withChanges(call, { custom: withChanges(custom, { input: shortened(custom.input, text) }) })];
}

const withShorter = (made: Bag, text: string): Bag =>
  withChanges(made, { arguments: shortenedText(made.arguments, text) });

/** A copy of ours without some keys. */
function withoutKeys(message: OpenAIMessageLike, keys: readonly string[]): OpenAIMessageLike {
  for (const key of keys) Reflect.deleteProperty(message, key);
  return message;
}
