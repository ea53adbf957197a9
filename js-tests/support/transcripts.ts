// Agents' logs: the fixtures, and a short form of what was read.
import { readFileSync } from 'node:fs';
import type { Transcript } from 'densify/transcripts';

/** A log of the folder fixtures/transcripts. */
export const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/transcripts/${name}`, import.meta.url), 'utf8');

/** Entries as lines of JSON. */
export const lines = (...entries: unknown[]): string => entries.map((entry) => JSON.stringify(entry)).join('\n');

/** One line a content; texts by their type, or in full. */
export function outline({ contents }: Transcript, texts: 'type' | 'full' = 'type'): string[] {
  return contents.map(({ speaker, blocks }) => {
    const parts = blocks.map((block) => {
      if (block.type === 'tool_call') return `call ${block.name} ${block.id}`;
      if (block.type === 'tool_response') return `${block.error ?? 'response'} ${block.toolName} ${block.callId}`;
      return block.type === 'text' && texts === 'full' ? block.text : block.type;
    });
    return `${speaker}: ${parts.join(', ')}`;
  });
}

/** How often each warning was given. */
export const counts = ({ warnings }: Transcript): Record<string, number> =>
  Object.fromEntries(warnings.map(({ code, count }) => [code, count]));
