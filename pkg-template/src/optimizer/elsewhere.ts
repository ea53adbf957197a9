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

/** The options that are functions. */
export const CALLBACKS: readonly string[] = ['protect', 'isFailure', 'countTokens'];

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
const OF_SUMMARIES: readonly string[] = [...summaryKeys, ...digestKeys, ...conversationKeys, 'redact', 'prompts'];

/** The options of `prepare` beside those of the moment. */
export const OF_PREPARE: readonly string[] = ['summarize', 'signal', 'onProgress', 'timeout', 'fallback'];

/** The place of switches of single rules. */
export const IN_RULES = [ruleKeys, "it goes into 'rules'"] as const;

const IN_HOOKS = [
  Object.keys(OF_HOOKS),
  'it is an option of integrations (middleware, prepareStep and the like)',
] as const;

/** Where options are that what optimizes doesn't know. */
export const BESIDE_OPTIMIZE: Elsewhere = [
  IN_RULES,
  [compressKeys, 'it is an option of compress and of conversations'],
  [OF_CONVERSATIONS, 'it is an option of conversations'],
  [OF_SUMMARIES, 'it is an option of summaries'],
  [intakeKeys, 'it is an option of shrinkResults'],
  IN_HOOKS,
];

/** Where options are that `compress` doesn't know. */
export const BESIDE_COMPRESS: Elsewhere = [
  [[...optimizeKeys, ...ruleKeys], 'it is an option of optimize, which goes before'],
  [OF_CONVERSATIONS, 'it is an option of conversations'],
  ...BESIDE_OPTIMIZE,
];

/** Where options are that a conversation doesn't know. */
export const BESIDE_CONVERSATION: Elsewhere = [
  [OF_OPTIMIZE, "it goes into 'optimize'"],
  [ruleKeys, "it goes into 'optimize.rules'"],
  [OF_PREPARE, "it goes to 'prepare'"],
  [OF_SUMMARIES, "it goes into 'summary'"],
  [['calibration'], "pass it to the conversation's setCalibration"],
  [intakeKeys, "it goes into 'intake'"],
  IN_HOOKS,
];

/** The place of options that a conversation's methods do not take. */
export const BESIDE_MOMENTS: Elsewhere = [
  [OF_CONVERSATIONS, 'it is an option of the conversation itself'],
  [OF_SUMMARIES, "it is said when the conversation is made, in 'summary'"],
];

/** Where options are that a hook doesn't know. */
export const BESIDE_HOOKS: Elsewhere = [
  IN_RULES,
  [
    [...compressKeys, ...OF_CONVERSATIONS, ...OF_SUMMARIES],
    'it is an option of the conversation: conversation: (target) => createConversation({ ...target, … })',
  ],
];
