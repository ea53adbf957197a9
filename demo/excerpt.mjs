// Shows one cut as a small diff: the old text, the new text, and the reason.

import { blockSize, RULES } from './cuts.mjs';

const SHOWN_LINES = 4;

/**
 * @typedef {{sign: '-' | '+' | ' ', label: string, text: string}} Row
 * @returns {{title: string, rows: Row[]} | undefined} undefined when nothing was cut
 */
export function excerpt(before, run, alreadyShown) {
  const rule = pickRule(run, alreadyShown);
  if (!rule) return undefined;
  alreadyShown.add(rule);
  return (SHOW[rule] ?? showCut)(before, run, rule);
}

/** The rule that saved most, but rather one that hasn't been shown yet, and dropped entries last. */
function pickRule({ rules, cuts }, alreadyShown) {
  const rank = (rule) => (alreadyShown.has(rule) ? 2 : 0) + (rule === 'truncation' ? 1 : 0);
  const ended = new Set(cuts.flatMap(({ blocks }) => blocks.map(({ rule }) => rule)));
  return [...ended].sort((a, b) => rank(a) - rank(b) || rules[b].saved - rules[a].saved)[0];
}

/** The rules that are shown in a way of their own. */
const SHOW = {
  'stale-reads': showStaleRead,
  inclusions: showInclusion,
  truncation: showTruncation,
};

/** The largest cut of a rule, as {index, block}. */
function largest(run, rule, isWanted = () => true) {
  let best;
  for (const { index, blocks } of run.cuts) {
    for (const block of blocks) {
      if (block.rule !== rule || !isWanted(block)) continue;
      const size = blockSize(block.before);
      if (!best || size > best.size) best = { index, block, size };
    }
  }
  return best;
}

const label = (content, index) => `#${index + 1} ${content.speaker}`;

function showStaleRead(before, run, rule) {
  const found = largest(run, rule, ({ before: block }) => block.type === 'tool_response') ?? largest(run, rule);
  const { index, block } = found;
  const call = findCall(before, block.before.callId);
  const rows = [];
  if (call) rows.push({ sign: '-', label: label(before[call.index], call.index), text: callLine(call.block) });
  rows.push(...shortened('-', label(before[index], index), resultText(block.before)));
  const write = call && lastNeededWrite(before, call);
  if (write) rows.push({ sign: '+', label: label(before[write.index], write.index), text: callLine(write.block) });
  return { title: write ? `a read, stale since entry ${write.index + 1}` : 'a stale read', rows };
}

function findCall(before, id) {
  for (let index = 0; index < before.length; index++) {
    const block = before[index].blocks.find((other) => other.type === 'tool_call' && other.id === id);
    if (block) return { index, block };
  }
  return undefined;
}

const PATH_KEYS = ['file_path', 'absolute_path', 'path', 'filePath'];

/** A call may read several files: the write that replaced the last of them. */
function lastNeededWrite(before, read) {
  const failed = new Set();
  for (const { blocks } of before) for (const block of blocks) if (block.error) failed.add(block.callId);
  const writes = pathsOf(read.block).map((path) => firstWrite(before, read.index + 1, path, failed));
  return writes.every(Boolean) ? writes.sort((a, b) => b.index - a.index)[0] : undefined;
}

function firstWrite(before, from, path, failed) {
  for (let index = from; index < before.length; index++) {
    const block = before[index].blocks.find(
      (other) =>
        other.type === 'tool_call' &&
        /write|edit|replace|insert/i.test(other.name) &&
        !failed.has(other.id) &&
        !isPreview(other.parameters) &&
        pathsOf(other).some((written) => isSameFile(written, path)),
    );
    if (block) return { index, block };
  }
  return undefined;
}

/** Good enough for an excerpt: one may be relative. */
const isSameFile = (a, b) => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

const isPreview = (parameters) =>
  parameters?.preview === true || parameters?.dry_run === true || parameters?.force === false;

function pathsOf({ parameters }) {
  const single = PATH_KEYS.map((key) => parameters?.[key]).filter((path) => typeof path === 'string');
  return Array.isArray(parameters?.paths) ? parameters.paths.filter((path) => typeof path === 'string') : single;
}

/** A text with its removed inclusions, and a little of the text around them. */
function showInclusion(before, run, rule) {
  const { index, block } = largest(run, rule, (cut) => cut.after?.text?.trim()) ?? largest(run, rule);
  const name = label(before[index], index);
  const parts = splitInclusions(block.before.text);
  const left = splitInclusions(block.after?.text ?? '').filter((part) => part.isInclusion);
  const rows = [];
  // From the end: of two inclusions of one file in one entry, the later one stays.
  for (const part of parts.reverse()) {
    const stays = !part.isInclusion || left.at(-1)?.text === part.text;
    if (part.isInclusion && stays) left.pop();
    if (part.text !== '') rows.unshift(...shortened(stays ? '+' : '-', name, part.text, stays ? 2 : SHOWN_LINES));
  }
  if (/^\[Earlier inclusion of /.test(block.after?.text ?? ''))
    rows.push({ sign: '+', label: name, text: block.after.text });
  return { title: 'files that the user included again later', rows };
}

/** A text, split into inclusions of files and the text between them, without blank lines. */
function splitInclusions(text) {
  const parts = [{ isInclusion: false, lines: [] }];
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const end = /^--- .+ ---$/.test(lines[i]) ? lines.indexOf('--- End of content ---', i + 1) : -1;
    if (end < 0) {
      parts.at(-1).lines.push(lines[i]);
      continue;
    }
    parts.push({ isInclusion: true, lines: lines.slice(i, end + 1) }, { isInclusion: false, lines: [] });
    i = end;
  }
  return parts.map(({ isInclusion, lines: part }) => ({ isInclusion, text: part.join('\n').trim() }));
}

/** The text that was cut from a block, and the text that replaces it. */
function showCut(before, run, rule) {
  const { index, block } = largest(run, rule);
  const name = label(before[index], index);
  const call = findCall(before, block.before.callId);
  const rows = call ? [{ sign: '+', label: label(before[call.index], call.index), text: callLine(call.block) }] : [];
  const old = blockText(block.before).split('\n');
  const now = block.after ? blockText(block.after).split('\n') : [];
  const start = old.findIndex((line, at) => line !== now[at]);
  const isLast = (line, at) => line === now[now.length - old.length + at];
  const same = Math.min(old.length - 1 - old.findLastIndex((line, at) => !isLast(line, at)), now.length - start);
  rows.push(...shortened('-', name, old.slice(start, old.length - same).join('\n')));
  rows.push(...shortened('+', name, now.slice(start, now.length - same).join('\n'), 2));
  return { title: RULES[rule], rows };
}

/** The first entries that went, and those that stayed before and behind them. */
function showTruncation(before, run) {
  const dropped = run.cuts.filter((cut) => !cut.after).map((cut) => cut.index);
  const gone = new Set(dropped);
  const row = (sign) => (index) => ({ sign, label: label(before[index], index), text: entryLine(before[index]) });
  const stayed = before.map((_, index) => index).filter((index) => !gone.has(index));
  const rows = stayed
    .filter((index) => index < dropped[0])
    .slice(-1)
    .map(row('+'));
  rows.push(...dropped.slice(0, SHOWN_LINES).map(row('-')));
  if (dropped.length > SHOWN_LINES)
    rows.push({ sign: '-', label: '', more: `${dropped.length - SHOWN_LINES} more entries` });
  rows.push(
    ...stayed
      .filter((index) => index > dropped[0])
      .slice(0, 2)
      .map(row('+')),
  );
  return { title: `the oldest ${dropped.length} entries`, rows };
}

/** The first lines of a text that aren't blank, and how many more there are. */
function shortened(sign, rowLabel, text, shown = SHOWN_LINES) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.slice(0, shown).map((line, index) => ({ sign, label: index === 0 ? rowLabel : '', text: line }));
  const rest = lines.length - shown;
  if (rest > 0) rows.push({ sign, label: '', more: `${rest} more ${rest === 1 ? 'line' : 'lines'}` });
  return rows;
}

function resultText({ result, error }) {
  if (typeof result === 'string') return result;
  if (typeof result?.output === 'string') return result.output;
  return JSON.stringify(result ?? error ?? null);
}

function blockText(block) {
  if (block.type === 'tool_response') return resultText(block);
  return block.type === 'tool_call'
    ? callLine(block)
    : String(block.text ?? block.thought ?? block.code ?? `(${block.type})`);
}

function callLine({ name, parameters }) {
  if (parameters === null || typeof parameters !== 'object') return `${name}(${JSON.stringify(parameters) ?? ''})`;
  const pairs = Object.entries(parameters).map(
    ([key, value]) => `${key}: ${(JSON.stringify(value) ?? '').slice(0, 120)}`,
  );
  return `${name}(${pairs.join(', ')})`;
}

function entryLine({ blocks }) {
  const block = blocks.find((other) => other.type !== 'thinking') ?? blocks[0];
  if (!block) return '(empty)';
  if (block.type === 'tool_call') return callLine(block);
  if (block.type === 'tool_response') return `${block.toolName}: ${firstLine(resultText(block))}`;
  return firstLine(String(block.text ?? block.thought ?? block.code ?? `(${block.type})`));
}

const firstLine = (text) => text.trimStart().split('\n', 1)[0];
