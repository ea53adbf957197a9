// The cuts of a strategy, from the edits that its result lists. Each edit is applied to its message again, to find the text
// that it removed. All edits together must give the result.

/** The rules in the words of the output, by the names that edits have for them. */
export const RULES = {
  'stale-reads': 'stale reads',
  inclusions: 'earlier inclusions',
  recency: 'old results',
  'bound-thinking': 'bound thinking',
  'result-summary': 'results in one line',
  truncation: 'oldest entries',
  repeats: 'repeated lines',
  'line-numbers': 'line numbers',
  'old-results': 'long old results',
  superseded: 'superseded reads',
  'repeated-calls': 'repeated calls',
  'write-arguments': 'arguments of writes',
  'repeated-media': 'repeated images',
  'failed-calls': 'failed calls',
  'old-thinking': 'old thinking',
};

/**
 * @typedef {{index: number, after?: object, blocks: {before: object, after?: object, rule: string}[]}} Cut
 *   an entry that was edited, or dropped when `after` is missing
 * @returns {{cuts: Cut[], partners: (object|undefined)[], untouched: number, isTold: boolean}}
 *   `partners[i]` is what became of entry i; `isTold` says whether the edits lead to what the result holds
 */
export function findCuts({ applyEdits }, before, { messages, edits }) {
  const partners = [...before];
  const cuts = [];
  for (const [index, own] of byEntry(edits)) {
    const after = applyEdits(before[index], own);
    partners[index] = after;
    cuts.push({ index, after, blocks: cutBlocks(before[index], after, own) });
  }
  const left = partners.filter((partner) => partner !== undefined);
  const isTold = left.length === messages.length && left.every((entry, at) => isSame(entry, messages[at]));
  return { cuts, partners, untouched: before.length - cuts.length, isTold };
}

/** The edits that were made, of each entry its own, in their order. */
function byEntry(edits) {
  const entries = new Map();
  for (const edit of edits) {
    if (edit.pending) continue;
    if (!entries.has(edit.index)) entries.set(edit.index, []);
    entries.get(edit.index).push(edit);
  }
  return [...entries].sort(([a], [b]) => a - b);
}

const isSame = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The blocks that were cut, each with the rest of it and the last rule that cut it. */
function cutBlocks(before, after, edits) {
  const whole = edits.find(({ kind }) => kind === 'drop');
  if (whole) return before.blocks.map((block) => ({ before: block, rule: whole.rule }));
  const rules = new Map(edits.map(({ block, rule }) => [block, rule]));
  const gone = new Set(edits.filter(({ kind }) => kind === 'drop-block').map(({ block }) => block));
  const left = before.blocks.map((_, block) => block).filter((block) => !gone.has(block));
  return [...rules].map(([block, rule]) => ({
    before: before.blocks[block],
    after: gone.has(block) ? undefined : after.blocks[left.indexOf(block)],
    rule,
  }));
}

/** How many edits each rule made, and the tokens that they saved: together as many as the whole result saved. */
export function tallyByRule({ applyEdits, estimateTokens }, before, edits) {
  const tally = {};
  for (const [index, own] of byEntry(edits)) {
    let left = estimateTokens([before[index]]);
    own.forEach(({ rule }, at) => {
      tally[rule] ??= { edits: 0, saved: 0 };
      tally[rule].edits += 1;
      if (rule === own[at + 1]?.rule) return;
      const entry = applyEdits(before[index], own.slice(0, at + 1));
      const now = entry === undefined ? 0 : estimateTokens([entry]);
      tally[rule].saved += left - now;
      left = now;
    });
  }
  return tally;
}

export function blockSize(block) {
  return (
    JSON.stringify(block.text ?? block.result ?? block.parameters ?? block.thought ?? block.code ?? block.data ?? '') ??
    ''
  ).length;
}
