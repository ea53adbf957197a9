/** `UIMessage` of the AI SDK: what `useChat` keeps. One message spans all steps of an answer. */
import { shortened } from '../../arguments.js';
import type { Bag } from '../../facts.js';
import { withChanges } from '../../share.js';
import type { Blocks, Changes, Format } from '../format.js';
import { capabilitiesOfTarget, familyOf } from '../profiles.js';
import type { Part } from '../parts.js';
import { groupsOf, type Group } from './groups.js';
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

/** A block of a message: a part, or the result in a part that holds a call and its result. */
interface Slot {
  readonly at: number;
  readonly part: Part;
  readonly isResult: boolean;
}

/** What a step holds: what the model says, then the results of its calls. */
interface Step {
  readonly said: Slot[];
  readonly results: Slot[];
}

/** The steps of an answer. Marks of steps and sources are for the user's eyes, no model gets them. */
function stepsOf(parts: readonly Part[]): Step[] {
  const steps: Step[] = [];
  let step: Step | undefined;
  parts.forEach((part, at) => {
    const type = part?.type;
    if (type === 'step-start') step = undefined;
    if (type === 'step-start' || type === 'source-url' || type === 'source-document') return;
    if (step === undefined) steps.push((step = { said: [], results: [] }));
    step.said.push({ at, part, isResult: false });
    if (isDone(part)) step.results.push({ at, part, isResult: true });
  });
  return steps;
}

/** Whether a part is a call of a tool of the host, complete at least in its input. */
function isCall(part: Part): boolean {
  const { type, state, providerExecuted } = part ?? {};
  const isTool = typeof type === 'string' && (type === 'dynamic-tool' || type.startsWith('tool-'));
  return isTool && typeof state === 'string' && state !== 'input-streaming' && providerExecuted !== true;
}

/** Whether the call of a part is answered, for good. */
function isDone(part: Part): boolean {
  return isCall(part) && String(part?.state).startsWith('output-') && part?.preliminary !== true;
}

const keyOf = (part: Part): string => (isCall(part) ? 'callProviderMetadata' : 'providerMetadata');

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
  const groups = groupsOf(parts as readonly Part[], keyOf, isCall);
  const steps = stepsOf(parts as readonly Part[]);
  if (steps.length === 0) blocks.unit('ai');
  for (const { said, results } of steps) {
    blocks.unit('ai');
    for (const slot of said) describeSlot(slot, blocks, groups?.[slot.at], itemsMayGo);
    if (results.length > 0) blocks.unit('tool');
    for (const slot of results) describeResult(slot, blocks, groups?.[slot.at]);
  }
}

function describeAsked(part: Part, blocks: Blocks): void {
  if (part?.type === 'text') blocks.text(part.text);
  else if (part?.type === 'file') describeMedia(part, blocks);
  else blocks.opaque(part);
}

function describeSlot({ at, part }: Slot, blocks: Blocks, group: Group | undefined, itemsMayGo: boolean): void {
  if (!isCall(part)) return describeSaid(part, blocks, { key: keyOf(part), group, itemsMayGo });
  const isSealed = (part?.[keyOf(part)] ?? undefined) !== undefined;
  blocks.call(part?.toolCallId, toolOf(part), part?.input, blocks.own(group?.first ?? at), isSealed);
}

function toolOf(part: Part): unknown {
  return part?.type === 'dynamic-tool' ? part.toolName : String(part?.type).slice('tool-'.length);
}

function describeResult({ at, part }: Slot, blocks: Blocks, group: Group | undefined): void {
  const { toolCallId: id, state, output, errorText } = part as Bag;
  const failed = state !== 'output-available';
  const result = state === 'output-error' ? errorText : failed ? undefined : output;
  blocks.response(id, toolOf(part), result, failed, blocks.own(group?.first ?? at));
}

/** The blocks of a message, in the order in which they are said. */
function slotsOf({ role, parts }: AiSdkUiMessageLike): Slot[] {
  const list: readonly Part[] = parts as readonly unknown[] as readonly Part[];
  if (role !== 'assistant') return list.map((part, at) => ({ at, part, isResult: false }));
  return stepsOf(list).flatMap(({ said, results }) => [...said, ...results]);
}

function edit(message: AiSdkUiMessageLike, changes: Changes): AiSdkUiMessageLike | undefined {
  const slots = slotsOf(message);
  const edited: (AiSdkPartLike | undefined)[] = [...message.parts];
  let left = new Set(slots.map(({ at }) => at)).size;
  slots.forEach(({ at, isResult }, number) => {
    const change = changes.get(number);
    const part = edited[at];
    if (change === undefined || part === undefined) return;
    if (change === null) left -= 1;
    edited[at] = change === null ? undefined : withText(part, change, isResult);
  });
  if (left === 0) return undefined;
  return withChanges(message, { parts: edited.filter((part) => part !== undefined) });
}

/** A copy of a message whose results have another `output`. */
function editOutputs(message: AiSdkUiMessageLike, outputs: ReadonlyMap<number, string>): AiSdkUiMessageLike {
  const parts: (AiSdkPartLike & Bag)[] = [...message.parts] as (AiSdkPartLike & Bag)[];
  slotsOf(message).forEach(({ at }, number) => {
    const output = outputs.get(number);
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
  if (!isResult) return part.type === 'text' ? withChanges(part, { text }) : part;
  const { state } = part as AiSdkPartLike & Bag;
  return withChanges(part, state === 'output-error' ? { errorText: text } : { output: text });
}
