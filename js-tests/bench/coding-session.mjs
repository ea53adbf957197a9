/**
 * Seeded sessions of an agent on files that hold together: what is read was written, is read again in parts, with and
 * without numbers, by tools and by the shell; tests print much the same each time; calls fail and are made again.
 *
 * @import {Block, Content} from './model.mjs'
 */
import { Random } from './random.mjs';
import { TextPool } from './text-pool.mjs';

const WORKSPACE = '/workspace';

/** @param {{turns: number, seed: number}} options @returns {Content[][]} the entries of each turn */
export function codingSession({ turns, seed }) {
  const agent = new Coder(seed);
  return Array.from({ length: turns }, () => agent.turn());
}

class Coder {
  #random;
  #pool;
  #calls = 0;
  /** @type {Map<string, string[]>} */ #files = new Map();

  /** @param {number} seed */
  constructor(seed) {
    this.#random = new Random(seed);
    this.#pool = new TextPool(this.#random);
    for (const name of ['AGENTS.md', ...Array.from({ length: 12 }, (_, at) => `src/part-${at}.ts`)])
      this.#files.set(name, this.#lines(this.#random.logUniform(300, 12_000)));
  }

  /** @param {number} size */
  #lines(size) {
    return this.#pool.lines(size).split('\n');
  }

  /** @returns {Content[]} */
  turn() {
    const random = this.#random;
    /** @type {Content[]} */
    const entries = [];
    if (random.chance(0.1))
      entries.push({ speaker: 'human', blocks: [{ type: 'text', text: this.#pool.sentence(120) }] });
    const done = Array.from({ length: random.integer(1, 3) }, () => this.#step());
    const thought = { type: 'thinking', thought: this.#pool.sentence(200) };
    if (random.chance(0.05)) entries.push({ speaker: 'ai', blocks: [thought, { type: 'text', text: '\n' }] });
    const thoughts = random.chance(0.5) ? [thought] : [];
    entries.push({ speaker: 'ai', blocks: [...thoughts, ...done.map(({ call }) => call)] });
    if (random.chance(0.5)) entries.push({ speaker: 'tool', blocks: done.map(({ response }) => response) });
    else entries.push(...done.map(({ response }) => ({ speaker: 'tool', blocks: [response] })));
    return entries;
  }

  #file() {
    const names = [...this.#files.keys()];
    return names[Math.floor(this.#random.next() ** 2 * names.length)];
  }

  /** @param {string} name @param {any} parameters @param {any} result @param {boolean} [isFailed] @returns {{call: Block, response: Block}} */
  #made(name, parameters, result, isFailed = false) {
    const id = `call_${this.#calls++}`;
    const response = { type: 'tool_response', callId: id, toolName: name, result };
    return {
      call: { type: 'tool_call', id, name, parameters },
      response: isFailed ? { ...response, error: 'failed' } : response,
    };
  }

  /** @param {string} file */
  #spelled(file) {
    return this.#random.weighted([
      [file, 4],
      [`${WORKSPACE}/${file}`, 4],
      [`./${file}`, 1],
    ]);
  }

  #step() {
    const random = this.#random;
    return random.weighted([
      [() => this.#read(), 30],
      [() => this.#shellRead(), 14],
      [() => this.#edit(), 16],
      [() => this.#write(), 8],
      [() => this.#test(), 16],
      [() => this.#search(), 10],
      [() => this.#fail(), 6],
      [() => this.#status(), 14],
    ])();
  }

  /** @param {readonly string[]} lines @param {number} from @param {boolean} isNumbered */
  #shown(lines, from, isNumbered) {
    return lines.map((line, at) => (isNumbered ? `${String(from + at).padStart(6)}→${line}` : line)).join('\n');
  }

  #read() {
    const random = this.#random;
    const file = this.#file();
    const lines = this.#files.get(file) ?? [];
    const isNumbered = random.chance(0.5);
    if (random.chance(0.5))
      return this.#made('read_file', { path: this.#spelled(file) }, this.#shown(lines, 1, isNumbered));
    const from = random.integer(1, Math.max(1, lines.length - 10));
    const to = Math.min(lines.length, from + random.integer(10, 200));
    const part = this.#shown(lines.slice(from - 1, to), from, isNumbered);
    if (random.chance(0.5))
      return this.#made('read_line_range', { path: this.#spelled(file), start_line: from, end_line: to }, part);
    return this.#made('Read', { file_path: this.#spelled(file), offset: from, limit: to - from + 1 }, part);
  }

  #shellRead() {
    const random = this.#random;
    const file = this.#file();
    const lines = this.#files.get(file) ?? [];
    const to = random.integer(10, 120);
    const [command, text] = random.weighted([
      [[`cat ${file}`, lines.join('\n')], 3],
      [[`cd src && cat ../${file}`, lines.join('\n')], 1],
      [[`sed -n '1,${to}p' ${file}`, lines.slice(0, to).join('\n')], 3],
      [[`nl -ba ${file} | sed -n '5,${to}p'`, this.#shown(lines.slice(4, to), 5, true)], 2],
      [[`cat ${file} | grep -n result`, this.#pool.lines(400)], 1],
    ]);
    return this.#made(random.chance(0.5) ? 'run_shell_command' : 'shell', { command }, text);
  }

  #edit() {
    const random = this.#random;
    const file = this.#file();
    const lines = this.#files.get(file) ?? [];
    const at = random.integer(0, Math.max(0, lines.length - 4));
    const fresh = this.#lines(random.logUniform(60, 600));
    const old = lines.splice(at, 3, ...fresh);
    if (random.chance(0.3)) {
      const hunk = [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)];
      const patch = ['*** Begin Patch', `*** Update File: ${file}`, '@@', ...hunk, '*** End Patch', ''].join('\n');
      return this.#made('apply_patch', { input: patch }, 'Done!');
    }
    const parameters = { path: this.#spelled(file), old_string: old.join('\n'), new_string: fresh.join('\n') };
    return this.#made('replace', parameters, `The file ${file} was updated.`);
  }

  #write() {
    const file = this.#random.chance(0.6) ? this.#file() : `src/new-${this.#calls}.ts`;
    const lines = this.#lines(this.#random.logUniform(200, 4_000));
    this.#files.set(file, lines);
    return this.#made('write_file', { file_path: this.#spelled(file), content: lines.join('\n') }, `Wrote ${file}.`);
  }

  #test() {
    const random = this.#random;
    const files = [...this.#files.keys()];
    const passing = files.map((file) => `ok ${file} and all that it is made of, in ${random.integer(1, 3)} ms`);
    const result = { output: [...passing, this.#pool.lines(random.logUniform(100, 6_000))].join('\n'), exit_code: 0 };
    return this.#made('run_shell_command', { command: 'npm test' }, random.chance(0.5) ? result : result.output);
  }

  #search() {
    const random = this.#random;
    const pattern = random.pick(['reader', 'queue', 'result']);
    const found = [...this.#files].flatMap(([file, lines]) =>
      lines.map((line, at) => `${file}:${at + 1}:${line}`).filter((line) => line.includes(pattern)),
    );
    return this.#made('search_file_content', { pattern }, found.slice(0, 80).join('\n'));
  }

  /** Nothing changes it but what this session leaves out, so that it mostly says something else. */
  #status() {
    return this.#made('run_shell_command', { command: 'git status' }, this.#pool.lines(500));
  }

  #fail() {
    const random = this.#random;
    const id = random.integer(1, 3);
    if (random.chance(0.5))
      return this.#made('fetch_page', { id }, `Error: page ${id}\n${this.#pool.lines(600)}`, true);
    return this.#made('fetch_page', { id }, this.#pool.lines(500));
  }
}
