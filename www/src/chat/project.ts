import { asText } from '../lib/payload.js';
import { CHECKS, FILES } from './files.js';

export const STATUSES = ['pending', 'in_progress', 'completed'] as const;

/** An item of the agent's list of what to do. */
export interface TodoItem {
  readonly content: string;
  readonly status: (typeof STATUSES)[number];
}

/** What a tool answers. */
export interface Answer {
  readonly result: string;
  readonly error?: string;
}

const text = (description: string): { type: 'string'; description: string } => ({ type: 'string', description });

/** The tools as a model sees them: a name, what it does, its parameters as JSON Schema. */
export const TOOLS = [
  {
    name: 'list_directory',
    description: 'Lists the files below a folder.',
    properties: { path: text('the folder, such as "src"') },
    required: ['path'],
  },
  {
    name: 'read_file',
    description: 'Reads a file.',
    properties: { file_path: text('the file') },
    required: ['file_path'],
  },
  {
    name: 'write_file',
    description: 'Writes a file anew.',
    properties: { file_path: text('the file'), content: text('all of its new text') },
    required: ['file_path', 'content'],
  },
  {
    name: 'replace',
    description: 'Replaces a part of a file; the old text must occur exactly once.',
    properties: { file_path: text('the file'), old_string: text('the old text'), new_string: text('the new text') },
    required: ['file_path', 'old_string', 'new_string'],
  },
  {
    name: 'search_file_content',
    description: 'Finds lines that hold a text.',
    properties: { pattern: text('the text') },
    required: ['pattern'],
  },
  {
    name: 'run_shell_command',
    description: 'Runs a command: "npm test" or "npm run lint".',
    properties: { command: text('the command') },
    required: ['command'],
  },
] as const;

/** A small project that exists in this page only. Nothing that is written to it is ever run. */
export class Project {
  readonly #files = new Map(Object.entries(FILES));
  readonly #tools: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => Answer>> = {
    list_directory: ({ path }) => this.#list(asText(path)),
    read_file: ({ file_path }) => this.#read(asText(file_path)),
    write_file: ({ file_path, content }) => this.#write(asText(file_path), asText(content)),
    replace: ({ file_path, old_string, new_string }) =>
      this.#replace(asText(file_path), asText(old_string), asText(new_string)),
    search_file_content: ({ pattern }) => this.#search(asText(pattern)),
    run_shell_command: ({ command }) => this.#run(asText(command)),
    todo_write: ({ todos }) => ({ result: `${Array.isArray(todos) ? todos.length : 0} items` }),
  };

  use(name: string, parameters: unknown): Answer {
    const tool = Object.hasOwn(this.#tools, name) ? this.#tools[name] : undefined;
    if (!tool) return failed(`there is no tool ${name}; there are ${TOOLS.map((one) => one.name).join(', ')}`);
    if (typeof parameters !== 'object' || parameters === null) return failed('the arguments are no JSON object');
    return tool(parameters as Readonly<Record<string, unknown>>);
  }

  #list(path: string): Answer {
    const folder = pathOf(path);
    const found = [...this.#files.keys(), ...new Set(CHECKS.map(({ file }) => file))].filter(
      (file) => folder === '' || file.startsWith(`${folder}/`),
    );
    return found.length > 0 ? { result: found.sort().join('\n') } : failed(`no such folder: ${path}`);
  }

  #read(path: string): Answer {
    const content = this.#files.get(pathOf(path));
    return content === undefined ? failed(`no such file: ${path}`) : { result: content };
  }

  #write(path: string, content: string): Answer {
    this.#files.set(pathOf(path), content);
    return { result: `Wrote ${content.split('\n').length} lines to ${path}.` };
  }

  #replace(path: string, old: string, next: string): Answer {
    const content = this.#files.get(pathOf(path));
    if (content === undefined) return failed(`no such file: ${path}`);
    const count = old === '' ? 0 : content.split(old).length - 1;
    if (count !== 1) return failed(`old_string occurs ${count} times in ${path}, expected exactly once`);
    this.#files.set(
      pathOf(path),
      content.replace(old, () => next),
    );
    return { result: `Replaced one part of ${path}.` };
  }

  #search(pattern: string): Answer {
    const hits: string[] = [];
    for (const [file, content] of this.#files) {
      content.split('\n').forEach((line, index) => {
        if (pattern !== '' && line.includes(pattern)) hits.push(`${file}:${index + 1}: ${line.trim()}`);
      });
    }
    return { result: hits.length > 0 ? hits.slice(0, 100).join('\n') : 'no line holds that text' };
  }

  #run(command: string): Answer {
    if (/\blint\b/.test(command))
      return {
        result: `> orchard@2.3.1 lint\n> biome check\n\nChecked ${this.#files.size} files in 12ms. No fixes applied.`,
      };
    if (!/\btest\b/.test(command)) return failed(`only "npm test" and "npm run lint" can be run here: ${command}`);
    const results = CHECKS.map((check) => ({ check, ok: check.passes(this.#files.get(check.subject) ?? '') }));
    const broken = results.filter(({ ok }) => !ok);
    const report = `${testLog(results)}\n\n Tests  ${broken.length > 0 ? `${broken.length} failed | ` : ''}${results.length - broken.length} passed (${results.length})\n`;
    return broken.length > 0 ? { result: report, error: 'exit code 1' } : { result: report };
  }
}

const failed = (error: string): Answer => ({ result: `Error: ${error}`, error });

const pathOf = (path: string): string => path.replace(/^(?:\.?\/|orchard\/)+|\/+$/g, '').replace(/^\.$/, '');

/** What a test runner prints: every test, and for those that fail a diff and a stack. */
function testLog(results: readonly { readonly check: (typeof CHECKS)[number]; readonly ok: boolean }[]): string {
  const lines = ['> orchard@2.3.1 test', '> vitest run', '', ' RUN  v3.2.4 /orchard', ''];
  for (const { check, ok } of results) {
    for (const round of ['node', 'browser', 'edge'])
      lines.push(` ${ok ? '✓' : '×'} |${round}| ${check.file} > ${check.name} ${3 + (check.name.length % 7)}ms`);
  }
  for (const { check } of results.filter(({ ok }) => !ok)) {
    const [expected, received] = check.failure;
    lines.push('', ` FAIL  ${check.file} > ${check.name}`, `AssertionError: expected ${received} to be ${expected}`);
    lines.push('', `- Expected: ${expected}`, `+ Received: ${received}`, '');
    for (const frame of ['Module.runTest', 'runSuite', 'runFiles', 'startTests'])
      lines.push(
        `   at ${frame} (node_modules/@vitest/runner/dist/index.js:${900 + frame.length * 37}:${frame.length})`,
      );
    lines.push(`   at ${check.subject}`);
  }
  return lines.join('\n');
}
