/**
 * Chat Completions messages: an array of them, an object with `messages`, or one message a line; also messages that
 * nothing shows to be of another format.
 * The format has no flag for a failed tool call, so no response carries an `error`; a caller who
 * knows the tools' outputs says so by the option `isFailure` of `optimize`.
 */
import type { ContentBlock, IContent } from '../../types.js';
import {
  base64Block,
  callBlock,
  content,
  pairingId,
  readArguments,
  readBlocks,
  readOutput,
  responseBlock,
  textBlock,
  unknownBlock,
  urlBlock,
  withRest,
} from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, isList, isRecord, type JsonRecord, present } from '../json.js';

const SPEAKERS: ReadonlyMap<unknown, IContent['speaker']> = new Map([
  ['user', 'human'],
  ['system', 'human'],
  ['developer', 'human'],
  ['assistant', 'ai'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** The roles that a speaker stands for need no further mention. */
const PLAIN_ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool']);

class OpenAiChatReader implements Reader {
  readonly #log: Log;
  readonly #contents: IContent[] = [];
  #functionCalls = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  read(message: JsonRecord, line: number): void {
    const { role } = message;
    if (typeof role !== 'string') {
      this.#log.warn('unknown-record', line);
      return this.#log.skip();
    }
    const speaker = SPEAKERS.get(role);
    if (speaker === undefined) this.#log.warn('unknown-role', line);
    const blocks = this.#blocks(speaker, message, line);
    if (blocks.length === 0) this.#log.warn('empty-message', line);
    else this.#contents.push(content(speaker ?? 'human', blocks, metadata(message)));
  }

  finish(): IContent[] {
    return this.#contents;
  }

  #blocks(speaker: IContent['speaker'] | undefined, message: JsonRecord, line: number): ContentBlock[] {
    if (speaker === 'tool') return this.#response(message, line);
    const said = readBlocks(message['content'], translate, this.#log, line);
    if (speaker !== 'ai') return said;
    const thought = filled(message['reasoning_content']) ?? filled(message['reasoning']);
    const refusal = filled(message['refusal']);
    return [
      ...(thought === undefined ? [] : [{ type: 'thinking' as const, thought }]),
      ...said,
      ...(refusal === undefined ? [] : [textBlock(refusal)]),
      ...this.#calls(message, line),
    ];
  }

  #calls(message: JsonRecord, line: number): ContentBlock[] {
    const { tool_calls: calls, function_call: single } = message;
    const blocks = isList(calls) ? calls.map((call) => this.#call(call, line)) : [];
    if (!isList(calls) && calls !== undefined && calls !== null) this.#log.warn('odd-shape', line);
    if (!isRecord(single)) return blocks;
    this.#functionCalls += 1;
    return [...blocks, callOf(functionCallId(this.#functionCalls), single)];
  }

  #call(call: unknown, line: number): ContentBlock {
    const called = isRecord(call) ? (call['function'] ?? call['custom']) : undefined;
    if (!isRecord(call) || !isRecord(called)) {
      this.#log.warn('unknown-block', line);
      return unknownBlock(call);
    }
    const id = pairingId(call['id'], this.#log, line);
    return withRest(callOf(id, called), call, ['function', 'custom']);
  }

  #response(message: JsonRecord, line: number): ContentBlock[] {
    const { result, others } = readOutput(message['content'], translate, this.#log, line);
    // Before there were ids a function's result belonged to the call just made.
    const legacy = message['role'] === 'function';
    const id = legacy ? functionCallId(this.#functionCalls) : pairingId(message['tool_call_id'], this.#log, line);
    return [responseBlock(id, message['name'], result, false), ...others];
  }
}

function functionCallId(count: number): string {
  return `function_call_${count}`;
}

function callOf(id: string, called: JsonRecord): ContentBlock {
  return callBlock(id, called['name'], readArguments(called['arguments'] ?? called['input']));
}

function translate(part: JsonRecord): ContentBlock | undefined {
  const { type, image_url: image, input_audio: audio, file, refusal } = part;
  if (type === 'refusal' && typeof refusal === 'string') return textBlock(refusal);
  if (type === 'image_url') {
    const url = isRecord(image) ? image['url'] : image;
    return typeof url === 'string' ? urlBlock(url, 'image/*') : undefined;
  }
  if (type === 'input_audio' && isRecord(audio) && typeof audio['data'] === 'string') {
    return base64Block(`audio/${filled(audio['format']) ?? '*'}`, audio['data']);
  }
  if (type === 'file' && isRecord(file) && typeof file['file_data'] === 'string') {
    return urlBlock(file['file_data'], 'application/octet-stream', file['filename']);
  }
  return undefined;
}

function metadata(message: JsonRecord): Record<string, unknown> | undefined {
  const { role, id, timestamp, model } = message;
  return present({ id, timestamp, model, role: PLAIN_ROLES.has(role) ? undefined : role });
}

function isMessage(sample: JsonRecord): boolean {
  const says = Object.hasOwn(sample, 'content') || isList(sample['tool_calls']);
  return SPEAKERS.has(sample['role']) && says && !Object.hasOwn(sample, 'message');
}

export const openAiChat: Format = {
  name: 'openai-chat',
  detect(sample) {
    const { role, tool_calls: calls, function_call: call } = sample;
    const isShown = role === 'tool' || role === 'function' || role === 'developer' || isList(calls) || isRecord(call);
    return isShown && isMessage(sample);
  },
  // Words of the user and of the model look the same in most formats.
  mayBe: isMessage,
  records(document) {
    const messages = isRecord(document) ? document['messages'] : document;
    return isList(messages) ? messages : undefined;
  },
  open: (log) => new OpenAiChatReader(log),
};
