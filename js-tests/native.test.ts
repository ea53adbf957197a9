// I12: the native crate and the package give the same.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CompressOptions, compress, estimateTokens, type IContent, type OptimizeOptions, optimize } from 'densify';
import { type DensityConfig, proposeDensity } from 'densify/host';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history } from './support/arbitrary.js';
import { ai, human } from './support/say.js';
import { realLogs, someOf } from './support/shared.js';
import { TIMES } from './support/times.js';
import { work } from './support/work.js';

/** The beginnings of images: PNG, GIF, the three kinds of WebP, JPEG. */
const IMAGES = [
  'iVBORw0KGgoAAAANSUhEUgAABEQAAALbCAYAAADzZVWP',
  'R0lGODlhEAAQAPU/AOu7GOu+IfPBGvrHGf3LG//MHOvC',
  'UklGRg4CAABXRUJQVlA4IAICAACwLwCdASoFAgcBPtFm',
  'UklGRgwFAABXRUJQVlA4TAAFAAAvBIJBEBcQ8x/zHxjg',
  'UklGRgACAABXRUJQVlA4WAoAAAAgAAAAhxMALAEASUND',
  '/9j/4AAQSkZJRgABAQEAAQABAAD/wAARCAAQABADASIA',
];

const SEED = Number(process.env.DENSIFY_SEED ?? Date.now() % 1e9);
const RUNS = 200 * TIMES;

type Task =
  | { readonly history: readonly IContent[]; readonly config: DensityConfig }
  | { readonly history: readonly IContent[]; readonly compress: CompressOptions }
  | { readonly history: readonly IContent[]; readonly optimize: OptimizeOptions };

/** Optimised, as `cargo test` has built it. */
const PROFILE = ['--profile', 'test'];

/** The native crate's answers. */
function native(tasks: readonly Task[]): unknown[] {
  const lines = tasks.map((task) => JSON.stringify(task));
  const { status, stdout, stderr, error } = spawnSync('cargo', ['run', '--quiet', ...PROFILE, '--example', 'propose'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    input: lines.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`cargo run --example propose: ${error?.message ?? stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** The package's answer, in the form of the native one. */
function own(task: Task): unknown {
  if ('config' in task) {
    const { removals, replacements, metadata } = proposeDensity(task.history, task.config);
    return { removals, replacements: [...replacements], metadata };
  }
  if ('optimize' in task) return { messages: optimize(task.history, task.optimize).messages };
  const result = compress(task.history, task.compress);
  return { messages: result.messages, outcome: result.kind === 'applied' ? result.metadata : result.reason };
}

const config = fc.record(
  {
    readWritePruning: fc.boolean(),
    fileDedupe: fc.boolean(),
    recencyPruning: fc.boolean(),
    recencyRetention: fc.constantFrom(1, 2, 3),
    workspaceRoot: fc.constantFrom('/w', '/', 'w', 'C:\\w', '\\\\host\\share'),
  },
  { noNullPrototype: true },
);

/** Only strings that JSON can hold everywhere; numbers that all write in the same way. */
const isPortable = (entries: readonly IContent[]): boolean => {
  const text = JSON.stringify(entries);
  return !/\\ud[89a-f]/i.test(text) && !/[0-9][.e][+-]?[0-9]|-0[,}\]]|[0-9]{16}/.test(text);
};

function compressTasks(histories: readonly (readonly IContent[])[]): Task[] {
  return histories.flatMap((entries, number) => {
    const contextLimit = 1 + Math.floor((estimateTokens(entries) * (1 + (number % 7))) / 3);
    const preserve = [0, 0.1, 0.3, 0.5][number % 4] as number;
    return (['high-density', 'top-down-truncation'] as const).map((strategy) => ({
      history: entries,
      compress: { strategy, contextLimit, preserve },
    }));
  });
}

function presetTasks(entries: readonly IContent[]): Task[] {
  const budget = Math.floor(estimateTokens(entries) / 4);
  const presets = (['lossless', 'balanced', 'aggressive'] as const).map((preset) => ({ preset }));
  return [...presets, { preset: 'lossless' as const, budget }].map((options) => ({
    history: entries,
    optimize: options,
  }));
}

function expectAlike(tasks: readonly Task[]): void {
  const answers = native(tasks);
  expect(answers).toHaveLength(tasks.length);
  tasks.forEach((task, number) => {
    const answer = answers[number] as { readonly counts?: unknown };
    if ('optimize' in task) delete (answer as { counts?: unknown }).counts;
    expect(own(task), `task ${number}, seed ${SEED}: ${JSON.stringify(task).slice(0, 2_000)}`).toEqual(answer);
  });
}

describe('I12: the native crate gives what the package gives', () => {
  const random = fc.sample(history().filter(isPortable), { numRuns: RUNS, seed: SEED });
  const configs = fc.sample(config, { numRuns: RUNS, seed: SEED });

  test('of random histories', () => {
    expectAlike(random.map((entries, number) => ({ history: entries, config: configs[number] as DensityConfig })));
  });

  test('of random histories that are compressed', () => {
    expectAlike(compressTasks(random));
  });

  test('of work on files under every preset', () => {
    expectAlike(presetTasks(work(SEED)));
  });

  test('of images and files, whole and broken: both count the same tokens', () => {
    const pdf = Buffer.from('%PDF-1.7 << /Type /Page >> << /Type/Page /Kind /Pages >>');
    const files = [...IMAGES.map((image) => Buffer.from(image, 'base64')), pdf, Buffer.from('neither')];
    const file = fc
      .tuple(fc.constantFrom(...files), fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 2 }))
      .map(([whole, changes]) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
        return bytes.toString('base64');
      });
    const written = fc.tuple(file, fc.constantFrom('', 'data:image/png;base64,'), fc.constantFrom('', '\n'));
    const data = written.map(([base64, head, end]) => head + base64.replace(/.{76}/g, `$&${end}`));
    const tasks = fc.sample(data, { numRuns: RUNS, seed: SEED }).map((one) => {
      const media = { type: 'media', mimeType: 'image/png', data: one, encoding: 'base64' } as const;
      const talk = [human('Look.'), ai('I look.'), human('And?'), ai('A cat.'), human('Thanks.')];
      const entries: IContent[] = [...talk.slice(0, 2), { speaker: 'human', blocks: [media] }, ...talk.slice(2)];
      return { history: entries, compress: { strategy: 'top-down-truncation', contextLimit: 10 } as const };
    });
    for (const task of tasks) expect(compress(task.history, task.compress).kind).toBe('applied');
    expectAlike(tasks);
  });

  const logs = someOf(realLogs('native.test.ts'));
  test.skipIf(logs.length === 0)('of real histories', () => {
    const histories = logs.map(({ read }) => read());
    const rules = {
      readWritePruning: true,
      fileDedupe: true,
      recencyPruning: true,
      recencyRetention: 3,
      workspaceRoot: '/w',
    };
    expectAlike([...histories.map((entries) => ({ history: entries, config: rules })), ...compressTasks(histories)]);
    expectAlike(histories.flatMap(presetTasks));
  });
});
