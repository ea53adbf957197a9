// The agent's tools, acting on the virtual project. Each gives back the call's name and
// parameters and what the tool answered.

import { unifiedDiff } from './lines.mjs';
import { shellOutput } from './outputs.mjs';
import { parseEdit, parseTodos } from './script.mjs';

/** directive → (session, step) → {name, parameters, result, error?} */
export const TOOLS = { read, readmany, write, edit, shell, grep, ls, todo };

const QUERY_FLAGS = new Set(['rel', 'preview', 'dry', 'unforced', 'fails', 'missing']);

/** Splits `path flag flag` into the path and a set of flags. */
function pathAndFlags(args) {
  const words = args.split(' ');
  const flags = new Set(words.slice(1));
  for (const flag of flags) if (!QUERY_FLAGS.has(flag)) throw new Error(`unknown flag ${flag}`);
  return { path: words[0], flags };
}

/** The same file under the two names that agents use for it: relative or absolute. */
function pathParameter(session, path, flags, absoluteKey) {
  return flags.has('rel') ? { file_path: path } : { [absoluteKey]: session.project.absolute(path) };
}

function failure(name, parameters, message) {
  return { name, parameters, result: message, error: message };
}

function read(session, step) {
  const { path, flags } = pathAndFlags(step.args);
  const parameters = pathParameter(session, path, flags, 'absolute_path');
  if (flags.has('missing'))
    return failure('read_file', parameters, `File not found: ${session.project.absolute(path)}`);
  return { name: 'read_file', parameters, result: session.project.read(path) };
}

function readmany(session, step) {
  const paths = step.args.split(' ');
  const concrete = paths.flatMap((path) => (path.includes('*') ? matching(session.project, path) : [path]));
  const result = concrete
    .map((path) => `--- ${session.project.absolute(path)} ---\n\n${session.project.read(path)}`)
    .join('\n');
  return { name: 'read_many_files', parameters: { paths }, result };
}

function matching(project, pattern) {
  const [folder, suffix] = pattern.split('*').filter((part, index, all) => index === 0 || index === all.length - 1);
  const found = project.paths().filter((path) => path.startsWith(folder) && path.endsWith(suffix));
  if (found.length === 0) throw new Error(`nothing matches ${pattern}`);
  return found;
}

function write(session, step) {
  const { path, flags } = pathAndFlags(step.args);
  const parameters = {
    ...pathParameter(session, path, flags, 'file_path'),
    content: `${step.body}\n`,
    ...previewParameter(flags),
  };
  if (isPreview(flags)) {
    const before = session.project.has(path) ? session.project.read(path) : '';
    return {
      name: 'write_file',
      parameters,
      result: `Preview of ${path}, nothing was written:\n${unifiedDiff(before, `${step.body}\n`)}`,
    };
  }
  const verb = session.project.has(path) ? 'overwrote' : 'created and wrote to new';
  session.project.write(path, `${step.body}\n`);
  return { name: 'write_file', parameters, result: `Successfully ${verb} file: ${session.project.absolute(path)}.` };
}

const isPreview = (flags) => flags.has('preview') || flags.has('dry') || flags.has('unforced');

function previewParameter(flags) {
  if (flags.has('preview')) return { preview: true };
  if (flags.has('dry')) return { dry_run: true };
  return flags.has('unforced') ? { force: false } : {};
}

function edit(session, step) {
  const { path, flags } = pathAndFlags(step.args);
  const { oldText, newText } = parseEdit(step.body);
  const parameters = {
    ...pathParameter(session, path, flags, 'file_path'),
    old_string: oldText,
    new_string: newText,
    ...previewParameter(flags),
  };
  if (flags.has('fails')) return failedEdit(session, path, oldText, parameters);
  const before = session.project.read(path);
  const after = session.project.replaced(path, oldText, newText);
  const diff = unifiedDiff(before, after);
  if (isPreview(flags))
    return { name: 'replace', parameters, result: `Preview of ${path}, nothing was written:\n${diff}` };
  session.project.write(path, after);
  return {
    name: 'replace',
    parameters,
    result: `Successfully modified file: ${session.project.absolute(path)} (1 replacement).\n${diff}`,
  };
}

/** An edit that the tool refuses: the text is missing, or occurs several times. */
function failedEdit(session, path, oldText, parameters) {
  const count = session.project.occurrences(path, oldText);
  if (count === 1) throw new Error(`${path}: this edit was meant to fail`);
  const found = count === 0 ? '0 occurrences found for old_string' : `expected 1 occurrence but found ${count}`;
  const advice = count === 0 ? 'Read the file again and check whitespace and indentation.' : 'Give more context.';
  return failure('replace', parameters, `Failed to edit ${session.project.absolute(path)}: ${found}. ${advice}`);
}

function shell(session, step) {
  const { output, exitCode } = shellOutput(session, step.body);
  return {
    name: 'run_shell_command',
    parameters: { command: step.args, directory: session.project.root },
    result: { output, exit_code: exitCode },
  };
}

function grep(session, step) {
  const match = /^(.+?)(?: in (\S+))?$/.exec(step.args);
  const [, pattern, path = '.'] = match;
  const hits = session.project.search(pattern, path);
  const head = hits.length === 0 ? 'No matches found' : `Found ${hits.length} matches`;
  return {
    name: 'search_file_content',
    parameters: { pattern, path },
    result: [`${head} for pattern "${pattern}" in path "${path}"`, ...hits].join('\n'),
  };
}

function ls(session, step) {
  const path = step.args || '.';
  const absolute = path === '.' ? session.project.root : session.project.absolute(path);
  return { name: 'list_directory', parameters: { path: absolute }, result: session.project.list(path) };
}

function todo(session, step) {
  const todos = parseTodos(step.body);
  const open = todos.filter((item) => item.status !== 'completed').length;
  const result = `Todo list updated: ${todos.length} items, ${open} open.`;
  return { name: 'todo_write', parameters: { todos }, result };
}
