import type { IContent } from '../base/content.js';
import { blocksOf, type OddBlock, read, valuesOf } from './odd.js';
import { identifiersOf, linesOf, pathsOf, placesOf, QUOTES_OLD, strings, textsOf } from './texts.js';
import type { Recollection, Share } from './types.js';

/** Things count as used if they appear after this number of entries. */
const HORIZON = 80;
/** Shorter lines, such as braces, are named by chance. */
const SHORTEST = 12;

/** Texts that were used after a point of a log, and their earlier places. */
export interface Used {
  /** The places of the lines that held each item. */
  readonly identifiers: ReadonlyMap<string, readonly number[]>;
  readonly editedLines: ReadonlyMap<string, readonly number[]>;
  readonly paths: ReadonlySet<string>;
  readonly requests: readonly string[];
}

/** Texts that the agent wrote after a point and could only know from before it. */
export function usedAfter(log: readonly IContent[], cut: number): Used {
  const before = log.slice(0, cut);
  const [identifiers, edited, paths] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const seen = new Set<string>();
  for (const content of log.slice(cut, cut + HORIZON)) {
    const texts = textsOf(content);
    if (read(content, 'speaker') === 'ai') {
      for (const text of texts) {
        for (const word of identifiersOf(text)) if (!seen.has(word)) identifiers.add(word);
        for (const path of pathsOf(text)) if (!seen.has(path)) paths.add(path);
      }
      for (const block of blocksOf(content)) {
        if (block.type === 'tool_call') for (const line of namedBy(block)) if (!seen.has(line)) edited.add(line);
      }
    }
    // What stands here now is no news later.
    for (const text of texts) {
      for (const word of identifiersOf(text)) seen.add(word);
      for (const path of pathsOf(text)) seen.add(path);
      for (const line of linesOf(text)) seen.add(line.trim());
    }
  }
  const known = new Set(before.flatMap((content) => textsOf(content).flatMap(pathsOf)));
  return {
    ...standing(before, identifiers, edited),
    paths: new Set([...paths].filter((path) => known.has(path))),
    requests: before.flatMap((content) => (read(content, 'speaker') === 'human' ? textsOf(content) : [])),
  };
}

/** The lines that the edits of one entry name, and that stood before it; nothing if it edits nothing of that. */
export function editedAt(log: readonly IContent[], at: number): Used | undefined {
  const named = blocksOf(log[at]!).flatMap((block) => (block.type === 'tool_call' ? namedBy(block) : []));
  if (named.length === 0) return undefined;
  const { editedLines } = standing(log.slice(0, at), new Set(), new Set(named));
  if (editedLines.size === 0) return undefined;
  return { identifiers: new Map(), editedLines, paths: new Set(), requests: [] };
}

/** Lines that an edit says were there before. */
function namedBy({ parameters }: OddBlock): readonly string[] {
  const named: string[] = [];
  const name = (lines: readonly string[]) => lines.forEach((line) => named.push(line));
  const open: unknown[] = [parameters];
  const seen = new Set<unknown>();
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const key of QUOTES_OLD) {
      const value = read(next, key);
      if (typeof value === 'string') name(value.split('\n'));
    }
    for (const value of valuesOf(next)) if (typeof value === 'object') open.push(value);
  }
  for (const text of strings(parameters)) {
    if (!text.includes('*** Begin Patch')) continue;
    const lines = written(text)
      .split('\n')
      .filter((line) => /^[ -]/.test(line) && !line.startsWith('---'));
    name(lines.map((line) => line.slice(1)));
  }
  return named.map((line) => line.trim()).filter((line) => line.length >= SHORTEST);
}

/** A patch as it was applied: in a script it is a string of the script's language, on one line. */
function written(text: string): string {
  if (!/\*\*\* Begin Patch\\n/.test(text)) return text;
  return text.replace(/\\(.)/gs, (_, sign: string) => (sign === 'n' ? '\n' : sign === 't' ? '\t' : sign));
}

function standing(before: readonly IContent[], words: ReadonlySet<string>, edited: ReadonlySet<string>) {
  const identifiers = new Map<string, number[]>();
  const editedLines = new Map<string, number[]>();
  const note = (map: Map<string, number[]>, item: string, place: number) => {
    const places = map.get(item);
    if (places === undefined) map.set(item, [place]);
    else places.push(place);
  };
  for (const content of before) {
    for (const text of textsOf(content)) {
      const lines = linesOf(text);
      const places = placesOf(lines);
      lines.forEach((line, at) => {
        for (const word of new Set(identifiersOf(line))) if (words.has(word)) note(identifiers, word, places[at]!);
        if (edited.has(line.trim())) note(editedLines, line.trim(), places[at]!);
      });
    }
  }
  return { identifiers, editedLines };
}

/** What of it a request still holds. */
export function recollect(used: Used, messages: readonly IContent[]): Recollection {
  const [places, paths, requests] = [new Set<number>(), new Set<string>(), new Set<string>()];
  for (const message of messages) {
    for (const text of textsOf(message)) {
      for (const place of placesOf(linesOf(text))) places.add(place);
      for (const path of pathsOf(text)) paths.add(path);
      requests.add(text);
    }
  }
  const all = [...requests].join('\n');
  const held = (items: ReadonlyMap<string, readonly number[]>) =>
    share([...items.values()].map((where) => where.some((place) => places.has(place))));
  return {
    identifiers: held(used.identifiers),
    editedLines: held(used.editedLines),
    paths: share([...used.paths].map((path) => paths.has(path))),
    requests: share(used.requests.map((request) => requests.has(request) || all.includes(request))),
  };
}

function share(held: readonly boolean[]): Share {
  return { kept: held.filter(Boolean).length, of: held.length };
}

const NOTHING: Share = { kept: 0, of: 0 };

/** Nothing was used. */
export const NO_RECOLLECTION: Recollection = {
  identifiers: NOTHING,
  editedLines: NOTHING,
  paths: NOTHING,
  requests: NOTHING,
};

/** Two recollections together. */
export function together(one: Recollection, other: Recollection): Recollection {
  const sum = (key: keyof Recollection): Share => ({
    kept: one[key].kept + other[key].kept,
    of: one[key].of + other[key].of,
  });
  return {
    identifiers: sum('identifiers'),
    editedLines: sum('editedLines'),
    paths: sum('paths'),
    requests: sum('requests'),
  };
}
