import type { ContentBlock, IContent } from 'densify';

/** A message as it would be sent, and where it comes from. */
export interface Standing {
  readonly message: IContent;
  /** The entry that it is, or nothing for a summary. */
  readonly entry: number | undefined;
  /** The number of each of its blocks; for a summary that of the block in whose place it is shown. */
  readonly blocks: readonly number[];
  tokens: number;
}

/** The new form of each changed message. */
export interface Fates {
  changed(standing: Standing, message: IContent): Standing;
  dropped(standings: readonly Standing[], inserted: readonly IContent[]): readonly Standing[];
}

/** Finds out what became of each message; those that are still the same object cost a comparison. */
export function follow(prior: readonly Standing[], list: readonly IContent[], fates: Fates): Standing[] {
  const next: Standing[] = [];
  let at = 0;
  while (at < list.length) {
    const known = prior[at];
    const message = list[at];
    if (!known || !message) break;
    const isInPlace = known.entry !== undefined && prior[at + 1]?.message === list[at + 1];
    if (known.message === message) next.push(known);
    else if (isInPlace && isAlike(known.message, message)) next.push(fates.changed(known, message));
    else break;
    at += 1;
  }
  if (at === list.length && at === prior.length) return next;
  return [...next, ...followed(prior.slice(at), list.slice(at), fates)];
}

/** The same where messages went or came. */
function followed(prior: readonly Standing[], list: readonly IContent[], fates: Fates): Standing[] {
  const places = new Map(prior.map(({ message }, place) => [message, place]));
  const stays = new Set(list);
  const next: (Standing | IContent)[] = [];
  const gone: Standing[] = [];
  let from = 0;
  for (const message of list) {
    const place = places.get(message);
    if (place !== undefined) {
      for (; from < place; from += 1) if (!stays.has(prior[from]!.message)) gone.push(prior[from]!);
      from = Math.max(from, place + 1);
      next.push(prior[place]!);
      continue;
    }
    const found = findAlike(prior, from, message, stays);
    if (found === undefined) next.push(message);
    else {
      for (; from < found; from += 1) if (!stays.has(prior[from]!.message)) gone.push(prior[from]!);
      from = found + 1;
      next.push(fates.changed(prior[found]!, message));
    }
  }
  gone.push(...prior.slice(from).filter(({ message }) => !stays.has(message)));
  const inserted = next.filter((one): one is IContent => 'speaker' in one);
  const made = [...fates.dropped(gone, inserted)];
  return next.map((one) => ('speaker' in one ? made.shift()! : one));
}

function findAlike(
  prior: readonly Standing[],
  from: number,
  message: IContent,
  stays: ReadonlySet<IContent>,
): number | undefined {
  for (let place = from; place < prior.length && !stays.has(prior[place]!.message); place += 1) {
    if (prior[place]!.entry !== undefined && isAlike(prior[place]!.message, message)) return place;
  }
  return undefined;
}

/** Whether a message may be another one after edits: it shares a block with it, a call, or how a text begins or ends. */
function isAlike(old: IContent, message: IContent): boolean {
  if (old.speaker !== message.speaker) return false;
  return message.blocks.some((block) =>
    old.blocks.some((one) => one === block || isSameCall(one, block) || isSimilar(one, block)),
  );
}

const SAME = 12;

/** No edit makes a text longer: a digest that quotes a request is longer than that. */
function isSimilar(a: ContentBlock, b: ContentBlock): boolean {
  if (a.type !== 'text' || b.type !== 'text' || b.text === '' || b.text.length > a.text.length) return false;
  return a.text.startsWith(b.text.slice(0, SAME)) || a.text.endsWith(b.text.slice(-SAME));
}

function isSameCall(a: ContentBlock, b: ContentBlock): boolean {
  if (a.type === 'tool_call') return b.type === 'tool_call' && a.id === b.id;
  return a.type === 'tool_response' && b.type === 'tool_response' && a.callId === b.callId;
}

/** The blocks of a message before, each with its block after, if it is still there. */
export function pairs(
  old: IContent,
  message: IContent,
): readonly (readonly [before: ContentBlock, after: ContentBlock | undefined])[] {
  const left = new Set(message.blocks);
  let place = 0;
  return old.blocks.map((block) => {
    const now = message.blocks[place];
    const isHere =
      now !== undefined && (now === block || isSameCall(block, now) || (now.type === block.type && !left.has(block)));
    // The text changed; it was not moved.
    const isOther = isHere && now !== block && !isSameCall(block, now) && old.blocks.includes(now);
    if (!isHere || isOther) return [block, undefined];
    place += 1;
    return [block, now];
  });
}
