/**
 * Google's Gemini API: a list of contents, the body of a request, whose system instruction comes first, or one content a
 * line. Calls without an id get one, and are answered in their order.
 */
import type { ContentBlock, IContent } from '../../types.js';
import { base64Block, callBlock, content, readBlocks, responseBlock, urlBlock, withRest } from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, idOf, isList, isRecord, type JsonRecord, present } from '../json.js';

/** The kinds of parts, with the names of the REST API and of the Python SDK. */
const KEYS: readonly (readonly [string, string])[] = [
  ['functionCall', 'function_call'],
  ['functionResponse', 'function_response'],
  ['inlineData', 'inline_data'],
  ['fileData', 'file_data'],
];
const ROLES: ReadonlySet<unknown> = new Set(['user', 'model', 'function', 'system', undefined]);

/** Also reads what others have of Gemini's contents. */
export class GeminiReader implements Reader {
  readonly #log: Log;
  readonly #contents: IContent[] = [];
  /** The ids of the calls that aren't answered, by the tool. */
  readonly #open = new Map<string, Set<string>>();
  #calls = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  read({ role, parts }: JsonRecord, line: number, more?: JsonRecord): void {
    if (!isList(parts)) {
      this.#log.warn('unknown-record', line);
      return this.#log.skip();
    }
    if (!ROLES.has(role)) this.#log.warn('unknown-role', line);
    let about = role === 'system' ? { ...more, role } : more;
    let current: IContent | undefined;
    for (const part of parts) {
      const isAnswer = isRecord(part) && isRecord(of(part, 'functionResponse'));
      const speaker = role === 'model' ? 'ai' : isAnswer ? 'tool' : 'human';
      if (current?.speaker !== speaker) {
        this.#contents.push((current = content(speaker, [], about && { ...about })));
        // The first content marks a compaction, however many a message becomes.
        if (about !== undefined) about = present({ ...about, compactBoundary: undefined });
      }
      current.blocks.push(...readBlocks([part], this.#translate, this.#log, line));
    }
    if (current === undefined) this.#log.warn('empty-message', line);
  }

  finish(): IContent[] {
    return this.#contents;
  }

  readonly #translate = (part: JsonRecord): ContentBlock | undefined => {
    const [call, response] = [of(part, 'functionCall'), of(part, 'functionResponse')];
    if (isRecord(call)) return withRest(this.#call(call), part, ['functionCall', 'function_call']);
    if (isRecord(response)) return this.#response(response);
    if (part['thought'] === true && typeof part['text'] === 'string') {
      return withRest({ type: 'thinking' as const, thought: part['text'] }, part, ['text', 'thought']);
    }
    const [inline, file] = [of(part, 'inlineData'), of(part, 'fileData')];
    if (isRecord(inline) && typeof inline['data'] === 'string') {
      return base64Block(inline['mimeType'] ?? inline['mime_type'], inline['data'], inline['displayName']);
    }
    const uri = isRecord(file) ? (file['fileUri'] ?? file['file_uri']) : undefined;
    if (!isRecord(file) || typeof uri !== 'string') return undefined;
    return urlBlock(uri, filled(file['mimeType'] ?? file['mime_type']) ?? 'application/octet-stream');
  };

  #call({ id: given, name, args }: JsonRecord): ContentBlock {
    this.#calls += 1;
    const id = idOf(given) || `call_${this.#calls}`;
    const open = this.#open.get(String(name)) ?? new Set();
    this.#open.set(String(name), open.add(id));
    return callBlock(id, name, args);
  }

  #response({ id: given, name, response }: JsonRecord): ContentBlock {
    const open = this.#open.get(String(name));
    const [next = ''] = open ?? [];
    const id = idOf(given) || next;
    open?.delete(id);
    const failed = isRecord(response) && Boolean(response['error']);
    return responseBlock(id, name, payloadOf(response), failed);
  }
}

/** A part's value under one of its two names. */
function of(part: JsonRecord, key: string): unknown {
  const [, other = key] = KEYS.find(([name]) => name === key) ?? [];
  return part[key] ?? part[other];
}

/** The output or the error, if the payload holds nothing else. */
function payloadOf(response: unknown): unknown {
  const [key, ...others] = isRecord(response) ? Object.keys(response) : [];
  const isBare = isRecord(response) && others.length === 0 && (key === 'output' || key === 'result' || key === 'error');
  return isBare ? response[key] : (response ?? '');
}

/** Parts of the AI SDK's messages have a type; those of Gemini's never have. */
function isPart(part: unknown): boolean {
  if (!isRecord(part) || 'type' in part) return false;
  return typeof part['text'] === 'string' || KEYS.some(([key]) => isRecord(of(part, key)));
}

export const gemini: Format = {
  name: 'gemini',
  detect: ({ role, parts }) => ROLES.has(role) && isList(parts) && parts.some(isPart),
  records(document) {
    if (!isRecord(document)) return isList(document) ? document : undefined;
    const { contents, config } = document;
    if (!isList(contents)) return undefined;
    const settings = isRecord(config) ? config : document;
    const system = settings['systemInstruction'] ?? settings['system_instruction'];
    if (typeof system === 'string') return [{ role: 'system', parts: [{ text: system }] }, ...contents];
    return isRecord(system) && isList(system['parts'])
      ? [{ role: 'system', parts: system['parts'] }, ...contents]
      : contents;
  },
  open: (log) => new GeminiReader(log),
};
