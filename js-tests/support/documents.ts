// Values that the documents' code uses, and checks of its results.

/** Of one block. */
interface Given {
  /** Names that the host has. */
  readonly names?: string;
  /** Code that checks the block's promises with `expect`. */
  readonly shows?: string;
  /** The block is compiled and not run: it needs a host that tests lack. */
  readonly compiledOnly?: true;
}

/** Of a document: what all its blocks take as given, and each block, by words that stand in it alone. */
interface Document {
  readonly names?: string;
  readonly blocks?: Readonly<Record<string, Given>>;
}

const EXPECT = `import { expect } from 'vitest';`;

/** A history that rules find something in: a file, shown twice. */
const HISTORY = `
const shown = (id: string): import('densify').IContent[] => [
  { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'read_file', parameters: { file_path: 'a.ts' } }] },
  { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: 'read_file', result: 'const a = 1;\\n'.repeat(99) }] },
];
const history: readonly import('densify').IContent[] = [
  { speaker: 'human', blocks: [{ type: 'text', text: 'Look at a.ts.' }] },
  ...shown('1'),
  ...shown('2'),
  { speaker: 'ai', blocks: [{ type: 'text', text: 'Done.' }] },
];`;

/** The same as Anthropic has it. */
const CLAUDES = `
const messages: import('@anthropic-ai/sdk').Anthropic.MessageParam[] = [
  { role: 'user', content: 'Look at a.ts.' },
  ...['1', '2'].flatMap((id): import('@anthropic-ai/sdk').Anthropic.MessageParam[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read_file', input: { file_path: 'a.ts' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'const a = 1;\\n'.repeat(99) }] },
  ]),
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'Thanks.' },
];
const system = 'You are helpful.';
const tools: import('@anthropic-ai/sdk').Anthropic.Tool[] = [{ name: 'read_file', input_schema: { type: 'object' } }];`;

/** The same as OpenAI has it. */
const GPTS = `
import { OpenAI } from 'openai';
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'read_file', arguments: '{"path":"a.ts"}' } });
const messages: import('openai').OpenAI.Chat.ChatCompletionMessageParam[] = [
  { role: 'user', content: 'Look at a.ts.' },
  ...['1', '2'].flatMap((id) => [
    { role: 'assistant' as const, tool_calls: [call(id)] },
    { role: 'tool' as const, tool_call_id: id, content: 'const a = 1;\\n'.repeat(99) },
  ]),
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'Thanks.' },
];`;

/** A model of the AI SDK that says one thing. */
const MODEL = `
import { MockLanguageModelV3 } from 'ai/test';
import { answer } from '../support/ai-sdk.js';
const tools: import('ai').ToolSet = {};
const prompt = 'Say so when you are done.';
const model: import('ai').LanguageModel = new MockLanguageModelV3({
  doGenerate: async () => answer([{ type: 'text', text: 'Done.' }], 'stop') as never,
});`;

/** Values that the guides' Anthropic snippets use. */
const CLAUDE = `
import { Anthropic as Sdk } from '@anthropic-ai/sdk';
const ask = (messages: readonly Sdk.MessageParam[]) =>
  new Sdk().messages.create({ model: 'claude-opus-4-6', max_tokens: 8_192, messages: [...messages] });
const summarize = async () => 'a summary';`;

const CONVERSATION = `
import type Anthropic from '@anthropic-ai/sdk';
import { createConversation } from 'densify/anthropic';
const options = { contextLimit: 200_000, strategy: 'auto', model: 'claude-opus-4-6' } as const;
const conversation = createConversation<Sdk.MessageParam>(options);`;

export const DOCUMENTS: Readonly<Record<string, Document>> = {
  'README.md': {
    names: EXPECT,
    blocks: {
      'createOptimizer<Anthropic.MessageParam>': {
        shows: `
          const { content } = await turn({ role: 'user', content: 'hi' });
          expect(content).toEqual([{ type: 'text', text: 'Done.' }]);
          expect(history.map(({ role }) => role)).toEqual(['user', 'assistant']);`,
      },
    },
  },
  'docs/get-started.md': {
    names: EXPECT,
    blocks: {
      "also 'densify/anthropic'": {
        names: `${GPTS.replace("import { OpenAI } from 'openai';", '')}
          const before = JSON.stringify(messages);`,
        shows: `
          const { messages: packed, tokensBefore, tokensAfter } = optimizer.optimize(messages);
          expect(packed[0]).toBe(messages[0]);
          expect(tokensAfter).toBeLessThan(tokensBefore);
          expect(await ask(messages)).toBeTypeOf('object');
          expect(JSON.stringify(messages)).toBe(before);`,
      },
      'interface IContent': {
        names: `type ContentBlock = import('densify').ContentBlock;`,
        shows: `
          const there = (content: IContent): import('densify').IContent => content;
          const back = (content: import('densify').IContent): IContent => content as IContent;
          expect(there).toBeTypeOf(typeof back);`,
      },
    },
  },
  'docs/money.md': {
    names: EXPECT,
    blocks: {
      'cacheTtl: 3600': {
        names: CLAUDES,
        shows: `expect(packed.length).toBe(messages.length);`,
      },
    },
  },
  'docs/sdks.md': {
    names: EXPECT,
    blocks: {
      'stopWhen: stepCountIs': { names: MODEL, shows: `expect((await run(model, tools, prompt)).text).toBe('Done.');` },
      'anthropic.messages.create': {
        names: `${CLAUDES}\nimport Anthropic from '@anthropic-ai/sdk';\nconst anthropic = new Anthropic();`,
        shows: `
          expect(answer.content).toEqual([{ type: 'text', text: 'Done.' }]);
          expect(request.messages).toHaveLength(messages.length);
          expect(request.system).toBe(system);`,
      },
      'conversation: (target)': { names: `${MODEL}\nconst cheap = model;` },
      createAgent: {
        names: `
          const model = 'openai:gpt-5';
          const tools: [] = [];`,
        compiledOnly: true, // it would load the model's package
      },
    },
  },
  'docs/rules.md': {
    names: EXPECT,
    blocks: {
      "preset: 'lossless'": {
        names: GPTS,
        shows: `expect(packed[0]).toBe(messages[0]); expect(edits.length).toBeGreaterThan(0);`,
      },
    },
  },
  'docs/building-blocks.md': {
    names: EXPECT,
    blocks: {
      'async function compact': {
        names: `
          import { goodReply } from '../support/replies.js';
          import { conversation } from '../support/conversations.js';
          const send = async (request: import('densify').SummaryRequest) => goodReply(request);`,
        shows: `
          const long = conversation(1, 40);
          expect((await compact(long)).length).toBeLessThan(long.length);
          expect(await compact([])).toEqual([]);`,
      },
    },
  },
  'docs/tokens.md': {
    names: EXPECT,
    blocks: {
      "loadTokenizer('o200k_base')": { shows: `expect(tokenizer.count('hello world')).toBe(2); exact.dispose();` },
      withBounds: { shows: `conversation.dispose();` },
      promptOverhead: { shows: `expect(added).toBe(6015);` },
      'const screen': { shows: `expect([ofClaude, ofGpt]).toEqual([2691, 2448]);` },
      uncalibrated: {
        names: `
import { estimateTokens } from 'densify';
const ask = async (messages: readonly import('densify').IContent[]) => ({
  usage: { input_tokens: 9_000 + Math.round(1.25 * estimateTokens(messages)) },
  message: { speaker: 'ai' as const, blocks: [{ type: 'text' as const, text: 'Done.' }] },
});`,
        shows: `
          const said = { speaker: 'human' as const, blocks: [{ type: 'text' as const, text: 'word '.repeat(999) }] };
          await turn(said);
          expect(talk.tokens.factor).toBe(1);
          await turn(said);
          expect(calibration.reports).toBe(1);
          expect(talk.tokens.factor).toBeCloseTo(1.25, 2);`,
      },
    },
  },
  'docs/summaries.md': {
    names: `${EXPECT}${CLAUDE}`,
    blocks: {
      'new Anthropic()': {
        shows: `
          expect(conversation.tokens.limit).toBeLessThan(200_000 - 8_192 - 12_000);
          const { content } = await turn({ role: 'user', content: 'hi' });
          expect(content).toEqual([{ type: 'text', text: 'Done.' }]);
          expect(conversation.raw.map(({ role }) => role)).toEqual(['user', 'assistant']);`,
      },
      'focus on the parser': { names: CONVERSATION },
      'store.put': {
        names: `${CONVERSATION}
          interface Kept { messages: readonly Sdk.MessageParam[]; snapshot: import('densify').ConversationSnapshot }
          const kept = new Map<string, string>();
          const store = {
            put: async (id: string, value: Kept) => void kept.set(id, JSON.stringify(value)),
            get: async (id: string) => JSON.parse(kept.get(id)!) as Kept,
          };
          const id = 'a';
          const sameOptions = options;
          conversation.add({ role: 'user', content: 'hi' });`,
        shows: `expect(again.raw).toEqual(conversation.raw);`,
      },
    },
  },
  'docs/intake.md': {
    names: EXPECT,
    blocks: {
      'shrinkResult(call': {
        names: `
          const passing = Array.from({ length: 200 }, (_, at) => \`test parser::reads_\${at} ... ok\\n\`).join('');
          const output = \`running 200 tests\\n\${passing}\\ntest result: ok. 200 passed; 0 failed; 0 ignored\\n\`;`,
        shows: `expect([changed, reducers, result.length < 200]).toEqual([true, ['passingTests'], true]);`,
      },
      'shrinkResults(messages': {
        names: `${CLAUDES}${CLAUDE}`,
        shows: `expect(shorter.messages).toBe(messages); expect(answer.content).toHaveLength(1);`,
      },
      'digest(messages': {
        names: `${CLAUDES}${CLAUDE}
          const made = (id: string): Sdk.MessageParam[] => [
            { role: 'assistant', content: [{ type: 'tool_use', id, name: 'bash', input: { command: 'make ' + id } }] },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: ('It says ' + id + '.\\n').repeat(99) }] },
          ];
          messages.splice(5, 0, ...Array.from({ length: 20 }, (_, at) => made('m' + at)).flat());`,
        shows: `expect([digested.kind, digested.changed]).toEqual(['applied', true]); expect(answer.content).toHaveLength(1);`,
      },
      recallTools: { shows: `expect(anthropic().map(({ name }) => name)).toContain('recall');` },
    },
  },
  'docs/migrating.md': {
    blocks: {
      loadTokenizer: {
        names: `
          import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
          const messages: BaseMessage[] = [new HumanMessage('hi')];`,
        shows: `conversation.dispose();`,
      },
      'createConversation, wrapModelCall': {
        names: `
          import { createMiddleware } from 'langchain';
          const cheap = { invoke: async (messages: BaseMessage[]) => ({ text: 'a summary' }) };`,
      },
      'new Anthropic({ middleware': { names: `import Anthropic from '@anthropic-ai/sdk';` },
      "provider: 'openai'": {
        names: `
          let messages: import('openai').OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hi' }];
          const limit = 100_000;`,
      },
    },
  },
  'docs/providers.md': {
    blocks: {
      'optimize(messages': {
        names: `${EXPECT}${CLAUDES}`,
        shows: `expect([packed.length, warnings]).toEqual([messages.length, []]);`,
      },
    },
  },
  'docs/over-limit.md': {
    names: `${EXPECT}${CLAUDE}${CONVERSATION}`,
    blocks: {
      "kind === 'over-limit'": {
        shows: `expect([step.kind, conversation.raw]).toEqual(['ready', []]);`,
      },
    },
  },
  'docs/switch-models.md': {
    blocks: {
      'plan({': {
        names: `${EXPECT}${CLAUDES}\nconst history = messages;\nconst request = { model: 'claude-sonnet-4-5', system, tools, messages };`,
        shows: `expect([verdict, reasoning]).toEqual(['fits', []]); expect(messages).toBe(history); expect(tokens.to).toBeGreaterThan(0);`,
      },
    },
  },
  'docs/replay.md': {
    blocks: {
      OwnPolicy: {
        names: `${EXPECT}
          import { readFileSync } from 'node:fs';
          const file = new URL('../fixtures/transcripts/pi.jsonl', import.meta.url);
          const logs = [readFileSync(file, 'utf8'), readFileSync(file, 'utf8')];`,
        shows: `
          expect(table).toContain('2 logs');
          expect(table).toContain('newest-20');`,
      },
    },
  },
  'docs/tools.md': {
    blocks: {
      ToolDefinition: { names: `${HISTORY}\nconst parameters = { path: 'a.ts' };\nconst result = 'const a = 1;';` },
    },
  },
  'docs/validation.md': {
    blocks: {
      'console.warn': {
        names: `${EXPECT}${CLAUDES}`,
        shows: `expect([ok, accepted, repairs]).toEqual([true, messages, []]);`,
      },
    },
  },
};
