// `lossless` on agents that work on files: every line that a file still holds, or a command printed, stays visible.
import { createOptimizer, type IContent, optimize } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';
import { ai, human } from './support/say.js';
import { quoted, type Step, steps, Workspace } from './support/workspace.js';

const settings = { preset: 'lossless', workspaceRoot: '/w' } as const;

/** How a history is optimized while it grows. */
type Way = (turns: readonly (readonly IContent[])[]) => readonly IContent[];

const WAYS: Record<string, Way> = {
  'in one call': (turns) => optimize(turns.flat(), settings).messages,
  'by a handle, turn by turn': (turns) => {
    using handle = createOptimizer(settings);
    return turns.reduce<readonly IContent[]>((_, turn) => {
      handle.push(...turn);
      return handle.optimize().messages;
    }, []);
  },
  'from its own output, turn by turn': (turns) =>
    turns.reduce<readonly IContent[]>((left, turn) => optimize(left.concat(turn), settings).messages, []),
};

/** The lines that were there to be seen, are still so, and aren't left. */
function lost(taken: readonly Step[], way: Way): { readonly lines: string[]; readonly cut: number } {
  const workspace = new Workspace();
  for (const step of taken) workspace.take(step);
  const turns = [[human('go on')]];
  for (let at = 0; at < workspace.history.length; at += 2) turns.push(workspace.history.slice(at, at + 2));
  turns.push([ai('done')]);
  const before = JSON.stringify(turns);
  const after = JSON.stringify(way(turns));
  return {
    lines: workspace.due.map(quoted).filter((line) => !after.includes(line)),
    cut: before.length - after.length,
  };
}

describe.each(Object.entries(WAYS))('lossless %s', (_, way) => {
  test('keeps each line that a file still holds or a command printed', () => {
    let cut = 0;
    check(
      400,
      fc.property(steps, (taken) => {
        const { lines, cut: less } = lost(taken, way);
        cut += less;
        expect(lines).toStrictEqual([]);
      }),
    );
    expect(cut).toBeGreaterThan(0);
  });
});
