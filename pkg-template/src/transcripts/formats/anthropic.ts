/**
 * Anthropic's Messages API: a list of messages, the body of a request, whose system prompt comes first, or one
 * message a line. Results and user text of the same message become two contents.
 */
import type { ContentBlock, IContent } from '../../types.js';
import { AnthropicBlocks } from '../anthropic-blocks.js';
import { content } from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { isList, isRecord, type JsonRecord, present } from '../json.js';

/** Blocks that no other format has in its messages. */
const OWN: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'redacted_thinking',
  'server_tool_use',
  'document',
]);

class AnthropicReader implements Reader {
  readonly #log: Log;
  readonly #messages: AnthropicBlocks;
  readonly #contents: IContent[] = [];

  constructor(log: Log) {
    this.#log = log;
    this.#messages = new AnthropicBlocks(log);
  }

  read({ role, content: said, id, model }: JsonRecord, line: number): void {
    if (typeof role !== 'string') {
      this.#log.warn('unknown-record', line);
      return this.#log.skip();
    }
    const isPlain = role === 'user' || role === 'assistant';
    if (!isPlain && role !== 'system') this.#log.warn('unknown-role', line);
    const about = present({ id, model, role: isPlain ? undefined : role });
    if (role === 'assistant') return this.#add('ai', this.#messages.blocks(said, line), about, line);
    for (const { speaker, blocks } of this.#messages.ofUser(said, line)) this.#add(speaker, blocks, about, line);
  }

  finish(): IContent[] {
    return this.#contents;
  }

  #add(speaker: IContent['speaker'], blocks: ContentBlock[], about: JsonRecord | undefined, line: number): void {
    if (blocks.length === 0) this.#log.warn('empty-message', line);
    else this.#contents.push(content(speaker, blocks, about));
  }
}

/** An image whose bytes have a source, or a signed thought, is Anthropic's too. */
function isOwn(block: unknown): boolean {
  if (!isRecord(block)) return false;
  const { type, source, signature } = block;
  return OWN.has(type) || (type === 'image' && isRecord(source)) || (type === 'thinking' && signature !== undefined);
}

export const anthropic: Format = {
  name: 'anthropic',
  detect({ role, content: said }) {
    return (role === 'user' || role === 'assistant') && isList(said) && said.some(isOwn);
  },
  records(document) {
    if (!isRecord(document)) return isList(document) ? document : undefined;
    const { messages, system } = document;
    if (!isList(messages)) return undefined;
    return system === undefined || system === null ? messages : [{ role: 'system', content: system }, ...messages];
  },
  // No other request of messages has its system prompt beside them.
  recordsTell: ({ messages, system, max_tokens: most }) =>
    isList(messages) && most !== undefined && (typeof system === 'string' || isList(system)),
  open: (log) => new AnthropicReader(log),
};
