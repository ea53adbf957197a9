import type { IContent } from 'densify';
import { anthropicBody, openAiBody } from '../endpoint/messages.js';

/** The forms that messages can be exported in. */
export type ExportForm = 'densify' | 'openai' | 'anthropic';

/** Contents as JSON in a form; those of other programs have no place for thinking, so it stays out of them. */
export function exported(title: string, messages: readonly IContent[], form: ExportForm): string {
  if (form === 'densify') return JSON.stringify({ title, contents: messages }, undefined, 1);
  const question = { endpoint: { dialect: form, url: '', model: '' }, messages, withTools: false, isBare: true };
  const list = (form === 'openai' ? openAiBody(question) : anthropicBody(question))['messages'];
  return JSON.stringify(form === 'openai' ? list : { messages: list }, undefined, 1);
}
