// What the naive oracle reads of single blocks. It shares no code with the package, and it is
// written to be seen right, not to be fast.
import { posix } from 'node:path';

export type Bag = Readonly<Record<string, unknown>>;

export const POINTER = '[Result pruned — re-run tool to retrieve]';
export const CLOSING = '--- End of content ---';

type ToolKind = 'read' | 'write' | 'other';

const READS = [
  'read_file',
  'read_line_range',
  'read_many_files',
  'ast_read_file',
  'Read',
  'NotebookRead',
  'read',
  'view',
];
const WRITES = [
  ...['write_file', 'ast_edit', 'replace', 'insert_at_line', 'delete_line_range'],
  ...['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'write', 'edit', 'multiedit', 'create'],
  ...['write_to_file', 'replace_in_file', 'apply_diff', 'insert_content', 'search_and_replace'],
];
const EDITORS = ['str_replace_editor', 'str_replace_based_edit_tool'];
const FURTHER_KEYS: Readonly<Record<string, string>> = {
  NotebookRead: 'notebook_path',
  NotebookEdit: 'notebook_path',
  read: 'filePath',
  write: 'filePath',
  edit: 'filePath',
  multiedit: 'filePath',
};

/** An object that isn't a list, or nothing. */
export function bag(value: unknown): Bag | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : undefined;
}

/** What a call does. */
export function toolKind(call: Bag): ToolKind {
  const { name } = call;
  if (typeof name !== 'string') return 'other';
  if (EDITORS.includes(name)) {
    const command = bag(call.parameters)?.command;
    if (command === 'view') return 'read';
    return ['create', 'str_replace', 'insert', 'undo_edit'].includes(command as string) ? 'write' : 'other';
  }
  if (READS.includes(name)) return 'read';
  return WRITES.includes(name) ? 'write' : 'other';
}

/** A path in the form that is compared; a text that lost characters is no path. */
export function resolvePath(root: string, path: string): string | undefined {
  const isWhole = !/[\p{Surrogate}\ufffd]/u.test(path);
  return path !== '' && isWhole ? posix.resolve('/', root, path) : undefined;
}

/** The resolved paths of a call; nothing if it isn't sure which files it is about. */
export function pathsOf(call: Bag, root: string): string[] | undefined {
  const parameters = bag(call.parameters);
  if (parameters === undefined) return undefined;
  const name = call.name as string;
  const list = name === 'read_many_files' ? parameters.paths : undefined;
  const found: string[] = [];
  if (Array.isArray(list)) {
    for (const path of list as unknown[]) {
      if (typeof path !== 'string' || path.includes('*') || path.includes('?')) return undefined;
      found.push(path);
    }
  } else {
    const further = Object.hasOwn(FURTHER_KEYS, name) ? [FURTHER_KEYS[name] as string] : [];
    for (const key of [...further, 'file_path', 'absolute_path', 'path']) {
      const path = parameters[key];
      if (typeof path === 'string' && path !== '' && found.length === 0) found.push(path);
    }
  }
  const resolved = found.map((path) => resolvePath(root, path));
  const areAll = resolved.length > 0 && resolved.every((path) => path !== undefined);
  return areAll ? (resolved as string[]) : undefined;
}

/** Whether a call to a writing tool only shows what it would do. */
export function isPreview(call: Bag): boolean {
  const parameters = bag(call.parameters);
  const on = 'preview dry_run dryRun validate_only validateOnly check_only checkOnly'.split(' ');
  const isOn = on.some((key) => parameters?.[key] === true);
  const isOff = [parameters?.force, parameters?.apply].includes(false);
  return isOn || isOff || ['preview', 'dry_run'].includes(parameters?.mode as string);
}

/** Whether a response says that its call failed. */
export function saysFailure(response: Bag): boolean {
  if (response.error) return true;
  const result = bag(response.result);
  if (result === undefined) return false;
  if (result.error || result.isError === true || result.success === false || result.ok === false) return true;
  if (['failed', 'error', 'cancelled', 'canceled', 'rejected'].includes(result.status as string)) return true;
  return [result.exit_code, result.exitCode].some((code) => typeof code === 'number' && code !== 0);
}

/** Whether a payload already replaces another one: the pointer, or a summary line of its tool. */
export function isCompacted(given: unknown, toolName: unknown): boolean {
  // The reference to the original text is before the last bracket.
  const result = typeof given === 'string' ? given.replace(/ \(recall r[\s\S]{13}\)\]$/, ']') : given;
  if (result === POINTER) return true;
  if (typeof result !== 'string' || result.length > 512 || !result.startsWith('[') || !result.endsWith(']'))
    return false;
  const tool = typeof toolName === 'string' ? toolName.trim() : '';
  if (tool.length > 80) return false; // a clipped name: no test has one
  const inner = result.slice(1, -1);
  const dash = inner.lastIndexOf(' — ');
  if (!inner.startsWith(tool) || dash < tool.length) return false;
  const key = inner.slice(tool.length, dash);
  const isKey = key === '' || (key.startsWith(': ') && key.length <= 82 && !key.includes('\n'));
  return isKey && /^(success|error)(, \d+ (lines|chars))?$/.test(inner.slice(dash + 3));
}

/** UTF-16 code units of a payload as JSON; nothing for one that has no JSON or is none. */
export function jsonLength(value: unknown): number | undefined {
  return value === null ? undefined : JSON.stringify(value)?.length;
}

/**
 * Whether a block alone is a reason to keep the entry that lost others. What accompanied a tool's
 * response goes with it, the model's thinking and blank text go with its calls.
 */
export function isSubstance(speaker: unknown, block: unknown): boolean {
  const { type, text, thought, code } = bag(block) ?? {};
  const isText = type === 'text' && typeof text === 'string';
  const isThought = type === 'thinking' && typeof thought === 'string';
  if (speaker === 'ai') return !isThought && !(isText && text.trim() === '');
  const isCode = type === 'code' && typeof code === 'string';
  return speaker !== 'tool' || !(isText || isThought || isCode || type === 'media');
}

/** The lines of a text, each with its line end; a text without characters has none. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const unit of text.split('')) {
    line += unit;
    if (unit !== '\n') continue;
    lines.push(line);
    line = '';
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** A line without its line end. */
export function bare(line: string): string {
  const text = line.endsWith('\n') ? line.slice(0, -1) : line;
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** The path of an opening line. */
export function openedPath(line: string): string | undefined {
  const text = bare(line);
  if (text === CLOSING || text.length < 9 || !text.startsWith('--- ') || !text.endsWith(' ---')) return undefined;
  const path = text.slice(4, -4).trim();
  return path === '' ? undefined : path;
}
