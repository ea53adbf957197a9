// Everything heavy is done here, off the page's thread: reading logs, counting, replaying. Contents stay here.
import type { IContent } from 'densify';
import { readTranscript, readTranscriptStream, type Transcript } from 'densify/transcripts';
import { conversations } from '../conversed/client.js';
import { payloadText } from '../lib/payload.js';
import { type Counting, isConversed, type Settings } from '../lib/settings.js';
import { plural } from '../lib/text.js';
import type { BlockDetail, EngineApi, Facts, Loaded } from './api.js';
import { counterOf } from './counting.js';
import { cutsOf, detailOf, titleOf } from './detail.js';
import type { FullReplay } from './edit-log.js';
import { exported, judged } from './exporting.js';
import { factsOf } from './facts.js';
import { Names } from './names.js';
import { noteOf } from './notes.js';
import { readOwn } from './own-format.js';
import { serve } from './rpc.js';
import { Timeline } from './timeline.js';

interface Source {
  facts: Facts;
  readonly contents: readonly IContent[];
  readonly workspaceRoot: string;
  shown?: FullReplay;
  names?: Names;
  /** How the facts' tokens were counted. */
  counting: Counting;
  /** Settled once the worker for conversations has the contents. */
  shared?: Promise<void>;
}

const sources = new Map<number, Source>();
let made = 0;

function add(
  title: string,
  description: string,
  contents: readonly IContent[],
  workspaceRoot = '/',
  known?: number,
): Facts {
  const id = known ?? (made += 1);
  const facts = factsOf({ id, title, description, workspaceRoot }, contents);
  sources.set(id, { facts, contents, workspaceRoot, counting: 'estimate' });
  return facts;
}

function find(id: number): Source {
  const source = sources.get(id);
  if (!source) throw new Error('this conversation is no longer open');
  return source;
}

function fromTranscript(name: string, { format, contents, warnings, counts }: Transcript): Loaded {
  if (format === undefined)
    return {
      name,
      problem:
        'densify cannot read this log. Supported: logs of Claude Code, Codex, Gemini CLI, opencode, pi and other agents; messages of Anthropic, OpenAI and Google; densify’s own JSON.',
    };
  if (contents.length === 0) return { name, problem: `a ${format} log that holds no conversation` };
  const notes = warnings.map(noteOf);
  const skipped = counts.skipped > 0 ? `, ${plural(counts.skipped, 'bookkeeping record')} skipped` : '';
  return { name, facts: add(name, `${format} log${skipped}`, contents), notes };
}

/** Up to here a file is read as one text, which takes half as long as reading it as a stream. */
const ONE_TEXT = 100_000_000;

async function readFile(file: File): Promise<Loaded> {
  const name = titleOf(file.name);
  if (file.size <= ONE_TEXT) {
    const text = await file.text();
    return readText(name, text, readTranscript(text));
  }
  const transcript = await readTranscriptStream(file.stream());
  if (transcript.contents.length > 0) return fromTranscript(name, transcript);
  return readText(name, await file.text(), transcript);
}

function readText(name: string, text: string, read?: Transcript): Loaded {
  if (read && read.contents.length > 0) return fromTranscript(name, read);
  const own = readOwn(text);
  if (own)
    return { name, facts: add(own.title ?? name, own.description ?? '', own.contents, own.workspaceRoot), notes: [] };
  return fromTranscript(titleOf(name), read ?? readTranscript(text));
}

async function run(source: Source, settings: Settings, isShown = false): Promise<FullReplay> {
  const count = await counterOf(settings.counting);
  if (source.counting !== settings.counting) {
    source.facts = factsOf(source.facts, source.contents, count);
    source.counting = settings.counting;
  }
  const { facts, contents, workspaceRoot } = source;
  if (!isConversed(settings)) return new Timeline(facts, contents, count).run(settings, workspaceRoot);
  await sharedWithConversations(source);
  return conversations().run(facts, settings, isShown);
}

/** Gives the contents to the worker for conversations, once. */
async function sharedWithConversations(source: Source): Promise<void> {
  source.shared ??= conversations().load(source.facts.id, source.contents);
  await source.shared;
}

/** The messages as they are, or as the settings leave them. */
async function messagesOf(id: number, settings: Settings | undefined): Promise<readonly IContent[]> {
  const source = find(id);
  return settings ? (await run(source, settings)).messages : source.contents;
}

/** Adds to each block the reference of its full text: results are kept as texts, messages as JSON. */
function withReferences(id: number, content: IContent, found: readonly BlockDetail[]): Promise<readonly BlockDetail[]> {
  return Promise.all(
    found.map(async (detail, index) => {
      const block = content.blocks[index];
      const text = block?.type === 'tool_response' ? payloadText(block.result) : JSON.stringify(content);
      const reference = await conversations().referenceOf(id, text);
      return reference === undefined ? detail : { ...detail, reference };
    }),
  );
}

const api: EngineApi = {
  readFiles: (files) =>
    Promise.all(
      files.map((file) =>
        readFile(file).catch((error: unknown) => ({ name: titleOf(file.name), problem: String(error) })),
      ),
    ),
  readText: (name, text) => Promise.resolve(readText(name, text)),
  setContents: (id, title, contents) => add(title, '', contents, '/', id),
  replay: async (id, settings) => {
    const source = find(id);
    const known = source.facts;
    source.shown = await run(source, settings, true);
    return { replay: source.shown.replay, ...(source.facts === known ? {} : { facts: source.facts }) };
  },
  compare: async (id, settings) => {
    const source = find(id);
    source.names ??= new Names(source.facts, source.contents);
    const { replay, texts } = await run(source, settings);
    return { replay, names: source.names.measure(replay, texts) };
  },
  detail: async (id, entry, edits, length) => {
    const { facts, contents, shown } = find(id);
    const content = contents[entry];
    const found = content ? detailOf(facts, content, entry, shown, edits, length) : [];
    return content && shown && shown.replay.kept > 0 ? withReferences(id, content, found) : found;
  },
  cuts: (id, most) => {
    const { facts, contents, shown } = find(id);
    return shown ? cutsOf(facts, contents, shown, most) : [];
  },
  contents: (id, settings) => messagesOf(id, settings),
  exported: async (id, settings, form) => exported(find(id).facts.title, await messagesOf(id, settings), form),
  judged: async (id, settings, form) => judged(await messagesOf(id, settings), form),
  searchKept: (id, words) => conversations().search(id, words),
  recalled: (id, reference, offset) => conversations().recall(id, reference, offset),
  erase: (id, reference) => conversations().forget(id, reference),
  report: async (id, options) => {
    await sharedWithConversations(find(id));
    return conversations().report(id, options);
  },
  reports: (named) => conversations().reports(named),
  forget: (id) => {
    if (sources.get(id)?.shared) void conversations().unload(id);
    sources.delete(id);
  },
};

serve(api);
