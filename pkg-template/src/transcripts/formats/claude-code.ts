/**
 * Sessions of Claude Code: JSONL, one block of a message a line. The lines of an assistant message
 * share its `message.id` and become one content, where the first of them stood; results of tools
 * that ran meanwhile follow it. Lines are read in order, so prompts that were taken back stay. The
 * content that follows a compaction names the earlier ones that the model still saw.
 */
import type { ContentBlock, IContent } from '../../types.js';
import { AnthropicBlocks } from '../anthropic-blocks.js';
import { content, textBlock } from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, isList, isRecord, type JsonRecord, present } from '../json.js';
import { anthropicUsage } from '../usage.js';
import { attachmentText } from './claude-code-attachments.js';

/** Lines that say something about the session and nothing to the model. */
const BOOKKEEPING: ReadonlySet<unknown> = new Set([
  'summary',
  'system',
  'progress',
  'file-history-snapshot',
  'queue-operation',
  'pr-link',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-color',
  'agent-setting',
  'tag',
  'last-prompt',
  'mode',
  'permission-mode',
  'worktree-state',
  'file-history-delta',
  'bridge-session',
  'atis-latch',
  'relocated',
]);

class ClaudeCodeReader implements Reader {
  readonly #log: Log;
  readonly #messages: AnthropicBlocks;
  readonly #contents: IContent[] = [];
  readonly #byMessageId = new Map<string, IContent>();
  /** The contents that a record's `uuid` became, for compactions that keep some. */
  readonly #byUuid = new Map<string, readonly IContent[]>();
  /** The last compaction, until the content that follows it is there. */
  #boundary: Boundary | undefined;
  /** Records that a compaction kept: some logs write them a second time. */
  readonly #kept = new Set<string>();
  readonly #attachments = new Set<IContent>();

  constructor(log: Log) {
    this.#log = log;
    this.#messages = new AnthropicBlocks(log);
  }

  read(record: JsonRecord, line: number): void {
    const { type, message } = record;
    if (record['isSidechain'] === true || this.#kept.has(String(record['uuid']))) return this.#log.skip();
    if ((type === 'user' || type === 'assistant') && isRecord(message)) {
      // Shown to the user only, unless it is the summary that the model goes on with.
      if (record['isVisibleInTranscriptOnly'] === true && record['isCompactSummary'] !== true) return this.#log.skip();
      return type === 'user' ? this.#user(record, message, line) : this.#assistant(record, message, line);
    }
    if (type === 'attachment') return this.#attachment(record, line);
    if (type === 'system' && record['subtype'] === 'compact_boundary') this.#compacted(record);
    if (!BOOKKEEPING.has(type)) this.#log.warn('unknown-record', line);
    this.#log.skip();
  }

  /** The contents; what the host attached while tools ran follows their results, as in Claude Code's requests. */
  finish(): IContent[] {
    const ordered: IContent[] = [];
    const late: IContent[] = [];
    for (const each of this.#contents) {
      if (this.#attachments.has(each)) late.push(each);
      else if (each.speaker === 'tool') ordered.push(each);
      else ordered.push(...late.splice(0), each);
    }
    return [...ordered, ...late];
  }

  #attachment(record: JsonRecord, line: number): void {
    const found = attachmentText(record);
    if (found === 'unknown') this.#log.warn('unknown-record', line);
    if (typeof found === 'string') return this.#log.skip();
    const added = content('human', [textBlock(found.text)], metadata({ ...record, isMeta: true }, {}, undefined));
    this.#attachments.add(added);
    this.#contents.push(added);
    this.#note(added, record);
  }

  #compacted({ compactMetadata: about }: JsonRecord): void {
    const preserved = isRecord(about) ? about['preservedMessages'] : undefined;
    const uuids = isRecord(preserved) && isList(preserved['uuids']) ? preserved['uuids'].map(String) : [];
    const kept = uuids.flatMap((uuid) => this.#byUuid.get(uuid) ?? []).map(({ metadata: of }) => of?.['id']);
    for (const uuid of uuids) if (this.#byUuid.has(uuid)) this.#kept.add(uuid);
    this.#boundary = { kept: [...new Set(kept)] };
  }

  #assistant(record: JsonRecord, message: JsonRecord, line: number): void {
    const blocks = this.#messages.blocks(message['content'], line);
    const id = filled(message['id']);
    const begun = id === undefined ? undefined : this.#byMessageId.get(id);
    if (begun !== undefined) {
      for (const block of blocks) begun.blocks.push(block);
      // The last line of a reply has its final counts.
      Object.assign(begun.metadata ?? {}, present(anthropicUsage(message['usage'])));
      this.#note(begun, record);
      return;
    }
    const added = this.#add('ai', blocks, record, message, line);
    if (added !== undefined && id !== undefined) this.#byMessageId.set(id, added);
  }

  #user(record: JsonRecord, message: JsonRecord, line: number): void {
    for (const { speaker, blocks } of this.#messages.ofUser(message['content'], line)) {
      this.#add(speaker, blocks, record, message, line);
    }
  }

  #add(
    speaker: IContent['speaker'],
    blocks: ContentBlock[],
    record: JsonRecord,
    message: JsonRecord,
    line: number,
  ): IContent | undefined {
    if (blocks.length === 0) {
      this.#log.warn('empty-message', line);
      return undefined;
    }
    const added = content(speaker, blocks, metadata(record, message, this.#boundary));
    this.#boundary = undefined;
    this.#contents.push(added);
    this.#note(added, record);
    return added;
  }

  #note(added: IContent, { uuid }: JsonRecord): void {
    if (typeof uuid === 'string') this.#byUuid.set(uuid, [...(this.#byUuid.get(uuid) ?? []), added]);
  }
}

/** A compaction: the ids of the contents before it that the model still saw. */
interface Boundary {
  readonly kept: readonly unknown[];
}

function metadata(
  record: JsonRecord,
  message: JsonRecord,
  boundary: Boundary | undefined,
): Record<string, unknown> | undefined {
  const flag = (key: string): true | undefined => (record[key] === true ? true : undefined);
  return present({
    id: message['id'] ?? record['uuid'],
    timestamp: record['timestamp'],
    model: message['model'],
    ...anthropicUsage(message['usage']),
    isMeta: flag('isMeta'),
    isSummary: flag('isCompactSummary'),
    isApiError: flag('isApiErrorMessage'),
    // The first content after a compaction: the model's view begins here, followed by the kept contents.
    compactBoundary: boundary === undefined ? undefined : true,
    compactKept: boundary === undefined || boundary.kept.length === 0 ? undefined : boundary.kept,
  });
}

export const claudeCode: Format = {
  name: 'claude-code',
  detect(sample) {
    const { type, message } = sample;
    if (type === 'user' || type === 'assistant') {
      return isRecord(message) && typeof message['role'] === 'string' && 'content' in message;
    }
    if (type === 'summary') return typeof sample['leafUuid'] === 'string';
    if (type === 'file-history-snapshot') return isRecord(sample['snapshot']);
    return BOOKKEEPING.has(type) && typeof sample['sessionId'] === 'string';
  },
  open: (log) => new ClaudeCodeReader(log),
};
