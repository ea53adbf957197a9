// The core says which lines have a number, the package takes it out: both must know the same forms.
import { optimize } from 'densify';
import { describe, expect, test } from 'vitest';
import { ai, human, read } from './support/say.js';

const LINES = Array.from({ length: 130 }, (_, at) =>
  at % 9 === 4 ? '' : `${' '.repeat(at % 4)}const line${at} = ${at};`,
);

/** Every form that agents' tools write; a blank line may lose the separator's blank. */
const FORMS: Readonly<Record<string, (number: number, line: string) => string>> = {
  arrow: (number, line) => `${String(number).padStart(6)}→${line}`,
  'padded tab': (number, line) => `${String(number).padStart(6)}\t${line}`,
  tab: (number, line) => `${number}\t${line}`,
  'zero bar': (number, line) => `${String(number).padStart(5, '0')}| ${line}`,
  'zero bar without a blank': (number, line) => `${String(number).padStart(5, '0')}|${line === '' ? '' : ` ${line}`}`,
  bar: (number, line) => `${number}|${line}`,
  'padded bar': (number, line) => `${String(number).padStart(4)}|${line}`,
  'spaced bar': (number, line) => `${String(number).padStart(4)} | ${line}`,
  'spaced bar without a blank': (number, line) => `${number} |${line === '' ? '' : ` ${line}`}`,
  colon: (number, line) => `${number}: ${line}`,
  'colon without a blank': (number, line) => `${number}:${line === '' ? '' : ` ${line}`}`,
  dot: (number, line) => `${number}. ${line}`,
  letter: (number, line) => `L${number}: ${line}`,
};

describe.each(Object.keys(FORMS))('numbers in the form %s', (name) => {
  const form = FORMS[name]!;
  const history = [
    human('Read.'),
    ...read('1', 'src/a.ts', LINES.map((line, at) => form(at + 1, line)).join('\n')),
    ai('Read.'),
  ];

  test.each(['lossless', 'balanced'] as const)('go, and every line stays to the letter: %s', (preset) => {
    const { messages, edits } = optimize(history, { preset, flush: 'always' });
    expect(edits.map(({ kind }) => kind)).toContain('unnumber');
    const block = messages[2]!.blocks[0]!;
    const left = (block.type === 'tool_response' ? String(block.result) : '').split('\n');
    expect(left).toHaveLength(LINES.length);
    // The first number and each hundredth stay, so that all others can be counted.
    left.forEach((line, at) => expect(line).toBe([1, 100].includes(at + 1) ? form(at + 1, LINES[at]!) : LINES[at]));
    expect(optimize(messages, { preset, flush: 'always' }).changed).toBe(false);
  });
});
