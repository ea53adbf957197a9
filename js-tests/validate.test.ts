// What providers reject, one bug report at a time: each example is rejected where it was reported, its repair is not.

import { readdirSync, readFileSync } from 'node:fs';
import { type MessageFormat, repair, validate } from 'densify/validate';
import { describe, expect, test } from 'vitest';
import type { Example } from './support/rejected.js';
import { AGENTS } from './support/rejected-agents.js';
import { ANTHROPIC } from './support/rejected-anthropic.js';
import { CHAT, RESPONSES } from './support/rejected-openai.js';
import { AI_SDK, GEMINI, OTHERS } from './support/rejected-others.js';
import { THINKING } from './support/rejected-thinking.js';

const ALL: readonly (Example & { readonly format: MessageFormat })[] = [
  ...[...ANTHROPIC, ...THINKING].map((example) => ({ ...example, format: 'anthropic' as const })),
  ...CHAT.map((example) => ({ ...example, format: 'openai-chat' as const })),
  ...RESPONSES.map((example) => ({ ...example, format: 'openai-responses' as const })),
  ...AGENTS.map((example) => ({ ...example, format: 'openai-agents' as const })),
  ...GEMINI.map((example) => ({ ...example, format: 'gemini' as const })),
  ...AI_SDK.map((example) => ({ ...example, format: 'ai-sdk' as const })),
  ...OTHERS,
];

describe.each(ALL)('$format: $of', ({ format, messages, options = {}, code, path, says, level = 'error', mended }) => {
  const given = { format, ...options };

  test('is found where it is', () => {
    const { ok, findings } = validate(messages, given);
    const found = findings.find((finding) => finding.code === code);
    expect(findings.map((finding) => finding.code)).toContain(code);
    expect(found).toMatchObject({ path, level, quoted: says !== undefined });
    expect(found?.hint.length).toBeGreaterThan(3);
    if (says !== undefined) expect(found?.message).toMatch(says);
    expect(ok).toBe(level === 'warning');
  });

  test(mended ? 'is repaired' : 'is left to the caller', () => {
    const { messages: after, ok, findings, repairs } = repair(messages, given);
    const codes = findings.map((finding) => finding.code);
    if (mended) {
      expect(codes).not.toContain(code);
      expect(repairs.map((made) => made.code)).toContain(code);
      expect([ok, validate(after, given).ok]).toEqual([true, true]);
    } else if (after.length > 0 || messages.length === 0) {
      expect(codes).toContain(code);
    }
  });
});

test('every code has an example here and a line in the documentation', () => {
  // Types that other entries use too are in a file that they share, beside others of that name.
  const shared = new URL('node_modules/densify/dist/shared/', import.meta.url);
  const files = readdirSync(shared).filter((name) => name.endsWith('.d.ts'));
  const types = files.map((name) => readFileSync(new URL(name, shared), 'utf8'));
  const unions = types.flatMap((text) => /type FindingCode =([^;]+);/.exec(text)?.[1] ?? []);
  const union = unions.find((text) => text.includes("'orphan-call'")) ?? '';
  const codes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, code = '']) => code);
  const docs = readFileSync(new URL('../docs/validation.md', import.meta.url), 'utf8');
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !ALL.some((example) => example.code === code))).toEqual([]);
  expect(codes.filter((code) => !docs.includes(`\`${code}\``))).toEqual([]);
});
