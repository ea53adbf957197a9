/** Entries of `contents` of Gemini's API. */

import { withChanges } from '../../base/share.js';
import { shortened } from '../../messages/arguments.js';
import { type Bag, mediaSize } from '../../messages/facts.js';
import { capabilitiesOf } from '../../models/profiles.js';
import { besideMedia } from '../beside-media.js';
import type { Atom, Blocks, Changes, Format, Speaker } from '../format.js';
import { contentsOf, schemaOf, settingsOf, systemOf, toolsOf } from './request.js';
import type { GeminiContentLike, GeminiOptions, GeminiPartLike } from './types.js';

export const gemini: Format<GeminiContentLike, GeminiOptions> = {
  name: 'gemini',
  carrier: 'parts',
  family: 'gemini',
  options: ['generation'],
  refusesBlank: true,
  shortensCalls: true,
  request: {
    key: 'contents',
    messages: contentsOf,
    system: (request) => systemOf(settingsOf(request)),
    tools: toolsOf,
    schema: schemaOf,
  },
  capabilities: (options) => capabilitiesOf('gemini', options),
  describe,
  edit,
  editOutputs,
  make: (speaker, text) => ({ role: speaker === 'ai' ? 'model' : 'user', parts: [{ text }] }),
};

/** What was said of an entry's parts so far. */
interface Count {
  calls: number;
  responses: number;
  codes: number;
}

function describe({ role, parts }: GeminiContentLike, blocks: Blocks): void {
  const speaker = speakerOf(role);
  if (!Array.isArray(parts)) {
    blocks.unit(parts === undefined ? speaker : 'other');
    if (parts !== undefined) blocks.opaque(parts);
    return;
  }
  const count: Count = { calls: 0, responses: 0, codes: 0 };
  let current: Speaker | undefined;
  for (const part of parts as readonly (Bag | null | undefined)[]) {
    const next = partSpeaker(part, speaker, current);
    if (next !== current) blocks.unit((current = next));
    describePart(part, blocks, count, next !== 'tool');
  }
  if (current !== undefined) return;
  // A message of nothing stands where it stands: what would follow it can't.
  blocks.unit(speaker);
  blocks.opaque(parts);
}

function speakerOf(role: unknown): Speaker {
  if (role === 'model') return 'ai';
  // The role of responses in older code.
  if (role === 'function') return 'tool';
  return role === 'user' || role === undefined ? 'human' : 'other';
}

/** Tool results, and media that the host adds to them, are not the user's words, although they share an entry. */
function partSpeaker(part: Bag | null | undefined, speaker: Speaker, current: Speaker | undefined): Speaker {
  if (speaker !== 'human') return speaker;
  if (part?.functionResponse !== undefined) return 'tool';
  return current === 'tool' && part?.text === undefined ? 'tool' : 'human';
}

/** What stands between results is theirs: a text there would be words of the user. */
function describePart(part: Bag | null | undefined, blocks: Blocks, count: Count, mayBeText: boolean): void {
  if (part?.functionCall !== undefined) return describeCall(part, blocks, count);
  if (part?.functionResponse !== undefined) return describeResponse(part.functionResponse as Bag, blocks, count);
  if (part?.text !== undefined) return part.thought === true ? blocks.thinking(part.text) : blocks.text(part.text);
  if (part?.inlineData !== undefined || part?.fileData !== undefined) {
    return describeMedia(part, blocks, undefined, mayBeText);
  }
  if (part?.executableCode !== undefined) {
    return blocks.code((part.executableCode as Bag).code, blocks.own(`code ${count.codes}`));
  }
  if (part?.codeExecutionResult !== undefined) {
    count.codes += 1;
    return blocks.code((part.codeExecutionResult as Bag).output ?? '', blocks.own(`code ${count.codes - 1}`));
  }
  blocks.opaque(part);
}

/**
 * Calls of one entry stay together: only the first of parallel calls has the signature, and the number of
 * responses must be that of the calls. Without ids responses belong to the calls of the entry before them,
 * in their order.
 */
function describeCall({ functionCall, thoughtSignature }: Bag, blocks: Blocks, count: Count): void {
  const { id, name, args } = functionCall as Bag;
  const isSealed = thoughtSignature !== undefined;
  blocks.call(id ?? blocks.own(`call ${count.calls}`), name, args ?? {}, blocks.ownAtom(0), isSealed);
  count.calls += 1;
}

function describeResponse({ id, name, response, parts }: Bag, blocks: Blocks, count: Count): void {
  const call = id ?? blocks.own(`call ${count.responses}`, 1);
  const others = Array.isArray(parts) && parts.length > 0;
  const atom = others ? blocks.own(`response ${count.responses}`) : undefined;
  count.responses += 1;
  blocks.response(call, name, payloadOf(response), hasFailed(response), atom);
  if (others) for (const part of parts as readonly Bag[]) describeMedia(part, blocks, atom);
}

/** The output, if the payload holds nothing else. */
function payloadOf(response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return response;
  let only: string | undefined;
  for (const key in response) {
    if (!Object.hasOwn(response, key)) continue;
    if (only !== undefined) return response;
    only = key;
  }
  return only === 'output' || only === 'result' ? (response as Bag)[only] : response;
}

function hasFailed(response: unknown): boolean {
  return Boolean((response as Bag | null | undefined)?.error);
}

/** Within a response there is no place for a text. */
function describeMedia(part: Bag | null | undefined, blocks: Blocks, atom?: Atom, mayBeText = false): void {
  const { inlineData, fileData } = part ?? {};
  if (inlineData === undefined && fileData === undefined) return blocks.opaque(part, atom);
  const { mimeType, displayName, data, fileUri } = (inlineData ?? fileData) as Bag;
  blocks.media(
    mimeType,
    mediaSize(data ?? 0, blocks.images),
    displayName,
    atom,
    mayBeText ? (data ?? fileUri) : undefined,
    besideMedia({ ...part, ...((inlineData ?? fileData) as Bag) }),
  );
}

/** How many blocks a part is. */
function blocksIn(part: GeminiPartLike | null | undefined): number {
  const { parts } = ((part as Bag | null | undefined)?.functionResponse ?? {}) as Bag;
  return 1 + (Array.isArray(parts) ? parts.length : 0);
}

function edit(content: GeminiContentLike, changes: Changes): GeminiContentLike | undefined {
  return edited(content, (part, number) => {
    const change = changes.get(number);
    if (change === null) return undefined;
    return change === undefined ? part : withText(part, change);
  });
}

function editOutputs(content: GeminiContentLike, outputs: ReadonlyMap<number, string>): GeminiContentLike {
  return (
    edited(content, (part, number) => {
      const output = outputs.get(number);
      return output === undefined ? part : withPayload(part, (response) => withChanges(response, { output }));
    }) ?? content
  );
}

/** An entry with other parts; `undefined` if none is left. */
function edited(
  content: GeminiContentLike,
  change: (part: GeminiPartLike, number: number) => GeminiPartLike | undefined,
): GeminiContentLike | undefined {
  const left: GeminiPartLike[] = [];
  let number = 0;
  for (const part of content.parts ?? []) {
    const changed = change(part, number);
    number += blocksIn(part);
    if (changed !== undefined) left.push(changed);
  }
  return left.length === 0 ? undefined : withChanges(content, { parts: left });
}

function withText(part: GeminiPartLike, text: string): GeminiPartLike {
  const { functionCall, functionResponse, inlineData, fileData } = part as Bag;
  if (inlineData !== undefined || fileData !== undefined) return { text };
  if (functionCall !== undefined) {
    const { args } = functionCall as Bag;
    return withChanges(part as Bag, {
      functionCall: withChanges(functionCall as Bag, { args: shortened(args, text) }),
    });
  }
  if (functionResponse === undefined) return withChanges(part as Bag, { text });
  return withPayload(part, (response) => {
    if (typeof response.output === 'string') return withChanges(response, { output: text });
    return 'result' in response && !('output' in response) ? { result: text } : { output: text };
  });
}

function withPayload(part: GeminiPartLike, change: (response: Bag) => Bag): GeminiPartLike {
  const functionResponse = (part as Bag).functionResponse as Bag;
  const response = change((functionResponse.response ?? {}) as Bag);
  return withChanges(part as Bag, { functionResponse: withChanges(functionResponse, { response }) });
}
