// Unified diffs of small texts, for the results of edits and for `git diff`.

const CONTEXT = 3;

/** A unified diff without file headers; empty when the texts are equal. */
export function unifiedDiff(before, after) {
  const ops = lineOps(before.split('\n'), after.split('\n'));
  const out = [];
  for (const [from, to] of hunks(ops)) out.push(...hunk(ops, from, to));
  return out.join('\n');
}

/** Longest common subsequence of lines, as a list of kept, removed and added lines. */
function lineOps(a, b) {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] =
        a[i] === b[j]
          ? table[(i + 1) * width + j + 1] + 1
          : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    }
  }
  const ops = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const down = i < a.length ? table[(i + 1) * width + j] : -1;
    const right = j < b.length ? table[i * width + j + 1] : -1;
    if (i < a.length && j < b.length && a[i] === b[j]) ops.push({ sign: ' ', text: a[i], a: i++, b: j++ });
    else if (down >= right) ops.push({ sign: '-', text: a[i], a: i++, b: j });
    else ops.push({ sign: '+', text: b[j], a: i, b: j++ });
  }
  return ops;
}

/** Ranges of operations that belong together: changes with their context. */
function hunks(ops) {
  const ranges = [];
  ops.forEach((op, index) => {
    if (op.sign === ' ') return;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(ops.length, index + CONTEXT + 1);
    const last = ranges.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else ranges.push([from, to]);
  });
  return ranges;
}

function hunk(ops, from, to) {
  const part = ops.slice(from, to);
  const removed = part.filter((op) => op.sign !== '+').length;
  const added = part.filter((op) => op.sign !== '-').length;
  const head = `@@ -${part[0].a + 1},${removed} +${part[0].b + 1},${added} @@`;
  return [head, ...part.map((op) => op.sign + op.text)];
}
