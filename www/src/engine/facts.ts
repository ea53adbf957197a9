import { type ContentBlock, createOptimizer, estimateTokens, type IContent } from 'densify';
import { KIND } from '../lib/kinds.js';
import { asText, json, payloadText } from '../lib/payload.js';
import { oneLine } from '../lib/text.js';
import type { Facts } from './api.js';

export function factsOf(
  { id, title, description, workspaceRoot }: Pick<Facts, 'id' | 'title' | 'description' | 'workspaceRoot'>,
  contents: readonly IContent[],
  count?: CountTokens,
): Facts {
  const blockStart = new Uint32Array(contents.length + 1);
  const kinds: number[] = [];
  const tokens: number[] = [];
  const entryOf: number[] = [];
  const labels: string[] = [];
  const calls: number[] = [];
  // Blocks are counted by one handle, whose sum grows by each: making a handle for each costs twice as much.
  using counter = createOptimizer<IContent>({
    preset: 'seed',
    rules: { readWritePruning: false, fileDedupe: false },
    countTokens: count,
  });
  let total = 0;
  contents.forEach((content, entry) => {
    blockStart[entry] = kinds.length;
    if (content.speaker === 'ai' && entry > 0 && contents[entry - 1]?.speaker !== 'ai') calls.push(entry);
    for (const block of content.blocks) {
      counter.push({ ...content, blocks: [block] });
      const cost = counter.optimize().tokensBefore - total;
      kinds.push(kindOf(content, block));
      tokens.push(cost);
      entryOf.push(entry);
      labels.push(labelOf(block));
      total += cost;
    }
  });
  blockStart[contents.length] = kinds.length;
  calls.push(contents.length);
  return {
    id,
    title: oneLine(title, 200),
    description: oneLine(description, 400),
    workspaceRoot,
    entries: contents.length,
    blockStart,
    entryOf: Uint32Array.from(entryOf),
    kind: Uint8Array.from(kinds),
    tokens: Uint32Array.from(tokens),
    labels,
    calls: Uint32Array.from(calls),
    total,
  };
}

/** Counts a text; without one, tokens are estimated. */
export type CountTokens = (text: string) => number;

/** A history's tokens are the sum of its blocks', so each block can be counted by itself. */
export function tokensOf(content: IContent, block: ContentBlock, countTokens?: CountTokens): number {
  return estimateTokens([{ ...content, blocks: [block] }], { countTokens });
}

function kindOf(content: IContent, block: ContentBlock): number {
  switch (block.type) {
    case 'text':
    case 'code':
      return content.speaker === 'human' ? KIND.user : content.speaker === 'ai' ? KIND.assistant : KIND.result;
    case 'thinking':
      return KIND.thinking;
    case 'tool_call':
      return KIND.call;
    case 'tool_response':
      return KIND.result;
    case 'media':
      return KIND.media;
    default:
      return KIND.other;
  }
}

/** What tells a block from others, in a line. */
export function labelOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return oneLine(asText(block.text));
    case 'code':
      return oneLine(asText(block.code));
    case 'thinking':
      return oneLine(asText(block.thought));
    case 'tool_call':
      return oneLine(`${asText(block.name)} ${firstText(block.parameters)}`);
    case 'tool_response':
      return oneLine(`${asText(block.toolName)} → ${payloadText(block.result).slice(0, 400)}`);
    case 'media':
      return oneLine(`${asText(block.mimeType)} ${asText(block.filename ?? block.caption)}`);
    default:
      return oneLine(asText((block as { type?: unknown }).type));
  }
}

function firstText(parameters: unknown): string {
  if (typeof parameters === 'string') return parameters.slice(0, 400);
  if (typeof parameters !== 'object' || parameters === null) return '';
  const text = Object.values(parameters).find((value) => typeof value === 'string');
  return typeof text === 'string' ? text.slice(0, 400) : json(parameters).slice(0, 400);
}

/** A block as text, with nothing left out. */
export function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return asText(block.text);
    case 'code':
      return asText(block.code);
    case 'thinking':
      return asText(block.thought);
    case 'tool_call':
      return `${asText(block.name)}\n${json(block.parameters)}`;
    case 'tool_response':
      return payloadText(block.result) + (block.error === undefined ? '' : `\n[error: ${asText(block.error)}]`);
    case 'media':
      return `${asText(block.mimeType)}, ${asText(block.data).length} characters of ${asText(block.encoding)}`;
    default:
      return json(block);
  }
}
