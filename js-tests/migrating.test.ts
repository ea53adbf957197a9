// What docs/migrating.md says to write instead compiles, against the SDKs' own types.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const guide = readFileSync(new URL('../docs/migrating.md', import.meta.url), 'utf8');

/** What each section takes as given, by words of its title. */
const GIVEN: readonly (readonly [title: string, code: string])[] = [
  ['pruneMessages', ''],
  [
    'trimMessages',
    `import type { BaseMessage } from '@langchain/core/messages';
     declare const messages: BaseMessage[];
     declare const countTokens: (text: string) => number;`,
  ],
  ['ClearToolUsesEdit', ''],
  [
    'summarizationMiddleware',
    `import { createMiddleware } from 'langchain';
     declare const cheap: { invoke(messages: BaseMessage[]): Promise<{ readonly text: string }> };`,
  ],
  ['context_management', `import Anthropic from '@anthropic-ai/sdk';`],
  [
    'home-made',
    `import type OpenAI from 'openai';
     declare const messages: OpenAI.Chat.ChatCompletionMessageParam[];
     declare const limit: number;`,
  ],
];

/** The code of a section that takes the place of what was there before. */
function insteadOf(title: string): string {
  const section = guide.split(/^## /m).find((text) => text.split('\n')[0]!.includes(title));
  const code = /```ts\n[\s\S]*?^(\/\/ after[\s\S]*?)```/m.exec(section ?? '')?.[1];
  if (code === undefined) throw new Error(`no code under ${title}`);
  return code;
}

test('what takes the place of other libraries compiles', () => {
  const folder = mkdtempSync(join(here, '.migrating-'));
  try {
    GIVEN.forEach(([title, given], at) => {
      writeFileSync(join(folder, `${at}.ts`), `// ${title}\n${given}\n${insteadOf(title)}\nexport {};\n`);
    });
    const options = { noUnusedLocals: false, allowUnusedLabels: true, target: 'ES2022', module: 'NodeNext' };
    const project = { extends: '../tsconfig.json', compilerOptions: options, include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    let problems = '';
    try {
      execFileSync('node', [join(here, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
    } catch (failed) {
      problems = String((failed as { readonly stdout?: unknown }).stdout);
    }
    expect(problems).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('every section with code is compiled', () => {
  expect(guide.match(/^\/\/ after/gm)).toHaveLength(GIVEN.length);
});
