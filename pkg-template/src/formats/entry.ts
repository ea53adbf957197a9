/** What every format's entry point exports beside its verbs. */
export { isDensifyError } from '../errors.js';
export type { Optimizer } from '../optimizer.js';
export type * from '../conversation/types.js';
export type * from '../intake/types.js';
export type * from '../summary/types.js';
export type * from '../types.js';
export type { Target } from './format.js';
export type { LostReasoning, Plan, PlannedTokens, PlanOptions, PlanSide } from './plan.js';
