import { isList, isRecord, type JsonRecord } from '../transcripts/json.js';
import type { MessageFormat, Path, ValidateOptions } from './api.js';
import { Collector, type Entry, type Found } from './context.js';
import type { FormatRules } from './format.js';
import { formats } from './formats/index.js';
import { checkPairs } from './rules/pairs.js';
import { checkContents, checkRoles, jsonCheck } from './rules/shared.js';
import { rulesFor } from './rules.js';
import { checkShape, type Problem } from './shape.js';

/** All that is wrong with some messages, in the order of the messages, with what would remove it. */
export function check(messages: unknown, format: MessageFormat, options: ValidateOptions): readonly Found[] {
  const rules = formats[format];
  const collector = new Collector(format, options, rulesFor(format, options), [
    PROVIDER_WORDS[options.provider ?? ''] ?? {},
    rules.words,
  ]);
  guarded(collector, [], () => {
    if (!isList(messages)) return collector.report('not-a-list', []);
    if (messages.length === 0) return collector.report('no-messages', []);
    // Holes are messages that are missing.
    const all: readonly unknown[] = Array.from(messages);
    const entries = all.flatMap((message, at) => readMessage(message, at, rules, collector));
    const context = collector.context(all, rules.link?.(entries) ?? entries);
    const passes = [
      () => rules.pairing !== undefined && checkPairs(context, rules.pairing),
      () => checkContents(context),
      () => checkRoles(context, rules.opening),
      () => rules.check?.(context),
    ];
    for (const pass of passes) guarded(collector, [], pass);
    const checkJson = jsonCheck(context, rules.wire);
    all.forEach((message, at) => {
      guarded(collector, [at], () => checkJson(message, at));
    });
  });
  return collector.found.sort((one, other) => compare(one.finding.path, other.finding.path));
}

/** Checks a message's shape and gives what the rules look at; nothing, if there is nothing to look at. */
function readMessage(message: unknown, at: number, rules: FormatRules, collector: Collector): Entry[] {
  const entries: Entry[] = [];
  guarded(collector, [at], () => {
    const record: JsonRecord | undefined = isRecord(message) ? message : rules.wrap?.(message);
    if (record === undefined) {
      collector.report('not-a-message', [at], {}, [{ op: 'drop', path: [at] }]);
      return;
    }
    checkShape(record, rules.shapeOf?.(record) ?? rules.shape, [at], (problem) =>
      report(problem, record, rules, collector),
    );
    entries.push(rules.read(record, at));
  });
  return entries;
}

function report(problem: Problem, message: JsonRecord, { roleKey }: FormatRules, collector: Collector): void {
  const { path, expected, missing, tag } = problem;
  const atRole = path.length === 2 && path[1] === roleKey;
  if (roleKey !== 'type' && (atRole || (tag !== undefined && path.length === 1))) {
    const role = message[roleKey];
    const info = typeof role === 'string' ? { role, expected } : { expected };
    return collector.report('unknown-role', path.slice(0, 1), info);
  }
  if (tag === undefined) return collector.report('bad-shape', path, { expected, missing });
  collector.report('unknown-block', path, { type: tag, expected });
}

/** What reading throws (a getter, a proxy, a stack that is used up) is a finding like any other. */
function guarded(collector: Collector, path: Path, action: () => unknown): void {
  try {
    action();
  } catch {
    collector.report('unreadable', path);
  }
}

function compare(one: Path, other: Path): number {
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
    const [a, b] = [one[at], other[at]];
    if (a === b) continue;
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    return String(a) < String(b) ? -1 : 1;
  }
  return one.length - other.length;
}

/** What servers say that take another provider's format, or have rules of their own. */
const PROVIDER_WORDS: Readonly<Record<string, FormatRules['words']>> = {
  mistral: {
    'bad-call-id': (_path, { id }) => `Tool call id was ${id ?? ''} but must be a-z, A-Z, 0-9, with a length of 9.`,
    'role-order': (_path, { role, type }) => `Unexpected role '${role ?? ''}' after role '${type ?? ''}'`,
    'last-role': () => 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
  },
  moonshot: {
    'reasoning-required': ([index]) =>
      `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index ?? 0}`,
  },
  bedrock: {
    'first-role': () =>
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
  },
  'strict-template': {
    'role-order': () => 'Conversation roles must alternate user/assistant/user/assistant/...',
  },
};
