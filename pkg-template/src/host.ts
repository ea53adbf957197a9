/**
 * Building blocks for agent hosts: settings as data, the built-in prompts and where to look up others, and the density
 * rules as the documents about context compression have them.
 *
 * @packageDocumentation
 */
export { conversationOptions } from './conversation/settings.js';
export { errorCodes, strategies } from './generated/constants.js';
export { settings } from './generated/summary-constants.js';
export { applyDensityResult, proposeDensity } from './optimizer/density.js';
export { compressionPrompt, formatFileOperations, promptCandidates, todoContext } from './summary/functions.js';
export {
  parseSetting,
  resolveSettings,
  type SettingInfo,
  type Settings,
  type SettingsLayer,
} from './summary/registry.js';
export type { DensityConfig, DensityResult, StrategyInfo } from './types.js';
