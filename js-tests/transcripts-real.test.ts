import { existsSync, readFileSync } from 'node:fs';
import { readTranscript, type Transcript } from 'densify/transcripts';
import { describe, expect, test } from 'vitest';

/** A collection of real logs beside the project, where there is one. */
const ROOT = new URL('../../shared/transcripts/', import.meta.url);

interface Listed {
  readonly file: string;
  readonly format: string;
  readonly messages: number;
  readonly segments: number;
  readonly tool_results: number;
  readonly user_messages: number;
  readonly tools: Readonly<Record<string, number>>;
}

/**
 * What the manifest's counts hold beside what we read. Codex: the instructions in the header; files with compactions
 * (`segments`) are counted with the histories that replaced others. mini-swe-agent: replies that it refused because
 * of several commands count as calls and results there. SWE-agent: typed commands count by their first word.
 */
const COUNTED_OTHERWISE: Readonly<Record<string, readonly (keyof Listed)[]>> = {
  'mini-swe-agent': ['messages', 'user_messages', 'tools', 'tool_results'],
  codex: ['messages'],
  'swe-agent': ['tools'],
};

function listed(): Listed[] {
  const manifest = new URL('manifest.json', ROOT);
  if (!existsSync(manifest)) {
    console.log('no real logs beside the project: transcripts-real.test.ts has nothing to read');
    return [];
  }
  const { files } = JSON.parse(readFileSync(manifest, 'utf8')) as { files: Listed[] };
  return files;
}

const LISTED = ['messages', 'user_messages', 'tools', 'tool_results'] as const;
const UNANSWERED: ReadonlySet<string> = new Set(['codex/agentv-45b03b80.jsonl', 'swe-agent/rock-feb874b7.traj']);

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
      // What the provider searched by itself is kept as it is.
      const type: string = block.type;
      const called = block.type === 'tool_call' ? block.name : type === 'web_search_call' ? type : undefined;
      if (called !== undefined) tools[called] = (tools[called] ?? 0) + 1;
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
    const otherwise = expected.segments > 1 ? [...LISTED] : (COUNTED_OTHERWISE[expected.format] ?? []);
    if (!otherwise.includes('messages')) expect(messages).toBe(expected.messages);
    if (expected.format === 'codex' && expected.segments === 1) expect(messages + 1).toBe(expected.messages);
    if (!otherwise.includes('user_messages')) expect(user).toBe(expected.user_messages);
    if (!otherwise.includes('tools')) expect(tools).toEqual(expected.tools);
    if (!otherwise.includes('tool_results')) expect(transcript.counts.toolResponses).toBe(expected.tool_results);
    // The task is the first of the user's messages, replies that were refused are the others.
    if (expected.format === 'mini-swe-agent')
      expect(transcript.counts.toolResponses + user - 1).toBe(expected.tool_results);
    const { toolCalls, toolResponses } = transcript.counts;
    expect(transcript.counts).toMatchObject({ unpairedResponses: 0, unansweredCalls: toolCalls - toolResponses });
    // One turn was interrupted, one agent stopped with its last command.
    expect(toolCalls - toolResponses).toBe(UNANSWERED.has(expected.file) ? 1 : 0);
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
