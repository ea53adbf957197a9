/**
 * Claude Code's `attachment` records: what the host adds to a request of its own accord. From 2.1.281 on a record has the
 * text that the model saw (`rendered`); for older ones it is put together from the attachment, in Claude Code's words.
 */
import { filled, isList, isRecord, type JsonRecord } from '../json.js';

/** Attachments that say nothing to the model: they are shown to the user, or steer the host. */
const BOOKKEEPING: ReadonlySet<unknown> = new Set([
  'hook_success',
  'hook_cancelled',
  'hook_error_during_execution',
  'hook_non_blocking_error',
  'hook_permission_decision',
  'hook_system_message',
  'async_hook_response',
  'command_permissions',
  'structured_output',
  'dynamic_skill',
  'max_turns_reached',
  'current_session_memory',
  'bagel_console',
]);

/** What Claude Code says of a file that is shown as if a tool had been called. */
const asCall = (tool: string, input: JsonRecord, result: string): string =>
  `Called the ${tool} tool with the following input: ${JSON.stringify(input)}\nResult of calling the ${tool} tool:\n${result}`;

/** The texts of an attachment, by its type. */
const TEXTS: Readonly<Record<string, (attachment: JsonRecord) => string | undefined>> = {
  file: ({ filename, content }) => {
    const text = fileText(content);
    return text === undefined ? undefined : asCall('Read', { file_path: filename }, text);
  },
  directory: ({ path, content }) => asCall('Bash', { command: `ls ${String(path)}` }, joined(content)),
  edited_text_file: ({ filename, snippet }) =>
    `Note: ${String(filename)} was modified, either by the user or by a linter. Here are the relevant changes (shown with line numbers):\n${joined(snippet)}`,
  nested_memory: ({ path, content }) =>
    `Contents of ${String(path)}:\n\n${joined(isRecord(content) ? content['content'] : content)}`,
  queued_command: ({ prompt }) => joined(prompt),
  selected_lines_in_ide: ({ filename, content }) =>
    `The user selected lines of ${String(filename)}:\n${joined(content)}`,
  opened_file_in_ide: ({ filename }) => `The user opened the file ${String(filename)} in the IDE.`,
  compact_file_reference: ({ filename }) =>
    `Note: ${String(filename)} was read before the last conversation was summarized, but the contents are too large to include. Use Read tool if you need to access it.`,
  pdf_reference: ({ filename }) => `PDF file: ${String(filename)}`,
  date_change: ({ newDate }) => `The date has changed. Today's date is now ${String(newDate)}.`,
  plan_mode: ({ planFilePath }) => `Plan mode is active. Plan file: ${String(planFilePath)}`,
  plan_mode_exit: ({ planFilePath }) => `You have exited plan mode. Plan file: ${String(planFilePath)}`,
  auto_mode: () => 'Auto mode is active.',
  task_reminder: ({ content }) =>
    `The task tools haven't been used recently. Consider using them if they help with the work.${isList(content) && content.length > 0 ? `\n${JSON.stringify(content)}` : ''}`,
  // The model has the file from an earlier result: the record repeats it for the user only.
  already_read_file: () => undefined,
};

/** What the model saw of an attachment; nothing of bookkeeping, `unknown` if that can't be known. */
export function attachmentText(record: JsonRecord): { readonly text: string } | 'nothing' | 'unknown' {
  const { rendered, attachment } = record;
  if (isList(rendered)) {
    const text = rendered.map((part) => joined(isRecord(part) ? part['content'] : part)).join('\n');
    return text === '' ? 'nothing' : { text };
  }
  if (!isRecord(attachment) || BOOKKEEPING.has(attachment['type'])) return 'nothing';
  const type = String(attachment['type']);
  const known = Object.hasOwn(TEXTS, type) ? TEXTS[type] : undefined;
  const text = known === undefined ? ownText(attachment) : known(attachment);
  if (text !== undefined && text.trim() !== '') return { text: `<system-reminder>\n${text}\n</system-reminder>` };
  return known === undefined && !isEmptyNews(attachment) ? 'unknown' : 'nothing';
}

/** Keys that hold text for the model, in any attachment: lists of names and blocks that came or went. */
const OWN_TEXT = /^(?:content|text|message|prompt|(?:added|removed|re?added)\w*)$/;

/** The text of an attachment without words of Claude Code's own: announced skills, agents, tools, hooks' contexts. */
function ownText(attachment: JsonRecord): string {
  const { addedLines, addedBlocks } = attachment;
  // Lines and blocks hold the names that stand beside them.
  const full = isList(addedLines) ? addedLines : addedBlocks;
  if (isList(full) && full.length > 0) return joined(full);
  return Object.entries(attachment)
    .flatMap(([key, value]) => (OWN_TEXT.test(key) ? [joined(value)] : []))
    .filter((text) => text !== '')
    .join('\n');
}

/** Whether an attachment announces that nothing came and nothing went. */
function isEmptyNews(attachment: JsonRecord): boolean {
  return Object.entries(attachment).some(([key, value]) => OWN_TEXT.test(key) && (isList(value) || value === ''));
}

/** The texts of a value: a string, or a list of strings and text blocks. */
function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  const parts = isList(value) ? value : [value];
  return parts.map((part) => (typeof part === 'string' ? part : (textOf(part) ?? ''))).join('\n');
}

function textOf(part: unknown): string | undefined {
  return isRecord(part) ? (filled(part['text']) ?? filled(part['content'])) : undefined;
}

/** The text of an attached file: of a text file, of a notebook or what stands for another kind. */
function fileText(content: unknown): string | undefined {
  const file = isRecord(content) ? content['file'] : undefined;
  const text = isRecord(file) ? file['content'] : content;
  return filled(text) ?? (isRecord(text) ? undefined : filled(joined(text)));
}
