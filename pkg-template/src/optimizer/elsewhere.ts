/** Which options there are, and where those are that a call doesn't know. */

import type { Elsewhere } from '../base/options.js';
import {
  compressKeys,
  conversationKeys,
  digestKeys,
  intakeKeys,
  optimizeKeys,
  ruleKeys,
  summaryKeys,
} from '../generated/constants.js';
import { CLOCK } from './clock.js';

/** The options of rules that are functions. */
export const OF_RULES: readonly string[] = ['protect', 'isFailure', 'countTokens'];

/** The options that are functions. */
export const CALLBACKS: readonly string[] = [...OF_RULES, 'isUser'];

/** The options of hooks, by name and type. */
export const OF_HOOKS = {
  observe: 'boolean',
  onResult: 'function',
  onWarning: 'function',
  conversation: 'function',
  summarize: 'function',
  maxRuns: 'number',
} as const;

/** The options of conversations. */
export const OF_CONVERSATIONS: readonly string[] = [
  'strategy',
  'contextLimit',
  'threshold',
  'reserve',
  'overhead',
  'preserve',
  'keepFirstRequest',
  'model',
  'provider',
  'countTokens',
  'optimize',
  'intake',
  'summary',
  'todos',
  'recall',
  'hooks',
];

/** Options of `optimize` that stand in the group `optimize` of a conversation. */
export const OF_OPTIMIZE: readonly string[] = [...optimizeKeys, 'protect', 'isFailure', CLOCK];

/** Options of a conversation's summaries, beside those of `requestSummary`. */
const OF_SUMMARIES: readonly string[] = [
  ...summaryKeys,
  ...digestKeys,
  ...conversationKeys,
  'redact',
  'prompts',
  'isUser',
];

/** The options of `prepare` beside those of the moment. */
export const OF_PREPARE: readonly string[] = ['summarize', 'signal', 'onProgress', 'timeout', 'fallback'];

/** The place of switches of single rules. */
export const IN_RULES = [ruleKeys, "set it in 'rules'"] as const;

const IN_HOOKS = [Object.keys(OF_HOOKS), 'pass it to a hook, such as middleware or prepareStep'] as const;

/** Where options are that what optimizes doesn't know. */
export const BESIDE_OPTIMIZE: Elsewhere = [
  IN_RULES,
  [compressKeys, 'pass it to compress or createConversation'],
  [OF_CONVERSATIONS, 'pass it to createConversation'],
  [OF_SUMMARIES, "set it in 'summary' of createConversation, or pass it to requestSummary"],
  [intakeKeys, 'pass it to shrinkResults'],
  IN_HOOKS,
];

/** Where options are that `compress` doesn't know. */
export const BESIDE_COMPRESS: Elsewhere = [
  [[...optimizeKeys, ...ruleKeys], 'pass it to optimize, and call that first'],
  [OF_CONVERSATIONS, 'pass it to createConversation'],
  ...BESIDE_OPTIMIZE,
];

/** Where options are that a conversation doesn't know. */
export const BESIDE_CONVERSATION: Elsewhere = [
  [OF_OPTIMIZE, "set it in 'optimize'"],
  [ruleKeys, "set it in 'optimize.rules'"],
  [OF_PREPARE, "pass it to 'prepare'"],
  [OF_SUMMARIES, "set it in 'summary'"],
  [['calibration'], "pass it to the conversation's setCalibration"],
  [intakeKeys, "set it in 'intake'"],
  IN_HOOKS,
];

/** The place of options that a conversation's methods do not take. */
export const BESIDE_MOMENTS: Elsewhere = [
  [OF_CONVERSATIONS, 'pass it to createConversation'],
  [OF_SUMMARIES, "set it in 'summary' of createConversation"],
];

/** Where options are that a hook doesn't know. */
export const BESIDE_HOOKS: Elsewhere = [
  IN_RULES,
  [
    [...compressKeys, ...OF_CONVERSATIONS, ...OF_SUMMARIES],
    'pass it to the conversation: conversation: (target) => createConversation({ ...target, … })',
  ],
];
