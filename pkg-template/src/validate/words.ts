import type { FindingCode, Path } from './api.js';

/** What a message about a finding is made of. */
export interface Info {
  readonly id?: string | undefined;
  readonly ids?: readonly string[];
  readonly name?: string | undefined;
  /** The block's or message's type. */
  readonly type?: string | undefined;
  readonly role?: string | undefined;
  readonly expected?: string;
  readonly missing?: boolean;
  readonly found?: number;
  readonly most?: number;
  /** The hint, if it differs from the usual one of the code. */
  readonly hint?: string;
  /** The level, if it differs from the table's. */
  readonly level?: 'error' | 'warning' | 'off';
}

/** What a provider says. */
export type Words = Partial<Record<FindingCode, (path: Path, info: Info) => string | undefined>>;

/** A path as Python's validators write it: `messages.3.content.0`. */
export function dotted(path: Path, root = 'messages'): string {
  return [root, ...path].join('.');
}

/** A path as JavaScript writes it: `messages[3].content[0]`. */
export function bracketed(path: Path, root = 'messages'): string {
  return root + path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
}

type Entry = readonly [words: (info: Info) => string, hint: string];

const named = (info: Info): string => (info.id === undefined ? '' : ` '${info.id}'`);

/** Our own words for each code, and what to do about it. */
const OWN: Readonly<Record<FindingCode, Entry>> = {
  unreadable: [() => 'reading this value throws', 'pass plain data'],
  'not-a-list': [() => "messages isn't an array", 'pass an array of messages'],
  'not-a-message': [() => "this isn't a message", 'drop it, or convert it to a message of the format'],
  'unknown-role': [
    ({ role }) => `the role ${role === undefined ? 'is missing' : `'${role}' isn't known`}`,
    'use a role of the format',
  ],
  'unknown-block': [
    ({ type, expected }) => `a block of type '${type ?? ''}' isn't known here; expected ${expected ?? 'another'}`,
    'convert the block to one of the format, or drop it',
  ],
  'bad-shape': [
    ({ expected, missing }) =>
      `${missing === true ? 'nothing here' : 'a wrong value'}: expected ${expected ?? 'another'}`,
    'give the value that the format wants here',
  ],
  'misplaced-block': [
    ({ type, role }) => `a block of type '${type ?? ''}' can't stand in a message of the role '${role ?? ''}'`,
    'move the block to a message of the role that may hold it',
  ],
  'not-json': [() => "a value that JSON can't hold", 'replace it: requests are sent as JSON'],
  'no-messages': [() => 'there are no messages', 'keep at least one message'],
  'empty-message': [() => 'a message without contents', 'drop the message, or give it a text'],
  'empty-text': [() => 'an empty text', 'drop the block, or give it a text'],
  'lone-surrogate': [
    () => 'a lone surrogate, which providers reject',
    'cut texts between characters: `text.toWellFormed()`',
  ],
  'too-many-messages': [({ found, most }) => `${found ?? 0} messages; at most ${most ?? 0} are allowed`, 'compress'],
  'too-long': [({ found, most }) => `${found ?? 0} units; at most ${most ?? 0} are allowed`, 'shorten it'],
  'trailing-whitespace': [() => "the beginning of a reply can't end with white space", 'trim the end of the text'],
  'tools-missing': [() => 'there are calls or results, but the request defines no tools', 'send the tools along'],
  'image-in-error': [() => 'a failed result may hold texts only', 'put the images behind the result'],
  'bad-arguments': [() => "the arguments aren't the JSON text of an object", 'write them with JSON.stringify'],
  'bad-tool-name': [({ name }) => `the tool's name '${name ?? ''}' isn't of the required form`, 'rename the tool'],
  'orphan-call': [
    (info) => `the call${named(info)} has no result`,
    'keep call and result together, or answer it with an error',
  ],
  'orphan-result': [(info) => `the result${named(info)} answers no call`, 'drop the result with its call'],
  'misplaced-result': [
    (info) => `the result${named(info)} must come directly after its call`,
    'move it directly after its call',
  ],
  'duplicate-result': [(info) => `the call${named(info)} has a result already`, 'keep one of the results'],
  'duplicate-call-id': [(info) => `another call has the id${named(info)}`, 'give each call an id of its own'],
  'bad-call-id': [
    ({ id, expected }) => `the id '${id ?? ''}' must match ${expected ?? ''}`,
    'rename the id in the call and its result',
  ],
  'long-call-id': [
    ({ id, most }) => `the id has ${id?.length ?? 0} characters; at most ${most ?? 0} are allowed`,
    'shorten the id in the call and its result',
  ],
  'missing-call-id': [() => 'a call or result without an id', 'give the call and its result one id'],
  'results-first': [
    () => 'results must stand before the other blocks of their message',
    'move the results to the front',
  ],
  'result-count': [
    ({ found, most }) => `${found ?? 0} results follow ${most ?? 0} calls`,
    'put all results of a turn in the message right after the calls',
  ],
  'result-name': [
    ({ name, expected }) => `a result of '${name ?? ''}' answers a call of '${expected ?? ''}'`,
    'use one name',
  ],
  'call-position': [
    () => 'calls must follow a user message or results',
    "don't let the messages begin with, or put two model messages before, a call",
  ],
  'orphan-server-call': [
    (info) => `the provider's own call${named(info)} has no result`,
    'keep the blocks of a server tool together',
  ],
  'orphan-server-result': [
    (info) => `a server tool's result${named(info)} without its call`,
    'keep the blocks of a server tool together',
  ],
  'orphan-caller': [
    (info) => `the call was made by${named(info)}, which isn't there`,
    'keep the calling block, or drop `caller`',
  ],
  'orphan-approval': [
    (info) => `the approval${named(info)} has no counterpart`,
    'keep request, response and call together',
  ],
  'duplicate-approval': [(info) => `the approval${named(info)} is there twice`, 'keep one of them'],
  'call-mismatch': [
    (info) => `the content's calls and the message's list of calls differ:${named(info)}`,
    'edit both alike',
  ],
  'first-role': [() => 'the conversation must begin with a user message', 'begin with a user message'],
  'last-role': [() => "the conversation can't end with a model message", 'end with a user message or a result'],
  'role-order': [
    ({ role, type }) => `the role '${role ?? ''}' can't follow '${type ?? ''}'`,
    'merge the messages, or put another between them',
  ],
  'system-position': [() => "a system message can't stand here", "send it as the request's system prompt"],
  'thinking-missing': [
    () => 'an open tool loop must begin with the thinking of its first call',
    'keep the thinking blocks of the last turn as they were, or turn thinking off for this request',
  ],
  'thinking-unsigned': [() => 'thinking without a valid signature', 'drop the thinking: it cannot be signed later'],
  'thinking-last': [() => "a message can't end with thinking", 'drop the thinking, or keep what followed it'],
  'thinking-changed': [
    () => 'the thinking was changed, but its signature was kept',
    'keep both as they were, or drop the block',
  ],
  'thinking-unbound': [
    () => 'the thinking is bound to what stood before it, and that has changed',
    'drop all thinking after the first change, or send `block_binding.prefix_mismatch_behavior: "drop_block"`',
  ],
  'reasoning-without-successor': [
    (info) => `the reasoning${named(info)} isn't followed by what it led to`,
    'drop the reasoning with what followed it',
  ],
  'successor-without-reasoning': [
    (info) => `the item${named(info)} came after reasoning that isn't there`,
    "keep the reasoning, or drop the item's id",
  ],
  'reasoning-not-encrypted': [
    (info) => `the reasoning${named(info)} isn't stored by the provider and has no encrypted content`,
    'request `include: ["reasoning.encrypted_content"]`, or drop the reasoning',
  ],
  'reasoning-required': [
    () => 'a thinking model wants `reasoning_content` on every message with calls',
    'keep `reasoning_content` as it was received',
  ],
  'reasoning-forbidden': [() => 'the server rejects `reasoning_content`', 'drop `reasoning_content`'],
  'signature-missing': [
    () => 'the first call of each step of the current turn needs its `thoughtSignature`',
    "keep it as it was received; for calls that the model didn't make it is 'skip_thought_signature_validator'",
  ],
  'bad-item-id': [({ id, expected }) => `the id '${id ?? ''}' must begin with '${expected ?? ''}'`, 'drop the id'],
  'duplicate-id': [(info) => `another one has the id${named(info)}`, 'drop the duplicate'],
  'unresolvable-item': [(info) => `the provider can't look up the item${named(info)}`, 'send the item itself'],
  'item-position': [
    ({ type, expected }) => `'${type ?? ''}' must be ${expected ?? 'elsewhere'}`,
    'move it, or drop it',
  ],
  'too-many-breakpoints': [
    ({ found, most }) => `${found ?? 0} cache breakpoints; at most ${most ?? 0} are allowed`,
    'drop the oldest of them',
  ],
  'breakpoint-position': [
    ({ type }) => `a block of type '${type ?? ''}' can't have a cache breakpoint`,
    'move it to the block before',
  ],
  'breakpoint-order': [() => 'longer cache lifetimes must come before shorter ones', 'use one lifetime'],
};

/** Our own words for a finding. */
export function ownWords(code: FindingCode, info: Info): string {
  return OWN[code][0](info);
}

/** What to do about a finding, unless something better is known. */
export function hintOf(code: FindingCode): string {
  return OWN[code][1];
}
