// Stores texts for tests of recall, and recalls them.
import type { IContent } from 'densify';
import type { createRecall } from 'densify/recall';

export const secret = 'a secret of at least sixteen bytes';
export const noise = 'warning: something is odd here\n'.repeat(300);

export function call(id: string, result: unknown, command = 'make'): IContent[] {
  return [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'bash', parameters: { command } }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: 'bash', result }] },
  ];
}

export function resultOf(message: IContent | undefined): string {
  const block = message?.blocks[0];
  return block?.type === 'tool_response' ? String(block.result) : '';
}

/** All of a text that is kept, piece by piece. */
export function whole(recall: ReturnType<typeof createRecall>, reference: string): string {
  let text = '';
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const piece = recall.recall(reference, offset);
    if (piece === undefined) throw new Error('nothing');
    text += piece.text;
    offset = piece.next;
  }
  return text;
}
