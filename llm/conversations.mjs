// The conversations: those of the demo, and real logs where they lie beside the project.

import { existsSync, readFileSync } from 'node:fs';
import { bundledSources } from '../demo/load.mjs';

const REAL = new URL('../../shared/transcripts/', import.meta.url);
const MAX_BYTES = 700_000;
const MAX_PER_FORMAT = 2;
const LONGEST_TEXT = 400;

/** `{name, contents, workspaceRoot}` of each, in an order that is always the same. */
export function conversations({ readTranscript }) {
  const bundled = bundledSources().map(({ name, load }) => ({ name: name.replace(/\.json$/, ''), ...load() }));
  return [...bundled, ...realLogs(readTranscript)].map(({ name, contents, workspaceRoot = '/' }) => ({
    name,
    contents: deepFreeze(contents),
    workspaceRoot,
  }));
}

function realLogs(readTranscript) {
  const manifest = new URL('manifest.json', REAL);
  if (!existsSync(manifest)) return [];
  const perFormat = new Map();
  const logs = [];
  for (const { file } of JSON.parse(readFileSync(manifest, 'utf8')).files) {
    const format = file.split('/', 1)[0];
    if ((perFormat.get(format) ?? 0) >= MAX_PER_FORMAT) continue;
    const text = readFileSync(new URL(file, REAL), 'utf8');
    if (text.length > MAX_BYTES) continue;
    const { contents } = readTranscript(text);
    if (contents.length < 30) continue; // a format that isn't read, or too short to compact twice
    perFormat.set(format, (perFormat.get(format) ?? 0) + 1);
    logs.push({ name: file, contents });
  }
  return logs;
}

/** The same conversation with every long text cut: a small model reads 300 tokens a second. */
export function miniature({ contents, ...rest }) {
  const cut = (value) => {
    if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
    if (Array.isArray(value)) return value.slice(0, 8).map(cut);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item)]));
  };
  const blocks = (content) => content.blocks.map(cut).map(({ data, ...block }) => block);
  return { ...rest, contents: deepFreeze(contents.map((content) => ({ ...content, blocks: blocks(content) }))) };
}

/** What the model's next call would see is added at once: an answer of the model with all that follows it. */
export function turnsOf(contents) {
  const turns = [];
  for (const content of contents) {
    if (content.speaker === 'ai' || turns.length === 0) turns.push([]);
    turns.at(-1).push(content);
  }
  return turns;
}

/** Nothing here may be changed by anyone. */
function deepFreeze(value) {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
