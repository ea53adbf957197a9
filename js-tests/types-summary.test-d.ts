// The types of summaries and conversations as users meet them; vitest has TypeScript check this file.
import {
  applySummary,
  type CompactionState,
  type ContentBlock,
  type Conversation,
  type ConversationOptions,
  type ConversationSnapshot,
  createConversation,
  type FileOperations,
  type Finding,
  fileOperations,
  redact,
  requestSummary,
  restoreConversation,
  type SummaryNoop,
  type SummaryOptions,
  type SummaryRequest,
  type SummaryResult,
  type SummaryTask,
  verifySummary,
} from 'densify';
import { compressionPrompt, formatFileOperations, promptCandidates, todoContext } from 'densify/host';
import { readPrompts } from 'densify/node';
import { describe, expectTypeOf, test } from 'vitest';

/** A message type as callers have it: readonly, with a key of its own. */
interface Message {
  readonly id?: number;
  readonly speaker: 'human' | 'ai' | 'tool';
  readonly blocks: readonly ContentBlock[];
}

declare const messages: readonly Message[];
declare const request: SummaryRequest<Message>;
declare const snapshot: ConversationSnapshot;

describe('summaries', () => {
  test('a request is one or a noop', () => {
    const planned = requestSummary(messages, { strategy: 'middle-out' });
    expectTypeOf(planned).toEqualTypeOf<SummaryRequest<Message> | SummaryNoop>();
    if (planned.kind === 'noop') expectTypeOf(planned.reason).toEqualTypeOf<SummaryNoop['reason']>();
    else expectTypeOf(planned.messages).toEqualTypeOf<readonly Message[]>();
    // @ts-expect-error it makes no summary
    requestSummary(messages, { strategy: 'high-density' });
    // @ts-expect-error no strategy
    requestSummary(messages, {});
    // @ts-expect-error a slip of the pen
    requestSummary(messages, { strategy: 'one-shot', instruction: 'x' });
    // @ts-expect-error no such mode
    requestSummary(messages, { strategy: 'one-shot', mode: 'prepend' });
    // @ts-expect-error a summary protects nothing
    requestSummary(messages, { strategy: 'one-shot', protect: () => true });
    const all: SummaryOptions<Message> = {
      strategy: 'structured',
      mode: undefined,
      todos: [{ content: 'a', status: 'pending', subtasks: [{ content: 'b' }] }],
      prompts: new Map([['a', 'b']]),
      redact: (text) => text,
      pins: ['a'] as const,
      isFailure: ({ toolName }) => toolName === '',
    };
    requestSummary(messages, all);
    requestSummary(messages, { strategy: 'one-shot', prompts: readPrompts('/') });
    requestSummary(messages, { strategy: 'one-shot', prompts: (path) => (path === '' ? undefined : path) });
  });

  test('what comes of a reply is told by its kind', () => {
    const result = applySummary(request, 'reply', messages);
    expectTypeOf(result).toEqualTypeOf<SummaryResult<Message>>();
    expectTypeOf(result.messages).toEqualTypeOf<readonly Message[]>();
    switch (result.kind) {
      case 'applied':
        expectTypeOf(result).toEqualTypeOf<Extract<SummaryResult<Message>, { kind: 'applied' }>>();
        expectTypeOf(result.state).toEqualTypeOf<CompactionState>();
        expectTypeOf(result.findings).toEqualTypeOf<readonly Finding[]>();
        break;
      case 'continue':
        expectTypeOf(result).toEqualTypeOf<Extract<SummaryResult<Message>, { kind: 'continue' }>>();
        break;
      case 'failed':
        expectTypeOf(result).toEqualTypeOf<Extract<SummaryResult<Message>, { kind: 'failed' }>>();
        expectTypeOf(result.request).toEqualTypeOf<SummaryRequest<Message>>();
        break;
      case 'conflict':
        expectTypeOf(result).toEqualTypeOf<Extract<SummaryResult<Message>, { kind: 'conflict' }>>();
    }
    // @ts-expect-error no such option
    applySummary(request, 'reply', messages, { strategy: 'one-shot' });
    expectTypeOf(verifySummary('reply', messages, { strategy: 'one-shot' }).ok).toEqualTypeOf<boolean>();
  });

  test('texts', () => {
    expectTypeOf(compressionPrompt({ framing: 'one-shot' })).toEqualTypeOf<string>();
    expectTypeOf(todoContext([])).toEqualTypeOf<string | undefined>();
    expectTypeOf(promptCandidates('one-shot')).toEqualTypeOf<readonly string[]>();
    expectTypeOf(fileOperations(messages)).toEqualTypeOf<FileOperations>();
    expectTypeOf(formatFileOperations).parameters.toEqualTypeOf<[FileOperations]>();
    expectTypeOf(redact('a')).toEqualTypeOf<string>();
    expectTypeOf(readPrompts('/')).toEqualTypeOf<Map<string, string>>();
    // @ts-expect-error no such framing
    compressionPrompt({ framing: 'round' });
  });
});

describe('conversations', () => {
  test('are of one type of message', () => {
    const conversation = createConversation<Message>({ contextLimit: 1 });
    expectTypeOf(conversation).toEqualTypeOf<Conversation<Message>>();
    expectTypeOf(conversation.messages).toEqualTypeOf<readonly Message[]>();
    expectTypeOf(conversation.add).parameters.toEqualTypeOf<Message[]>();
    expectTypeOf(conversation.fork()).toEqualTypeOf<Conversation<Message>>();
    expectTypeOf(conversation.stats.edits.inclusions).toEqualTypeOf<number>();
    expectTypeOf(restoreConversation(snapshot, messages, { contextLimit: 1 })).toEqualTypeOf<Conversation<Message>>();
    // @ts-expect-error no limit
    createConversation({});
    // @ts-expect-error it needs a model
    conversation.compress({ strategy: 'one-shot' });
    const options: ConversationOptions<Message> = {
      contextLimit: 1,
      strategy: 'auto',
      optimize: { rules: { recencyPruning: true } },
      summary: { strategy: 'structured', mode: 'append' },
      todos: () => [{ content: 'a' }],
    };
    createConversation(options);
    // @ts-expect-error it is read by rules and summaries alike, and stands in 'optimize'
    createConversation<Message>({ contextLimit: 1, tools: [] });
  });

  test('a step is told by its kind', async () => {
    const conversation = createConversation<Message>({ contextLimit: 1 });
    const step = conversation.beforeSend();
    switch (step.kind) {
      case 'ready':
        expectTypeOf(step.messages).toEqualTypeOf<readonly Message[]>();
        expectTypeOf(step.background).toEqualTypeOf<SummaryTask<Message> | undefined>();
        break;
      case 'summarize':
        expectTypeOf(step.request).toEqualTypeOf<SummaryRequest<Message>>();
        expectTypeOf(step.complete).parameters.toEqualTypeOf<[reply: string]>();
        break;
      case 'pending':
        expectTypeOf(step.task).toEqualTypeOf<SummaryTask<Message>>();
        break;
      case 'over-limit':
        expectTypeOf(step.floor).toEqualTypeOf<number>();
    }
    const prepared = await conversation.prepare({
      summarize: async (asked, { signal }) => {
        expectTypeOf(asked).toEqualTypeOf<SummaryRequest<Message>>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        return Promise.resolve('');
      },
    });
    expectTypeOf(prepared.kind).toEqualTypeOf<'ready' | 'over-limit'>();
    // @ts-expect-error a model's reply is awaited
    await conversation.prepare({ summarize: () => 7 });
  });
});
