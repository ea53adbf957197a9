/** What every format's entry point exports beside its verbs. */
export { isDensifyError } from '../base/errors.js';
export type * from '../conversation/types.js';
export type * from '../intake/types.js';
export type { Target } from '../models/target.js';
export type { Optimizer } from '../optimizer/optimizer.js';
export type * from '../summary/types.js';
export type * from '../types.js';
export type { LostReasoning, Plan, PlannedTokens, PlanOptions, PlanSide } from './plan.js';
