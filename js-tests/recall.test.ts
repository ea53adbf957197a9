/** Cut text can be recalled, by references that can't be forged. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConversation, shrinkResults } from 'densify';
import { directoryStore } from 'densify/node';
import { createRecall, memoryStore, recallTools } from 'densify/recall';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { check } from './support/check.js';
import { call, noise, resultOf, secret, whole } from './support/recalling.js';

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
    for (const snapshot of [
      null,
      {},
      { version: 2, entries: [], forgotten: [] },
      { version: 1, entries: {}, forgotten: [] },
    ]) {
      expect(() => createRecall({ secret, snapshot: snapshot as never })).toThrow(
        expect.objectContaining({ code: 'invalid-snapshot' }),
      );
    }
  });

  it('takes from a snapshot what can be read, entry by entry', () => {
    const recall = createRecall({ secret });
    const [first, last] = ['first', 'last'].map((text) => recall.keep(text, { cause: 'host' }));
    const { entries, forgotten } = recall.snapshot();
    const odd = [
      ['r', {}],
      null,
      5,
      [first],
      [first, null],
      [first, { text: 'first', cause: 'mine' }],
      [last, { text: 7 }],
    ];
    const snapshot = { version: 1, entries: [entries[0], ...odd, entries[1]], forgotten: [...forgotten, 5, 'x'] };
    const again = createRecall({ secret, snapshot: snapshot as never });
    expect([first, last].map((reference) => again.recall(reference!)?.text)).toEqual(['first', 'last']);
    expect(again.snapshot()).toEqual(recall.snapshot());
  });

  it.each<[string, unknown, unknown]>([
    ['text', 42, { cause: 'host' }],
    ['text', undefined, { cause: 'host' }],
    ['about', 'a text', undefined],
    ['about', 'a text', { cause: 'mine' }],
    ['about', 'a text', { cause: 'host', tool: 5 }],
    ['about', 'a text', { cause: 'host', subject: {} }],
  ])('keeps only what it can read back, and says what is wrong: %s of %j, %j', (key, text, about) => {
    const store = memoryStore();
    const recall = createRecall({ secret, store });
    expect(() => recall.keep(text as never, about as never)).toThrow(
      expect.objectContaining({ code: 'invalid-options', key }),
    );
    expect([...store.entries()]).toEqual([]);
  });

  it('names the cause that nobody knows', () => {
    expect(() => createRecall({ secret }).keep('x', { cause: 'mine' as never })).toThrow(/'mine'.*'host'/);
  });

  it.each([[undefined], [42], [null]])('searches for texts, and says so: %j', (text) => {
    expect(() => createRecall({ secret }).search(text as never)).toThrow(
      expect.objectContaining({ code: 'invalid-options', key: 'text' }),
    );
  });

  it('shows nothing of an entry that was changed in the store, also after it was shown', () => {
    const store = memoryStore();
    const recall = createRecall({ secret, store });
    const reference = recall.keep('as it was', { cause: 'host' });
    expect(recall.recall(reference)?.text).toBe('as it was');
    const entry = store.get(reference) as { text: unknown };
    for (const text of ['planted', 5, undefined]) {
      entry.text = text;
      expect(recall.recall(reference)).toBeUndefined();
    }
    entry.text = 'as it was';
    expect(recall.recall(reference)?.text).toBe('as it was');
  });

  it('reads a long text piece by piece in time by its length', () => {
    const recall = createRecall({ secret });
    const text = 'a line of a long log\n'.repeat(100_000);
    const timed = <T>(run: () => T): readonly [T, number] => {
      const start = performance.now();
      return [run(), performance.now() - start];
    };
    const [reference, once] = timed(() => recall.keep(text, { cause: 'host' }));
    const [all, read] = timed(() => {
      const pieces: string[] = [];
      for (let next: number | undefined = 0; next !== undefined; ) {
        const piece: { text: string; next?: number } = recall.recall(reference, next)!;
        pieces.push(piece.text);
        next = piece.next;
      }
      return pieces;
    });
    expect(all.join('')).toBe(text);
    expect(all.length).toBeGreaterThan(200);
    // Were it looked through for each piece, that would be some 260 times as long.
    expect(read).toBeLessThan(60 * Math.max(once, 5));
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
