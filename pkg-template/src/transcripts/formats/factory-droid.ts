/**
 * Sessions of Factory Droid: JSONL of `session_start` and `message` records, whose messages are those of Anthropic's
 * Messages API. Lines are read in order.
 */
import type { IContent } from '../../types.js';
import { AnthropicBlocks } from '../anthropic-blocks.js';
import { content, textBlock } from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, isList, isRecord, type JsonRecord, present } from '../json.js';

/** Records that say nothing to the model. */
const BOOKKEEPING: ReadonlySet<unknown> = new Set(['session_start', 'session_end', 'todo_state', 'settings']);

class FactoryDroidReader implements Reader {
  readonly #log: Log;
  readonly #messages: AnthropicBlocks;
  readonly #contents: IContent[] = [];

  constructor(log: Log) {
    this.#log = log;
    this.#messages = new AnthropicBlocks(log);
  }

  read(record: JsonRecord, line: number): void {
    const { type, message, id, timestamp } = record;
    const summary = type === 'compaction_state' ? filled(record['summaryText']) : undefined;
    if (summary !== undefined) {
      this.#contents.push(
        content('human', [textBlock(summary)], { id, timestamp, isSummary: true, compactBoundary: true }),
      );
    } else if (type === 'message' && isRecord(message)) this.#message(message, present({ id, timestamp }), line);
    else {
      if (!BOOKKEEPING.has(type)) this.#log.warn('unknown-record', line);
      this.#log.skip();
    }
  }

  finish(): IContent[] {
    return this.#contents;
  }

  #message({ role, content: said, model }: JsonRecord, about: JsonRecord | undefined, line: number): void {
    if (role !== 'user' && role !== 'assistant') this.#log.warn('unknown-role', line);
    const parts =
      role === 'assistant'
        ? [{ speaker: 'ai' as const, blocks: this.#messages.blocks(said, line) }]
        : this.#messages.ofUser(said, line);
    for (const { speaker, blocks } of parts) {
      if (blocks.length === 0) this.#log.warn('empty-message', line);
      else this.#contents.push(content(speaker, blocks, present({ ...about, model })));
    }
  }
}

const isToolBlock = (block: unknown): boolean =>
  isRecord(block) && (block['type'] === 'tool_use' || block['type'] === 'tool_result');

export const factoryDroid: Format = {
  name: 'factory-droid',
  detect({ type, message }) {
    if (type === 'session_start') return true;
    const said = type === 'message' && isRecord(message) ? message['content'] : undefined;
    return isList(said) && said.some(isToolBlock);
  },
  open: (log) => new FactoryDroidReader(log),
};
