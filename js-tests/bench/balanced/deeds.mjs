/**
 * What a call did to files, as far as its parameters tell. What isn't understood may have changed anything.
 *
 * @import {Facts} from './tools.mjs'
 * @import {Lines} from './text.mjs'
 * @typedef {{type: 'shows', path: string, lines: Lines, isVague: boolean} | {type: 'writes' | 'spoils', path: string}
 *   | {type: 'changes', path: string, fewer: number, more: number} | {type: 'anything'}} Deed
 */
import { deedsOfPatch } from './patch.mjs';
import { deedsOfLine, moves, namedBy, textOf } from './shell.mjs';
import { END, OURS } from './text.mjs';

const keys = (/** @type {string} */ text) => text.split(' ');
const PATCH = keys('input patch patchText patch_text');
const DIRECTORY = keys('workdir cwd dir_path directory cd');
const OLD = keys('old_string old_str oldText oldString old_text');
const NEW = keys('new_string new_str newText newString new_text');
const FIRST = keys('offset start_line startLine line_start');
const LAST = keys('end_line endLine line_end');
/** By which what else writes whole files adds to one. */
const ADDING = [...FIRST, ...LAST, ...keys('append prepend insert insert_line insertLine position line')];
const MODE = keys('mode write_mode writeMode operation');
const WHOLE = new Set(keys('w wb w+ write overwrite rewrite replace create'));
/** What a read may say without its showing something that isn't known. */
const KNOWN = new Set([
  ...FIRST,
  ...LAST,
  ...keys('path file_path absolute_path filePath target_file file filename notebook_path view_range limit'),
  ...keys('command description explanation encoding security_risk'),
]);
const NEW_SHELLS = new Set(keys('shell shell_command exec_command run_shell_command'));

/** @param {any} bag @param {readonly string[]} names */
const valueUnder = (bag, names) => bag?.[names.find((name) => bag[name] !== undefined) ?? ''];

/** @param {any} bag @param {readonly string[]} names @returns {string | undefined} */
function textUnder(bag, names) {
  const value = valueUnder(bag, names);
  return typeof value === 'string' ? value : undefined;
}

/** @param {unknown} value */
const wholeNumber = (value) => (typeof value === 'number' && value >= 0 ? Math.min(END, Math.trunc(value)) : undefined);

/** Says what calls do, one after the other. */
export class Deeds {
  #moves = 0;
  #resolve;
  /** Which of the folders the last call ran in that the shell may have gone to; 0 if that doesn't matter. */ place = 0;
  /** @type {string[]} the files that the last call may have shown, if it was a command */ shown = [];

  /** @param {(root: string | undefined, path: string) => string} resolve without a root against the workspace's */
  constructor(resolve) {
    this.#resolve = resolve;
  }

  /** @param {string} name @param {Facts} facts @param {any} parameters @returns {Deed[]} */
  of(name, facts, parameters) {
    const { kind, isPreview } = facts;
    [this.place, this.shown] = [0, []];
    if (isPreview || kind === 'todo' || kind === 'search') return [];
    if (kind === 'other') return [{ type: 'anything' }];
    const found = kind === 'shell' ? this.#ofCommand(name, parameters) : this.#ofFile(facts, parameters);
    return found ?? [{ type: 'anything' }];
  }

  /** @param {string} name @param {any} parameters */
  #ofCommand(name, parameters) {
    const command = parameters?.command ?? parameters?.cmd;
    const text = command === undefined ? undefined : textOf(command);
    // What a running program is told is no command, and nothing asks what else it said.
    if (!text || ![undefined, false].includes(parameters.is_input)) return undefined;
    const stays = !NEW_SHELLS.has(name);
    const directory = textUnder(parameters, DIRECTORY);
    let root = this.#resolve(undefined, directory ?? '');
    // A folder that nothing else is in, since nobody knows which it is.
    if (directory === undefined && this.#moves > 0 && stays) root = `/\ue000${this.#moves}`;
    this.place = directory !== undefined || !stays || text.startsWith('cd /') ? 0 : this.#moves;
    this.shown = namedBy(text).map((file) => this.#resolve(root, file));
    if (stays && typeof command === 'string' && moves(text)) this.#moves++;
    return deedsOfLine(text, root, this.#resolve);
  }

  /** @param {Facts} facts @param {any} parameters @returns {Deed[] | undefined} */
  #ofFile({ kind, isVague, paths }, parameters) {
    const only = paths.length === 1 && !isVague ? paths[0] : undefined;
    if (kind === 'read') {
      const shown = only === undefined ? undefined : linesShown(parameters, only);
      return shown ? [shown] : [];
    }
    const text = typeof parameters === 'string' ? parameters : textUnder(parameters, PATCH);
    const patched = text === undefined ? undefined : deedsOfPatch(text, this.#resolve(undefined, ''), this.#resolve);
    if (patched) return patched;
    if (only === undefined) return undefined;
    if (kind === 'write' && !adds(parameters)) return [{ type: 'writes', path: only }];
    const change = changes(parameters, only);
    if (change?.type !== 'changes') return [{ type: 'spoils', path: only }];
    // How many lines it has become isn't known: no listing is known to be all of it.
    return change.more < END
      ? [change]
      : [
          { ...change, fewer: 0 },
          { type: 'spoils', path: only },
        ];
  }
}

/** Whether a call writes only a part of its file. @param {any} parameters */
const adds = (parameters) =>
  ADDING.some((key) => (parameters[key] ?? false) !== false) || !WHOLE.has(textUnder(parameters, MODE) ?? 'w');

/** @param {any} parameters @param {string} path @returns {Deed | undefined} */
function linesShown(parameters, path) {
  const isThere = (/** @type {string} */ key) => (parameters[key] ?? undefined) !== undefined;
  if (Object.keys(parameters).some((key) => !KNOWN.has(key) && isThere(key))) return undefined;
  if (isThere('view_range')) {
    const [from, to] = Array.isArray(parameters.view_range) ? parameters.view_range : [];
    const first = wholeNumber(from);
    if (first === undefined) return undefined;
    return { type: 'shows', path, lines: [Math.max(1, first), wholeNumber(to) ?? END], isVague: false };
  }
  const given = [FIRST, LAST, ['limit']].map((names) => valueUnder(parameters, names) ?? undefined);
  const [first, last, limit] = given.map(wholeNumber);
  if (given.some((value) => value !== undefined && wholeNumber(value) === undefined)) return undefined;
  const from = first ?? 1;
  const to = last ?? (limit === undefined ? END : Math.max(0, Math.min(END, from + limit) - 1));
  return { type: 'shows', path, lines: [from, to], isVague: first !== undefined && last === undefined };
}

/** @param {string} text */
const breaks = (text) => text.split('\n').length - 1;

/** @param {any} parameters @param {string} path @returns {Deed | undefined} */
function changes(parameters, path) {
  let [fewer, more] = [0, 0];
  for (const part of partsOf(parameters)) {
    const all = valueUnder(part, ['replace_all', 'replaceAll', 'allow_multiple']);
    const count = valueUnder(part, ['expected_replacements', 'count']);
    if ((all !== undefined && all !== false) || (count !== undefined && wholeNumber(count) !== 1)) return undefined;
    const [old, fresh] = [textUnder(part, OLD), textUnder(part, NEW)];
    if (old === undefined || fresh === undefined) return undefined;
    if (old.startsWith(OURS) || fresh.startsWith(OURS)) more = END;
    fewer += Math.max(0, breaks(old) - breaks(fresh));
    more += Math.max(0, breaks(fresh) - breaks(old));
  }
  return { type: 'changes', path, fewer, more };
}

/** @param {any} parameters @returns {any[]} */
const partsOf = (parameters) => (Array.isArray(parameters?.edits) ? parameters.edits : [parameters]);
