import { Random } from './random.mjs';

const NAMES = [
  'reader',
  'buffer',
  'token',
  'session',
  'index',
  'cursor',
  'limit',
  'config',
  'handler',
  'queue',
  'parser',
  'entry',
  'offset',
  'result',
  'cache',
];
const VERBS = ['load', 'parse', 'flush', 'resolve', 'merge', 'collect', 'encode', 'validate', 'update', 'open'];
const TYPES = ['string', 'number', 'boolean', 'Buffer', 'readonly string[]', 'Map<string, number>'];
const LEVELS = ['INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR'];

/** Code and log text to cut tool results, files and messages from. */
export class TextPool {
  #text;
  #random;

  /**
   * @param {Random} random
   * @param {number} [length]
   */
  constructor(random, length = 200_000) {
    this.#random = random;
    const parts = [];
    for (let size = 0; size < length; size += parts[parts.length - 1].length)
      parts.push(random.chance(0.6) ? codePassage(random) : logPassage(random));
    this.#text = parts.join('');
  }

  /**
   * Whole lines, about so many characters; no line is an inclusion's marker.
   * @param {number} length
   */
  lines(length) {
    const from = this.#random.integer(0, this.#text.length - length);
    const start = this.#text.indexOf('\n', from) + 1 || from;
    return this.#text.slice(start, start + length);
  }

  /**
   * The same on one line.
   * @param {number} length
   */
  sentence(length) {
    return this.lines(length).replaceAll('\n', ' ').trim() || 'continue';
  }
}

/** @param {Random} random */
function codePassage(random) {
  const name = random.pick(NAMES);
  const verb = random.pick(VERBS);
  const lines = [`/** ${verb}s the ${name} when the ${random.pick(NAMES)} changes. */`];
  lines.push(
    `export function ${verb}${name[0].toUpperCase()}${name.slice(1)}(${random.pick(NAMES)}: ${random.pick(TYPES)}): ${random.pick(TYPES)} {`,
  );
  for (let i = random.integer(3, 12); i > 0; i--) {
    const target = random.pick(NAMES);
    if (random.chance(0.3))
      lines.push(`  if (${target}.length > ${random.integer(0, 512)}) return "${random.pick(VERBS)} failed";`);
    else
      lines.push(
        `  const ${target}${i} = await this.${random.pick(VERBS)}(${random.pick(NAMES)}, { ${random.pick(NAMES)}: ${random.integer(0, 9999)} });`,
      );
  }
  lines.push('}', '', '');
  return lines.join('\n');
}

/** @param {Random} random */
function logPassage(random) {
  const lines = [];
  for (let i = random.integer(4, 20); i > 0; i--) {
    const time = `2026-03-${String(random.integer(10, 28))}T${String(random.integer(10, 23))}:${String(random.integer(10, 59))}:07.${random.integer(100, 999)}Z`;
    const step = `${random.integer(1, 99)}/${random.integer(100, 999)}`;
    lines.push(
      `${time} ${random.pick(LEVELS)} [${random.pick(NAMES)}] ${random.pick(VERBS)} ${random.pick(NAMES)} took ${random.integer(1, 900)} ms (${step})`,
    );
  }
  return `${lines.join('\n')}\n`;
}
