/**
 * Rollouts of Codex: JSONL of `{timestamp, type, payload}`. Only `response_item`s (items of the Responses API) are
 * the conversation; old rollouts are the bare items. What the model said between two inputs becomes one content.
 * Lines are read in order, also those that a compaction left out of the context. The content after it has
 * `compactBoundary`: from there on stands all that the model still saw, so messages that the compaction kept are
 * there a second time. Codex writes the outcome of a call into its output only.
 */
import { outcomesOf, saysOutcome } from '../../core/outcomes.js';
import type { ContentBlock, IContent } from '../../types.js';
import {
  callBlock,
  content,
  pairingId,
  readArguments,
  readBlocks,
  readOutput,
  responseBlock,
  textBlock,
  unknownBlock,
  urlBlock,
  withRest,
} from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, isList, isRecord, type JsonRecord, present } from '../json.js';
import { usageOfAll } from '../usage.js';

/** Lines, and items of old rollouts, that say nothing to the model. */
const BOOKKEEPING: ReadonlySet<unknown> = new Set([
  'session_meta',
  'event_msg',
  'turn_context',
  'world_state',
  'ghost_snapshot',
  'inter_agent_communication_metadata',
  'token_usage',
]);

/** The keys of a line. */
const ENVELOPE: ReadonlySet<string> = new Set(['timestamp', 'ordinal', 'type', 'payload']);

/** Items that only the provider can read: they are kept as they are. */
const OWN_ITEMS: ReadonlySet<unknown> = new Set(['compaction', 'compaction_summary', 'context_compaction', 'program']);

/** Roles that a speaker stands for need no further mention. */
const SPEAKERS: ReadonlyMap<unknown, IContent['speaker']> = new Map([
  ['user', 'human'],
  ['assistant', 'ai'],
  ['developer', 'human'],
  ['system', 'human'],
]);

/** Also reads what others have of the Responses API. */
export class CodexReader implements Reader {
  readonly #log: Log;
  readonly #contents: IContent[] = [];
  /** The content that goes on with the next item of its speaker. */
  #open: IContent | undefined;
  /** The tools of the calls, by id. */
  readonly #callers = new Map<string, string>();
  #afterBoundary = false;
  /** The model of the turn, which stands in a line of its own. */
  #model: string | undefined;
  /** The newest reply. */
  #reply: IContent | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  read(record: JsonRecord, line: number): void {
    const { type, payload } = record;
    if (type === 'compacted') return this.#compacted(record, line);
    if (isRecord(payload)) this.#about(type, payload);
    // The header of an old rollout, and its notes on the agent's own state.
    const bookkeeping = BOOKKEEPING.has(type) || (type === undefined && isHeader(record)) || 'record_type' in record;
    if (bookkeeping) return this.#log.skip();
    if (type === 'response_item') {
      if (isRecord(payload)) return this.#item(payload, record['timestamp'], line);
    } else if (typeof type === 'string' && !isRecord(payload) && isItem(record)) {
      return this.#item(record, undefined, line);
    } else if (type === undefined && SPEAKERS.has(record['role'])) {
      // Items sent to the API may lack a message's type.
      return this.#item({ type: 'message', ...record }, undefined, line);
    }
    this.#log.warn('unknown-record', line);
    this.#log.skip();
  }

  /** What lines beside the conversation say of it: the model, and the tokens of the newest reply. */
  #about(type: unknown, payload: JsonRecord): void {
    if (type === 'turn_context') this.#model = filled(payload['model']) ?? this.#model;
    const { type: event, info } = payload;
    const last =
      type === 'event_msg' && event === 'token_count' && isRecord(info) ? info['last_token_usage'] : undefined;
    if (!isRecord(last)) return;
    const { input_tokens: all, cached_input_tokens: read, output_tokens: output } = last;
    const usage = usageOfAll(all, read, last['cache_write_input_tokens'], output);
    const reply = this.#reply;
    if (reply !== undefined && usage !== undefined) reply.metadata = { ...reply.metadata, usage };
  }

  finish(): IContent[] {
    return this.#contents;
  }

  #compacted({ payload, timestamp }: JsonRecord, line: number): void {
    this.#afterBoundary = true;
    this.#open = undefined;
    const { message, replacement_history: history } = isRecord(payload) ? payload : {};
    const text = filled(message);
    if (isList(history) && history.length > 0) {
      const before = this.#contents.length;
      for (const item of history) {
        if (isRecord(item)) this.#item({ ...item, id: undefined }, timestamp, line);
        else this.#log.warn('unknown-block', line);
      }
      for (const each of this.#contents.slice(before)) each.metadata = { ...each.metadata, fromCompaction: true };
    } else if (text === undefined) this.#log.skip();
    else this.#add('human', [textBlock(text)], { timestamp, isSummary: true });
    this.#open = undefined;
  }

  #item(item: JsonRecord, timestamp: unknown, line: number): void {
    const { type, role } = item;
    if (type === 'message') {
      const speaker = SPEAKERS.get(role);
      if (speaker === undefined) this.#log.warn('unknown-role', line);
      const blocks = readBlocks(item['content'], translate, this.#log, line);
      if (blocks.length === 0) return this.#log.warn('empty-message', line);
      const plain = role === 'user' || role === 'assistant';
      // A user message is always a content of its own.
      if (speaker !== 'ai') this.#open = undefined;
      return this.#add(speaker ?? 'human', blocks, { id: item['id'], timestamp, role: plain ? undefined : role });
    }
    if (BOOKKEEPING.has(type)) return this.#log.skip();
    if (type === 'agent_message') return this.#agentMessage(item, timestamp, line);
    if (type === 'reasoning') return this.#reasoning(item, timestamp);
    if (hasSuffix(type, '_output')) return this.#response(item, timestamp, line);
    this.#add('ai', [this.#call(item, line)], { timestamp });
  }

  /** What another agent wrote to this one. */
  #agentMessage(item: JsonRecord, timestamp: unknown, line: number): void {
    const blocks = readBlocks(item['content'], translate, this.#log, line);
    if (blocks.length === 0) return this.#log.warn('empty-message', line);
    this.#open = undefined;
    this.#add('human', blocks, { id: item['id'], timestamp, role: 'agent', agent: item['author'] });
    this.#open = undefined;
  }

  /** Reasoning without a word is kept if it has what the provider needs to have back. */
  #reasoning(item: JsonRecord, timestamp: unknown): void {
    const texts = [item['summary'], item['content']]
      .flatMap((parts) => (isList(parts) ? parts : []))
      .flatMap((part) => (isRecord(part) ? (filled(part['text']) ?? []) : []));
    const thought = { type: 'thinking' as const, thought: texts.join('\n\n') };
    if (texts.length === 0 && item['encrypted_content'] === undefined) return this.#log.skip();
    this.#add('ai', [withRest(thought, item, ['summary', 'content'])], { timestamp });
  }

  #call(item: JsonRecord, line: number): ContentBlock {
    const { type, name, call_id: id } = item;
    // Calls that the provider answers itself have no response in the log.
    if (!hasSuffix(type, '_call') || typeof id !== 'string') {
      const known = hasSuffix(type, '_call') || OWN_ITEMS.has(type);
      if (!known) this.#log.warn('unknown-block', line);
      return unknownBlock(item);
    }
    const called = filled(name) ?? type.slice(0, -'_call'.length);
    this.#callers.set(id, called);
    return withRest(callBlock(id, called, parameters(item)), item, ['arguments', 'input', 'action']);
  }

  #response(item: JsonRecord, timestamp: unknown, line: number): void {
    const { output = item['tools'] } = item;
    const { result, others } = readOutput(outputOf(output), translate, this.#log, line);
    const id = pairingId(item['call_id'], this.#log, line);
    const failed = typeof result === 'string' && saysOutcome(outcomesOf(this.#callers.get(id) ?? ''), result);
    const response = responseBlock(id, undefined, result, failed);
    this.#open = undefined;
    this.#add('tool', [response, ...others], { timestamp });
  }

  #add(speaker: IContent['speaker'], blocks: ContentBlock[], about: JsonRecord): void {
    if (this.#open?.speaker === speaker) {
      for (const block of blocks) this.#open.blocks.push(block);
      return;
    }
    const compactBoundary = this.#afterBoundary ? true : undefined;
    this.#afterBoundary = false;
    const model = speaker === 'ai' ? this.#model : undefined;
    const added = content(speaker, blocks, present({ ...about, model, compactBoundary }));
    this.#contents.push(added);
    this.#open = added;
    if (speaker === 'ai') this.#reply = added;
  }
}

function hasSuffix(type: unknown, suffix: string): type is string {
  return typeof type === 'string' && type.endsWith(suffix);
}

/** Old rollouts begin with what a `session_meta` holds now. */
function isHeader(record: JsonRecord): boolean {
  return typeof record['id'] === 'string' && typeof record['timestamp'] === 'string' && 'instructions' in record;
}

function isItem({ type, content: said, call_id: id, summary }: JsonRecord): boolean {
  if (type === 'message') return isList(said) && said.some(isResponsesPart);
  return type === 'reasoning' ? isList(summary) : typeof id === 'string';
}

/** Whether a part is one that no other format has in its messages. */
export function isResponsesPart(part: unknown): boolean {
  return isRecord(part) && hasPartType(part);
}

function parameters({ arguments: given, input, action }: JsonRecord): unknown {
  return readArguments(given) ?? (typeof input === 'string' ? { input } : (input ?? action));
}

/** An output of unknown shape is a result of its own, not a list of blocks. */
function outputOf(output: unknown): unknown {
  return isList(output) && !output.every((part) => isRecord(part) && hasPartType(part)) ? { output } : output;
}

function hasPartType({ type }: JsonRecord): boolean {
  return type === 'input_text' || type === 'output_text' || type === 'input_image' || type === 'input_file';
}

function translate(part: JsonRecord): ContentBlock | undefined {
  const { type, text, image_url: url } = part;
  if ((type === 'input_text' || type === 'output_text') && typeof text === 'string') {
    return withRest({ type: 'text' as const, text }, part, ['text']);
  }
  // Only the provider can read it.
  if (type === 'encrypted_content') return unknownBlock(part);
  return type === 'input_image' && typeof url === 'string' ? urlBlock(url, 'image/*') : undefined;
}

export const codex: Format = {
  name: 'codex',
  detect(sample) {
    const { type, payload } = sample;
    if (type === undefined) return isHeader(sample);
    if (!isRecord(payload)) return type === 'message' && isItem(sample);
    // No other agent has records of this shape, so new types are known, too.
    const isNamed = typeof payload['type'] === 'string' || typeof sample['timestamp'] === 'string';
    return isNamed && typeof type === 'string' && Object.keys(sample).every((key) => ENVELOPE.has(key));
  },
  open: (log) => new CodexReader(log),
};
