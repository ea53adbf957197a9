// What a well-behaved model answers to a request for a summary.
import type { SummaryRequest } from 'densify';

const LAST = ['task_context', 'user_directives', 'errors_encountered', 'code_references'];
const SECTIONS = {
  'middle-out': ['overall_goal', 'key_knowledge', 'current_progress', 'active_tasks', 'open_questions', ...LAST],
  'one-shot': ['overall_goal', 'key_knowledge', 'file_system_state', 'recent_actions', 'current_plan', ...LAST],
};

const PROGRESS = 'Progress\n### Done\nNone.\n\n### In Progress\nNone.\n\n### Blocked';
const HEADINGS = ['Goal', 'Constraints & Preferences', PROGRESS, 'Key Decisions', 'Next Steps', 'Critical Context'];

/** A reply with all sections that a request asks for; `said` is in the first. */
export function goodReply({ strategy }: Pick<SummaryRequest<unknown>, 'strategy'>, said = 'The work goes on.'): string {
  if (strategy === 'structured') {
    return HEADINGS.map((heading, at) => `## ${heading}\n${at === 0 ? said : 'None.'}`).join('\n\n');
  }
  const sections = SECTIONS[strategy].map(
    (name, at) => `    <${name}>\n        ${at === 0 ? said : 'None.'}\n    </${name}>`,
  );
  return `<scratchpad>what matters?</scratchpad>\n<state_snapshot>\n${sections.join('\n')}\n</state_snapshot>`;
}
