// Arguments of writes in every format: they give way where those of the neutral form do, and nothing else changes.
import { type IContent, optimize } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';
import { formats } from './support/formats.js';
import { exchange, lines } from './support/work.js';

/** Writes, changes and reads of a few files, whose content is short or long. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('write', 'change', 'read', 'search'),
    path: fc.constantFrom('/a.rs', '/b "c".rs'),
    from: fc.nat(9),
    length: fc.constantFrom(1, 3, 8, 20),
  }),
  { minLength: 2, maxLength: 12 },
);

type Step = Parameters<Parameters<typeof steps.map>[0]>[0][number];

function history(list: readonly Step[]): IContent[] {
  const files = new Map<string, string>();
  const done = list.flatMap(({ kind, path, from, length }, at) => {
    const [id, text] = [`c${at}`, `${lines('a', from, from + length).join('\n')}\n\t"quoted" \\ ${at}`];
    const old = files.get(path) ?? 'nothing yet';
    if (kind === 'search') return exchange(id, 'grep', { pattern: text }, text);
    if (kind === 'read') return exchange(id, 'read_file', { file_path: path }, old);
    files.set(path, text);
    if (kind === 'write') return exchange(id, 'write_file', { file_path: path, content: text }, 'written');
    return exchange(id, 'edit', { file_path: path, edits: [{ oldText: old, newText: text }], n: 1.5 }, 'changed');
  });
  return [{ speaker: 'human', blocks: [{ type: 'text', text: 'Write it.' }] }, ...done];
}

/** Plain data: instances of classes as what they are stored as. */
const stored = (messages: readonly unknown[]): unknown => JSON.parse(JSON.stringify(messages));

describe.each(formats)('$name', ({ verbs, known, from, hasDemands }) => {
  test.skipIf(hasDemands)('arguments give way where those of the neutral form do, and nothing else changes', () => {
    let shortened = 0;
    check(
      200,
      fc.property(steps, (list) => {
        const contents = history(list);
        const messages = from(contents);
        const before = JSON.stringify(messages);
        const expected = optimize(contents, { preset: 'lossless', flush: 'always' }).messages;
        const { messages: output } = verbs.optimize(
          messages as never,
          { preset: 'lossless', flush: 'always', ...known } as never,
        );
        expect(stored(output)).toEqual(stored(from(expected)));
        expect(JSON.stringify(messages)).toBe(before);
        shortened += JSON.stringify(output).split('shown again later').length - 1;
      }),
    );
    expect(shortened).toBeGreaterThan(10);
  });
});
