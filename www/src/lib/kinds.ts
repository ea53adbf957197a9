import type { Facts } from '../engine/api.js';
import type { Settings } from './settings.js';
import { thousands } from './text.js';

/** What a block is, for its colour. The order is that of the numbers in `Facts.kind`. */
export const KINDS = [
  { key: 'user', name: 'user' },
  { key: 'assistant', name: 'assistant' },
  { key: 'thinking', name: 'thinking' },
  { key: 'call', name: 'tool call' },
  { key: 'result', name: 'tool result' },
  { key: 'media', name: 'media' },
  { key: 'other', name: 'other' },
] as const;
export type KindKey = (typeof KINDS)[number]['key'];

export const KIND: Readonly<Record<KindKey, number>> = {
  user: 0,
  assistant: 1,
  thinking: 2,
  call: 3,
  result: 4,
  media: 5,
  other: 6,
};

/** The rules, in the order of the numbers in `Replay.editRule`, and what each does, in words. */
export const RULES = [
  {
    key: 'stale-reads',
    name: 'read before a write',
    many: 'reads of files that were written later',
    why: 'The file was written after this read.',
  },
  {
    key: 'inclusions',
    name: 'repeated file paste',
    many: 'repeated file pastes',
    why: 'The user pasted the same file again later. The newest copy stays.',
  },
  {
    key: 'recency',
    name: 'older than the newest {newest} results of its tool',
    many: 'results, all but the newest {newest} of each tool',
    why: 'Newer results of the same tool followed. Only the newest {newest} stay.',
  },
  {
    key: 'bound-thinking',
    name: 'thinking of removed calls',
    many: 'thinking of removed calls',
    why: 'This thinking belonged to calls that were removed.',
  },
  {
    key: 'result-summary',
    name: 'one-line result',
    many: 'one-line results',
    why: 'The history had reached its threshold: every result outside the tail became one line.',
  },
  {
    key: 'truncation',
    name: 'truncated',
    many: 'truncated blocks',
    why: 'The history had reached its threshold, so the oldest messages were dropped. Calls stay with their results.',
  },
  {
    key: 'repeats',
    name: 'repeated lines',
    many: 'cuts of repeated lines',
    why: 'A later result shows the same lines again.',
  },
  {
    key: 'line-numbers',
    name: 'line numbers',
    many: 'line numbers',
    why: 'Every hundredth line number stays; the model can count the rest.',
  },
  {
    key: 'old-results',
    name: 'old result',
    many: 'old results',
    why: 'This result is old. Large results are cut sooner, file contents later.',
  },
  {
    key: 'superseded',
    name: 'older copy of a file',
    many: 'older copies of files',
    why: 'A later result shows these lines again.',
  },
  {
    key: 'repeated-calls',
    name: 'repeated call',
    many: 'repeated calls',
    why: 'The same call ran again, and nothing had changed in between.',
  },
  {
    key: 'write-arguments',
    name: 'old file write',
    many: 'old file writes',
    why: 'A later result shows the written text.',
  },
  {
    key: 'intake',
    name: 'shortened before first send',
    many: 'shortened before first send',
    why: 'This result was shortened before it was first sent, so the cache stays valid.',
  },
  {
    key: 'digest',
    name: 'in the digest',
    many: 'parts that the digest replaces',
    why: 'The history had reached its threshold, so a summary, made without a model, replaces the older messages. If you provide a model, Auto uses it for the summary.',
  },
  {
    key: 'repeated-media',
    name: 'repeated image',
    many: 'repeated images and files',
    why: 'The same image or file appears again later.',
  },
  {
    key: 'failed-calls',
    name: 'failed call',
    many: 'failed calls',
    why: 'The same call succeeded later.',
  },
  {
    key: 'old-thinking',
    name: 'old thinking',
    many: 'pieces of old thinking',
    why: 'Many results followed, so this thinking is no longer needed.',
  },
] as const;
/** The settings that names of rules mention. */
type Named = Pick<Settings, 'recencyRetention'>;

const filled = (words: string, { recencyRetention }: Named): string =>
  words.replace('{newest}', String(recencyRetention));

/** The name of a rule, and its reason. */
export function ruleWords(rule: number, settings: Named): { readonly name: string; readonly why: string } {
  const { name = '', why = '' } = RULES[rule] ?? {};
  return { name: filled(name, settings), why: filled(why, settings) };
}

/** What a rule cuts, in the plural. */
export const manyOf = (rule: number, settings: Named): string => filled(RULES[rule]?.many ?? '', settings);

/** The number of a rule's cuts, with its name. */
export function countedRule(rule: number, count: number, settings: Named): string {
  return `${thousands(count)} ${count === 1 ? ruleWords(rule, settings).name : manyOf(rule, settings)}`;
}

/** A block by its message, and by its place there if the message has several. */
export function nameOfBlock({ entryOf, blockStart }: Pick<Facts, 'entryOf' | 'blockStart'>, block: number): string {
  const entry = entryOf[block] ?? 0;
  const [start, end] = [blockStart[entry] ?? block, blockStart[entry + 1] ?? block + 1];
  return end - start > 1 ? `Message #${entry}, block ${block - start + 1}` : `Message #${entry}`;
}

export const ruleNumber = (key: string): number =>
  Math.max(
    0,
    RULES.findIndex((rule) => rule.key === key),
  );
