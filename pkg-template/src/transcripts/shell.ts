import type { ContentBlock, IContent } from '../types.js';
import { FAILED } from './blocks.js';
import type { Log, Reader } from './format.js';
import { openAiChat } from './formats/openai-chat.js';
import type { JsonRecord } from './json.js';

/** A command of the model, and the text around it. */
interface TypedCommand {
  readonly command: string;
  readonly texts: readonly string[];
}

/** Reads logs in which commands are typed as chat messages in which they are called. */
export abstract class ChatTranslator {
  protected readonly log: Log;
  readonly #chat: Reader;
  readonly #failed = new Set<string>();
  #commands = 0;
  #awaits = false;

  constructor(log: Log) {
    this.log = log;
    this.#chat = openAiChat.open(log);
  }

  finish(): IContent[] {
    const contents = this.#chat.finish();
    const mark = (block: ContentBlock): void => {
      if (block.type === 'tool_response' && this.#failed.has(block.callId)) block.error = FAILED;
    };
    for (const { blocks } of contents) blocks.forEach(mark);
    return contents;
  }

  /** Whether a command waits for what it printed. */
  protected get awaits(): boolean {
    return this.#awaits;
  }

  /** Takes a message as it is. */
  protected chat(message: JsonRecord, line: number): void {
    this.#awaits = false;
    this.#chat.read(message, line);
  }

  /** Takes a message in which a command is typed. */
  protected call(message: JsonRecord, { command, texts }: TypedCommand, line: number): void {
    this.#commands += 1;
    const content = texts.filter((text) => text.trim() !== '').map((text) => ({ type: 'text', text }));
    const call = { id: this.#id, type: 'function', function: { name: 'bash', arguments: { command } } };
    this.chat({ ...message, content, tool_calls: [call] }, line);
    this.#awaits = true;
  }

  /** Takes what a command printed. */
  protected answer(message: JsonRecord, failed: boolean, line: number): void {
    const typed = this.#awaits;
    const id = typed ? this.#id : message['tool_call_id'];
    if (failed && typeof id === 'string') this.#failed.add(id);
    this.chat(typed ? { ...message, role: 'tool', tool_call_id: id } : message, line);
  }

  get #id(): string {
    return `command_${this.#commands}`;
  }
}

/** How a typed command begins. */
const FENCES = ['```bash', '```mswea_bash_command'];
const REST_OF_LINE = /[ \t\r]*\n/y;

/** The one command of a reply; none if there are several, as the agent runs none then. */
export function commandOf(text: string): TypedCommand | undefined {
  let found: TypedCommand | undefined;
  for (let from = 0; ; ) {
    const fence = nextFence(text, from);
    if (fence === undefined) return found;
    const end = text.indexOf('\n```', fence.body - 1);
    // Without an end there is none for the fences after it either.
    if (end === -1) return found;
    if (found !== undefined) return undefined;
    const command = text.slice(fence.body, Math.max(end, fence.body)).trim();
    found = { command, texts: [text.slice(0, fence.at).trimEnd(), text.slice(end + 4).trimStart()] };
    from = end + 4;
  }
}

function nextFence(text: string, from: number): { at: number; body: number } | undefined {
  for (let at = text.indexOf('```', from); at !== -1; at = text.indexOf('```', at + 3)) {
    const fence = FENCES.find((begin) => text.startsWith(begin, at));
    if (fence === undefined) continue;
    REST_OF_LINE.lastIndex = at + fence.length;
    if (REST_OF_LINE.test(text)) return { at, body: REST_OF_LINE.lastIndex };
  }
  return undefined;
}
