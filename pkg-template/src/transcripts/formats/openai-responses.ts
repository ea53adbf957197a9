/**
 * OpenAI's Responses API: a list of items, the body of a request, whose instructions come first, or one item a line. The
 * items are those of Codex's rollouts, and messages may lack their type.
 */
import type { Format, Log, Reader } from '../format.js';
import { isList, isRecord, type JsonRecord } from '../json.js';
import { CodexReader, isResponsesPart } from './codex.js';

class ResponsesReader implements Reader {
  readonly #items: CodexReader;

  constructor(log: Log) {
    this.#items = new CodexReader(log);
  }

  read(item: JsonRecord, line: number): void {
    const isItem = typeof item['type'] === 'string' || typeof item['role'] === 'string';
    const entry = isItem ? { type: 'response_item', payload: { type: 'message', ...item } } : item;
    this.#items.read(entry, line);
  }

  finish() {
    return this.#items.finish();
  }
}

export const openAiResponses: Format = {
  name: 'openai-responses',
  detect({ type, role, content, call_id: id, summary }) {
    if (type === 'reasoning') return isList(summary);
    if (typeof type === 'string' && /_call(?:_output)?$/.test(type)) return typeof id === 'string';
    if (type !== undefined && type !== 'message') return false;
    return typeof role === 'string' && isList(content) && content.some(isResponsesPart);
  },
  records(document) {
    if (!isRecord(document)) return isList(document) ? document : undefined;
    const { input, instructions } = document;
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    if (!isList(items)) return undefined;
    return typeof instructions === 'string' ? [{ role: 'developer', content: instructions }, ...items] : items;
  },
  // Requests for embeddings have an input and a model as well, but no messages.
  recordsTell: ({ input, instructions, model }) =>
    typeof input === 'string'
      ? typeof instructions === 'string'
      : isList(input) && input.some(isRecord) && typeof model === 'string',
  open: (log) => new ResponsesReader(log),
};
