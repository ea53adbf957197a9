import type { ContentBlock } from 'densify';
import type { Piece } from './api.js';

type Json = Readonly<Record<string, unknown>>;
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface Call {
  id: string;
  name: string;
  json: string;
}

/** Puts an answer together from what a stream says, in either dialect. */
export class Reply {
  #thought = '';
  #text = '';
  readonly #calls = new Map<number, Call>();
  readonly #say: (piece: Piece) => void;

  constructor(say: (piece: Piece) => void) {
    this.#say = say;
  }

  /** An event of chat completions, or the whole answer where an endpoint doesn't stream. */
  openAi(event: unknown): void {
    const choice = object(list(object(event)['choices'])[0]);
    const delta = object(choice['delta'] ?? choice['message']);
    this.#add('thinking', text(delta['reasoning_content'] ?? delta['reasoning']));
    this.#add('text', text(delta['content']));
    list(delta['tool_calls']).forEach((found, place) => {
      const call = object(found);
      const spoken = object(call['function']);
      this.#call(
        typeof call['index'] === 'number' ? call['index'] : place,
        text(call['id']),
        text(spoken['name']),
        text(spoken['arguments']),
      );
    });
  }

  /** An event of Anthropic's messages. */
  anthropic(event: unknown): void {
    const { type, index, content_block, delta, content } = object(event);
    const place = typeof index === 'number' ? index : 0;
    const [block, change] = [object(content_block), object(delta)];
    if (type === 'content_block_start' && block['type'] === 'tool_use')
      this.#call(place, text(block['id']), text(block['name']), '');
    this.#add('text', text(change['text']));
    this.#add('thinking', text(change['thinking']));
    if (change['type'] === 'input_json_delta') this.#call(place, '', '', text(change['partial_json']));
    if (type !== 'message') return;
    list(content).forEach((found, at) => {
      const part = object(found);
      if (part['type'] === 'tool_use')
        this.#call(at, text(part['id']), text(part['name']), JSON.stringify(part['input']));
      else this.#add('text', text(part['text']));
    });
  }

  #add(kind: Piece['kind'], piece: string): void {
    if (piece === '') return;
    if (kind === 'text') this.#text += piece;
    else this.#thought += piece;
    this.#say({ kind, text: piece });
  }

  #call(place: number, id: string, name: string, json: string): void {
    const call = this.#calls.get(place) ?? { id: '', name: '', json: '' };
    this.#calls.set(place, { id: call.id || id, name: call.name || name, json: call.json + json });
  }

  /** The answer as blocks. Arguments that are not JSON stay text. */
  get blocks(): readonly ContentBlock[] {
    const blocks: ContentBlock[] = [];
    if (this.#thought !== '') blocks.push({ type: 'thinking', thought: this.#thought });
    if (this.#text !== '') blocks.push({ type: 'text', text: this.#text });
    for (const [place, { id, name, json }] of this.#calls)
      blocks.push({ type: 'tool_call', id: id || `call-${place}`, name, parameters: parsed(json) });
    return blocks;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text) as unknown;
  } catch {
    return text;
  }
}

/** The data of server-sent events, however the stream is cut into chunks. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? '')).split(/\r?\n/);
    rest = done ? '' : (lines.pop() ?? '');
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
    if (done) return;
  }
}
