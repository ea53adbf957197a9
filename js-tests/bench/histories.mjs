/**
 * Seeded agent sessions: reads, writes, searches and shell calls with results of 0.2 to 20 kB, pasted files, failures,
 * thinking, media. A turn is what an agent adds between two model calls, 2 to 6 entries.
 *
 * @import {Block, Content} from './model.mjs'
 * @typedef {object} SessionOptions
 * @property {number} turns
 * @property {number} seed
 * @property {boolean} [odd] default false; few files, and what well-behaved agents never write: orphans, duplicate ids,
 *   responses out of order and many turns late, unbalanced pastes
 */
import { Random } from './random.mjs';
import { TextPool } from './text-pool.mjs';

/** @type {readonly (readonly [string, number])[]} */
const TOOL_WEIGHTS = [
  ['read_file', 26],
  ['read_line_range', 7],
  ['ast_read_file', 3],
  ['read_many_files', 5],
  ['replace', 14],
  ['write_file', 7],
  ['ast_edit', 3],
  ['insert_at_line', 2],
  ['delete_line_range', 1],
  ['run_shell_command', 19],
  ['search_file_content', 10],
  ['glob', 3],
];
const EDIT_TOOLS = new Set(['replace', 'write_file', 'ast_edit', 'insert_at_line', 'delete_line_range']);
const PATH_KEYS = ['file_path', 'absolute_path', 'path'];
const FOLDERS = ['src', 'src/view', 'src/rules', 'tests', 'docs', 'packages/core/lib'];
const MOST_ENTRIES = 6;
const WORKSPACE = '/workspace';

/**
 * @param {SessionOptions} options
 * @returns {Content[][]} the entries of each turn
 */
export function session({ turns, seed, odd = false }) {
  const agent = new Agent(seed, odd);
  return Array.from({ length: turns }, () => agent.turn());
}

/**
 * The first entries of a session, as one history.
 * @param {{entries: number, seed: number}} options
 * @returns {Content[]}
 */
export function historyOf({ entries, seed }) {
  const agent = new Agent(seed, false);
  /** @type {Content[]} */
  const history = [];
  while (history.length < entries) history.push(...agent.turn());
  history.length = entries;
  return history;
}

class Agent {
  #random;
  #pool;
  #seed;
  #odd;
  #calls = 0;
  #clock = 1_772_000_000_000;
  /** @type {string[]} */ #files = [];
  /** @type {Content[]} responses that arrive in the next turn */ #late = [];
  /** @type {Content[]} responses that arrive some time */ #stragglers = [];

  /**
   * @param {number} seed
   * @param {boolean} odd
   */
  constructor(seed, odd) {
    this.#random = new Random(seed);
    this.#pool = new TextPool(this.#random);
    this.#seed = seed;
    this.#odd = odd;
    for (let i = odd ? 4 : 24; i > 0; i--) this.#newFile();
  }

  /** @returns {Content[]} */
  turn() {
    const random = this.#random;
    const entries = this.#late.splice(0);
    if (entries.length === 0 && (this.#calls === 0 || random.chance(0.5))) entries.push(this.#human());
    const calls = Array.from({ length: random.integer(1, 4) }, () => this.#call());
    entries.push(this.#ai(calls));
    const answers = this.#answers(calls, MOST_ENTRIES - entries.length);
    const areLate = entries.length > 1 && random.chance(0.06);
    if (areLate) this.#late = answers;
    else entries.push(...answers);
    if (!areLate && entries.length < MOST_ENTRIES && random.chance(0.5)) entries.push(this.#closing());
    return this.#odd ? this.#disturbed(entries, calls) : entries;
  }

  /**
   * @param {Content[]} entries
   * @param {readonly Block[]} calls
   */
  #disturbed(entries, calls) {
    const random = this.#random;
    const returning = this.#stragglers.filter(() => random.chance(0.2));
    this.#stragglers = this.#stragglers.filter((entry) => !returning.includes(entry));
    const straying = entries.filter(({ speaker }) => speaker === 'tool' && random.chance(0.15));
    this.#stragglers.push(...straying);
    const disturbed = [...entries.filter((entry) => !straying.includes(entry)), ...returning.reverse()];
    if (random.chance(0.15)) disturbed.splice(random.integer(0, disturbed.length), 0, this.#oddity(calls));
    return disturbed;
  }

  #newFile() {
    const name = `${this.#random.pick(FOLDERS)}/module-${this.#files.length}.ts`;
    this.#files.push(name);
    return name;
  }

  /** A file of the project, recent ones more often; the spelling varies. */
  #path() {
    const random = this.#random;
    if (!this.#odd && random.chance(0.03)) this.#newFile();
    const age = Math.floor(random.next() ** 2 * this.#files.length);
    const file = this.#files[this.#files.length - 1 - age];
    return random.weighted([
      [file, 5],
      [`${WORKSPACE}/${file}`, 5],
      [`./${file}`, 1],
      [`build/../${file}`, 1],
    ]);
  }

  /** @returns {Block} */
  #call() {
    const random = this.#random;
    const name = random.weighted(TOOL_WEIGHTS);
    const repeated = this.#odd && random.chance(0.1) ? random.integer(1, Math.min(3, this.#calls)) : 0;
    const id = this.#id(this.#calls - repeated);
    this.#calls++;
    return { type: 'tool_call', id, name, parameters: this.#parameters(name) };
  }

  /** @param {number} number */
  #id(number) {
    return `call_${this.#seed}_${number}`;
  }

  /** @param {string} name */
  #parameters(name) {
    const random = this.#random;
    if (name === 'run_shell_command')
      return { command: `npm test -- ${random.pick(this.#files)}`, description: this.#pool.sentence(40) };
    if (name === 'search_file_content' || name === 'glob')
      return { pattern: this.#pool.sentence(16), path: random.pick(FOLDERS) };
    if (name === 'read_many_files') {
      const paths = Array.from({ length: random.integer(1, 3) }, () => this.#path());
      if (random.chance(0.15)) paths.push('src/**/*.ts');
      return { paths };
    }
    /** @type {Record<string, unknown>} */
    const parameters = { [random.pick(PATH_KEYS)]: this.#path() };
    if (name === 'read_line_range')
      return { ...parameters, start_line: random.integer(1, 200), end_line: random.integer(201, 400) };
    if (!EDIT_TOOLS.has(name)) return parameters;
    if (random.chance(0.03)) parameters.dry_run = true;
    return { ...parameters, content: this.#pool.lines(random.logUniform(80, 4_000)) };
  }

  /**
   * @param {readonly Block[]} calls
   * @returns {Content}
   */
  #ai(calls) {
    const random = this.#random;
    /** @type {Block[]} */
    const blocks = [];
    if (random.chance(0.4))
      blocks.push({
        type: 'thinking',
        thought: this.#pool.sentence(random.logUniform(60, 1_200)),
        signature: `sig-${this.#calls}`,
      });
    if (random.chance(0.5)) blocks.push({ type: 'text', text: this.#pool.sentence(random.logUniform(30, 400)) });
    return { speaker: 'ai', blocks: [...blocks, ...calls], metadata: { model: 'large-1', timestamp: this.#tick() } };
  }

  /**
   * One tool entry with all responses, or one for each.
   * @param {readonly Block[]} calls
   * @param {number} room
   * @returns {Content[]}
   */
  #answers(calls, room) {
    const responses = calls.map((call) => this.#response(call));
    if (calls.length > room || this.#random.chance(0.35)) {
      if (this.#random.chance(0.01)) responses.push(this.#image());
      return [{ speaker: 'tool', blocks: responses }];
    }
    return responses.map((response) => ({ speaker: 'tool', blocks: [response] }));
  }

  /**
   * @param {Block} call
   * @returns {Block}
   */
  #response({ id, name }) {
    const random = this.#random;
    const response = { type: 'tool_response', callId: id, toolName: name };
    const text = random.chance(0.08) ? 'ok' : this.#pool.lines(random.logUniform(200, 20_000));
    if (random.chance(0.06)) return { ...response, result: text, error: 'the tool failed: no such file' };
    if (name === 'run_shell_command')
      return { ...response, result: { output: text, exit_code: random.chance(0.15) ? 1 : 0 } };
    if (random.chance(0.15)) return { ...response, result: { output: text } };
    return { ...response, result: text };
  }

  /** @returns {Content} */
  #closing() {
    return {
      speaker: 'ai',
      blocks: [{ type: 'text', text: this.#pool.sentence(this.#random.logUniform(40, 900)) }],
      metadata: { model: 'large-1', timestamp: this.#tick() },
    };
  }

  /** @returns {Content} */
  #human() {
    const random = this.#random;
    const request = this.#pool.sentence(random.logUniform(40, 600));
    if (random.chance(0.04)) return { speaker: 'human', blocks: [{ type: 'text', text: request }, this.#image()] };
    if (random.chance(0.6)) return { speaker: 'human', blocks: [{ type: 'text', text: request }] };
    const pastes = Array.from({ length: random.integer(1, 3) }, () => this.#paste());
    if (random.chance(0.2))
      return {
        speaker: 'human',
        blocks: [{ type: 'text', text: request }, ...pastes.map((text) => ({ type: 'text', text }))],
      };
    if (random.chance(0.1)) return { speaker: 'human', blocks: [{ type: 'text', text: pastes[0] }] };
    return {
      speaker: 'human',
      blocks: [{ type: 'text', text: `${request}\n\n${pastes.join('\n')}\nPlease go on from here.` }],
    };
  }

  #paste() {
    const newline = this.#odd && this.#random.chance(0.2) ? '\r\n' : '\n';
    const content = this.#pool.lines(this.#random.logUniform(200, 8_000));
    return [`--- ${this.#path()} ---`, content, '--- End of content ---', ''].join(newline);
  }

  /** @returns {Block} */
  #image() {
    return {
      type: 'media',
      mimeType: 'image/png',
      data: 'iVBORw0KGgo'.repeat(this.#random.integer(50, 400)),
      encoding: 'base64',
    };
  }

  /**
   * @param {readonly Block[]} calls
   * @returns {Content}
   */
  #oddity(calls) {
    const random = this.#random;
    switch (random.integer(0, 4)) {
      case 0: // an orphan, or a second response
        return {
          speaker: 'tool',
          blocks: [this.#response({ ...random.pick(calls), id: this.#id(random.integer(0, this.#calls + 2)) })],
        };
      case 1:
        return { speaker: 'human', blocks: [{ type: 'text', text: `see\n${this.#paste()}--- End of content ---\n` }] };
      case 2: // one paste over two blocks
        return {
          speaker: 'human',
          blocks: this.#paste()
            .split(/(?<=\n)(?=--- End)/)
            .map((text) => ({ type: 'text', text })),
        };
      case 3: // the same file twice, an opening line inside, nothing around
        return { speaker: 'human', blocks: [{ type: 'text', text: this.#sameFileTwice() }] };
      default:
        return {
          speaker: 'tool',
          blocks: [{ type: 'hologram', depth: 3 }, ...calls.map((call) => this.#response(call))],
        };
    }
  }

  #sameFileTwice() {
    const path = this.#path();
    return ['first', this.#pool.sentence(50)]
      .map((body) => `--- ${path} ---\n--- inner ---\n${body}\n--- End of content ---\n`)
      .join('');
  }

  #tick() {
    this.#clock += this.#random.integer(800, 60_000);
    return this.#clock;
  }
}
