/** Messages of opencode 2: `{role, content}`, in which results have messages of their own. */
import { withChanges } from '../../base/share.js';
import type { Bag } from '../../messages/facts.js';
import { capabilitiesOfTarget } from '../../models/profiles.js';
import { aiSdkPrompt } from '../ai-sdk/format.js';
import type { AiSdkMessageLike } from '../ai-sdk/types.js';
import type { Format } from '../format.js';
import type { OpencodeModelMessageLike, OpencodeOptions } from './types.js';
import { followed, type ViewPart } from './view.js';

type Part = OpencodeModelMessageLike['content'][number];

function formatOf(view: Format<AiSdkMessageLike>): Format<OpencodeModelMessageLike, OpencodeOptions> {
  return {
    name: 'opencode-model',
    options: [],
    refusesBlank: true,
    shortensCalls: true,
    capabilities: capabilitiesOfTarget,
    forTarget: (target) => formatOf(aiSdkPrompt.forTarget!(target)),
    describe: (message, blocks) => {
      if (Array.isArray(message.content)) return view.describe(viewOf(message), blocks);
      blocks.unit('other');
      blocks.opaque(message.content);
    },
    edit: (message, changes) => edit(message, (seen) => view.edit(seen, changes)),
    editOutputs: (message, outputs) => edit(message, (seen) => view.editOutputs!(seen, outputs))!,
    make: (speaker, text) => aiSdkPrompt.make(speaker, text, false) as OpencodeModelMessageLike,
  };
}

export const opencodeModel = formatOf(aiSdkPrompt);

/** The message in the words of the AI SDK. */
function viewOf({
  role,
  content,
}: OpencodeModelMessageLike): AiSdkMessageLike & { readonly content: readonly ViewPart[] } {
  const parts = (content as readonly Bag[]).map((part, at) => seenAs((part ?? {}) as Bag, at));
  return { role: role as AiSdkMessageLike['role'], content: parts };
}

function seenAs(part: Bag, at: number): ViewPart {
  const { type, id, name, result, providerMetadata, mediaType, data, filename } = part;
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  switch (type) {
    case 'text':
      return { type, at, text: part.text, ...options };
    case 'reasoning':
      return { type, at, text: part.text, ...options };
    case 'media':
      return { type: 'file', at, mediaType, data, filename };
    case 'tool-call': {
      const { input, providerExecuted } = part;
      return { type, at, toolCallId: id, toolName: name, input, ...own({ providerExecuted }), ...options };
    }
    case 'tool-result':
      return { type, at, toolCallId: id, toolName: name, output: outputOf((result ?? {}) as Bag), ...options };
    default:
      return { ...part, type: String(type), at };
  }
}

const own = (bag: Bag): Bag => Object.fromEntries(Object.entries(bag).filter(([, value]) => value !== undefined));

/** A result in the words of the AI SDK. */
function outputOf({ type, value }: Bag): Bag {
  if (type !== 'error') return { type, value };
  return { type: typeof value === 'string' ? 'error-text' : 'error-json', value };
}

function edit(
  message: OpencodeModelMessageLike,
  change: (view: AiSdkMessageLike) => AiSdkMessageLike | undefined,
): OpencodeModelMessageLike | undefined {
  const before = viewOf(message);
  const after = change(before);
  if (after === undefined) return undefined;
  const parts = after.content as readonly unknown[] as readonly Bag[];
  return withChanges(message, { content: followed(message.content, before.content, parts, edited) });
}

function edited(part: Part, was: ViewPart, is: Bag): Part {
  if (was.type === 'file') return { type: 'text', text: is.text } as Part;
  if (was.type === 'tool-call') return withChanges(part, { input: is.input });
  if (was.type !== 'tool-result') return withChanges(part, { text: is.text });
  const { type, value } = is.output as Bag;
  const kind = String(type).startsWith('error') ? 'error' : type;
  return withChanges(part, { result: { type: kind, value } });
}
