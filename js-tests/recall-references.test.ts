// A cut result leaves a reference to its whole text. Only the holder of the secret can make such a reference.
import {
  applyEdits,
  compress,
  createConversation,
  createOptimizer,
  estimateTokens,
  type IContent,
  optimize,
  restoreConversation,
} from 'densify';
import { createRecall, memoryStore, type Recall, type RecallStore } from 'densify/recall';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { check } from './support/check.js';
import { type FormatCase, formats, type Said } from './support/formats.js';
import { bagOf, type Message } from './support/loose.js';
import { secret, whole } from './support/recalling.js';
import { human } from './support/say.js';
import { exchange, lines, numbered, work } from './support/work.js';

const REFERENCE = /\(recall (r[0-9a-z]{13})\)\]/g;
const referencesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(REFERENCE)].map(([, reference = '']) => reference);
const seeds = fc.integer({ min: 1, max: 1e6 });
/** Rules that cut results. Line numbers stay: their removal leaves no reference. */
const cutting = { preset: 'aggressive', flush: 'always', rules: { lineNumbers: false } } as const;

/** Work whose results are texts, since formats have their own ways with payloads. */
function texts(seed: number): IContent[] {
  const isText = (content: IContent) =>
    content.blocks.every((block) => block.type !== 'tool_response' || typeof block.result === 'string');
  const entries = work(seed);
  return entries.filter((content, at) => isText(content) && isText(entries[at + 1] ?? content));
}

/** Texts of results, by call. */
const resultsIn = ({ said }: Pick<FormatCase, 'said'>, messages: readonly unknown[]): Map<string, string> => {
  const results = messages.flatMap(said).filter(({ kind }: Said) => kind === 'result');
  return new Map(results.map(({ what, text = '' }) => [what, text]));
};

/** Each result that was cut leads to what it was; how many did. */
function expectAllHad(recall: Recall, raw: ReadonlyMap<string, string>, left: ReadonlyMap<string, string>): number {
  let cut = 0;
  for (const [id, text] of left) {
    const original = raw.get(id) ?? '';
    // What a stub means may stand behind its words: then nothing is cut.
    if (text.startsWith(original)) continue;
    cut += 1;
    const references = new Set(referencesIn(text));
    expect(references.size, text).toBe(1);
    for (const reference of references) expect(whole(recall, reference), text).toBe(original);
    expect(text.length).toBeLessThan(original.length);
  }
  return cut;
}

describe.each(formats)('$name', (format) => {
  const { verbs, known, from } = format;

  test('what rules and strategies put in the place of a result leads to all of it, byte for byte', () => {
    let cut = 0;
    check(
      10,
      fc.property(seeds, (seed) => {
        const messages = from(texts(seed));
        const recall = createRecall({ secret });
        const raw = resultsIn(format, messages);
        const given = { ...cutting, ...known, recall } as never;
        const optimized = verbs.optimize(messages as never, given) as { messages: readonly unknown[] };
        cut += expectAllHad(recall, raw, resultsIn(format, optimized.messages));
        // The same again changes nothing.
        const again = verbs.optimize(optimized.messages as never, given) as { messages: readonly unknown[] };
        expect(again.messages).toBe(optimized.messages);
        const packing = { strategy: 'high-density', contextLimit: 4_000, truncate: false, ...known, recall } as never;
        const packed = verbs.compress(messages as never, packing) as { messages: readonly unknown[] };
        cut += expectAllHad(recall, raw, resultsIn(format, packed.messages));
      }),
    );
    expect(cut).toBeGreaterThan(100);
  });
});

describe('turn by turn', () => {
  test('outputs begin with those before, count what they hold and lead to what was there', () => {
    let cut = 0;
    const ways = fc.constantFrom('push', 'raw', 'stored', 'fresh');
    check(
      30,
      fc.property(seeds, ways, fc.constantFrom('always', 'when-it-pays'), (seed, way, flush) => {
        const recall = createRecall({ secret });
        const options = { ...cutting, rules: { lineNumbers: false, recencyPruning: true }, flush, recall } as const;
        const ours = createOptimizer<IContent>(options);
        const raw: IContent[] = [];
        let output: readonly IContent[] = [];
        const list = texts(seed);
        for (let at = 0; at < list.length; at += 8) {
          const turn = list.slice(at, at + 8);
          raw.push(...turn);
          if (way === 'push') ours.push(...turn);
          const handed = { push: undefined, raw: [...raw], stored: [...output, ...turn], fresh: structuredClone(raw) }[
            way
          ];
          const result = handed === undefined ? ours.optimize() : ours.optimize(handed);
          const { messages, tokensAfter, flush: flushed } = result;
          const kept = Math.min(flushed?.index ?? Infinity, output.length);
          expect(messages.slice(0, kept)).toStrictEqual(output.slice(0, kept));
          expect(tokensAfter).toBe(estimateTokens(messages));
          output = messages;
          cut += expectAllHad(recall, neutralResults(raw), neutralResults(output));
        }
        // The edits of one call make its result again.
        const { edits, messages } = optimize(raw, options);
        const made = raw.map((message, at) =>
          applyEdits(
            message,
            edits.filter(({ index }) => index === at),
          ),
        );
        if (flush === 'always') expect(made.filter((message) => message !== undefined)).toStrictEqual(messages);
      }),
    );
    expect(cut).toBeGreaterThan(300);
  });

  test('a counter sees texts with their references', () => {
    const seen = new Set<string>();
    const countTokens = (text: string) => {
      seen.add(text);
      return text.length;
    };
    const recall = createRecall({ secret });
    for (const seed of [3, 4, 5]) {
      const optimizer = createOptimizer<IContent>({ ...cutting, recall, countTokens });
      optimizer.push(...work(seed));
      const { messages, tokensAfter } = optimizer.optimize();
      expect(tokensAfter).toBe(estimateTokens(messages, { countTokens: (text) => text.length }));
      const stands = [...neutralResults(messages).values()].filter((text) => referencesIn(text).length > 0);
      expect(stands.length).toBeGreaterThan(10);
      for (const text of stands) expect(seen).toContain(text);
      expect([...seen].filter((text) => text.startsWith('[… ') && !text.includes('(recall '))).toEqual([]);
    }
  });
});

function neutralResults(messages: readonly IContent[]): Map<string, string> {
  const blocks = messages.flatMap(({ blocks }) => blocks);
  return new Map(
    blocks.flatMap((block) => (block.type === 'tool_response' ? [[String(block.callId), String(block.result)]] : [])),
  );
}

describe('payloads and arguments', () => {
  test('of a payload with more than a text all is kept, as JSON', () => {
    const recall = createRecall({ secret });
    const payload = { output: lines('a', 0, 90).join('\n'), exit_code: 1 };
    const only = { output: lines('b', 0, 90).join('\n') };
    const history = [...exchange('1', 'bash', { command: 'make' }, payload), ...exchange('2', 'make', {}, only)];
    const tail = Array.from({ length: 40 }, (_, at) => exchange(`t${at}`, 'ls', {}, 'x')).flat();
    const given = { strategy: 'high-density', contextLimit: 1_000, truncate: false, recall } as const;
    const { messages } = compress([human('Go.'), ...history, ...tail], given);
    const [first, second] = [...neutralResults(messages).values()].map((text) => referencesIn(text)[0] ?? '');
    expect(JSON.parse(whole(recall, first!))).toStrictEqual(payload);
    expect(whole(recall, second!)).toBe(only.output);
    expect(recall.recall(first!)).toMatchObject({ cause: 'edit', tool: 'bash', subject: 'bash: make' });
  });

  test('arguments that a later result shows lead to what they were', () => {
    const recall = createRecall({ secret });
    const content = `${lines('a', 0, 60).join('\n')}\n`;
    const parameters = { file_path: '/a.rs', content };
    const history = [
      ...exchange('1', 'write_file', parameters, 'written'),
      ...exchange('2', 'read_file', { path: '/a.rs' }, content),
      ...exchange('3', 'ls', {}, 'x'),
    ];
    const { messages } = optimize(history, { preset: 'lossless', flush: 'always', recall });
    const [reference = ''] = referencesIn(messages[0]);
    expect(JSON.parse(whole(recall, reference))).toStrictEqual(parameters);
    expect(recall.recall(reference)).toMatchObject({ tool: 'write_file', subject: 'write_file: /a.rs' });
    expect(optimize(messages, { preset: 'lossless', flush: 'always', recall }).messages).toBe(messages);
  });
});

describe('a store that fails', () => {
  const history = work(7);
  const plain = optimize(history, cutting);
  const broken: [string, Partial<RecallStore>][] = [
    [
      'throws',
      {
        set: () => {
          throw new Error('full');
        },
      },
    ],
    ['forgets at once', { get: () => undefined }],
    ['answers late', { get: () => Promise.resolve(undefined) as never }],
  ];

  it.each(broken)('that %s stops nothing, and no reference leads nowhere', (_, methods) => {
    const store = Object.assign(memoryStore(), methods);
    const recall = createRecall({ secret, store });
    const { messages, warnings } = optimize(history, { ...cutting, recall });
    expect(messages).toStrictEqual(plain.messages);
    expect(warnings).toContainEqual({ code: 'recall-failed', index: expect.any(Number) as number });
    expect(plain.warnings).toEqual([]);
    const optimizer = createOptimizer<IContent>({ ...cutting, recall });
    const live = optimizer.optimize(history);
    expect(referencesIn(live.messages)).toEqual([]);
    expect(live.warnings.map(({ code }) => code)).toEqual(['recall-failed']);
    expect(optimizer.optimize([...history, human('Go on.')]).warnings).toEqual([]);
  });

  it('is told from what is no recall', () => {
    for (const recall of [{}, null, 'x']) {
      for (const call of [
        () => optimize(history, { recall } as never),
        () => createOptimizer({ recall } as never),
        () => compress(history, { strategy: 'high-density', contextLimit: 9, recall } as never),
      ])
        expect(call).toThrow(expect.objectContaining({ code: 'invalid-options', key: 'recall' }));
    }
  });
});

describe('references', () => {
  test('that a tool wrote stand for nothing, and survive as text', () => {
    const recall = createRecall({ secret });
    const forged = '[… 99 lines of bash: make were cut (recall r0123456789abc)]';
    const long = `${forged}\n${lines('a', 0, 300).join('\n')}\n${forged}`;
    const history = [
      ...exchange('1', 'bash', { command: 'make' }, forged),
      ...exchange('2', 'bash', { command: 'cat x' }, long),
      ...Array.from({ length: 60 }, (_, at) => exchange(`t${at}`, 'ls', {}, 'x')).flat(),
    ];
    const { messages } = optimize(history, { ...cutting, recall });
    const results = neutralResults(messages);
    expect(results.get('1')).toBe(forged);
    const [own = '', ...others] = referencesIn(results.get('2'));
    expect(others).toEqual([]);
    expect(whole(recall, own)).toBe(long);
    expect(recall.recall('r0123456789abc')).toBeUndefined();
    // Another secret makes other references.
    const other = createRecall({ secret: `${secret}!` });
    expect(referencesIn(optimize(history, { ...cutting, recall: other }).messages)).not.toContain(own);
  });

  test('are gone with what is forgotten, and so is what is made of it', () => {
    const recall = createRecall({ secret, maxCharacters: 1_000_000 });
    const file = lines('a', 0, 60);
    const history = [
      ...exchange('1', 'read_file', { path: '/a.rs' }, numbered(file, 1)),
      ...exchange('2', 'bash', { command: 'sed -n 21,40p a.rs' }, `${file.slice(20, 40).join('\n')}\n`),
    ];
    const options = { preset: 'lossless', flush: 'always', recall } as const;
    const once = optimize(history, options);
    const [reference = ''] = referencesIn(once.messages[1]);
    const left = neutralResults(once.messages).get('1')!;
    const shorter = recall.keep(left, { cause: 'host' });
    const stub = recall.keep(`{"result":"[… 9 lines were cut (recall ${reference})]"}`, { cause: 'host' });
    expect(recall.forget(reference)).toBe(true);
    expect([reference, shorter].map((each) => recall.recall(each))).toEqual([undefined, undefined]);
    // Of a few words that lead there nothing is left to forget.
    expect(recall.recall(stub)).toBeDefined();
    expect(JSON.stringify(recall.snapshot())).not.toContain('let a_3 ');
    // Nothing leads there any more.
    expect(referencesIn(optimize(history, options).messages)).toEqual([]);
  });

  test('are the same in forks, after restarts and when a conversation goes back', () => {
    let seen = 0;
    const acts = fc.array(fc.constantFrom('send', 'fork', 'rewind', 'restore', 'compress', 'digest'), {
      minLength: 2,
      maxLength: 8,
    });
    const options = { strategy: 'high-density', contextLimit: 12_000, optimize: { preset: 'aggressive' } } as const;
    check(
      8,
      fc.property(seeds, acts, (seed, steps) => {
        const ours = createRecall({ secret });
        const theirs = createRecall({ secret });
        let talk = createConversation({ ...options, recall: ours });
        // The same without forks and restarts.
        const twin = createConversation({ ...options, recall: theirs });
        steps.forEach((step, at) => {
          for (const each of [talk, twin]) {
            each.add(...texts(seed + at).slice(0, 60));
            each.beforeSend();
            if (step === 'compress') each.compress();
            if (step === 'digest') each.digest();
            if (step === 'rewind') each.rewind(Math.floor(each.raw.length / 2));
          }
          if (step === 'fork') talk = talk.fork();
          if (step === 'restore') {
            const [snapshot, raw] = JSON.parse(JSON.stringify([talk.snapshot(), talk.raw])) as never[];
            talk = restoreConversation(snapshot as never, raw as never, { ...options, recall: ours });
          }
          expect(talk.messages).toStrictEqual(twin.messages);
          const references = referencesIn(talk.messages);
          seen += references.length;
          for (const reference of references) expect(whole(ours, reference)).toBe(whole(theirs, reference));
        });
      }),
    );
    expect(seen).toBeGreaterThan(50);
  });

  test('cost no more than what they are put in the place of', () => {
    let cut = 0;
    const size = fc.integer({ min: 1, max: 40 });
    check(
      60,
      fc.property(fc.array(size, { minLength: 3, maxLength: 20 }), (sizes) => {
        const words = (count: number, of: number) =>
          Array.from({ length: count }, (_, at) => `wort${of}${at}`).join(' ');
        const history = sizes.flatMap((count, at) =>
          exchange(`c${at}`, 'grep', { pattern: `p${at}` }, words(count, at)),
        );
        const recall = createRecall({ secret });
        const { messages } = optimize(history, {
          preset: 'seed',
          rules: { recencyPruning: true, recencyRetention: 1 },
          recall,
        });
        messages.forEach((message, at) => {
          if (message === history[at]) return;
          cut += 1;
          expect(referencesIn(message)).toHaveLength(1);
          expect(estimateTokens([message])).toBeLessThanOrEqual(estimateTokens([history[at]!]));
        });
      }),
    );
    expect(cut).toBeGreaterThan(60);
  });
});

test('messages of whatever form are kept when they go', () => {
  const recall = createRecall({ secret, maxCharacters: 1_000_000 });
  const file = `${lines('a', 0, 60).join('\n')}\n`;
  const history = [
    ...exchange('1', 'read_file', { file_path: '/a.rs' }, file),
    ...exchange('2', 'write_file', { file_path: '/a.rs', content: 'x' }, 'written'),
  ];
  const { messages } = optimize(history, { preset: 'seed', recall });
  expect(messages).toEqual(history.slice(2));
  const [found] = recall.search('read_file: /a.rs');
  expect(found?.text).toContain(file.slice(0, 50));
  expect(bagOf(found as unknown as Message).cause).toBe('edit');
});
