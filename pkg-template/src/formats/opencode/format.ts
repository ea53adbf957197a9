/** Messages of opencode 1: `{info, parts}`, in which a call and its result are one part. */
import { withChanges } from '../../base/share.js';
import type { Bag } from '../../messages/facts.js';
import { capabilitiesOfTarget, familyOf } from '../../models/profiles.js';
import type { AiSdkUiMessageLike } from '../ai-sdk/types.js';
import { aiSdkUi } from '../ai-sdk/ui.js';
import type { Format } from '../format.js';
import type { OpencodeMessageLike, OpencodeOptions, OpencodePartLike } from './types.js';
import { followed, unsent, type ViewPart } from './view.js';

function formatOf(view: Format<AiSdkUiMessageLike>): Format<OpencodeMessageLike, OpencodeOptions> {
  return {
    name: 'opencode',
    carrier: 'parts',
    options: [],
    refusesBlank: true,
    shortensCalls: true,
    capabilities: capabilitiesOfTarget,
    forTarget: (target) => (familyOf(target) === 'openai' ? opencodeOfOpenAi : opencode),
    describe: (message, blocks) => {
      if (Array.isArray(message.parts)) return view.describe(viewOf(message), blocks);
      blocks.unit('other');
      blocks.opaque(message.parts);
    },
    edit: (message, changes) => edit(message, (seen) => view.edit(seen, changes)),
    editOutputs: (message, outputs) => edit(message, (seen) => view.editOutputs!(seen, outputs))!,
    make,
  };
}

export const opencode = formatOf(aiSdkUi);
const opencodeOfOpenAi = formatOf(aiSdkUi.forTarget!({ provider: 'openai' }));

function make(speaker: 'human' | 'ai', text: string): OpencodeMessageLike {
  const { id } = aiSdkUi.make(speaker, text, false);
  const role = speaker === 'ai' ? 'assistant' : 'user';
  const info = { id, sessionID: '', role, time: { created: 0 } };
  return { info, parts: [{ id: `${id}-text`, sessionID: '', messageID: id, type: 'text', text }] };
}

/** The message as opencode says it to the AI SDK. */
function viewOf({ info, parts }: OpencodeMessageLike): AiSdkUiMessageLike & { readonly parts: readonly ViewPart[] } {
  const { role, error } = (info ?? {}) as Bag;
  const isAnswer = role === 'assistant';
  // An answer that failed is not sent, unless the user stopped it.
  const isLost = isAnswer && error !== undefined && (error as Bag | null)?.name !== 'MessageAbortedError';
  const say = isLost ? (_: unknown, at: number) => unsent(at) : isAnswer ? answered : asked;
  const said = (parts as readonly object[] as readonly Bag[]).map((part, at) => say((part ?? {}) as Bag, at));
  return { id: '', role: isAnswer ? 'assistant' : role === 'user' ? 'user' : 'system', parts: said };
}

/** A part of what the user says. */
function asked({ type, text, ignored, mime, url, filename }: Bag, at: number): ViewPart {
  if (type === 'text') return { type, at, text: ignored === true ? '' : text };
  if (type !== 'file') return { type: SENT.has(type) ? `data-${String(type)}` : 'text', at, text: '' };
  // Texts and folders come as texts of their own.
  if (mime === 'text/plain' || mime === 'application/x-directory') return { type: 'text', at, text: '' };
  return { type, at, url, mediaType: mime, filename };
}

/** Parts for which opencode says a sentence of its own. */
const SENT: ReadonlySet<unknown> = new Set(['compaction', 'subtask']);

/** A part of an answer. */
function answered(part: Bag, at: number): ViewPart {
  const { type, text, metadata } = part;
  if (type === 'text' || type === 'reasoning') return { type, at, text, ...named('providerMetadata', metadata) };
  if (type === 'step-start') return { type, at };
  return type === 'tool' ? called(part, at) : unsent(at);
}

function called({ callID, tool, metadata, state }: Bag, at: number): ViewPart {
  const { providerExecuted, ...others } = (metadata ?? {}) as Bag;
  const kept = Object.keys(others).length > 0 ? others : undefined;
  const { input } = (state ?? {}) as Bag;
  return {
    type: 'dynamic-tool',
    at,
    toolCallId: callID,
    toolName: tool,
    input,
    ...(providerExecuted === undefined ? {} : { providerExecuted }),
    ...named('callProviderMetadata', kept),
    ...outcomeOf((state ?? {}) as Bag),
  };
}

const named = (key: string, value: unknown): Bag => (value === undefined ? {} : { [key]: value });

/** What opencode says of a result that it cleared itself. */
const CLEARED = '[Old tool result content cleared]';

/** What came of a call. */
function outcomeOf(state: Bag): Bag {
  const { status, output, error, attachments, time } = state;
  if (status === 'completed') {
    const isCleared = ((time ?? {}) as Bag).compacted !== undefined;
    const media = !isCleared && Array.isArray(attachments) ? (attachments as readonly Bag[]) : [];
    const text = isCleared ? CLEARED : output;
    // Media are told by their types: their data are not text that a model reads.
    const held = media.length === 0 ? text : { output: text, attachments: media.map((file) => file?.mime) };
    return { state: 'output-available', output: held };
  }
  const partial = partialOf(state);
  if (partial !== undefined) return { state: 'output-available', output: partial };
  // For a call without a result opencode says a sentence of its own, which nothing can replace.
  return status === 'error' ? { state: 'output-error', errorText: error } : { state: 'output-denied' };
}

/** What a command had printed when the user stopped it. */
function partialOf({ status, metadata }: Bag): string | undefined {
  const { interrupted, output } = (metadata ?? {}) as Bag;
  return status === 'error' && interrupted === true && typeof output === 'string' ? output : undefined;
}

/** A message after an edit of what the SDK gets of it. */
function edit(
  message: OpencodeMessageLike,
  change: (view: AiSdkUiMessageLike) => AiSdkUiMessageLike | undefined,
): OpencodeMessageLike | undefined {
  const before = viewOf(message);
  const after = change(before);
  if (after === undefined) return undefined;
  const parts = after.parts as readonly unknown[] as readonly Bag[];
  return withChanges(message, { parts: followed(message.parts, before.parts, parts, edited) });
}

function edited(part: OpencodePartLike, was: ViewPart, is: Bag): OpencodePartLike {
  if (part.type === 'file') {
    const { id, sessionID, messageID } = part;
    return { id, sessionID, messageID, type: 'text', text: is.text };
  }
  if (part.type !== 'tool') return withChanges(part, { text: is.text });
  const state = part.state as Bag;
  const input = is.input === was.input ? {} : { input: is.input };
  return withChanges(part, { state: withChanges(state, { ...input, ...resultOf(state, was, is) }) });
}

/** The keys of a state that hold the result, with another one. */
function resultOf(state: Bag, was: ViewPart, is: Bag): Bag {
  if (is.errorText !== was.errorText) return { error: is.errorText };
  if (is.output === was.output) return {};
  const text = typeof is.output === 'string' ? is.output : (is.output as Bag).output;
  if (partialOf(state) !== undefined) return { metadata: withChanges(state.metadata as object, { output: text }) };
  // A text instead of the whole result stands for its files, too.
  return typeof is.output === 'string' && state.attachments !== undefined
    ? { output: text, attachments: [] }
    : { output: text };
}
