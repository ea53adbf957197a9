/**
 * Sessions of Gemini CLI. Old ones are one JSON document; new ones are JSONL, a log of operations: a
 * message that is written again replaces the one with its id, `$set` with `messages` replaces them all,
 * `$rewindTo` takes back a message and all that came after it. Calls and their results share a record.
 */
import type { ContentBlock, IContent } from '../../types.js';
import { base64Block, callBlock, content, readBlocks, responseBlock, unknownBlock, urlBlock } from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, idOf, isList, isRecord, type JsonRecord, present } from '../json.js';
import { usageOfAll } from '../usage.js';

/** Shown to the user only. */
const NOTICES: ReadonlySet<unknown> = new Set(['info', 'error', 'warning']);

interface Entry {
  readonly message: JsonRecord;
  readonly line: number;
}

class GeminiCliReader implements Reader {
  readonly #log: Log;
  #entries: (Entry | undefined)[] = [];
  readonly #byId = new Map<unknown, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  read(record: JsonRecord, line: number): void {
    const { $set: changes, $rewindTo: target } = record;
    if (typeof target === 'string') return this.#rewind(target, line);
    if (isRecord(changes) && isList(changes['messages'])) return this.#replace(changes['messages'], line);
    if (typeof record['type'] === 'string') return this.#keep(record, line);
    const bookkeeping = changes !== undefined || '$patch' in record || typeof record['sessionId'] === 'string';
    if (!bookkeeping) this.#log.warn('unknown-record', line);
    this.#log.skip();
  }

  finish(): IContent[] {
    return this.#entries.flatMap((entry) => (entry === undefined ? [] : this.#contents(entry)));
  }

  #keep(message: JsonRecord, line: number): void {
    const { id } = message;
    const known = typeof id === 'string' ? this.#byId.get(id) : undefined;
    if (known !== undefined) {
      this.#log.skip();
      this.#entries[known] = { message, line };
      return;
    }
    if (typeof id === 'string') this.#byId.set(id, this.#entries.length);
    this.#entries.push({ message, line });
  }

  #replace(messages: readonly unknown[], line: number): void {
    for (let gone = this.#entries.length; gone > 0; gone -= 1) this.#log.skip();
    this.#entries = [];
    this.#byId.clear();
    for (const message of messages) {
      if (isRecord(message)) this.#keep(message, line);
      else this.#log.warn('not-a-record', line);
    }
  }

  /** As Gemini CLI does: an id that it doesn't know takes everything back. */
  #rewind(target: string, line: number): void {
    const at = this.#byId.get(target);
    if (at === undefined) this.#log.warn('broken-branch', line);
    for (const entry of this.#entries.splice(at ?? 0)) {
      this.#byId.delete(entry?.message['id']);
      this.#log.skip();
    }
    this.#log.skip();
  }

  #contents({ message, line }: Entry): IContent[] {
    const { type } = message;
    if (NOTICES.has(type)) {
      this.#log.skip();
      return [];
    }
    if (type !== 'user' && type !== 'gemini') this.#log.warn('unknown-role', line);
    const about = metadata(message);
    const blocks = this.#said(message['content'], line);
    if (type !== 'gemini') return this.#filled([content('human', blocks, about)], line);
    const calls = isList(message['toolCalls']) ? message['toolCalls'] : [];
    const answers = calls.flatMap((call) => this.#answers(call, line));
    const said = [...thoughts(message['thoughts']), ...blocks, ...calls.map((call) => this.#call(call, line))];
    const turn = [content('ai', said, about)];
    return this.#filled(answers.length === 0 ? turn : [...turn, content('tool', answers, about)], line);
  }

  #filled(contents: IContent[], line: number): IContent[] {
    const [first] = contents;
    if (first?.blocks.length !== 0) return contents;
    this.#log.warn('empty-message', line);
    return contents.slice(1);
  }

  #said(value: unknown, line: number): ContentBlock[] {
    return readBlocks(isRecord(value) ? [value] : value, translate, this.#log, line);
  }

  #call(call: unknown, line: number): ContentBlock {
    if (!isRecord(call)) {
      this.#log.warn('unknown-block', line);
      return unknownBlock(call);
    }
    if (idOf(call['id']) === '') this.#log.warn('missing-id', line);
    return callBlock(idOf(call['id']), call['name'], call['args']);
  }

  /** The response of a call, and what else came with it; calls that were never run have none. */
  #answers(call: unknown, line: number): ContentBlock[] {
    if (!isRecord(call)) return [];
    const { result, status, name } = call;
    const parts = isList(result) ? result : result === undefined || result === null ? [] : [result];
    if (parts.length === 0) return [];
    const responses = parts.flatMap(responseOf);
    const said = this.#said(
      parts.filter((part) => responseOf(part).length === 0),
      line,
    );
    const texts = said.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const value = responses[0]?.['response'] ?? texts.join('\n');
    const block = responseBlock(idOf(call['id']), name, value, status === 'error' || status === 'cancelled');
    const others = responses.length === 0 ? said.filter(({ type }) => type !== 'text') : said;
    return [block, ...responses.slice(1).map(unknownBlock), ...others];
  }
}

function responseOf(part: unknown): JsonRecord[] {
  const response = isRecord(part) ? part['functionResponse'] : undefined;
  return isRecord(response) ? [response] : [];
}

function thoughts(list: unknown): ContentBlock[] {
  return (isList(list) ? list : []).flatMap((item) => {
    const lines = isRecord(item) ? [filled(item['subject']), filled(item['description'])] : [];
    const thought = lines.filter((line) => line !== undefined).join('\n');
    return thought === '' ? [] : [{ type: 'thinking' as const, thought }];
  });
}

function translate(part: JsonRecord): ContentBlock | undefined {
  const { inlineData, fileData } = part;
  if (isRecord(inlineData) && typeof inlineData['data'] === 'string') {
    return base64Block(inlineData['mimeType'], inlineData['data'], inlineData['displayName']);
  }
  if (isRecord(fileData) && typeof fileData['fileUri'] === 'string') {
    return urlBlock(fileData['fileUri'], filled(fileData['mimeType']) ?? 'application/octet-stream');
  }
  return undefined;
}

function metadata({ id, timestamp, model, type, tokens }: JsonRecord): Record<string, unknown> | undefined {
  const role = type === 'user' || type === 'gemini' ? undefined : type;
  const of = isRecord(tokens) ? tokens : {};
  const usage = usageOfAll(of['input'], of['cached'], 0, of['output']);
  return present({ id, timestamp, model, role, usage });
}

function isSession(value: JsonRecord): boolean {
  return typeof value['sessionId'] === 'string' && typeof value['projectHash'] === 'string';
}

export const geminiCli: Format = {
  name: 'gemini-cli',
  detect: (sample) => isSession(sample),
  records(document) {
    return isRecord(document) && isSession(document) && isList(document['messages']) ? document['messages'] : undefined;
  },
  recordsTell: () => true,
  open: (log) => new GeminiCliReader(log),
};
