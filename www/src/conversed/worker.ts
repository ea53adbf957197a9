// Densify's conversations, recall and replay, in a worker of their own: the first view needn't fetch their modules, and
// a replay of many logs stops nothing else.
import type { IContent } from 'densify';
import type { Recall } from 'densify/recall';
import { replay, replayHtml, sumReplays } from 'densify/replay';
import { counterOf } from '../engine/counting.js';
import { serve } from '../engine/rpc.js';
import { oneLine, visible } from '../lib/text.js';
import type { ConversedApi, KeptPiece } from './api.js';
import { Conversed, type Kept, keeping } from './conversed.js';

interface Source {
  readonly contents: readonly IContent[];
  /** What references are made with: they stay the same as long as the conversation is open. */
  readonly secret: string;
  readonly forgotten: string[];
  kept?: Kept | undefined;
}

const sources = new Map<number, Source>();
const MOST_FOUND = 50;

function find(id: number): Source {
  const source = sources.get(id);
  if (!source) throw new Error('this conversation is no longer open');
  return source;
}

function secret(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function shown({
  reference,
  text,
  cause,
  tool,
  offset,
  length,
  next,
}: NonNullable<ReturnType<Recall['recall']>>): KeptPiece {
  const rest = next === undefined ? {} : { next };
  return { reference, text: visible(text), cause, tool: oneLine(tool ?? '', 80), offset, length, ...rest };
}

const api: ConversedApi = {
  // A conversation that grew keeps its references.
  load: (id, contents) => void sources.set(id, { secret: secret(), forgotten: [], ...sources.get(id), contents }),
  run: async (facts, settings, isShown) => {
    const source = find(facts.id);
    const count = await counterOf(settings.counting);
    const kept = settings.recall ? keeping(source) : undefined;
    if (isShown) source.kept = kept;
    return new Conversed(facts, source.contents, count).run(settings, facts.workspaceRoot, kept);
  },
  search: (id, words) => find(id).kept?.recall.search(words, MOST_FOUND).map(shown) ?? [],
  recall: (id, reference, offset) => {
    const found = find(id).kept?.recall.recall(reference, offset);
    return found && shown(found);
  },
  forget: (id, reference) => {
    const { kept, forgotten } = find(id);
    if (!kept?.recall.forget(reference)) return false;
    forgotten.push(reference);
    return true;
  },
  referenceOf: (id, text) => find(id).kept?.referenceOf(text),
  report: (id, options) => replay(find(id).contents, options),
  reports: (named) => {
    const total = sumReplays(named.map(({ report }) => report));
    return { total, html: replayHtml(total, named.length > 1 ? named : []) };
  },
  unload: (id) => void sources.delete(id),
};

serve(api);
