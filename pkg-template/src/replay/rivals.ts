import type { IContent } from '../base/content.js';
import { jsonOf } from '../base/json.js';
import type { Scale } from './meter.js';
import { blocksOf, read } from './odd.js';
import type { ReplayHistory } from './types.js';

/** Results that masking leaves. */
const KEPT_RESULTS = 10;
const MASK = '[old tool result omitted]';
/** The share of the window above which a history is cut, and the share that is left. */
const [TRIGGER, LEFT] = [0.85, 0.5];
/** The tokens above which a plain digest is made, if the window has as many. */
const DIGEST_AT = 60_000;
/** The newest turns that a plain digest leaves. */
const NEWEST = 3;
/** The longest result that a plain digest takes over, and the longest call. */
const [LONGEST_RESULT, LONGEST_CALL] = [500, 200];

/** A history that grows, and that `change` may edit before each request. */
function changing(change: (list: IContent[]) => IContent[]): ReplayHistory {
  let list: IContent[] = [];
  return {
    add: (contents) => contents.forEach((content) => list.push(content)),
    messages: () => {
      list = change(list);
      return [...list];
    },
    dispose: () => undefined,
  };
}

/** Observation masking: all results but the newest ten are placeholders. */
export function masking(): ReplayHistory {
  return changing((list) => {
    let newer = 0;
    const changed: IContent[] = [];
    for (let at = list.length - 1; at >= 0; at -= 1) {
      const content = list[at]!;
      const results = blocksOf(content).filter(({ type }) => type === 'tool_response').length;
      newer += results;
      changed.push(newer - results >= KEPT_RESULTS && results > 0 ? masked(content) : content);
    }
    return changed.reverse();
  });
}

function masked(content: IContent): IContent {
  const isMasked = blocksOf(content).every(({ type, result }) => type !== 'tool_response' || result === MASK);
  if (isMasked) return content;
  const blocks = content.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result: MASK } : block));
  return { ...content, blocks };
}

/** Head and tail: near the window's end the middle goes; the first request and the newest messages stay. */
export function headAndTail(contextLimit: number, scale: Scale): ReplayHistory {
  return changing((list) => {
    if (tokensOf(list, scale) <= TRIGGER * contextLimit) return list;
    const first = list.findIndex((content) => read(content, 'speaker') === 'human');
    const head = list.slice(0, first + 1);
    let room = LEFT * contextLimit - tokensOf(head, scale);
    let from = list.length;
    while (from > head.length && scale.of(list[from - 1]!) <= room) room -= scale.of(list[--from]!);
    // A result without its call is refused everywhere.
    while (from < list.length && read(list[from]!, 'speaker') === 'tool') from += 1;
    return [...head, ...list.slice(from)];
  });
}

/**
 * A digest without a model: above its trigger all between the first request and the newest three turns becomes one message.
 * It has what was said in full, a line for each call, and results of at most 500 characters.
 */
export function plainDigest(contextLimit: number, scale: Scale): ReplayHistory {
  const trigger = Math.min(DIGEST_AT, TRIGGER * contextLimit);
  let digest: IContent | undefined;
  return changing((list) => {
    const head = list.findIndex((content) => read(content, 'speaker') === 'ai');
    if (head < 0 || tokensOf(list, scale) <= trigger) return list;
    const turns = list.flatMap((content, at) => (read(content, 'speaker') === 'ai' ? [at] : []));
    const cut = turns.at(-NEWEST) ?? 0;
    if (cut <= head + 1) return list;
    // An older digest goes: its source can't be read any more.
    const lines = list
      .slice(head, cut)
      .filter((content) => content !== digest)
      .flatMap(linesOf);
    const text = `Summary of the work so far. Longer tool results were dropped.\n${lines.join('\n')}`;
    digest = { speaker: 'human', blocks: [{ type: 'text', text }] };
    return [...list.slice(0, head), digest, ...list.slice(cut)];
  });
}

function linesOf(content: IContent): string[] {
  const who = read(content, 'speaker') === 'human' ? 'user' : 'assistant';
  return blocksOf(content).flatMap(({ type, text, name, parameters, result }): string[] => {
    if (type === 'text' && typeof text === 'string') return [`[${who}] ${text}`];
    if (type === 'tool_call') return [`[call] ${String(name)}(${shown(parameters).slice(0, LONGEST_CALL)})`];
    if (type !== 'tool_response' || shown(result).length > LONGEST_RESULT) return [];
    return [`[result] ${shown(result)}`];
  });
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : (jsonOf(value) ?? ''));

const tokensOf = (list: readonly IContent[], scale: Scale): number =>
  list.reduce((sum, content) => sum + scale.of(content), 0);
