/** Messages of the AI SDK: `ModelMessage`, and the prompts that it hands to providers. */

import { withChanges } from '../../base/share.js';
import { shortened } from '../../messages/arguments.js';
import type { Bag } from '../../messages/facts.js';
import { capabilitiesOfTarget, familyOf } from '../../models/profiles.js';
import type { Atom, Blocks, Changes, Format, RequestShape, Speaker } from '../format.js';
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
import { approvalAtom, type Group, groupsOf } from './groups.js';
import { describeMedia, describeSaid } from './parts.js';
import { aiSdkBreakpoints, aiSdkCall, aiSdkRequest } from './request.js';
import type { AiSdkMessageLike, AiSdkOptions, AiSdkPartLike } from './types.js';

type Make = Format<AiSdkMessageLike>['make'];

/** The format, with messages of ours made in one way. */
function formatOf(name: string, make: Make, request: RequestShape): Format<AiSdkMessageLike, AiSdkOptions> {
  const forItems = (itemsMayGo: boolean): Format<AiSdkMessageLike, AiSdkOptions> => ({
    name,
    options: [],
    refusesBlank: true,
    shortensCalls: true,
    breakpoints: aiSdkBreakpoints,
    request,
    capabilities: capabilitiesOfTarget,
    forTarget: (target) => (familyOf(target) === 'openai' ? ofOpenAi : ofOthers),
    describe: (message, blocks) => describe(message, blocks, itemsMayGo),
    edit,
    editOutputs,
    make,
  });
  const ofOthers = forItems(false);
  const ofOpenAi = forItems(true);
  return ofOthers;
}

export const aiSdk = formatOf(
  'ai-sdk',
  (speaker, text) => ({ role: speaker === 'ai' ? 'assistant' : 'user', content: text }),
  aiSdkRequest,
);

/** Prompts of providers, whose content is always a list. */
export const aiSdkPrompt = formatOf(
  'ai-sdk-prompt',
  (speaker, text) => {
    const content = [{ type: 'text', text }];
    return { role: speaker === 'ai' ? 'assistant' : 'user', content };
  },
  aiSdkCall,
);

function speakerOf(role: unknown): Speaker {
  if (role === 'assistant') return 'ai';
  if (role === 'tool') return 'tool';
  return role === 'user' ? 'human' : 'other';
}

function describe({ role, content }: AiSdkMessageLike, blocks: Blocks, itemsMayGo: boolean): void {
  const speaker = speakerOf(role);
  if (!Array.isArray(content)) {
    blocks.unit(typeof content === 'string' ? speaker : 'other');
    return typeof content === 'string' ? blocks.text(content) : blocks.opaque(content);
  }
  const parts = content as readonly Part[];
  let current: Speaker | undefined;
  if (speaker === 'ai' || parts.length === 0) blocks.unit((current = speaker));
  if (speaker === 'ai') return describeAnswer(parts, blocks, itemsMayGo);
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    // Results have messages of their own; where a host mixes them up, they are results all the same.
    const next = speaker === 'human' && part?.type === 'tool-result' ? 'tool' : speaker;
    if (next !== current) blocks.unit((current = next));
    if (next === 'tool') describeAnswered(part, blocks, at);
    else describeAsked(part, blocks);
  }
}

/** What the user says. */
function describeAsked(part: Part, blocks: Blocks): void {
  if (part?.type === 'text') blocks.text(part.text);
  else if (part?.type === 'file' || part?.type === 'image') describeMedia(part, blocks);
  else blocks.opaque(part);
}

const METADATA = 'providerOptions';
const keyOf = (): string => METADATA;
const isCall = (part: Part): boolean => part?.type === 'tool-call' && part.providerExecuted !== true;

function describeAnswer(parts: readonly Part[], blocks: Blocks, itemsMayGo: boolean): void {
  const groups = groupsOf(parts, keyOf, isCall);
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    const group = groups?.[at];
    if (isCall(part)) {
      const isSealed = (part?.[METADATA] ?? undefined) !== undefined;
      blocks.call(part?.toolCallId, part?.toolName, part?.input, atomOf(group, blocks), isSealed);
    } else if (part?.type === 'tool-call' || part?.type === 'tool-result') {
      blocks.opaque(part, joined(serverAtom(part.toolCallId), atomOf(group, blocks), blocks));
    } else describeSaid(part, blocks, METADATA, group, itemsMayGo);
  }
}

/** A result may come in a later message, which knows nothing of the group that its call is in. */
function joined(server: string | undefined, group: Atom | undefined, blocks: Blocks): Atom | undefined {
  if (server !== undefined && group !== undefined) blocks.alias(server, group);
  return group ?? server;
}

function atomOf(group: Group | undefined, blocks: Blocks): Atom | undefined {
  return group && (group.name ?? blocks.ownAtom(group.first));
}

/** What the host answers. */
function describeAnswered(part: Part, blocks: Blocks, at: number): void {
  const { type, toolCallId, toolName, output, approvalId } = part ?? {};
  if (type !== 'tool-result') {
    return blocks.opaque(part, typeof approvalId === 'string' ? approvalAtom(approvalId) : undefined);
  }
  const { type: kind, value, reason } = (output ?? {}) as Bag;
  if (kind === 'execution-denied') return blocks.refusal(toolCallId, toolName, reason);
  const failed = kind === 'error-text' || kind === 'error-json';
  // A list of JSON is no list of parts.
  if (kind !== 'content') return blocks.response(toolCallId, toolName, value, failed);
  describeParted(blocks, PARTED, toolCallId, toolName, value, failed, at);
}

function describeOther(part: Part, blocks: Blocks, atom?: Atom): void {
  if (isMedia(part)) describeMedia(part, blocks, atom);
  else blocks.opaque(part, atom);
}

const PARTED: Parted = { isText, describeOther };

/** What else there is beside texts. */
function othersOf(output: unknown): Part[] {
  const { type, value } = (output ?? {}) as Bag;
  return type === 'content' && Array.isArray(value) ? value.filter((part) => !isText(part)) : [];
}

/** How many blocks a part is. */
function blocksOf(part: AiSdkPartLike | null | undefined, role: string): number {
  const isResult = part?.type === 'tool-result' && role !== 'assistant';
  return isResult ? 1 + othersOf((part as AiSdkPartLike & Bag).output).length : 1;
}

/** Files and images: as data, by a URL or by an id. */
function isMedia(part: Part): part is Bag {
  const type = part?.type;
  return typeof type === 'string' && /^(?:media|(?:file|image)(?:-.*)?)$/.test(type);
}

function edit(message: AiSdkMessageLike, changes: Changes): AiSdkMessageLike | undefined {
  const { content } = message;
  if (typeof content === 'string') {
    const text = changes.get(0);
    if (text === null) return undefined;
    return text === undefined ? message : withChanges(message, { content: text });
  }
  const left: AiSdkPartLike[] = [];
  let number = 0;
  for (const part of content) {
    const change = changes.get(number);
    const blocks = blocksOf(part, message.role);
    const edited = typeof change === 'string' ? withText(part, change) : part;
    if (change !== null) left.push(blocks > 1 ? withoutMediaIn(edited, changes, number) : edited);
    number += blocks;
  }
  return left.length === 0 ? undefined : withChanges(message, { content: left });
}

/** A result with texts instead of media, its block's number given. */
function withoutMediaIn(part: AiSdkPartLike, changes: Changes, number: number): AiSdkPartLike {
  const output = (part as AiSdkPartLike & Bag).output as Bag;
  const value = output.value as readonly unknown[];
  const left = withoutMedia(value, changes, number, instead);
  if (left.every((other, at) => other === value[at])) return part;
  return withChanges(part, { output: withChanges(output, { value: left }) });
}

const instead = (part: unknown, text: string): unknown => insteadOf(part, 'text', text, METADATA);

function withText(part: AiSdkPartLike, text: string): AiSdkPartLike {
  if (isMedia(part as AiSdkPartLike & Bag)) return instead(part, text) as AiSdkPartLike;
  if (part.type === 'text') return withChanges(part, { text });
  if (part.type === 'tool-call') {
    return withChanges(part, { input: shortened((part as AiSdkPartLike & Bag).input, text) });
  }
  if (part.type !== 'tool-result') return part;
  return withChanges(part, { output: withPayload((part as AiSdkPartLike & Bag).output as Bag, text) });
}

/** An output with another text; what is JSON becomes text, a failure stays one. */
function withPayload(output: Bag, text: string): Bag {
  const { type, value } = output;
  if (type === 'content' && Array.isArray(value)) {
    return withChanges(output, { value: withOneText(value, text, METADATA) });
  }
  if (typeof value === 'string') return withChanges(output, { value: text });
  return withChanges(output, { type: type === 'error-json' ? 'error-text' : 'text', value: text });
}

/** A copy of a message whose JSON results have another `output`. */
function editOutputs(message: AiSdkMessageLike, outputs: ReadonlyMap<number, string>): AiSdkMessageLike {
  const parts = message.content as readonly (AiSdkPartLike & Bag)[];
  let number = 0;
  const content = parts.map((part) => {
    const shorter = outputs.get(number);
    number += blocksOf(part, message.role);
    const output = part.output as Bag;
    if (shorter === undefined) return part;
    return withChanges(part, {
      output: withChanges(output, { value: withChanges(output.value as Bag, { output: shorter }) }),
    });
  });
  return withChanges(message, { content });
}
