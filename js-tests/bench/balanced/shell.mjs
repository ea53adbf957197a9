/**
 * What a shell line does to files, if it is one of the plain ones.
 *
 * @import {Deed} from './deeds.mjs'
 * @import {Lines} from './text.mjs'
 */
import { BEGIN, deedsOfPatch } from './patch.mjs';
import { END } from './text.mjs';

const words = (/** @type {string} */ text) => new Set(text.split(' '));
const HARMLESS = words(
  'ls pwd cat head tail nl wc grep rg egrep fgrep stat file which type echo printf true false date whoami id uname du ' +
    'df cut tr diff cmp jq basename dirname realpath readlink test sleep less more cd',
);
const GIT = words('status log diff show blame rev-parse ls-files grep describe');
/** Stands in a word for what the shell puts there, between words for a pipe, for `&&`, and for what else separates commands. */
const [VARIABLE, PIPE, AND, STOP] = ['\0', '\u0001', '\u0002', '\u0003'];

/** @param {string} command */
export const moves = (command) => /(?<![A-Za-z0-9])(?:cd|pushd|popd)(?![A-Za-z0-9])/.test(command);

/** @param {any} command @returns {string | undefined} */
export function textOf(command) {
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return undefined;
  const [before, text] = command.slice(-2);
  return ['-lc', '-c', 'apply_patch'].includes(before) && typeof text === 'string' ? text : undefined;
}

/** @param {string} text @param {string} root @param {(root: string, path: string) => string} resolve @returns {Deed[]} */
export function deedsOfLine(text, root, resolve) {
  const before = text.split('\n', 1)[0];
  const isPatch = (before.startsWith('apply_patch') && !/[&;|`$(]/.test(before)) || text.startsWith(BEGIN);
  const patched = isPatch ? deedsOfPatch(text, root, resolve) : undefined;
  if (patched) return patched;
  const path = writtenBy(text, root, resolve);
  if (path !== undefined) return [{ type: 'writes', path }];
  const parsed = parse(text);
  if (!parsed || !split(parsed, [STOP, AND, PIPE]).every(isHarmless)) return [{ type: 'anything' }];
  const shown = shownBy(parsed, root, resolve);
  return shown ? [shown] : [];
}

/** The words by which a line names files that it shows, whatever else it does. @param {string} text @returns {string[]} */
export function namedBy(text) {
  return split(parse(text) ?? [], [STOP, AND, PIPE]).flatMap((command) => {
    const [name, first, second] = command;
    if (/^(?:bash|sh|zsh)$/.test(name) && /^-l?c$/.test(first) && command.length === 3) return namedBy(second);
    if (name === 'git' && first === 'show')
      return command.slice(2).flatMap((word) => (word.includes(':') ? [word.slice(word.indexOf(':') + 1)] : []));
    return /^(?:cat|nl|head|tail|less|more|sed)$/.test(name) ? command.slice(1) : [];
  });
}

/** @param {string} text @param {string} root @param {(root: string, path: string) => string} resolve */
function writtenBy(text, root, resolve) {
  const found = /^cat > ([^\n]*?) <<([^\n]*)\n([\s\S]*)$/.exec(text.trimEnd());
  if (!found || /[$~*?{&(` "']/.test(found[1]) || found[1] === '') return undefined;
  if (!/['"]/.test(found[2]) && /[$`\\]/.test(found[3])) return undefined;
  const tag = found[2].replace(/^['" ]+|['" ]+$/g, '');
  const lines = found[3].replace(/\n$/, '').split('\n');
  return lines.indexOf(tag) === lines.length - 1 ? resolve(root, found[1]) : undefined;
}

/** @param {readonly string[]} list @param {readonly string[]} at */
function split(list, at) {
  /** @type {string[][]} */
  const parts = [[]];
  for (const word of list) {
    if (at.includes(word)) parts.push([]);
    else parts[parts.length - 1].push(word);
  }
  return parts;
}

/** Words, and what stands between commands; nothing if anything isn't plain. @param {string} text */
function parse(text) {
  if (/[\0-\x08\x0b-\x1f]/.test(text)) return undefined;
  /** @type {string[]} */
  const found = [];
  let word = '';
  let isWord = false;
  let quote = '';
  const line = text.trim();
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    const next = line[at + 1];
    if (quote !== '' && character === quote) {
      quote = '';
      continue;
    }
    const isBare = quote === '';
    if (quote === "'") word += character;
    else if (isBare && (character === "'" || character === '"')) quote = character;
    else if (character === '\\') {
      if (next === undefined || next === '\n') return undefined;
      word += next;
      at++;
    } else if (character === '`' || (character === '$' && next === '(')) return undefined;
    else if (isBare && '<()#'.includes(character)) return undefined;
    else if (isBare && character === '>') {
      const silent = ['&1', '/dev/null'].find((to) => line.startsWith(to, at + 1));
      if (silent === undefined) return undefined;
      at += silent.length;
      if (at + 1 < line.length && !' ;|\n'.includes(line[at + 1])) return undefined;
      if (word === '1' || word === '2') {
        word = '';
        isWord = false;
      }
      continue;
    } else if (character === '$' || (isBare && '*?[{~'.includes(character))) word += VARIABLE;
    else if (isBare && ' \t|&;\n'.includes(character)) {
      if (isWord) {
        found.push(word);
        word = '';
        isWord = false;
      }
      const isDouble = next === character;
      if (character === '&' && !isDouble) return undefined;
      if (character > ' ' && isDouble) at++;
      if (character === '|' && !isDouble) found.push(PIPE);
      else if (character !== ' ' && character !== '\t') found.push(character === '&' ? AND : STOP);
      continue;
    } else word += character;
    isWord = true;
  }
  if (isWord) found.push(word);
  return quote === '' ? found : undefined;
}

/** @param {readonly string[]} command */
function isHarmless(command) {
  const [name, ...rest] = command;
  if (name === undefined) return true;
  const has = (/** @type {string} */ bad) =>
    rest.some((word) => bad.split(' ').some((start) => word.startsWith(start)));
  switch (name) {
    case 'git': {
      const verb = rest.find((word) => !word.startsWith('-'));
      return verb !== undefined && GIT.has(verb) && !has('--output');
    }
    case 'find':
      return !has('-exec -ok -delete -fprint -fls');
    case 'sed':
      return readBy(command) !== undefined;
    case 'sort':
    case 'tree':
      return !rest.some((word) => word.startsWith('-') && word.includes('o'));
    case 'uniq':
      return rest.every((word) => word.startsWith('-'));
    default:
      return HARMLESS.has(name) && !(name === 'rg' && has('--pre'));
  }
}

/** @param {string} text */
const number = (text) => (/^\+?\d+$/.test(text) && Number(text) <= END ? Number(text) : undefined);

/** @param {string} script @returns {Lines | undefined} */
function linesOf(script) {
  if (!script.endsWith('p')) return undefined;
  const range = script.slice(0, -1);
  const comma = range.indexOf(',');
  const [from, to] = comma < 0 ? [range, range] : [range.slice(0, comma), range.slice(comma + 1)];
  const first = number(from);
  const last = to === '$' || to === VARIABLE ? END : number(to);
  return first === undefined || last === undefined ? undefined : [first, last];
}

/**
 * @param {readonly string[]} parsed
 * @param {string} folder
 * @param {(root: string, path: string) => string} resolve
 * @returns {Deed | undefined}
 */
function shownBy(parsed, folder, resolve) {
  const commands = split(parsed, [AND]);
  let root = folder;
  for (const command of commands.slice(0, -1)) {
    if (command.length === 0) continue;
    if (command.length !== 2 || command[0] !== 'cd' || command[1].includes(VARIABLE)) return undefined;
    root = resolve(root, command[1]);
  }
  /** @type {Lines} */
  let lines = [1, END];
  let path;
  for (const command of split(commands[commands.length - 1], [PIPE])) {
    const read = readBy(command);
    if (!read) return undefined;
    const [[from, to], file] = read;
    if ((file !== undefined) === (path !== undefined)) return undefined;
    if (file !== undefined && (file === '' || /\p{Cc}/u.test(file))) return undefined;
    if (file !== undefined) path = resolve(root, file);
    const end = to === END ? END : Math.min(END, lines[0] + to - 1);
    lines = [Math.min(END, lines[0] + from - 1), Math.min(lines[1], end)];
  }
  return path === undefined ? undefined : { type: 'shows', path, lines, isVague: false };
}

/** Which lines of its file, or of what comes in, a command prints. @param {readonly string[]} command @returns {[Lines, string | undefined] | undefined} */
function readBy(command) {
  const [name, first, second] = command;
  /** @type {Lines | undefined} */
  let lines;
  let rest;
  if ((name === 'cat' && first === '-n') || (name === 'nl' && first === '-ba'))
    [lines, rest] = [[1, END], command.slice(2)];
  else if (name === 'cat') [lines, rest] = [[1, END], command.slice(1)];
  else if (name === 'sed' && first === '-n' && second !== undefined)
    [lines, rest] = [linesOf(second), command.slice(3)];
  else if (name === 'head' && first === '-n' && second !== undefined) [lines, rest] = [upTo(second), command.slice(3)];
  else if (name === 'head' && first?.startsWith('-'))
    [lines, rest] = [upTo(first.replace(/^[-n]+/, '')), command.slice(2)];
  else if (name === 'head') [lines, rest] = [[1, 10], command.slice(1)];
  if (!lines || !rest || lines[0] === 0 || lines[0] > lines[1]) return undefined;
  if (rest.length === 0) return [lines, undefined];
  return rest.length === 1 && !rest[0].startsWith('-') ? [lines, rest[0]] : undefined;
}

/** @param {string} text @returns {Lines | undefined} */
function upTo(text) {
  const count = number(text);
  return count === undefined ? undefined : [1, count];
}
