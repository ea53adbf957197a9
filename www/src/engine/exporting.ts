import type { IContent } from 'densify';
import { oneLine } from '../lib/text.js';
import { anthropicBody, openAiBody } from '../endpoint/messages.js';

/** The forms that messages can be exported in. */
export type ExportForm = 'densify' | 'openai' | 'anthropic';

/** What of exported messages is wrong in the eyes of who gets them. */
export interface Verdict {
  readonly errors: number;
  readonly findings: readonly {
    readonly level: string;
    readonly where: string;
    readonly message: string;
    readonly hint: string;
  }[];
}

const SHOWN = 20;

function listOf(messages: readonly IContent[], form: ExportForm): readonly unknown[] {
  if (form === 'densify') return messages;
  const question = { endpoint: { dialect: form, url: '', model: '' }, messages, withTools: false, isBare: true };
  const list = (form === 'openai' ? openAiBody(question) : anthropicBody(question))['messages'];
  return Array.isArray(list) ? list : [];
}

/** Contents as JSON in a form; those of other programs have no place for thinking, so it stays out of them. */
export function exported(title: string, messages: readonly IContent[], form: ExportForm): string {
  const list = listOf(messages, form);
  return JSON.stringify(
    form === 'openai' ? list : form === 'densify' ? { title, contents: list } : { messages: list },
    undefined,
    1,
  );
}

/** What would be rejected of the exported messages; what knows the rules is fetched when it is first asked for. */
export async function judged(messages: readonly IContent[], form: ExportForm): Promise<Verdict> {
  const { validate } = await import('densify/validate');
  const { findings } = validate(listOf(messages, form), { format: form === 'openai' ? 'openai-chat' : form });
  const shown = findings.slice(0, SHOWN).map(({ level, path, message, hint }) => ({
    level,
    where: oneLine(path.join('.')),
    message: oneLine(message, 300),
    hint: oneLine(hint, 300),
  }));
  return { errors: findings.filter(({ level }) => level === 'error').length, findings: shown };
}
