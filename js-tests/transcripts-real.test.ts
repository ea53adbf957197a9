import { existsSync, readFileSync } from 'node:fs';
import { readTranscript, type Transcript } from 'densify/transcripts';
import { describe, expect, test } from 'vitest';

const FORMATS = ['pi', 'claude-code', 'openai-chat'];
/** A collection of real logs beside the project, where there is one. */
const ROOT = new URL('../../shared/transcripts/', import.meta.url);

interface Listed {
  readonly file: string;
  readonly format: string;
  readonly messages: number;
  readonly tool_results: number;
  readonly user_messages: number;
  readonly tools: Readonly<Record<string, number>>;
}

function listed(): Listed[] {
  const manifest = new URL('manifest.json', ROOT);
  if (!existsSync(manifest)) {
    console.log('no real logs beside the project: transcripts-real.test.ts has nothing to read');
    return [];
  }
  const { files } = JSON.parse(readFileSync(manifest, 'utf8')) as { files: Listed[] };
  return files.filter(({ format }) => FORMATS.includes(format));
}

/** How texts begin that the agent, not the user, put in the user's place. */
const INJECTED = [
  '<system-reminder>',
  '<command-',
  '<local-command',
  'Caveat:',
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md',
  '<INSTRUCTIONS>',
  '<skill',
  '<permissions',
  '<collaboration',
  '<turn_aborted',
  'Base directory for this skill',
];

/** Counts as the manifest does: every block that says something is a message. */
function count({ contents }: Transcript): { messages: number; user: number; tools: Record<string, number> } {
  let messages = 0;
  let user = 0;
  const tools: Record<string, number> = {};
  for (const { speaker, blocks, metadata } of contents) {
    const plain = speaker === 'human' && ['isMeta', 'isSummary', 'role'].every((key) => metadata?.[key] === undefined);
    for (const block of blocks) {
      if (block.type === 'text' && block.text.trim() === '') continue;
      if (block.type === 'thinking' && block.thought === '') continue;
      messages += 1;
      if (block.type === 'tool_call') tools[block.name] = (tools[block.name] ?? 0) + 1;
      if (!plain || block.type !== 'text') continue;
      const { text } = block;
      if (!INJECTED.some((begin) => text.trimStart().startsWith(begin))) user += 1;
    }
  }
  return { messages, user, tools };
}

const files = listed();

describe.skipIf(files.length === 0)('real logs', () => {
  test.each(files)('$file', (expected) => {
    const transcript = readTranscript(readFileSync(new URL(expected.file, ROOT), 'utf8'));
    expect(transcript.format).toBe(expected.format);
    const { messages, user, tools } = count(transcript);
    expect(messages).toBe(expected.messages);
    expect(user).toBe(expected.user_messages);
    expect(tools).toEqual(expected.tools);
    expect(transcript.counts).toMatchObject({
      toolCalls: expected.tool_results,
      toolResponses: expected.tool_results,
      unpairedResponses: 0,
      unansweredCalls: 0,
    });
    // Model calls that failed or were aborted before anything was said, and nothing else.
    expect(transcript.warnings.filter(({ code }) => code !== 'empty-message')).toEqual([]);
  });

  test.each(files)('$file: each response comes after its call and before the model speaks again', (expected) => {
    const { contents } = readTranscript(readFileSync(new URL(expected.file, ROOT), 'utf8'));
    const calledAt = new Map<string, number>();
    let turn = 0;
    for (const { speaker, blocks } of contents) {
      if (speaker === 'ai') turn += 1;
      for (const block of blocks) {
        if (block.type === 'tool_call') calledAt.set(block.id, turn);
        if (block.type === 'tool_response') expect(calledAt.get(block.callId)).toBe(turn);
      }
    }
  });
});
