// Facts of histories that invariants speak of.
import type { Edit, IContent } from 'densify';
import { bag, bare, CLOSING, linesOf, openedPath } from './oracle-facts.js';

/** The blocks of an entry; none for what isn't an entry. */
export function blocksOf(entry: unknown): readonly unknown[] {
  const blocks = bag(entry)?.blocks;
  return Array.isArray(blocks) ? (blocks as unknown[]) : [];
}

/** For each call id how many calls there are more than responses. */
export function openCalls(history: readonly unknown[]): Record<string, number> {
  const open: Record<string, number> = {};
  for (const block of history.flatMap(blocksOf)) {
    const { type, id, callId } = bag(block) ?? {};
    if (type === 'tool_call' && typeof id === 'string') open[`id ${id}`] = (open[`id ${id}`] ?? 0) + 1;
    if (type === 'tool_response' && typeof callId === 'string') open[`id ${callId}`] = (open[`id ${callId}`] ?? 0) - 1;
  }
  return Object.fromEntries(Object.entries(open).filter(([, count]) => count !== 0));
}

/** How many blocks of a type there are. */
export function countOf(
  history: readonly unknown[],
  type: string,
  accept: (block: Readonly<Record<string, unknown>>) => boolean = () => true,
): number {
  return history.flatMap(blocksOf).filter((block) => bag(block)?.type === type && accept(bag(block) ?? {})).length;
}

/** Lines of human text outside of inclusions, and the paths of the inclusions; `undefined` if the markers don't match up. */
export function humanText(entry: unknown): { readonly text: string; readonly paths: readonly string[] } | undefined {
  let text = '';
  const paths: string[] = [];
  let open: string | undefined;
  for (const block of blocksOf(entry)) {
    const { type, text: content } = bag(block) ?? {};
    if (type !== 'text' || typeof content !== 'string') {
      if (open !== undefined) return undefined;
      continue;
    }
    for (const line of linesOf(content)) {
      if (bare(line) === CLOSING) {
        if (open === undefined) return undefined;
        paths.push(open);
        open = undefined;
      } else if (open === undefined) {
        open = openedPath(line);
        if (open === undefined) text += line;
      }
    }
  }
  return open === undefined ? { text, paths } : undefined;
}

/** All strings in a value, keys included. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsOf(member)]);
}

/** A history after edits, one by one, as their documentation says. */
export function withEdits(history: readonly IContent[], edits: readonly Edit[]): IContent[] {
  const result: IContent[] = [];
  history.forEach((entry, index) => {
    const own = edits.filter((edit) => edit.index === index && !edit.pending);
    if (own.some(({ kind }) => kind === 'drop')) return;
    if (own.length === 0) return void result.push(entry);
    const blocks = entry.blocks.flatMap((block, at) => {
      const edited = blockAfter(
        block,
        own.filter((edit) => edit.kind !== 'drop' && edit.block === at),
      );
      return edited === undefined ? [] : [edited];
    });
    result.push({ ...entry, blocks });
  });
  return result;
}

function blockAfter(block: IContent['blocks'][number], edits: readonly Edit[]): typeof block | undefined {
  let edited = block;
  const cuts: { start: number; end: number }[] = [];
  for (const edit of edits) {
    if (edit.kind === 'drop-block') return undefined;
    if (edit.kind === 'set')
      edited =
        edited.type === 'tool_response'
          ? { ...edited, result: edit.text }
          : ({ ...edited, text: edit.text } as typeof block);
    if (edit.kind === 'cut') cuts.push(edit);
  }
  if (cuts.length === 0 || edited.type !== 'text' || edited.text !== (block as { text?: string }).text) return edited;
  const isCut = (at: number): boolean => cuts.some(({ start, end }) => start <= at && at < end);
  return {
    ...edited,
    text: edited.text
      .split('')
      .filter((_, at) => !isCut(at))
      .join(''),
  };
}
