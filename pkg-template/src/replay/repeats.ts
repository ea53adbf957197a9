/** What the agent asked for again, and got as it had it before. */
import type { IContent } from '../base/content.js';
import { keyParameter } from '../messages/facts.js';
import { blocksOf } from './odd.js';
import { bareLinesOf, strings } from './texts.js';

/** Results that already held a later call's answer, by their calls. */
export type Repeat = ReadonlyMap<unknown, unknown>;

/** The number of entries after a call in which its answer is searched. */
const NEAR = 64;
/** The number of earlier results of a kind that are compared with a new one. */
const COMPARED = 32;
/** Fewer lines stand in other results by chance. */
const LEAST = 3;
/** Tools write so many lines around a part of a file at most. */
const AROUND = 2;

/** A result as far as it is compared. */
interface Given {
  readonly id: unknown;
  readonly call: string;
  readonly result: unknown;
  readonly lines: readonly string[];
  readonly text: string;
}

/**
 * The calls of a log, by the entry that made them, which were answered what an earlier call had been answered: the very
 * same call the same text, or one of the same tool and file a part of it. A command that is run again because something
 * changed gets another answer: no cut is to blame for it.
 */
export function repeatsIn(log: readonly IContent[]): ReadonlyMap<number, readonly Repeat[]> {
  const repeats = new Map<number, Repeat[]>();
  const calls = new Map<unknown, readonly [call: string, kind: string]>();
  const known = new Map<string, Given[]>();
  log.forEach((content, at) => {
    for (const block of blocksOf(content)) {
      if (block.type === 'tool_call') {
        const [call, kind] = [keyOf(block.name, block.parameters), kindOf(block.name, block.parameters)];
        calls.set(block.id, [call, kind]);
        const before = known.get(kind);
        const now = before === undefined ? undefined : answerTo(block.id, call, log, at);
        if (before === undefined || now === undefined || now.text === '') continue;
        const same = before.filter((each) => (each.call === call ? each.text === now.text : isPart(now, each)));
        if (same.length > 0) listed(repeats, at).push(new Map(same.map(({ id, result }) => [id, result])));
      } else if (block.type === 'tool_response') {
        const [call, kind] = calls.get(block.callId) ?? [];
        if (call === undefined || kind === undefined) continue;
        const before = listed(known, kind);
        before.push(given(block.callId, call, block.result));
        if (before.length > COMPARED) before.shift();
      }
    }
  });
  return repeats;
}

function listed<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function given(id: unknown, call: string, result: unknown): Given {
  const lines = [...strings(result)].flatMap(bareLinesOf);
  return { id, call, result, lines, text: lines.length === 0 ? '' : `\n${lines.join('\n')}\n` };
}

function answerTo(id: unknown, call: string, log: readonly IContent[], at: number): Given | undefined {
  for (const content of log.slice(at, at + NEAR)) {
    for (const block of blocksOf(content)) {
      if (block.type === 'tool_response' && block.callId === id) return given(id, call, block.result);
    }
  }
  return undefined;
}

/** Whether a result repeats another one, apart from text that tools add around it. */
function isPart({ lines }: Given, { text }: Given): boolean {
  for (let top = 0; top <= AROUND; top += 1) {
    for (let bottom = 0; bottom <= AROUND && lines.length - top - bottom >= LEAST; bottom += 1) {
      if (text.includes(`\n${lines.slice(top, lines.length - bottom).join('\n')}\n`)) return true;
    }
  }
  return false;
}

/** What was called, to the letter. */
function keyOf(name: unknown, parameters: unknown): string {
  try {
    return `${String(name)} ${JSON.stringify(parameters)}`;
  } catch {
    return typeof name === 'string' ? name : '';
  }
}

/** The tool and subject of a call: another part of the same file is of the same kind. */
function kindOf(name: unknown, parameters: unknown): string {
  try {
    const key = keyParameter(parameters);
    return key === undefined ? keyOf(name, parameters) : `${String(name)} ${key}`;
  } catch {
    return keyOf(name, parameters);
  }
}

/** How many of them were answered by results that a request no longer holds. */
export function missed(repeats: readonly Repeat[], messages: readonly IContent[]): number {
  if (repeats.length === 0) return 0;
  const holds = (message: IContent, repeat: Repeat): boolean =>
    blocksOf(message).some((block) => {
      if (block.type !== 'tool_response' || !repeat.has(block.callId)) return false;
      // A result that the log has like this is no cut.
      return block.result === repeat.get(block.callId) || !isPointer(block.result);
    });
  return repeats.filter((repeat) => !messages.some((message) => holds(message, repeat))).length;
}

/** What stands alone where a result, or all lines of it, went: the core's pointers and those of intake. */
const POINTER = /^(?:\[(?:… .*|Result pruned.*|.* — .*)\]|… \(.*\))$/;

/** Whether a result is no more than a word on one that went. */
function isPointer(result: unknown): boolean {
  const lines = [...strings(result)].flatMap((text) => text.trim().split('\n'));
  return lines.every((line) => POINTER.test(line));
}
