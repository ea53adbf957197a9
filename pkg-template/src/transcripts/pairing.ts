import type { ContentBlock, IContent } from '../types.js';
import type { TranscriptCounts } from './api.js';
import { UNKNOWN_TOOL } from './blocks.js';

type PairingCounts = Omit<TranscriptCounts, 'lines' | 'skipped'>;

/**
 * Pairs responses with the calls before them, gives nameless responses the name of their call, and
 * counts. A response answers one of the calls with its id that are still open.
 */
export function pairResponses(contents: readonly IContent[]): PairingCounts {
  const names = new Map<string, string>();
  const open = new Map<string, number>();
  const counts = { toolCalls: 0, toolResponses: 0, unpairedResponses: 0, unansweredCalls: 0 };
  const visit = (block: ContentBlock): void => {
    if (block.type === 'tool_call') {
      counts.toolCalls += 1;
      names.set(block.id, block.name);
      open.set(block.id, (open.get(block.id) ?? 0) + 1);
    } else if (block.type === 'tool_response') {
      counts.toolResponses += 1;
      const waiting = open.get(block.callId) ?? 0;
      if (waiting === 0) counts.unpairedResponses += 1;
      else open.set(block.callId, waiting - 1);
      if (block.toolName === '') block.toolName = names.get(block.callId) || UNKNOWN_TOOL; // a call may be nameless, too
    }
  };
  for (const content of contents) content.blocks.forEach(visit);
  counts.unansweredCalls = counts.toolCalls - counts.toolResponses + counts.unpairedResponses;
  return counts;
}
