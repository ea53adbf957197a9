/**
 * densify packs an LLM agent's conversation history down before each model call, without losing
 * the thread.
 *
 * @packageDocumentation
 */
export { isDensifyError } from './base/errors.js';
export { createConversation, restoreConversation } from './conversation/functions.js';
export type * from './conversation/types.js';
export type { Densify } from './densify.js';
export * from './functions.js';
export { errorCodes, strategies } from './generated/constants.js';
export { settings } from './generated/summary-constants.js';
export { initIntake, shrinkResult, shrinkResults } from './intake/functions.js';
export type * from './intake/types.js';
export type { Optimizer } from './optimizer/optimizer.js';
export {
  applySummary,
  type CompressionPromptOptions,
  compressionPrompt,
  digest,
  type FileOptions,
  fileOperations,
  formatFileOperations,
  initSummaries,
  type PromptOptions,
  promptCandidates,
  redact,
  requestSummary,
  structuredPrompt,
  todoContext,
  verifySummary,
} from './summary/functions.js';
export {
  conversationOptions,
  type ParsedSetting,
  parseSetting,
  type ResolveOptions,
  resolveSettings,
  type SettingAliases,
  type SettingInfo,
  type Settings,
  type SettingsInput,
  type SettingsLayer,
  type SettingsOptions,
} from './summary/registry.js';
export type * from './summary/types.js';
export { createDensify, type DensifyTenant } from './tenant.js';
export type * from './types.js';
