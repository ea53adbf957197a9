/**
 * What every entry point for messages exports beside its functions. Get a part of a type by its key: `Edit['rule']`.
 * `MessageOf` and `RequestOf` are exported because the declarations of callers may have to name them.
 */
export type { ContentBlock, ContentLike, IContent } from '../base/content.js';
export type { DensifyError } from '../base/errors.js';
export { isDensifyError } from '../base/errors.js';
export type { ConversationHooks } from '../conversation/hooks.js';
export type {
  Conversation,
  ConversationOptions,
  ConversationSnapshot,
  ConversationStats,
  ConversationStep,
  ConversationTokens,
  ConversationWarning,
  OverLimitStep,
  PreparedStep,
  PrepareOptions,
  ReadyStep,
  SummarizeStep,
  SummaryProgress,
  SummaryTask,
} from '../conversation/types.js';
export type { IntakeOptions, ShrinkOptions } from '../intake/functions.js';
export type { ShrinkResultsOptions, ShrunkMessages } from '../intake/messages.js';
export type { Target } from '../models/target.js';
export type { Optimizer } from '../optimizer/optimizer.js';
export type {
  ApplyOptions,
  CompactionState,
  DigestOptions,
  DigestResult,
  FileOperations,
  Finding,
  SummaryCheck,
  SummaryNoop,
  SummaryOptions,
  SummaryRequest,
  SummaryResult,
  Todo,
} from '../summary/types.js';
export type {
  Applied,
  CompressOptions,
  CompressResult,
  Edit,
  ErrorCode,
  FlushPlan,
  Noop,
  OptimizeOptions,
  Preset,
  Result,
  StrategyName,
  TokenCounter,
  ToolDefinition,
  Warning,
} from '../types.js';
export type { Plan, PlanOptions } from './plan.js';
export type { MessageOf } from './requests.js';
export type { RequestOf } from './written.js';
