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
    name: 'stale read',
    many: 'stale reads',
    why: 'A later entry wrote the same file successfully, so this read shows a state that no longer exists.',
  },
  {
    key: 'inclusions',
    name: 'earlier inclusion',
    many: 'earlier inclusions',
    why: 'The user pasted the same file again later. The newest copy stays.',
  },
  {
    key: 'recency',
    name: 'old result',
    many: 'old results',
    why: 'Newer results of the same tool followed. Only the newest few stay.',
  },
  {
    key: 'bound-thinking',
    name: 'bound thinking',
    many: 'bound thinking',
    why: 'This thinking belonged to calls that were removed.',
  },
  {
    key: 'result-summary',
    name: 'one line',
    many: 'results in one line',
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
    many: 'repeated lines',
    why: 'A later result shows the same lines again.',
  },
  {
    key: 'line-numbers',
    name: 'line numbers',
    many: 'line numbers',
    why: 'Line numbers can be counted, so only every hundredth stays.',
  },
  {
    key: 'old-results',
    name: 'long old result',
    many: 'long old results',
    why: 'Old output is cut first, files later; large results sooner.',
  },
  {
    key: 'superseded',
    name: 'superseded read',
    many: 'superseded reads',
    why: 'A later result shows the same lines of the file as they are now, or the file was rewritten.',
  },
  {
    key: 'repeated-calls',
    name: 'repeated call',
    many: 'repeated calls',
    why: 'The same call ran again, and nothing had changed in between.',
  },
  {
    key: 'write-arguments',
    name: 'arguments of a write',
    many: 'arguments of writes',
    why: 'A later result shows the written text, or the file was written again.',
  },
  {
    key: 'intake',
    name: 'shortened at intake',
    many: 'shortened at intake',
    why: 'This result was shortened before it was first sent, so the cache stays valid.',
  },
  {
    key: 'digest',
    name: 'in the digest',
    many: 'blocks in the digest',
    why: 'The history had reached its threshold, so a summary by rules replaces the older messages. With a model, auto asks it for the summary.',
  },
  {
    key: 'repeated-media',
    name: 'repeated image',
    many: 'repeated images and files',
    why: 'The same image or file comes again later.',
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
export type RuleKey = (typeof RULES)[number]['key'];

export const ruleNumber = (key: string): number =>
  Math.max(
    0,
    RULES.findIndex((rule) => rule.key === key),
  );
