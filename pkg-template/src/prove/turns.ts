import type { IContent } from '../base/content.js';
import { jsonOf } from '../base/json.js';
import { blocksOf, type OddBlock, read } from '../replay/odd.js';

/** A piece of a turn, as every provider knows it. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'result'; readonly id: string; readonly name: string; readonly text: string };

/** What one side says until the other does. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly parts: Part[];
}

/** A history as a request can have it: turns that alternate, and each call with its result. */
interface Dialogue {
  /** Instructions that the log holds. */
  readonly system: string;
  readonly turns: readonly Turn[];
}

const DROPPED = '(The beginning of this conversation was dropped.)';
const UNANSWERED = '(no result)';
const GO_ON = 'Go on.';

/**
 * Contents as turns. Reasoning is left out, since a signature is valid for the model that made it alone; media are named. With
 * `asText`, calls and results are texts, for models without tools.
 */
export function dialogueOf(contents: readonly IContent[], asText = false): Dialogue {
  const writer = new Writer(asText);
  const system: string[] = [];
  for (const content of contents) {
    if (isInstruction(content)) system.push(...textsIn(content));
    else writer.add(content);
  }
  return { system: system.join('\n\n'), turns: writer.finish() };
}

function isInstruction(content: IContent): boolean {
  const metadata = read(content, 'metadata');
  const role = typeof metadata === 'object' && metadata !== null ? read(metadata, 'role') : undefined;
  return role === 'system' || role === 'developer';
}

const textsIn = (content: IContent): string[] =>
  blocksOf(content).flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));

/** A value as the text that a model reads. */
const shown = (value: unknown): string => (typeof value === 'string' ? value : (jsonOf(value) ?? ''));

/** A name as every provider takes it. */
export function toolName(name: unknown): string {
  return (
    String(name ?? '')
      .replace(/[^A-Za-z0-9_-]/g, '_')
      .slice(0, 64) || 'tool'
  );
}

class Writer {
  readonly #asText: boolean;
  readonly #turns: Turn[] = [];
  /** Calls without a result, by the id in the log: the newest last. */
  readonly #open = new Map<string, { readonly id: string; readonly name: string }[]>();
  readonly #used = new Set<string>();

  constructor(asText: boolean) {
    this.#asText = asText;
  }

  add(content: IContent): void {
    const isModel = read(content, 'speaker') === 'ai';
    for (const block of blocksOf(content)) {
      if (block.type === 'text' && typeof block.text === 'string' && block.text.trim() !== '') {
        this.#part(isModel ? 'assistant' : 'user', { kind: 'text', text: block.text });
      } else if (block.type === 'tool_call') this.#call(block);
      else if (block.type === 'tool_response') this.#result(block);
    }
    if (hasMedia(content)) this.#part(isModel ? 'assistant' : 'user', { kind: 'text', text: '[an image or a file]' });
  }

  finish(): readonly Turn[] {
    this.#close();
    if (this.#turns[0]?.role !== 'user')
      this.#turns.unshift({ role: 'user', parts: [{ kind: 'text', text: DROPPED }] });
    if (this.#turns.at(-1)?.role === 'assistant') this.#part('user', { kind: 'text', text: GO_ON });
    // Providers want the results first in the turn behind the calls.
    for (const { parts } of this.#turns) parts.sort((one, other) => rank(one) - rank(other));
    return this.#turns;
  }

  #part(role: Turn['role'], part: Part): void {
    // The model went on, so what is still open gets no result any more.
    if (role === 'assistant' && this.#turns.at(-1)?.role === 'user') this.#close();
    const last = this.#turns.at(-1);
    if (last?.role === role) last.parts.push(part);
    else this.#turns.push({ role, parts: [part] });
  }

  #call({ id, name, parameters }: OddBlock): void {
    const tool = toolName(name);
    const input = isRecord(parameters) ? parameters : { input: parameters ?? '' };
    if (this.#asText) {
      this.#part('assistant', { kind: 'text', text: JSON.stringify({ tool, arguments: input }) });
      return;
    }
    const own = this.#fresh(String(id ?? 'call'));
    this.#part('assistant', { kind: 'call', id: own, name: tool, input });
    this.#open.set(String(id), [...(this.#open.get(String(id)) ?? []), { id: own, name: tool }]);
  }

  #result({ callId, result }: OddBlock): void {
    const text = shown(result) || '(empty)';
    const waiting = this.#open.get(String(callId)) ?? [];
    const [call, ...others] = waiting;
    if (call === undefined) {
      this.#part('user', { kind: 'text', text: `[result of a tool]\n${text}` });
      return;
    }
    if (others.length === 0) this.#open.delete(String(callId));
    else this.#open.set(String(callId), others);
    this.#part('user', { kind: 'result', id: call.id, name: call.name, text });
  }

  /** Answers what the log leaves open: no provider takes a call without its result. */
  #close(): void {
    const open = [...this.#open.values()].flat();
    this.#open.clear();
    for (const { id, name } of open) this.#part('user', { kind: 'result', id, name, text: UNANSWERED });
  }

  #fresh(id: string): string {
    const plain = id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 32) || 'call';
    let own = plain;
    for (let at = 2; this.#used.has(own); at += 1) own = `${plain}_${at}`;
    this.#used.add(own);
    return own;
  }
}

const rank = ({ kind }: Part): number => (kind === 'result' ? 0 : kind === 'text' ? 1 : 2);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && jsonOf(value) !== undefined;

function hasMedia(content: IContent): boolean {
  const blocks: unknown = read(content, 'blocks');
  return Array.isArray(blocks) && blocks.some((block: unknown) => isRecord(block) && block['type'] === 'media');
}
