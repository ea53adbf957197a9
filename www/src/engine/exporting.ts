import type { IContent } from 'densify';
import { FORMS, type Form } from '../lib/forms.js';
import { oneLine } from '../lib/text.js';

/** The forms that messages can be exported in. */
export type ExportForm = 'densify' | keyof typeof FORMS;

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

/** Contents as JSON in a form; those of other programs have no place for thinking, so it stays out of them. */
export function exported(title: string, messages: readonly IContent[], form: ExportForm): string {
  if (form === 'densify') return JSON.stringify({ title, contents: messages }, undefined, 1);
  const { key, messagesOf }: Form = FORMS[form];
  const list = messagesOf(messages);
  return JSON.stringify(key === undefined ? list : { [key]: list }, undefined, 1);
}

/** Faults for which a provider would reject the exported messages. The validator is loaded on first use. */
export async function judged(messages: readonly IContent[], form: ExportForm): Promise<Verdict> {
  const { validate } = await import('densify/validate');
  const known: Form | undefined = form === 'densify' ? undefined : FORMS[form];
  const { findings } = validate(known?.messagesOf(messages) ?? messages, { format: known?.format ?? 'densify' });
  const shown = findings.slice(0, SHOWN).map(({ level, path, message, hint }) => ({
    level,
    where: oneLine(path.join('.')),
    message: oneLine(message, 300),
    hint: oneLine(hint, 300),
  }));
  return { errors: findings.filter(({ level }) => level === 'error').length, findings: shown };
}
