/** `UIMessage` of the AI SDK: what `useChat` keeps. One message spans all steps of an answer. */

import { withChanges } from '../../base/share.js';
import { shortened } from '../../messages/arguments.js';
import type { Bag } from '../../messages/facts.js';
import { capabilitiesOfTarget, familyOf } from '../../models/profiles.js';
import type { Blocks, Changes, Format } from '../format.js';
import { insteadOf, type Part } from '../parts.js';
import { type Group, groupsOf } from './groups.js';
import { describeMedia, describeSaid } from './parts.js';
import type { AiSdkOptions, AiSdkPartLike, AiSdkUiMessageLike } from './types.js';

function formatOf(itemsMayGo: boolean): Format<AiSdkUiMessageLike, AiSdkOptions> {
  return {
    name: 'ai-sdk-ui',
    carrier: 'parts',
    options: [],
    refusesBlank: true,
    shortensCalls: true,
    capabilities: capabilitiesOfTarget,
    forTarget: (target) => (familyOf(target) === 'openai' ? aiSdkUiOfOpenAi : aiSdkUi),
    describe: (message, blocks) => describe(message, blocks, itemsMayGo),
    edit,
    editOutputs,
    make: (speaker, text) => {
      const role = speaker === 'ai' ? 'assistant' : 'user';
      return { id: idOf(role, text), role, parts: [{ type: 'text', text }] };
    },
  };
}

export const aiSdkUi = formatOf(false);
const aiSdkUiOfOpenAi = formatOf(true);

/** An id that the same message has again: stores know messages by their ids. */
function idOf(role: string, text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `densify-${role}-${(hash >>> 0).toString(16)}-${text.length}`;
}

/** Where the step ends that begins at an index. */
function endOf(parts: readonly Part[], from: number): number {
  let at = from;
  while (at < parts.length && parts[at]?.type !== 'step-start') at += 1;
  return at;
}

/** Marks of sources are for the user's eyes, no model gets them. */
function isShown(part: Part): boolean {
  return part?.type === 'source-url' || part?.type === 'source-document';
}

/** Whether a part is a call of a tool of the host, complete at least in its input. */
function isCall(part: Part): part is Bag & { readonly state: string } {
  const { type, state, providerExecuted } = part ?? {};
  const isTool = typeof type === 'string' && (type === 'dynamic-tool' || type.startsWith('tool-'));
  return isTool && typeof state === 'string' && state !== 'input-streaming' && providerExecuted !== true;
}

/** Whether the call of a part is answered, for good. */
function isDone(part: Part): boolean {
  return isCall(part) && part.state.startsWith('output-') && part.preliminary !== true;
}

/** Where there are none at all it doesn't matter where they would be. */
function keyOf(part: Part): string {
  const hasNone = part?.callProviderMetadata === undefined && part?.providerMetadata === undefined;
  return !hasNone && isCall(part) ? 'callProviderMetadata' : 'providerMetadata';
}

function describe({ role, parts }: AiSdkUiMessageLike, blocks: Blocks, itemsMayGo: boolean): void {
  if (!Array.isArray(parts)) {
    blocks.unit('other');
    return blocks.opaque(parts);
  }
  if (role !== 'assistant') {
    blocks.unit(role === 'user' ? 'human' : 'other');
    for (const part of parts as readonly Part[]) describeAsked(part, blocks);
    return;
  }
  describeAnswer(parts as readonly Part[], blocks, itemsMayGo);
}

/** Of each step what the model says, then the results of its calls. */
function describeAnswer(parts: readonly Part[], blocks: Blocks, itemsMayGo: boolean): void {
  const groups = groupsOf(parts, keyOf, isCall);
  let isEmpty = true;
  for (let from = 0, end = 0; from < parts.length; from = end + 1) {
    end = endOf(parts, from);
    let [hasWords, hasResults] = [false, false];
    for (let at = from; at < end; at += 1) {
      const part = parts[at];
      if (isShown(part)) continue;
      if (!hasWords) blocks.unit('ai');
      hasWords = true;
      if (!isCall(part)) describeSaid(part, blocks, keyOf(part), groups?.[at], itemsMayGo);
      else {
        describeCall(at, part, blocks, groups?.[at]);
        hasResults ||= isDone(part);
      }
    }
    if (hasResults) blocks.unit('tool');
    for (let at = from; at < end && hasResults; at += 1) {
      if (isDone(parts[at])) describeResult(at, parts[at] as Bag, blocks, groups?.[at]);
    }
    isEmpty &&= !hasWords;
  }
  if (isEmpty) blocks.unit('ai');
}

function describeAsked(part: Part, blocks: Blocks): void {
  if (part?.type === 'text') blocks.text(part.text);
  else if (part?.type === 'file') describeMedia(part, blocks);
  else blocks.opaque(part);
}

function describeCall(at: number, part: Part, blocks: Blocks, group: Group | undefined): void {
  const isSealed = (part?.[keyOf(part)] ?? undefined) !== undefined;
  blocks.call(part?.toolCallId, toolOf(part), part?.input, blocks.ownAtom(group?.first ?? at), isSealed);
}

function toolOf(part: Part): unknown {
  return part?.type === 'dynamic-tool' ? part.toolName : String(part?.type).slice('tool-'.length);
}

function describeResult(at: number, part: Bag, blocks: Blocks, group: Group | undefined): void {
  const { toolCallId: id, state, output, errorText } = part;
  const failed = state !== 'output-available';
  const atom = blocks.ownAtom(group?.first ?? at);
  const { approved, reason } = (part.approval ?? {}) as Bag;
  if (state === 'output-denied' && approved === false) return blocks.refusal(id, toolOf(part), reason, atom);
  const result = state === 'output-error' ? errorText : failed ? undefined : output;
  blocks.response(id, toolOf(part), result, failed, atom);
}

/**
 * The blocks of a message, in the order in which they are said: of each the index of its part, and of the result in a part
 * that holds a call and its result the complement of that.
 */
function slotsOf({ role, parts }: AiSdkUiMessageLike): number[] {
  const list: readonly Part[] = parts as readonly unknown[] as readonly Part[];
  if (role !== 'assistant') return [...list.keys()];
  const slots: number[] = [];
  for (let from = 0, end = 0; from < list.length; from = end + 1) {
    end = endOf(list, from);
    for (let at = from; at < end; at += 1) if (!isShown(list[at])) slots.push(at);
    for (let at = from; at < end; at += 1) if (isDone(list[at])) slots.push(~at);
  }
  return slots;
}

function edit(message: AiSdkUiMessageLike, changes: Changes): AiSdkUiMessageLike | undefined {
  const slots = slotsOf(message);
  const edited: (AiSdkPartLike | undefined)[] = [...message.parts];
  let left = 0;
  for (let number = 0; number < slots.length; number += 1) {
    const slot = slots[number]!;
    const at = slot < 0 ? ~slot : slot;
    if (slot >= 0) left += 1;
    const change = changes.get(number);
    const part = edited[at];
    if (change === undefined || part === undefined) continue;
    if (change === null) left -= 1;
    edited[at] = change === null ? undefined : withText(part, change, slot < 0);
  }
  if (left === 0) return undefined;
  return withChanges(message, { parts: edited.filter((part) => part !== undefined) });
}

/** A copy of a message whose results have another `output`. */
function editOutputs(message: AiSdkUiMessageLike, outputs: ReadonlyMap<number, string>): AiSdkUiMessageLike {
  const parts: (AiSdkPartLike & Bag)[] = [...message.parts] as (AiSdkPartLike & Bag)[];
  slotsOf(message).forEach((slot, number) => {
    const output = outputs.get(number);
    const at = slot < 0 ? ~slot : slot;
    const part = parts[at];
    if (output === undefined || part === undefined) return;
    parts[at] = withChanges(part, { output: withChanges(part.output as Bag, { output }) });
  });
  return withChanges(message, { parts });
}

function withText(part: AiSdkPartLike, text: string, isResult: boolean): AiSdkPartLike {
  if (!isResult && isCall(part as AiSdkPartLike & Bag)) {
    return withChanges(part, { input: shortened((part as AiSdkPartLike & Bag).input, text) });
  }
  if (part.type === 'file') return insteadOf(part, 'text', text, 'providerMetadata') as Bag & AiSdkPartLike;
  if (!isResult) return part.type === 'text' ? withChanges(part, { text }) : part;
  const { state } = part as AiSdkPartLike & Bag;
  return withChanges(part, state === 'output-error' ? { errorText: text } : { output: text });
}
