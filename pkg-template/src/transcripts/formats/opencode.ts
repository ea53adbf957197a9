/**
 * Sessions of opencode, as `opencode export` writes them: one JSON document, `{info, messages}`. A tool's
 * call and its result share a part; the result becomes a response in a content of its own, behind the
 * step that made the call.
 */
import type { ContentBlock, IContent } from '../../types.js';
import {
  callBlock,
  content,
  pairingId,
  responseBlock,
  textBlock,
  unknownBlock,
  urlBlock,
  withRest,
} from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, isList, isRecord, type JsonRecord, present } from '../json.js';
import { type Usage, usageOf } from '../usage.js';

/** Parts that say something about the session and nothing to the model. */
const BOOKKEEPING: ReadonlySet<unknown> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'retry',
  'compaction',
  'subtask',
]);

/** What every part has, and no block needs. */
const OWN_KEYS = ['id', 'sessionID', 'messageID', 'time'];

class OpencodeReader implements Reader {
  readonly #log: Log;
  readonly #contents: IContent[] = [];
  /** The first message that a compaction keeps, until its summary is there. */
  #keptFrom: { readonly id: unknown } | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  read({ info, parts }: JsonRecord, line: number): void {
    if (!isRecord(info) || !isList(parts)) {
      this.#log.warn('unknown-record', line);
      return this.#log.skip();
    }
    const { role } = info;
    if (role !== 'user' && role !== 'assistant') this.#log.warn('unknown-role', line);
    const speaker = role === 'assistant' ? 'ai' : 'human';
    const about = metadata(info);
    let said: ContentBlock[] = [];
    let answers: ContentBlock[] = [];
    let bookkeeping = 0;
    let usage: Usage | undefined;
    const end = (): void => {
      if (said.length > 0)
        this.#contents.push(content(speaker, said, usage === undefined ? about : { ...about, usage }));
      if (answers.length > 0) this.#contents.push(content('tool', answers, about));
      [said, answers, usage] = [[], [], undefined];
    };
    const before = this.#contents.length;
    for (const part of parts)
      if (isRecord(part) && part['type'] === 'compaction') this.#keptFrom = { id: part['tail_start_id'] };
    for (const part of parts) {
      // Each step is a reply of the model; the next one has seen the results of this one.
      if (isRecord(part) && part['type'] === 'step-start') end();
      if (isRecord(part) && part['type'] === 'step-finish') usage = stepUsage(part['tokens']);
      if (isRecord(part) && BOOKKEEPING.has(part['type'])) bookkeeping += 1;
      else if (isRecord(part) && part['type'] === 'tool') this.#tool(part, said, answers, line);
      else this.#said(part, said, line);
    }
    end();
    if (about?.['isSummary'] === true) this.#compacted(before);
    if (this.#contents.length > before) return;
    if (bookkeeping > 0 || parts.some(isHidden)) this.#log.skip();
    else this.#log.warn('empty-message', line);
  }

  finish(): IContent[] {
    return this.#contents;
  }

  /** Marks the summary at an index: it follows a compaction, which may have kept the newest messages. */
  #compacted(at: number): void {
    const [summary] = this.#contents.slice(at);
    if (summary === undefined || this.#keptFrom === undefined) return;
    const ids = this.#contents.slice(0, at).map(({ metadata: of }) => of?.['id']);
    const from = ids.indexOf(this.#keptFrom.id);
    const kept = this.#keptFrom.id === undefined || from < 0 ? [] : [...new Set(ids.slice(from))];
    summary.metadata = { ...summary.metadata, compactBoundary: true, ...(kept.length > 0 && { compactKept: kept }) };
    this.#keptFrom = undefined;
  }

  #tool(part: JsonRecord, said: ContentBlock[], answers: ContentBlock[], line: number): void {
    const state = isRecord(part['state']) ? part['state'] : {};
    const id = pairingId(part['callID'], this.#log, line);
    const call = callBlock(id, part['tool'], state['input']);
    said.push(withRest(call, part, [...OWN_KEYS, 'tool', 'callID', 'state']));
    const { status, output, error, attachments } = state;
    if (status !== 'completed' && status !== 'error') return;
    const result = status === 'error' ? (error ?? output ?? '') : (output ?? '');
    answers.push(responseBlock(id, part['tool'], result, status === 'error' || exitedBadly(state)));
    for (const attachment of isList(attachments) ? attachments : []) this.#said(attachment, answers, line);
  }

  #said(part: unknown, blocks: ContentBlock[], line: number): void {
    if (isHidden(part)) return;
    const { type, text, url } = isRecord(part) ? part : {};
    if (isRecord(part) && typeof text === 'string' && (type === 'text' || type === 'reasoning')) {
      const rest = [...OWN_KEYS, 'text'];
      if (type === 'reasoning') blocks.push(withRest({ type: 'thinking' as const, thought: text }, part, rest));
      else if (text !== '') blocks.push(withRest(textBlock(text), part, rest));
    } else if (isRecord(part) && type === 'file' && typeof url === 'string') {
      blocks.push(urlBlock(url, filled(part['mime']) ?? 'application/octet-stream', part['filename']));
    } else {
      this.#log.warn('unknown-block', line);
      blocks.push(unknownBlock(part));
    }
  }
}

/** Whether a call was carried out and its command failed: its output doesn't say so. */
function exitedBadly({ metadata }: JsonRecord): boolean {
  const exit = isRecord(metadata) ? metadata['exit'] : undefined;
  return typeof exit === 'number' && exit !== 0;
}

/** What a step cost. */
function stepUsage(tokens: unknown): Usage | undefined {
  const { input, output, cache } = isRecord(tokens) ? tokens : {};
  return usageOf(input, isRecord(cache) ? cache['read'] : 0, isRecord(cache) ? cache['write'] : 0, output);
}

/** Shown to the user only. */
function isHidden(part: unknown): boolean {
  return isRecord(part) && part['ignored'] === true;
}

function metadata(info: JsonRecord): Record<string, unknown> | undefined {
  const { id, role, time, modelID, model, summary, error } = info;
  return present({
    id,
    timestamp: isRecord(time) ? time['created'] : undefined,
    model: modelID ?? (isRecord(model) ? model['modelID'] : undefined),
    role: role === 'user' || role === 'assistant' ? undefined : role,
    isSummary: role === 'assistant' && summary === true ? true : undefined,
    isApiError: isRecord(error) ? true : undefined,
  });
}

export const opencode: Format = {
  name: 'opencode',
  detect: ({ info, parts }) => isRecord(info) && typeof info['role'] === 'string' && isList(parts),
  records(document) {
    const messages = isRecord(document) ? document['messages'] : document;
    return isList(messages) ? messages : undefined;
  },
  open: (log) => new OpencodeReader(log),
};
