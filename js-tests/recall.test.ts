/** What was cut can be had again, by references that nobody else can make. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConversation, type IContent, restoreConversation, shrinkResult, shrinkResults } from 'densify';
import { directoryStore } from 'densify/node';
import * as anthropic from 'densify/anthropic';
import { createRecall, memoryStore, recallTools } from 'densify/recall';
import { afterAll, describe, expect, it } from 'vitest';
import { check } from './support/check.js';
import fc from 'fast-check';
import { conversation as made } from './support/conversations.js';
import { ai, human, turn } from './support/say.js';

const secret = 'a secret of at least sixteen bytes';
const noise = 'warning: something is odd here\n'.repeat(300);

function call(id: string, result: unknown, command = 'make'): IContent[] {
  return [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'bash', parameters: { command } }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: 'bash', result }] },
  ];
}

function resultOf(message: IContent | undefined): string {
  const block = message?.blocks[0];
  return block?.type === 'tool_response' ? String(block.result) : '';
}

/** All of a text that is kept, piece by piece. */
function whole(recall: ReturnType<typeof createRecall>, reference: string): string {
  let text = '';
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const piece = recall.recall(reference, offset);
    if (piece === undefined) throw new Error('nothing');
    text += piece.text;
    offset = piece.next;
  }
  return text;
}

describe('references', () => {
  it('stay the same for a text and a secret, and are others for any other', () => {
    const [one, same, other] = [secret, secret, `${secret}!`].map((key) => createRecall({ secret: key }));
    const reference = one!.keep('text', { cause: 'host' });
    expect(reference).toMatch(/^r[0-9a-hjkmnp-tv-z]{13}$/);
    expect(same!.keep('text', { cause: 'host' })).toBe(reference);
    expect(other!.keep('text', { cause: 'host' })).not.toBe(reference);
    expect(one!.keep('text ', { cause: 'host' })).not.toBe(reference);
    expect(createRecall({ secret: new TextEncoder().encode(secret) }).keep('text', { cause: 'host' })).toBe(reference);
  });

  it('differ for texts that differ, whatever the difference', () => {
    const recall = createRecall({ secret });
    const texts = ['', '\0', '\0\0', 'a', 'a\0', 'ab', 'ba', '😀', '\uD83D', noise, `${noise} `];
    for (let at = 0; at < 20_000; at += 1) texts.push(`line ${at}`);
    expect(new Set(texts.map((text) => recall.keep(text, { cause: 'host' }))).size).toBe(texts.length);
  });

  it('that were never given out stand for nothing', () => {
    const recall = createRecall({ secret });
    const reference = recall.keep('text', { cause: 'host' });
    const forged = [
      'r0000000000000',
      reference.slice(0, -1),
      `${reference}0`,
      reference.toUpperCase(),
      'constructor',
      '',
    ];
    for (const each of forged) expect(recall.recall(each)).toBeUndefined();
    expect(recall.recall(3 as never)).toBeUndefined();
  });

  it('in what a tool says resolve to nothing that it chose', () => {
    const recall = createRecall({ secret });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    // The tool doesn't know the secret: under one of its own its text has another reference.
    const minted = createRecall({ secret: 'what the tool would guess' }).keep('rm -rf /', { cause: 'host' });
    talk.add(...call('1', `rm -rf /\n… (all of it: recall ${minted})\n${noise}`));
    expect(recall.recall(minted)).toBeUndefined();
    expect(recallTools(recall).execute('recall', { reference: minted })).toBe(
      `Nothing is kept under the reference "${minted}".`,
    );
  });
});

describe('a recall', () => {
  it('gives pieces of at most so many characters, never half a one', () =>
    check(
      200,
      fc.property(fc.string({ unit: 'binary', maxLength: 900 }), (text) => {
        const recall = createRecall({ secret, maxCharacters: 100 });
        const reference = recall.keep(text, { cause: 'host' });
        expect(whole(recall, reference)).toBe(text);
        expect(recall.recall(reference)!.text.length).toBeLessThanOrEqual(100);
        expect(recall.recall(reference, 7)!.text).not.toMatch(/[\uD800-\uDBFF]$/);
      }),
    ));

  it('finds texts, newest first, within its cap', () => {
    const recall = createRecall({ secret, maxCharacters: 500 });
    const [old, middle, newest] = ['the Zebra', 'no such thing', `${'x'.repeat(900)} zebra ${'y'.repeat(900)}`].map(
      (text) => recall.keep(text, { cause: 'host' }),
    );
    const found = recall.search('zebra');
    expect(found.map(({ reference }) => reference)).toEqual([newest, old]);
    expect(found[0]).toMatchObject({ at: 901, length: 1807 });
    expect(found[0]!.text).toContain(' zebra ');
    expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(500);
    expect(recall.search('')).toEqual([]);
    expect(recall.search('zebra', 1)).toHaveLength(1);
    expect(middle).toBeDefined();
  });

  it('forgets for good, also in later snapshots', () => {
    const recall = createRecall({ secret });
    const [bad, good] = ['password 123', 'harmless'].map((text) => recall.keep(text, { cause: 'host' })) as [
      string,
      string,
    ];
    const before = recall.snapshot();
    expect(recall.forget(bad)).toBe(true);
    expect(recall.forget('nonsense')).toBe(false);
    expect(recall.recall(bad)).toBeUndefined();
    expect(recall.search('password')).toEqual([]);
    expect(recall.keep('password 123', { cause: 'host' })).toBe(bad);
    expect(JSON.stringify(recall.snapshot())).not.toContain('password');
    const restored = createRecall({ secret, snapshot: JSON.parse(JSON.stringify(recall.snapshot())) });
    restored.keep('password 123', { cause: 'host' });
    expect(restored.recall(bad)).toBeUndefined();
    expect(restored.recall(good)?.text).toBe('harmless');
    // An old snapshot doesn't bring it back where it was forgotten.
    expect(before.entries).toHaveLength(2);
  });

  it('forgets with a text all that holds it or is made of it', () => {
    const store = memoryStore();
    const recall = createRecall({ secret, store });
    const bad = recall.keep('password "hunter2"\nend', { cause: 'intake' });
    const holding = [
      `before\npassword "hunter2"\nend\nbehind`,
      JSON.stringify([{ result: 'x password "hunter2"\nend' }]),
      JSON.stringify({ inner: JSON.stringify({ result: 'password "hunter2"\nend' }) }),
      `pass… hunter2\n… (all of it: recall ${bad})`,
    ];
    const alike = JSON.stringify({ result: `… (all of it: recall ${bad})`, call: 'cat' });
    const containers = holding.map((text) => recall.keep(text, { cause: 'summary' }));
    const shell = recall.keep(alike, { cause: 'summary' });
    const before = recall.snapshot();
    expect(recall.search('hunter2')).toHaveLength(5);
    expect(recall.forget(bad)).toBe(true);
    expect(recall.search('hunter2')).toEqual([]);
    for (const reference of containers) expect(recall.recall(reference)).toBeUndefined();
    expect(recall.recall(shell)?.text).toBe(alike);
    expect(JSON.stringify([recall.snapshot(), ...store.entries()])).not.toContain('hunter2');
    // Neither by an old snapshot nor by what is made of it later.
    const later = createRecall({ secret, snapshot: { ...before, forgotten: recall.snapshot().forgotten } });
    later.keep(`${holding[3]} again`, { cause: 'edit' });
    expect(JSON.stringify(later.snapshot())).not.toContain('hunter2');
  });

  it.each(['true', 'done', 'ok\n', 'test\n', '42', ' no'])('a result %j takes nothing else along', (short) => {
    const recall = createRecall({ secret });
    const word = short.trim();
    const small = recall.keep(short, { cause: 'edit', tool: 'is_admin' });
    const others = [
      JSON.stringify({ flags: [word, `it is ${word}`], status: word, on: true, id: 42 }),
      `const a = ${word};\n`.repeat(9),
      `${word}\nstatements held\n${word}`,
      `I asked for ${small} and got it.`,
    ].map((text) => recall.keep(text, { cause: 'edit' }));
    const range = recall.keep(JSON.stringify([{ speaker: 'tool', blocks: [{ result: short }] }]), { cause: 'summary' });
    expect(recall.forget(small)).toBe(true);
    for (const each of others) expect(recall.recall(each), each).toBeDefined();
    expect(recall.recall(range)).toBeUndefined();
    expect(recall.recall(recall.keep(`said\n${word}\n`, { cause: 'edit' }))).toBeDefined();
  });

  it('a short text goes where it stands as a line or a string, before and behind', () => {
    const [recall, later] = [createRecall({ secret }), createRecall({ secret })];
    const bad = recall.keep('hunter-2 \n', { cause: 'edit' });
    const holding = ['a\nhunter-2\nb', 'hunter-2', JSON.stringify({ a: 'x\nhunter-2' }), '{"a":"hunter-2"}'];
    const chance = ['hunter-21', 'a hunter-2 b', '{"a":"hunter-2 is"}'];
    const references = [...holding, ...chance].map((text) => recall.keep(text, { cause: 'host' }));
    recall.forget(bad);
    const left = references.map((reference) => recall.recall(reference) !== undefined);
    expect(left).toEqual([...holding.map(() => false), ...chance.map(() => true)]);
    // What comes after it was forgotten is known by its lines.
    later.forget(later.keep('hunter-2 \n', { cause: 'edit' }));
    const after = later.keep('a\n  hunter-2\nb', { cause: 'edit' });
    expect(later.recall(after)).toBeUndefined();
    expect(createRecall({ secret, snapshot: later.snapshot() }).recall(after)).toBeUndefined();
  });

  // Reading each kept text for each that is forgotten took a minute and a half.
  it('forgets thousands', () => {
    const recall = createRecall({ secret });
    const keep = (at: number) => recall.keep(`${at} `.padEnd(4_000, `abc ${at}`), { cause: 'edit' });
    const references = Array.from({ length: 2_000 }, (_, at) => keep(at));
    for (const reference of references) recall.forget(reference);
    expect(recall.snapshot().entries).toEqual([]);
  });

  it('finds behind characters that grow in lower case, and fills its cap with no empty pieces', () => {
    const recall = createRecall({ secret, maxCharacters: 400 });
    recall.keep(`${'İ'.repeat(1000)} NEEDLE here`, { cause: 'host' });
    expect(recall.search('needle')[0]).toMatchObject({ at: 1001, text: expect.stringContaining('NEEDLE') });
    for (let at = 0; at < 30; at += 1) recall.keep(`needle ${at} ${'x'.repeat(393)}`, { cause: 'host' });
    const found = recall.search('needle');
    expect(found.length).toBeGreaterThan(0);
    for (const { text } of found) expect(text).toContain('needle');
    expect(recall.search('needle', Number.NaN).length).toBeLessThanOrEqual(10);
    const least = createRecall({ secret, maxCharacters: 100 });
    for (let at = 0; at < 300; at += 1) {
      least.keep(`needle ${at} ${'x'.repeat(50)}`, { cause: 'host', tool: `bash\n=====${'t'.repeat(1000)}` });
    }
    const said = recallTools(least).execute('recall', { search: 'needle' })!;
    expect(said.length).toBeLessThan(1000);
    expect(said).not.toMatch(/^=====t/m);
  });

  it.each([
    ['drops what it is given', { get: () => undefined, set: (): void => undefined, entries: () => [] }],
    [
      'answers later',
      {
        get: () => Promise.resolve(undefined),
        set: () => Promise.reject(new Error('later')),
        entries: () => Promise.resolve([]),
      },
    ],
  ])('cuts nothing where its store %s, and says so', (_, broken) => {
    const store = { delete: () => false, ...broken } as never;
    const recall = createRecall({ secret, store });
    expect(() => recall.keep('text', { cause: 'host' })).toThrow(expect.objectContaining({ name: 'DensifyError' }));
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add(...call('1', noise));
    expect(resultOf(talk.messages[1])).toBe(noise);
    expect(talk.beforeSend()).toMatchObject({ kind: 'ready', warnings: [{ code: 'recall-failed' }] });
    const messages = call('1', noise);
    expect(shrinkResults(messages, { recall }).messages).toBe(messages);
  });

  it('puts no note to what was forgotten', () => {
    const recall = createRecall({ secret });
    const messages = call('1', noise);
    const shrunk = shrinkResults(messages, { recall }).messages;
    const [reference = ''] = /r\w{13}/.exec(resultOf(shrunk[1])) ?? [];
    expect(recall.forget(reference)).toBe(true);
    const again = resultOf(shrinkResults(messages, { recall }).messages[1]);
    expect(again).not.toContain('all of it');
    expect(again.length).toBeLessThan(noise.length);
  });

  it('takes from a snapshot only what was made with its secret', () => {
    const theirs = createRecall({ secret: 'somebody else has this one' });
    theirs.keep('planted', { cause: 'host' });
    const recall = createRecall({ secret, snapshot: theirs.snapshot() });
    expect(recall.search('planted')).toEqual([]);
    for (const snapshot of [null, {}, { version: 1, entries: [['r', {}]], forgotten: [] }]) {
      expect(() => createRecall({ secret, snapshot: snapshot as never })).toThrow(
        expect.objectContaining({ code: 'invalid-snapshot' }),
      );
    }
  });

  it("keeps everything in the host's store", () => {
    const store = memoryStore();
    const reference = createRecall({ secret, store }).keep('text', { cause: 'host', tool: 'bash' });
    expect([...store.entries()]).toEqual([[reference, { text: 'text', cause: 'host', tool: 'bash' }]]);
    expect(createRecall({ secret, store }).recall(reference)).toMatchObject({ text: 'text', tool: 'bash' });
  });

  it('names an option that is wrong', () => {
    const wrong = (options: unknown, key: string) =>
      expect(() => createRecall(options as never)).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
    wrong({ secret: 'short' }, 'secret');
    wrong({}, 'secret');
    wrong({ secret, maxCharacters: 9 }, 'maxCharacters');
    wrong({ secret, size: 9 }, 'size');
    expect(() => createConversation({ strategy: 'auto', contextLimit: 9_000, recall: {} as never })).toThrow(
      expect.objectContaining({ key: 'recall' }),
    );
  });
});

describe('a directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'densify-recall-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('keeps what was cut for the next process, and what was forgotten forgotten', () => {
    const path = join(directory, 'one', 'two');
    const recall = createRecall({ secret, store: directoryStore(path) });
    const texts = [noise, '', 'lone \uD83D', 'é\r\n\0', 'password 123'];
    const references = texts.map((text) => recall.keep(text, { cause: 'host', tool: 'bash' }));
    expect(recall.forget(references[4]!)).toBe(true);
    const later = createRecall({ secret, store: directoryStore(path) });
    texts.slice(0, 4).forEach((text, at) => expect(whole(later, references[at]!)).toBe(text));
    expect(later.snapshot().entries.map(([reference]) => reference)).toEqual(references.slice(0, 4));
    expect(later.keep('password 123', { cause: 'host' })).toBe(references[4]);
    expect(later.recall(references[4]!)).toBeUndefined();
    expect(readdirSync(path).filter((name) => readFileSync(join(path, name), 'utf8').includes('password'))).toEqual([]);
    // For the user's eyes alone.
    expect(readdirSync(path).every((name) => (statSync(join(path, name)).mode & 0o077) === 0)).toBe(true);
  });

  it('holds nothing of what a process that died had half written', () => {
    const path = join(directory, 'half');
    const reference = createRecall({ secret, store: directoryStore(path) }).keep('password 123', { cause: 'host' });
    const [name] = readdirSync(path) as [string];
    writeFileSync(join(path, `${name}.new`), readFileSync(join(path, name)));
    writeFileSync(join(path, 'mine.new'), 'nothing of ours');
    createRecall({ secret, store: directoryStore(path) }).forget(reference);
    expect(readdirSync(path).sort()).toEqual(['mine.new', `${reference}.gone`]);
  });

  it('stands what others did to its files', () => {
    const path = join(directory, 'odd');
    const recall = createRecall({ secret, store: directoryStore(path) });
    const [changed, cut, gone] = ['changed', 'cut', 'gone'].map((text) => recall.keep(text, { cause: 'host' }));
    const [first, second, third] = readdirSync(path).sort() as [string, string, string];
    writeFileSync(join(path, first), JSON.stringify({ cause: 'host', text: 'planted' }));
    writeFileSync(join(path, second), '{"cause":');
    rmSync(join(path, third));
    writeFileSync(join(path, 'notes.txt'), 'nothing of ours');
    const later = createRecall({ secret, store: directoryStore(path) });
    for (const reference of [changed, cut, gone]) expect(later.recall(reference!)).toBeUndefined();
    expect(later.search('planted')).toEqual([]);
    expect(later.keep('new', { cause: 'host' })).toBe(recall.keep('new', { cause: 'host' }));
  });
});

describe('whatever happens to a conversation', () => {
  /** What is cut, over adds, sends, forks, rewinds and restarts. */
  const acts = fc.array(fc.constantFrom('send', 'digest', 'fork', 'rewind', 'restore', 'compress'), {
    minLength: 1,
    maxLength: 8,
  });

  it('all that is no longer in its messages is had again, byte for byte', () =>
    check(
      40,
      fc.property(fc.nat({ max: 1000 }), acts, (seed, steps) => {
        const store = memoryStore();
        const options = { strategy: 'auto', contextLimit: 4_000, optimize: { recencyPruning: true } } as const;
        let recall = createRecall({ secret, store, maxCharacters: 10_000_000 });
        let talk = createConversation({ ...options, recall });
        steps.forEach((step, at) => {
          talk.add(...made(seed + at, 12), ...call(`${at}`, noise));
          if (step === 'send' || step === 'compress') talk.beforeSend();
          if (step === 'compress') talk.compress();
          if (step === 'digest') talk.digest();
          if (step === 'fork') talk = talk.fork();
          if (step === 'rewind') talk.rewind(Math.floor(talk.raw.length / 2));
          if (step !== 'restore') return;
          const stored = JSON.parse(JSON.stringify([talk.snapshot(), talk.raw, recall.snapshot()]));
          recall = createRecall({ secret, snapshot: stored[2], maxCharacters: 10_000_000 });
          const before = talk.messages;
          talk = restoreConversation(stored[0], stored[1], { ...options, recall });
          expect(talk.messages).toEqual(before);
        });
        const kept = new Set(JSON.stringify(talk.messages).match(/recall r\w{13}/g) ?? []);
        for (const note of kept) expect(recall.recall(note.slice(7))?.text, note).toBeDefined();
        expectAllKept(talk, recall);
      }),
    ));
});

/** Every message that isn't in a conversation as it was added can be had again to the letter. */
function expectAllKept(talk: ReturnType<typeof createConversation>, recall: ReturnType<typeof createRecall>): void {
  /** What stood where a note stands, or before it. */
  const original = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(original);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, original(inner)]));
    }
    if (typeof value !== 'string') return value;
    const [, reference] = /(?:^|\n)… \(all of it: recall (r\w{13})\)$/.exec(value) ?? [];
    return reference === undefined ? value : original(recall.recall(reference)?.text);
  };
  const had = new Set(talk.messages.map((message) => JSON.stringify(original(message))));
  for (const [, { text }] of recall.snapshot().entries) {
    if (text.startsWith('{"speaker"')) had.add(JSON.stringify(original(JSON.parse(text))));
  }
  for (const message of talk.raw) expect(had.has(JSON.stringify(message)), JSON.stringify(message)).toBe(true);
}

describe('a conversation with a recall', () => {
  it('goes on where the store fails, and says so', () => {
    const store = memoryStore();
    store.set = () => {
      throw new Error('the disk is full');
    };
    const recall = createRecall({ secret, store });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    // What can't be kept isn't shrunk.
    talk.add(...call('1', noise), ...made(1, 60));
    expect(resultOf(talk.messages[1])).toBe(noise);
    expect(talk.digest().kind).toBe('applied');
    expect(JSON.stringify(talk.messages[0])).not.toContain('all of it');
    const warnings = [
      { code: 'recall-failed', error: expect.objectContaining({ message: 'the disk is full' }) as Error },
    ];
    expect(talk.beforeSend()).toMatchObject({ kind: 'ready', warnings });
    expect(talk.beforeSend()).toMatchObject({ kind: 'ready', warnings: [] });
  });

  it('notes behind a shrunk result where all of it is, byte for byte', () => {
    const recall = createRecall({ secret });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add(...call('1', noise), ...call('2', 'short\n'.repeat(3)));
    const shrunk = resultOf(talk.messages[1]);
    const [, reference = ''] = /\n… \(all of it: recall (r\w{13})\)$/.exec(shrunk) ?? [];
    expect(whole(recall, reference)).toBe(noise);
    expect(recall.recall(reference)).toMatchObject({ cause: 'intake', tool: 'bash' });
    expect(resultOf(talk.messages[3])).toBe('short\n'.repeat(3));
    // What comes of it is shrunk no further, and a fork says the same.
    expect(shrinkResult({ name: 'bash' }, shrunk).changed).toBe(false);
    expect(talk.fork().messages).toStrictEqual(talk.messages);
  });

  it('leaves what was recalled as it is', () => {
    const recall = createRecall({ secret });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add(...call('1', noise));
    const [reference = ''] = /r\w{13}/.exec(resultOf(talk.messages[1])) ?? [];
    const asked = recallTools(recall).execute('recall', { reference })!;
    expect(shrinkResult({ name: 'recall' }, asked).changed).toBe(true);
    const recalled = { type: 'tool_response', callId: '2', toolName: 'recall', result: asked } as const;
    talk.add(
      { speaker: 'ai', blocks: [{ type: 'tool_call', id: '2', name: 'recall', parameters: { reference } }] },
      { speaker: 'tool', blocks: [recalled] },
    );
    expect(resultOf(talk.messages[3])).toBe(asked);
  });

  it.each(['high-density', 'top-down-truncation', 'digest', 'auto'] as const)('keeps all that %s cuts', (strategy) => {
    const recall = createRecall({ secret, maxCharacters: 1_000_000 });
    const options = { strategy, contextLimit: 5_000, recall, optimize: { recencyPruning: true } } as const;
    const talk = createConversation(options);
    for (let seed = 1; seed < 6; seed += 1) {
      talk.add(...made(seed, 30));
      talk.beforeSend();
    }
    if (strategy === 'auto') talk.digest();
    const kept = new Set<unknown>(talk.messages);
    const gone = talk.raw.filter((message) => !kept.has(message));
    expect(gone.length).toBeGreaterThan(20);
    const texts = new Set(recall.snapshot().entries.map(([, { text }]) => text));
    for (const message of gone) {
      const results = message.blocks.flatMap((block) => (block.type === 'tool_response' ? [block.result] : []));
      const strings = results.map((result) =>
        typeof result === 'object' ? (result as { output?: unknown }).output : result,
      );
      const isKept = strings.length > 0 && strings.every((text) => typeof text !== 'string' || texts.has(text));
      expect(isKept || texts.has(JSON.stringify(message)), JSON.stringify(message)).toBe(true);
    }
  });

  it('forgets a result also in what a digest kept, then and later', () => {
    const recall = createRecall({ secret });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add({ speaker: 'human', blocks: [{ type: 'text', text: 'Go.' }] });
    talk.add(...call('1', `${noise}the password is hunter2\n`), ...made(1, 60));
    const [reference = ''] = /r\w{13}/.exec(resultOf(talk.messages[2])) ?? [];
    const early = talk.fork();
    expect(talk.digest().kind).toBe('applied');
    expect(recall.search('hunter2').length).toBeGreaterThan(1);
    expect(recall.forget(reference)).toBe(true);
    const isGone = () => expect(JSON.stringify([recall.search('hunter2'), recall.snapshot()])).not.toContain('hunter2');
    isGone();
    talk.add(...made(2, 60));
    talk.digest();
    isGone();
    // Where it is still in the messages, it is kept no more when they are cut; the rest is.
    expect(early.digest().kind).toBe('applied');
    isGone();
    expect(recall.search('Go.').length).toBeGreaterThan(0);
  });

  it('notes behind a summary where all of its messages are', () => {
    const recall = createRecall({ secret, maxCharacters: 1_000_000 });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, intake: false, recall });
    talk.add(...made(1, 60));
    const before = talk.messages;
    expect(talk.digest().kind).toBe('applied');
    const [, reference = ''] =
      /\(all of it: recall (r\w{13})\)$/.exec(JSON.stringify(talk.messages[0]).replace(/"}.*/, '')) ?? [];
    const gone = JSON.parse(whole(recall, reference)) as IContent[];
    expect([...gone, ...talk.messages.slice(2)]).toStrictEqual([...before]);
    // The next digest doesn't carry the note along; its own says more.
    talk.add(...made(2, 60));
    talk.digest();
    expect(JSON.stringify(talk.messages[0]).match(/recall r/g)).toHaveLength(1);
  });

  it("works on a provider's own messages", () => {
    const recall = createRecall({ secret });
    const talk = anthropic.createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall } as never);
    const use = { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'make' } };
    const shown = { type: 'tool_use', id: 't2', name: 'bash', input: { command: 'cat a.txt' } };
    const result = (id: string) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: noise }],
    });
    const messages = [
      { role: 'user', content: 'Build it.' },
      { role: 'assistant', content: [use] },
      result('t1'),
      { role: 'assistant', content: [shown] },
      result('t2'),
    ];
    talk.add(...(messages as never[]));
    const [, , built, , read] = talk.messages as unknown as typeof messages;
    expect(JSON.stringify(built)).toContain('all of it: recall r');
    expect(read).toBe(messages[4]);
  });
});

describe('what a conversation forgets', () => {
  const noisy = `${Array.from({ length: 80 }, (_, at) => `test parser::case_${at} ... ok`).join('\n')}\nthe token is hunter2-hunter2\n`;
  const start = () => {
    const recall = createRecall({ secret });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add(human('Run the tests.'), ...turn('1', 'bash', { command: 'cargo test' }, noisy), ai('They pass.'));
    const [, reference = ''] = /recall (r\w{13})/.exec(JSON.stringify(talk.messages)) ?? [];
    return { recall, talk, reference };
  };

  it('is told with the places where it still stands', () => {
    const { recall, talk, reference } = start();
    expect(talk.forget(reference)).toEqual({ wasKept: true, messages: [2], raw: [2], isInSnapshot: false });
    expect(recall.recall(reference)).toBeUndefined();
    // Gone from the store, it is no longer known what it was; the note is.
    expect(talk.forget(reference)).toEqual({ wasKept: false, messages: [2], raw: [], isInSnapshot: false });
    talk.rewind(2);
    expect(talk.forget(reference)).toMatchObject({ messages: [], raw: [] });
  });

  it('is told where a summary quotes it', () => {
    const { recall, talk } = start();
    const asked = 'Please print the numbers.\nPlease do number 2 before all others.';
    talk.add(human(asked), ai('Done.'), ...made(1, 40));
    const reference = recall.keep(`${asked}\nAnd then what nobody has said so far.`, { cause: 'host' });
    expect(talk.digest({ preserve: { messages: 2 } }).kind).toBe('applied');
    expect(talk.forget(reference)).toEqual({ wasKept: true, messages: [0], raw: [4], isInSnapshot: true });
  });

  it('needs a recall', () => {
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000 });
    expect(() => talk.forget('r0123456789abc')).toThrow(expect.objectContaining({ key: 'recall' }));
  });
});
