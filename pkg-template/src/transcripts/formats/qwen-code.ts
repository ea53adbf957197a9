/**
 * Sessions of Qwen Code: JSONL like Claude Code's (`uuid`, `parentUuid`, `type`), whose messages are Gemini's contents. A
 * `chat_compression` holds the history that took the place of the one before.
 */
import type { IContent } from '../../types.js';
import type { Format, Log, Reader } from '../format.js';
import { isList, isRecord, type JsonRecord, present } from '../json.js';
import { GeminiReader } from './gemini.js';

/** Records that hold a message. */
const MESSAGES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool_result']);

class QwenCodeReader implements Reader {
  readonly #log: Log;
  readonly #messages: GeminiReader;

  constructor(log: Log) {
    this.#log = log;
    this.#messages = new GeminiReader(log);
  }

  read(record: JsonRecord, line: number): void {
    const { type, message, uuid: id, timestamp, model, subtype, systemPayload } = record;
    if (MESSAGES.has(type) && isRecord(message)) {
      return this.#messages.read(message, line, present({ id, timestamp, model }));
    }
    const history = subtype === 'chat_compression' && isRecord(systemPayload) ? systemPayload['compressedHistory'] : [];
    if (isList(history) && history.length > 0) {
      history.forEach((each, at) => {
        const about = present({ timestamp, fromCompaction: true, compactBoundary: at === 0 ? true : undefined });
        if (isRecord(each)) this.#messages.read(each, line, about);
      });
      return;
    }
    if (type !== 'system') this.#log.warn('unknown-record', line);
    this.#log.skip();
  }

  finish(): IContent[] {
    return this.#messages.finish();
  }
}

export const qwenCode: Format = {
  name: 'qwen-code',
  detect: ({ type, uuid, message }) =>
    MESSAGES.has(type) && typeof uuid === 'string' && isRecord(message) && isList(message['parts']),
  open: (log) => new QwenCodeReader(log),
};
