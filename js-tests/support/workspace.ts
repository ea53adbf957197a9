// A folder of files that an agent reads and writes in many ways, and the history that this makes.
import type { IContent } from 'densify';
import fc from 'fast-check';
import { turn } from './say.js';

const ROOT = '/w/';
const NAMES = ['a.ts', 'b.ts', 'src/c.ts'];

/** What a step does, to which of the files, from which line on, with how many lines. */
export interface Step {
  readonly does: keyof typeof STEPS;
  readonly file: number;
  readonly from: number;
  readonly count: number;
  readonly fresh: number;
}

interface Target {
  readonly name: string;
  readonly path: string;
  readonly lines: string[];
  /** A line that there is, from 0. */
  readonly from: number;
  readonly count: number;
  /** Lines that are nowhere else. */
  readonly fresh: readonly string[];
}

type Call = readonly [tool: string, parameters: unknown, result: string, error?: string];

export class Workspace {
  readonly history: IContent[] = [];
  /** What commands printed that isn't in any file. */
  readonly outputs: string[] = [];
  private readonly files = new Map<string, string[]>();
  /** Lines of a file that were to be seen as its own. */
  private readonly shown = new Map<string, Set<string>>();
  private made = 0;
  private calls = 0;

  constructor() {
    for (const name of NAMES) this.files.set(name, this.lines(30));
  }

  /** What was shown and still is so: lines of files as they are now, and what commands printed. */
  get due(): string[] {
    const current = [...this.files].flatMap(([name, lines]) => lines.filter((line) => this.shown.get(name)?.has(line)));
    return [...current, ...this.outputs];
  }

  take(step: Step): void {
    const names = [...this.files.keys()];
    const name = names[step.file % names.length] ?? '';
    const lines = this.files.get(name) ?? [];
    const from = step.from % Math.max(1, lines.length);
    const target = { name, path: ROOT + name, lines, from, count: step.count, fresh: this.lines(step.fresh) };
    const [tool, parameters, result, error] = STEPS[step.does](this, target);
    const seen = `${JSON.stringify(parameters)}${JSON.stringify(result)}`;
    const of = step.does === 'copy by a write' ? 'd.ts' : name;
    for (const line of this.files.get(of) ?? []) if (seen.includes(quoted(line))) this.show(of, line);
    this.forget();
    this.calls += 1;
    this.history.push(...turn(`c${this.calls}`, tool, parameters, result, error));
  }

  set(name: string, lines: readonly string[]): void {
    this.files.set(name, [...lines]);
  }

  move(from: string, to: string): void {
    const lines = this.files.get(from) ?? [];
    this.files.delete(from);
    this.files.set(to, lines);
    this.shown.set(to, this.shown.get(from) ?? new Set());
  }

  /** What a file held once and holds no more isn't due when it comes back. */
  private forget(): void {
    for (const [name, shown] of this.shown)
      for (const line of shown) if (!this.files.get(name)?.includes(line)) shown.delete(line);
  }

  private show(name: string, line: string): void {
    const shown = this.shown.get(name) ?? new Set();
    this.shown.set(name, shown.add(line));
  }

  print(lines: readonly string[]): string {
    this.outputs.push(...lines);
    return lines.join('\n');
  }

  private lines(count: number): string[] {
    return Array.from({ length: count }, () => {
      this.made += 1;
      return `  const value${this.made}of = compute(${(this.made * 7919) % 9973}, "text");`;
    });
  }
}

/** A line as JSON text without its quotes. */
export const quoted = (line: string): string => JSON.stringify(line).slice(1, -1);
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const numbered = (lines: readonly string[], first: number, mark = '→'): string =>
  lines.map((line, at) => `${String(first + at).padStart(6)}${mark}${line}`).join('\n');
const part = ({ lines, from, count }: Target): string[] => lines.slice(from, from + count);
const shell = (command: string, result = ''): Call => ['Bash', { command }, result];
const patch = (head: string, body: readonly string[]): Call => [
  'apply_patch',
  { input: ['*** Begin Patch', head, ...body, '*** End Patch'].join('\n') },
  'Success. Updated the following files:',
];

/** Puts the fresh lines in the place of one; what was there. */
function replaced({ lines, from, fresh }: Target): string {
  return lines.splice(from, 1, ...fresh)[0] ?? '';
}

const STEPS = {
  read: (_, { path, lines }) => ['Read', { file_path: path }, numbered(lines, 1)],
  'read by another path': (_, { name, lines }) => ['Read', { file_path: `${ROOT}./${name}` }, numbered(lines, 1)],
  'read a part': (_, target) => [
    'Read',
    { file_path: target.path, offset: target.from + 1, limit: target.count },
    numbered(part(target), target.from + 1),
  ],
  'read a part, from 0': (_, target) => [
    'read_file',
    { absolute_path: target.path, offset: target.from, limit: target.count },
    part(target).join('\n'),
  ],
  view: (_, { path, lines, from, count }) => [
    'str_replace_based_edit_tool',
    { command: 'view', path, view_range: [from + 1, from + count] },
    numbered(lines.slice(from, from + count), from + 1, '\t'),
  ],
  cat: (_, { name, lines }) => shell(`cat ${name}`, text(lines)),
  'cat in its folder': (_, { path, lines }) => shell(`cd ${ROOT} && cat ${path}`, text(lines)),
  'cat -n': (_, { name, lines }) => shell(`cat -n ${name}`, numbered(lines, 1, '\t')),
  'cat of two': (workspace, { name, lines }) => {
    workspace.outputs.push(...lines);
    return shell(`cat ${name} ${name}`, text([...lines, ...lines]));
  },
  sed: (_, target) =>
    shell(`sed -n '${target.from + 1},${target.from + target.count}p' ${target.name}`, text(part(target))),
  head: (_, { name, lines, count }) => shell(`head -n ${count} ${name}`, text(lines.slice(0, count))),
  tail: (_, { name, lines, count }) => shell(`tail -n ${count} ${name}`, text(lines.slice(-count))),
  pipe: (_, target) =>
    shell(`cat ${target.name} | sed -n '${target.from + 1},$p' | head -${target.count}`, text(part(target))),
  grep: (_, target) => [
    'Grep',
    { pattern: 'value', path: target.path },
    part(target)
      .map((line, at) => `${target.name}:${target.from + at + 1}:${line}`)
      .join('\n'),
  ],
  run: (workspace, { fresh }) => shell(`./run ${fresh.length}`, workspace.print(fresh)),
  edit: (_, target) => [
    'Edit',
    { file_path: target.path, old_string: replaced(target), new_string: target.fresh.join('\n') },
    `The file ${target.path} has been updated.`,
  ],
  'edit, shown': (_, target) => [
    'str_replace_editor',
    { command: 'str_replace', path: target.path, old_str: replaced(target), new_str: target.fresh.join('\n') },
    `The file ${target.path} has been edited. Here's the result of running \`cat -n\` on a snippet of ${target.path}:\n${numbered(
      target.lines.slice(Math.max(0, target.from - 4), target.from + target.fresh.length + 4),
      Math.max(1, target.from - 3),
      '\t',
    )}`,
  ],
  insert: (_, { path, lines, from, fresh }) => {
    lines.splice(from, 0, ...fresh);
    return [
      'str_replace_editor',
      { command: 'insert', path, insert_line: from, new_str: fresh.join('\n') },
      `The file ${path} has been edited.`,
    ];
  },
  patch: (_, target) =>
    patch(`*** Update File: ${target.path}`, ['@@', `-${replaced(target)}`, ...target.fresh.map((line) => `+${line}`)]),
  'patch that adds': (workspace, { name, path, fresh }) => {
    workspace.set(name, fresh);
    return patch(
      `*** Add File: ${path}`,
      fresh.map((line) => `+${line}`),
    );
  },
  write: (workspace, { name, path, fresh }) => {
    workspace.set(name, fresh);
    return ['Write', { file_path: path, content: text(fresh) }, `File written successfully at: ${path}`];
  },
  'write the same': (_, { path, lines }) => [
    'Write',
    { file_path: path, content: text(lines) },
    `File written successfully at: ${path}`,
  ],
  'write some of it': (workspace, { name, path, lines, from, fresh }) => {
    const content = [...lines.slice(0, from), ...fresh];
    workspace.set(name, content);
    return ['write_to_file', { path, content: text(content) }, `The content was successfully saved to ${path}`];
  },
  'write by the shell': (workspace, { name, fresh }) => {
    workspace.set(name, fresh);
    return shell(`cat > ${name} <<'EOF'\n${text(fresh)}EOF`);
  },
  'append by the shell': (_, { name, lines, fresh }) => {
    lines.push(...fresh);
    return shell(`cat >> ${name} <<'EOF'\n${text(fresh)}EOF`);
  },
  'append by the tool': (_, { path, lines, fresh }) => {
    lines.push(...fresh);
    return ['write_file', { path, content: text(fresh), mode: 'append' }, 'Successfully appended'];
  },
  'copy by a write': (workspace, { lines }) => {
    workspace.set('d.ts', lines);
    return ['Write', { file_path: `${ROOT}d.ts`, content: text(lines) }, `File written successfully at: ${ROOT}d.ts`];
  },
  copy: (workspace, { name, lines }) => {
    workspace.set('e.ts', lines);
    return shell(`cp ${name} e.ts`);
  },
  move: (workspace, { name }) => {
    workspace.move(name, 'f.ts');
    return shell(`mv ${name} f.ts`);
  },
  'delete a line': (_, { name, lines, from }) => {
    lines.splice(from, 1);
    return shell(`sed -i '${from + 1}d' ${name}`);
  },
  'something unknown': (_, { lines, from, fresh }) => {
    lines.splice(from, 0, ...fresh);
    return shell('npm run format', 'done');
  },
  'edit that fails': (_, { path, fresh }) => [
    'Edit',
    { file_path: path, old_string: 'not there', new_string: text(fresh) },
    'String to replace not found in file.',
    'not found',
  ],
  'write that fails': (_, { path, fresh }) => ['Write', { file_path: path, content: text(fresh) }, 'EACCES', 'EACCES'],
  'write that is refused': (_, { path, fresh }) => [
    'write_file',
    { file_path: path, content: text(fresh) },
    'Failed to write: disk full',
  ],
} satisfies Record<string, (workspace: Workspace, target: Target) => Call>;

/** Steps of an agent. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    does: fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
    file: fc.nat(5),
    from: fc.nat(60),
    count: fc.integer({ min: 1, max: 40 }),
    fresh: fc.integer({ min: 1, max: 30 }),
  }),
  { minLength: 2, maxLength: 24 },
);
