/**
 * Sessions of Claude Code: JSONL, one block of a message a line. The lines of an assistant message
 * share its `message.id` and become one content, where the first of them stood; results of tools
 * that ran meanwhile follow it. Lines are read in order, so prompts that were taken back stay.
 */
import type { ContentBlock, IContent } from '../../types.js';
import { AnthropicBlocks } from '../anthropic-blocks.js';
import { content } from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, isRecord, type JsonRecord, present } from '../json.js';

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
]);

class ClaudeCodeReader implements Reader {
  readonly #log: Log;
  readonly #messages: AnthropicBlocks;
  readonly #contents: IContent[] = [];
  readonly #byMessageId = new Map<string, IContent>();
  #afterBoundary = false;

  constructor(log: Log) {
    this.#log = log;
    this.#messages = new AnthropicBlocks(log);
  }

  read(record: JsonRecord, line: number): void {
    const { type, message } = record;
    if (record['isSidechain'] === true) return this.#log.skip();
    if ((type === 'user' || type === 'assistant') && isRecord(message)) {
      // Shown to the user only, unless it is the summary that the model goes on with.
      if (record['isVisibleInTranscriptOnly'] === true && record['isCompactSummary'] !== true) return this.#log.skip();
      return type === 'user' ? this.#user(record, message, line) : this.#assistant(record, message, line);
    }
    if (type === 'system' && record['subtype'] === 'compact_boundary') this.#afterBoundary = true;
    if (!BOOKKEEPING.has(type)) this.#log.warn('unknown-record', line);
    this.#log.skip();
  }

  finish(): IContent[] {
    return this.#contents;
  }

  #assistant(record: JsonRecord, message: JsonRecord, line: number): void {
    const blocks = this.#messages.blocks(message['content'], line);
    const id = filled(message['id']);
    const begun = id === undefined ? undefined : this.#byMessageId.get(id);
    if (begun !== undefined) {
      for (const block of blocks) begun.blocks.push(block);
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
    const added = content(speaker, blocks, metadata(record, message, this.#afterBoundary));
    this.#afterBoundary = false;
    this.#contents.push(added);
    return added;
  }
}

function metadata(
  record: JsonRecord,
  message: JsonRecord,
  afterBoundary: boolean,
): Record<string, unknown> | undefined {
  const flag = (key: string): true | undefined => (record[key] === true ? true : undefined);
  return present({
    id: message['id'] ?? record['uuid'],
    timestamp: record['timestamp'],
    model: message['model'],
    isMeta: flag('isMeta'),
    isSummary: flag('isCompactSummary'),
    isApiError: flag('isApiErrorMessage'),
    // The first content after a compaction: what the model saw begins here.
    compactBoundary: afterBoundary ? true : undefined,
  });
}

export const claudeCode: Format = {
  name: 'claude-code',
  detect(sample) {
    const { type, message } = sample;
    if (type === 'user' || type === 'assistant') return isRecord(message) && typeof message['role'] === 'string';
    if (type === 'summary') return typeof sample['leafUuid'] === 'string';
    if (type === 'file-history-snapshot') return isRecord(sample['snapshot']);
    return BOOKKEEPING.has(type) && typeof sample['sessionId'] === 'string';
  },
  open: (log) => new ClaudeCodeReader(log),
};
