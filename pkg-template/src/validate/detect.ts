import { isList, isRecord, type JsonRecord } from '../transcripts/json.js';
import type { MessageFormat } from './api.js';
import { formats } from './formats/index.js';
import { fits } from './shape.js';

/** How many messages are looked at. */
const SAMPLE = 200;

/** The types of blocks and items that only one format has, or a few. */
const BLOCKS: ReadonlyMap<unknown, readonly MessageFormat[]> = new Map<unknown, readonly MessageFormat[]>([
  ['tool_use', ['anthropic']],
  ['tool_result', ['anthropic']],
  ['redacted_thinking', ['anthropic']],
  ['server_tool_use', ['anthropic']],
  ['document', ['anthropic']],
  ['image_url', ['openai-chat']],
  ['refusal', ['openai-chat', 'openai-responses', 'openai-agents']],
  ['input_text', ['openai-responses', 'openai-agents']],
  ['output_text', ['openai-responses', 'openai-agents']],
  ['input_image', ['openai-responses', 'openai-agents']],
  ['tool-call', ['ai-sdk', 'ai-sdk-prompt']],
  ['tool-result', ['ai-sdk', 'ai-sdk-prompt']],
  ['reasoning', ['ai-sdk', 'ai-sdk-prompt', 'ai-sdk-ui', 'openai-responses', 'openai-agents']],
  ['toolCall', ['pi']],
]);

/** What must be there for a format to be meant at all: some shapes ask for very little. */
const NEEDS: Readonly<Partial<Record<MessageFormat, (message: unknown) => boolean>>> = {
  gemini: (message) => isRecord(message) && isList(message['parts']) && !message['parts'].some(hasType),
  'ai-sdk-ui': (message) => isRecord(message) && isList(message['parts']),
  densify: (message) => isRecord(message) && isList(message['blocks']),
  // A role and a content are a message of LangChain's too, but then of others' first.
  langchain: (message) => !isRecord(message) || !('role' in message) || 'lc_kwargs' in message,
  pi: (message) =>
    isRecord(message) && ('timestamp' in message || message['role'] === 'toolResult' || message['role'] === 'system'),
  'openai-responses': (message) => isRecord(message) && !('tool_calls' in message) && !('tool_call_id' in message),
  anthropic: (message) => isRecord(message) && !FOREIGN.some((key) => key in message),
  'ai-sdk': (message) => isRecord(message) && !FOREIGN.some((key) => key in message),
  'ai-sdk-prompt': (message) => isRecord(message) && !FOREIGN.some((key) => key in message),
  'openai-chat': (message) => isRecord(message) && !('parts' in message),
};

/** What some message must have for a format to be meant whose messages are else another's. */
const OWN: Readonly<Partial<Record<MessageFormat, (message: unknown) => boolean>>> = {
  'openai-agents': (message) =>
    isRecord(message) &&
    ('callId' in message ||
      'providerData' in message ||
      message['type'] === 'hosted_tool_call' ||
      isAgentsReply(message)),
};

/** A reply as the Agents SDK has it: whole, and its texts without annotations, which the API's own never lack. */
function isAgentsReply({ status, content }: JsonRecord): boolean {
  const isPlain = (part: unknown) => isRecord(part) && part['type'] === 'output_text' && !('annotations' in part);
  return typeof status === 'string' && isList(content) && content.some(isPlain);
}

/** Keys of messages of other formats than Anthropic's and the AI SDK's. */
const FOREIGN = ['tool_calls', 'tool_call_id', 'timestamp', 'parts', 'function_call', 'lc_kwargs', 'call_id'] as const;

/** The detected format of messages. */
type Detection =
  | { readonly kind: 'known'; readonly format: MessageFormat; readonly candidates: readonly MessageFormat[] }
  | { readonly kind: 'ambiguous' | 'unknown'; readonly candidates: readonly MessageFormat[] };

/**
 * What format some messages have, as far as their content tells: the formats whose messages most of them are.
 * `[{ role: 'user', content: 'x' }]` is a message in five formats, so the answer is `ambiguous`.
 *
 * @example
 * const detected = detectFormat(messages);
 * if (detected.kind === 'known') validate(messages, { format: detected.format });
 */
export function detectFormat(messages: readonly unknown[]): Detection {
  if (!isList(messages) || messages.length === 0) return { kind: 'unknown', candidates: [] };
  const sample = messages.slice(0, SAMPLE);
  const marks = marksOf(sample);
  const scores = (Object.keys(formats) as MessageFormat[]).map((format) => ({
    format,
    score: scoreOf(sample, format),
  }));
  const best = Math.max(...scores.map(({ score }) => score));
  if (best === 0) return { kind: 'unknown', candidates: [] };
  const fit = scores.filter(({ score }) => score === best).map(({ format }) => format);
  const marked = fit.filter((format) => marks.has(format));
  const candidates = marked.length > 0 ? marked : fit;
  const [format, ...others] = candidates;
  return format !== undefined && others.length === 0
    ? { kind: 'known', format, candidates }
    : { kind: 'ambiguous', candidates };
}

function scoreOf(sample: readonly unknown[], format: MessageFormat): number {
  const isOwn = OWN[format];
  if (isOwn !== undefined && !sample.some(isOwn)) return 0;
  return sample.filter((message) => isOf(message, format)).length;
}

function isOf(message: unknown, format: MessageFormat): boolean {
  const { shape, shapeOf, wrap } = formats[format];
  try {
    if (NEEDS[format]?.(message) === false) return false;
    const record: JsonRecord | undefined = isRecord(message) ? message : wrap?.(message);
    return record !== undefined && fits(record, shapeOf?.(record) ?? shape);
  } catch {
    return false;
  }
}

/** The formats of which some block or item is a sign. */
function marksOf(sample: readonly unknown[]): Set<MessageFormat> {
  const marks = new Set<MessageFormat>();
  for (const message of sample) {
    try {
      for (const type of typesIn(message)) for (const format of BLOCKS.get(type) ?? []) marks.add(format);
    } catch {
      // What can't be read is no sign.
    }
  }
  return marks;
}

function typesIn(message: unknown): unknown[] {
  if (!isRecord(message)) return [];
  const { content, parts } = message;
  return [content, parts]
    .flatMap((list) => (isList(list) ? list : []))
    .map((block) => (isRecord(block) ? block['type'] : undefined));
}

function hasType(part: unknown): boolean {
  return isRecord(part) && 'type' in part;
}
