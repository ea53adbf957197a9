/** The types of shrinking, for every entry point that has it. */
export type { AnsweredCall, IntakeOptions, ReducerName, ShrinkOptions, ShrunkResult } from './functions.js';
export type { ShrinkResultsOptions, ShrunkMessages } from './messages.js';
