import type { Cuts } from '../session/cuts.js';
import type { Redact } from '../summary/redaction.js';
import type { Summaries } from '../summary/summaries.js';
import type { SummaryOptions } from '../summary/types.js';
import type { History } from './history.js';
import type { Hooks } from './hooks.js';
import type { Machine } from './machine.js';
import type { ConversationSettings, Moment } from './options.js';
import type { Tally } from './tally.js';
import type { TaskOwner } from './task.js';
import type { Todos } from './todos.js';
import type { Warnings } from './warnings.js';

/** What a conversation's history is made smaller with. */
export interface Means<M> {
  readonly summaries: Summaries;
  readonly settings: ConversationSettings<M>;
  readonly history: History<M>;
  readonly tally: Tally;
  readonly redact: Redact;
  readonly cuts: Cuts<M>;
  readonly hooks: Hooks<M>;
  /** Whom a task reports to. */
  readonly owner: TaskOwner<M>;
}

/** The same, and what decides and remembers. */
export interface Tools<M> extends Means<M> {
  readonly machine: Machine;
  readonly warnings: Warnings;
  readonly todos: Todos;
}

/** The window, less the tokens that the provider counted in addition to densify's count. */
export function budgetNow<M>({ settings: { budget }, machine }: Tools<M>): ConversationSettings<M>['budget'] {
  if (machine.offset === 0) return budget;
  return { ...budget, contextLimit: Math.max(1, budget.contextLimit - machine.offset) };
}

/** What summaries and digests are made with beside the settings, but for the todo items. */
export function momentWithoutTodos<M>({ history, redact, machine }: Tools<M>): Moment<M> {
  return { threshold: machine.thresholdNow, state: history.state, redact };
}

/** The same, and the todo items. */
export function momentNow<M>(tools: Tools<M>): Moment<M> & { readonly todos: SummaryOptions['todos'] } {
  return { ...momentWithoutTodos(tools), todos: tools.todos.now() };
}
