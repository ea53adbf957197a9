// Histories for properties: few files and few tools, so that the rules have something to do.
import type { ContentBlock, IContent } from 'densify';
import fc from 'fast-check';
import type { OracleOptions } from './oracle.js';
import { POINTER } from './oracle-facts.js';

/** Entries of one step of an agent: what it adds at once. */
export type Turn = readonly IContent[];

const FILES = ['a.ts', './a.ts', '/w/a.ts', 'x/../a.ts', 'b.ts', '/w/b.ts'];
const ODD_FILES = ['c/__proto__', 'constructor', '/w/d e.ts', '../w/a.ts'];
const READ_TOOLS = ['read_file', 'read_line_range', 'ast_read_file', 'Read', 'read'];
const WRITE_TOOLS = ['write_file', 'replace', 'ast_edit', 'Edit', 'write'];
const OTHER_TOOLS = ['run_shell_command', 'grep', '__proto__', 'constructor', ''];
const WORDS = [
  'ok',
  'done',
  'naïve 検索 🙂',
  'x'.repeat(50),
  'const a = 1;\nconst b = 2;',
  '--- not a marker',
  ' ',
  '',
];

/** Records as literals make them. */
function record<T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(shape, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

/** Records of which any key may be missing. */
function partial<T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(shape, { noNullPrototype: true, requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
}

const file = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...FILES) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_FILES) },
);
const word = fc.constantFrom(...WORDS);
const words = fc.array(word, { maxLength: 3 }).map((parts) => parts.join(' '));

const LONG = 'a line of a result that is long enough to be worth a pointer\n';
const result = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }).map((count) => LONG.repeat(count)) },
  { weight: 2, arbitrary: fc.integer({ min: 36, max: 44 }).map((count) => 'é'.repeat(count)) },
  { weight: 2, arbitrary: word },
  { weight: 2, arbitrary: record({ output: words, exit_code: fc.constantFrom(0, 1) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, 7, true, [], {}, [LONG, LONG], { error: '' }, { error: 'x' }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[POINTER, '[read_file: a.ts — success, 9 lines]', '[grep — error]', `[${LONG}]`],
      ...[POINTER, '[grep — error]'].map((text) => text.replace(']', ' (recall r0123456789abc)]')),
    ),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text)) },
);

/** A tool's name and parameters. */
const action = fc.oneof(
  { weight: 5, arbitrary: named(READ_TOOLS, single()) },
  {
    weight: 5,
    arbitrary: named(
      WRITE_TOOLS,
      single(fc.constantFrom({}, {}, {}, {}, { dry_run: true }, { force: false }, { preview: true })),
    ),
  },
  {
    weight: 2,
    arbitrary: named(
      ['read_many_files'],
      record({ paths: fc.array(fc.oneof(file, fc.constantFrom('*.ts', 'a?.ts', '')), { maxLength: 3 }) }),
    ),
  },
  {
    weight: 2,
    arbitrary: named(
      ['str_replace_editor'],
      record({ command: fc.constantFrom('view', 'create', 'str_replace', 'other'), path: file }),
    ),
  },
  { weight: 2, arbitrary: named(OTHER_TOOLS, record({ command: word })) },
  {
    weight: 1,
    arbitrary: named(
      [...READ_TOOLS, ...WRITE_TOOLS],
      fc.constantFrom<unknown>(null, 'a.ts', ['a.ts'], {}, { path: 7 }, { file_path: '' }),
    ),
  },
);

function single(further: fc.Arbitrary<object> = fc.constant({})): fc.Arbitrary<unknown> {
  const key = fc.constantFrom('file_path', 'absolute_path', 'path', 'path', 'filePath');
  return fc.tuple(key, file, further).map(([name, path, more]) => ({ [name]: path, ...more }));
}

function named(names: readonly string[], parameters: fc.Arbitrary<unknown>) {
  return record({ name: fc.constantFrom(...names), parameters });
}

interface Work {
  readonly actions: readonly {
    name: string;
    parameters: unknown;
    result: unknown;
    error: string | undefined;
    answers: number;
  }[];
  readonly before: readonly ContentBlock[];
  readonly beside: readonly ContentBlock[];
  readonly together: boolean;
  readonly late: boolean;
}

const text = (content: string): ContentBlock => ({ type: 'text', text: content });
const thinking = word.map((thought): ContentBlock => ({ type: 'thinking', thought, signature: 's' }));
const media: fc.Arbitrary<ContentBlock> = fc.constant({
  type: 'media',
  mimeType: 'image/png',
  data: 'AAAA',
  encoding: 'base64',
});
const code = word.map((content): ContentBlock => ({ type: 'code', code: content, language: 'ts' }));
const unknown = fc
  .constantFrom({ type: 'hologram', depth: 3 }, { type: 7 })
  .map((block) => block as unknown as ContentBlock);

const work: fc.Arbitrary<Work> = record({
  actions: fc.array(
    fc
      .tuple(
        action,
        result,
        fc.constantFrom(undefined, undefined, undefined, undefined, undefined, undefined, 'failed', ''),
        fc.constantFrom(1, 1, 1, 1, 1, 1, 0, 2),
      )
      .map(([tool, payload, error, answers]) => ({ ...tool, result: payload, error, answers })),
    { minLength: 1, maxLength: 3 },
  ),
  before: fc.array(fc.oneof(thinking, word.map(text)), { maxLength: 2 }),
  beside: fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.oneof(media, word.map(text), unknown, code), { maxLength: 2 }) },
  ),
  together: fc.boolean(),
  late: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});

const inclusion = fc
  .tuple(
    file,
    fc.array(fc.oneof(word, fc.constantFrom('--- inner ---', '--- End of content ---x')), { maxLength: 2 }),
    fc.constantFrom('\n', '\n', '\n', '\r\n'),
    fc.boolean(),
  )
  .map(([path, lines, end, isLast]) =>
    [`--- ${path} ---`, ...lines, `--- End of content ---${isLast ? '' : end}`].join(end),
  );
const marker = fc.constantFrom(
  '--- a.ts ---\n',
  '--- End of content ---\n',
  '--- End of content ---',
  '---  ---\n',
  '--- a.ts ---',
);
const piece = fc.oneof(
  { weight: 6, arbitrary: inclusion },
  { weight: 5, arbitrary: words.map((said) => `${said}\n`) },
  { weight: 1, arbitrary: marker },
);
/** A text in one block, or cut anywhere into two. */
const texts = fc
  .tuple(
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.tuple(fc.nat(3), fc.nat(80)).map(([rare, at]) => (rare === 0 ? at : undefined)),
  )
  .map(([pieces, cut]) => {
    const whole = pieces.join('');
    return cut === undefined || cut > whole.length
      ? [text(whole)]
      : [text(whole.slice(0, cut)), text(whole.slice(cut))];
  });
const said = fc
  .tuple(
    texts,
    fc.array(
      fc.oneof(
        media,
        texts.map(([first]) => first as ContentBlock),
        unknown,
      ),
      { maxLength: 1 },
    ),
  )
  .map(([first, more]) => [...first, ...more]);

type Step = { readonly said: ContentBlock[] } | { readonly plain: ContentBlock[] } | Work;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: work },
  { weight: 3, arbitrary: said.map((blocks) => ({ said: blocks })) },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(thinking, word.map(text)), { maxLength: 2 }).map((blocks) => ({ plain: blocks })),
  },
);

/** Makes entries of steps; `ids` says how many different ids there are. */
class Builder {
  #calls = 0;
  #entries = 0;
  #late: IContent[] = [];
  readonly #ids: number;

  constructor(ids: number) {
    this.#ids = ids;
  }

  turn(next: Step): IContent[] {
    const late = this.#late;
    this.#late = [];
    if ('said' in next) return [...late, this.#entry('human', next.said)];
    if ('plain' in next) return [...late, this.#entry('ai', next.plain)];
    return [...late, ...this.#work(next)];
  }

  /** An entry of its own: no two share a block. */
  #entry(speaker: IContent['speaker'], blocks: readonly ContentBlock[]): IContent {
    this.#entries += 1;
    return structuredClone({ speaker, blocks: [...blocks], metadata: { n: this.#entries } });
  }

  #work({ actions, before, beside, together, late }: Work): IContent[] {
    const calls: ContentBlock[] = [];
    const answers: ContentBlock[] = [];
    for (const { name, parameters, result: payload, error, answers: count } of actions) {
      const id = `call_${this.#calls++ % this.#ids}`;
      calls.push({ type: 'tool_call', id, name, parameters });
      const answer = { type: 'tool_response', callId: id, toolName: name, result: payload } as const;
      for (let left = count; left > 0; left -= 1) answers.push(error === undefined ? answer : { ...answer, error });
    }
    const called = this.#entry('ai', [...before, ...calls]);
    const parts = together ? [answers] : answers.map((answer) => [answer]);
    const entries = parts.map((part) => this.#entry('tool', [...part, ...beside]));
    if (late) this.#late = entries;
    return [called, ...(late ? [] : entries)];
  }
}

/** Turns of an agent that behaves, mostly: ids are unique, or there are only a few. */
export function turns(maxLength = 14): fc.Arbitrary<Turn[]> {
  return fc
    .tuple(fc.array(step, { minLength: 1, maxLength, size: 'max' }), fc.constantFrom(10_000, 10_000, 10_000, 2))
    .map(([steps, ids]) => {
      const builder = new Builder(ids);
      return steps.map((next) => builder.turn(next));
    });
}

export const history = (maxLength?: number): fc.Arbitrary<IContent[]> => turns(maxLength).map((list) => list.flat());

const json = fc.json({ maxDepth: 2 }).map((content): unknown => JSON.parse(content));
const wildBlock = fc.oneof(
  json,
  partial({
    type: fc.constantFrom('text', 'tool_call', 'tool_response', 'media', 'thinking', 'code'),
    text: json,
    id: json,
    callId: json,
    name: json,
    toolName: json,
    parameters: json,
    result: json,
    error: json,
  }),
  record({
    type: fc.constant('tool_response'),
    callId: fc.constantFrom('call_0', 'call_1', 'none'),
    toolName: fc.constantFrom('read_file', 'grep'),
    result,
  }),
  record({
    type: fc.constant('tool_call'),
    id: fc.constantFrom('call_0', 'call_1', 'none'),
    name: fc.constantFrom('read_file', 'write_file'),
    parameters: record({ path: file }),
  }),
);
const wildEntry = fc.oneof(
  json,
  partial({
    speaker: fc.constantFrom<unknown>('human', 'ai', 'tool', 'system', 'Human', null, 7),
    blocks: fc.oneof(json, fc.array(wildBlock, { maxLength: 3 })),
  }),
  record({ speaker: fc.constantFrom('human', 'ai', 'tool'), blocks: fc.array(wildBlock, { maxLength: 3 }) }),
);

/** Turns in which anything that JSON can hold may stand. */
export const malformedTurns: fc.Arbitrary<Turn[]> = fc
  .tuple(turns(10), fc.array(fc.tuple(fc.nat(10), fc.nat(4), wildEntry), { minLength: 1, maxLength: 5 }))
  .map(([list, odd]) => {
    const entries = list.map((turn) => [...turn]);
    for (const [turn, at, entry] of odd) entries[turn % entries.length]?.splice(at, 0, entry as IContent);
    return entries;
  });

export const malformedHistory = malformedTurns.map((list) => list.flat());

/** The number that tells an entry of these histories from all others. */
export function numberOf(entry: unknown): number | undefined {
  const metadata = (entry as IContent | null | undefined)?.metadata;
  return typeof metadata?.n === 'number' ? metadata.n : undefined;
}

const callbacks = fc.constantFrom(
  {},
  {},
  {},
  { protect: (entry: unknown) => (numberOf(entry) ?? 1) % 7 === 0 },
  { isFailure: (response: { readonly result?: unknown }) => response.result === 'ok' || response.result === POINTER },
);

/** Options of the rules. */
const ruleOptions = record({
  readWritePruning: fc.constantFrom(true, true, true, false),
  fileDedupe: fc.constantFrom(true, true, true, false),
  recencyPruning: fc.boolean(),
  recencyRetention: fc.constantFrom(1, 2, 3, 0, -1, 2.9),
  recencyTools: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, ['read_file', 'grep']),
});
const root = fc.constantFrom('/w', '/w', '/w', '/', '/w/x/..', 'w');

export const options = fc
  .tuple(ruleOptions, root, callbacks)
  .map(([rules, workspaceRoot, further]): OracleOptions => ({ preset: 'seed', rules, workspaceRoot, ...further }));
