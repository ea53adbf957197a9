/**
 * Sessions of Grok CLI (`chat_history.jsonl`): one message a line, named by `type`. Calls stand beside the text of a
 * reply, and each result has a line of its own. Calls of the provider's own tools (`backend_tool_call`) stay
 * unchanged.
 */
import type { ContentBlock, IContent } from '../../types.js';
import {
  callBlock,
  content,
  pairingId,
  readArguments,
  readBlocks,
  readOutput,
  responseBlock,
  unknownBlock,
  urlBlock,
} from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, isList, isRecord, type JsonRecord, present } from '../json.js';

class GrokCliReader implements Reader {
  readonly #log: Log;
  readonly #contents: IContent[] = [];
  /** Reasoning, which stands before the reply that it led to. */
  readonly #thoughts: ContentBlock[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  read(record: JsonRecord, line: number): void {
    switch (record['type']) {
      case 'system':
      case 'user':
        return this.#add('human', readBlocks(record['content'], translate, this.#log, line), record, line);
      case 'reasoning':
        this.#thoughts.push({ type: 'thinking', thought: summaryOf(record) });
        return;
      case 'assistant': {
        const said = readBlocks(record['content'], translate, this.#log, line);
        const { tool_calls: calls } = record;
        const asked = (isList(calls) ? calls : []).map((call) => this.#call(call, line));
        return this.#add('ai', [...this.#thoughts.splice(0), ...said, ...asked], record, line);
      }
      case 'tool_result': {
        const { result, others } = readOutput(record['content'], translate, this.#log, line);
        const id = pairingId(record['tool_call_id'], this.#log, line);
        return this.#add(
          'tool',
          [responseBlock(id, undefined, result, record['is_error'] === true), ...others],
          record,
          line,
        );
      }
      case 'backend_tool_call':
        return this.#add('ai', [unknownBlock(record)], record, line);
      default:
        this.#log.warn('unknown-record', line);
        return this.#log.skip();
    }
  }

  finish(): IContent[] {
    // A session that was stopped before the reply.
    if (this.#thoughts.length > 0) this.#contents.push(content('ai', this.#thoughts.splice(0), {}));
    return this.#contents;
  }

  #call(call: unknown, line: number): ContentBlock {
    const of = isRecord(call) && isRecord(call['function']) ? { ...call, ...call['function'] } : call;
    if (!isRecord(of)) {
      this.#log.warn('unknown-block', line);
      return unknownBlock(call);
    }
    const { arguments: given, name } = of;
    return callBlock(pairingId(of['id'], this.#log, line), name, readArguments(given));
  }

  #add(speaker: IContent['speaker'], blocks: ContentBlock[], record: JsonRecord, line: number): void {
    if (blocks.length === 0) return this.#log.warn('empty-message', line);
    const { type, id, timestamp, model } = record;
    const about = present({ id, timestamp, model, role: type === 'system' ? type : undefined });
    this.#contents.push(content(speaker, blocks, about));
  }
}

function summaryOf({ summary }: JsonRecord): string {
  const parts = isList(summary) ? summary : [];
  return parts.flatMap((part) => (isRecord(part) ? (filled(part['text']) ?? []) : [])).join('\n\n');
}

function translate({ type, image_url: image }: JsonRecord): ContentBlock | undefined {
  const url = isRecord(image) ? image['url'] : image;
  return type === 'image_url' && typeof url === 'string' ? urlBlock(url, 'image/*') : undefined;
}

export const grokCli: Format = {
  name: 'grok-cli',
  // The types are common words: only what no other format has beside them shows a session.
  detect({ type, role, content: said, tool_call_id: id, tool_calls: calls, message }) {
    if (role !== undefined || message !== undefined) return false;
    if (type === 'backend_tool_call') return true;
    if (type === 'tool_result') return typeof id === 'string';
    if (type === 'assistant') return typeof said === 'string' && (calls === undefined || isList(calls));
    return (type === 'system' || type === 'user') && (typeof said === 'string' || isList(said));
  },
  open: (log) => new GrokCliReader(log),
};
