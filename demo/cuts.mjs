// What a strategy did, found by comparing the history before and after: entries that are the same
// object are untouched; what lies between them was edited or dropped. This trusts nothing that the
// result says about itself.

/** Names of what can be cut, in the words of the output. */
export const RULES = {
  staleReads: 'stale reads',
  inclusions: 'earlier inclusions',
  recency: 'old results',
  summaries: 'results in one line',
  truncated: 'oldest entries',
};

/**
 * @typedef {{index: number, after?: object, blocks: {before: object, after?: object, rule: string}[]}} Cut
 *   an entry that was edited, or dropped when `after` is missing
 * @returns {{cuts: Cut[], partners: (object|undefined)[], untouched: number}}
 *   `partners[i]` is what became of entry i
 */
export function findCuts(before, after, strategy) {
  const partners = align(before, after);
  const cuts = [];
  let untouched = 0;
  before.forEach((content, index) => {
    const partner = partners[index];
    if (partner === content) untouched += 1;
    else cuts.push({ index, after: partner, blocks: cutBlocks(content, partner, strategy) });
  });
  return { cuts, partners, untouched };
}

/** For each entry before: the entry after that it became, if any. */
function align(before, after) {
  const partners = new Array(before.length).fill(undefined);
  const places = new Map();
  before.forEach((content, index) => places.set(content, [...(places.get(content) ?? []), index]));
  let from = 0;
  let edited = [];
  const settle = (to) => {
    for (const content of edited) {
      const index = findEdited(before, content, from, to);
      if (index < 0) continue;
      partners[index] = content;
      from = index + 1;
    }
    edited = [];
  };
  for (const content of after) {
    const place = places.get(content)?.find((index) => index >= from);
    if (place === undefined) {
      edited.push(content);
      continue;
    }
    settle(place);
    partners[place] = content;
    from = place + 1;
  }
  settle(before.length);
  return partners;
}

function findEdited(before, content, from, to) {
  for (let index = from; index < to; index++) if (isEditOf(before[index], content)) return index;
  return -1;
}

function isEditOf(before, after) {
  if (before.speaker !== after.speaker) return false;
  return after.blocks.some((block) =>
    before.blocks.some((other) => isSameBlock(other, block) || isCutText(other, block)),
  );
}

function isSameBlock(before, after) {
  if (before === after) return true;
  if (before.type !== after.type) return false;
  if (before.type === 'tool_response') return before.callId === after.callId;
  return before.type === 'tool_call' ? before.id === after.id : before.type === 'text' && before.text === after.text;
}

const POINTER = /^\[Earlier inclusion of .* removed\]$/s;

/** Whether a text came from another by leaving out lines, or is the pointer that stands for it. */
function isCutText(before, after) {
  if (before.type !== 'text' || after.type !== 'text') return false;
  if (POINTER.test(after.text)) return true;
  const lines = before.text.split('\n');
  let at = 0;
  for (const line of after.text.split('\n')) {
    while (at < lines.length && lines[at] !== line) at++;
    if (at++ >= lines.length) return false;
  }
  return true;
}

function cutBlocks(before, after, strategy) {
  if (!after)
    return before.blocks.map((block) => ({ before: block, rule: ruleOf(before, block, undefined, strategy) }));
  const left = [...after.blocks];
  const take = (test) => {
    const index = left.findIndex(test);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const pairs = before.blocks.map((block) => ({ before: block, after: take((other) => isSameBlock(block, other)) }));
  for (const pair of pairs) pair.after ??= take((other) => isCutText(pair.before, other));
  const isCut = ({ before: old, after: now }) =>
    !now || (now !== old && (now.text !== old.text || now.result !== old.result));
  return pairs.filter(isCut).map((pair) => ({ ...pair, rule: ruleOf(before, pair.before, pair.after, strategy) }));
}

/** Which rule makes such a change. */
function ruleOf(content, block, after, strategy) {
  if (strategy.isCompression) return after ? 'summaries' : 'truncated';
  if (block.type === 'tool_response' && after) return 'recency';
  return content.speaker === 'human' ? 'inclusions' : 'staleReads';
}

/** Tokens that each rule saved. What an entry costs besides its blocks counts for the rule that cut its first one. */
export function tokensByRule(cuts, before, estimate) {
  const saved = {};
  const add = (rule, tokens) => (saved[rule] = (saved[rule] ?? 0) + tokens);
  for (const { index, after, blocks } of cuts) {
    const cost = (list) => estimate([{ ...before[index], blocks: list }]);
    const frame = cost([]);
    for (const { rule, before: block, after: left } of blocks) add(rule, cost([block]) - (left ? cost([left]) : frame));
    if (!after && blocks.length > 0) add(blocks[0].rule, frame);
  }
  return saved;
}

export function blockSize(block) {
  return (
    JSON.stringify(block.text ?? block.result ?? block.parameters ?? block.thought ?? block.code ?? block.data ?? '') ??
    ''
  ).length;
}
