// The types as users meet them; vitest has TypeScript check this file.
import {
  type CompressOptions,
  type CompressResult,
  type ContentBlock,
  type ContentLike,
  compress,
  createDensify,
  createOptimizer,
  type DensifyError,
  type Edit,
  type ErrorCode,
  estimateTokens,
  type IContent,
  init,
  isDensifyError,
  type OptimizeOptions,
  type Optimizer,
  optimize,
  type Result,
  type StrategyName,
  type ToolDefinition,
  type Warning,
} from 'densify';
import {
  applyDensityResult,
  type DensityConfig,
  type DensityResult,
  errorCodes,
  proposeDensity,
  strategies,
} from 'densify/host';
import { describe, expectTypeOf, test } from 'vitest';

/** A message type as callers have it: readonly, with keys of its own. */
interface Message {
  readonly id: number;
  readonly speaker: 'human' | 'ai' | 'tool';
  readonly blocks: readonly ContentBlock[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

class Turn implements ContentLike {
  readonly #secret = 1;
  readonly speaker = 'ai';
  readonly blocks: ContentBlock[] = [];
  count(): number {
    return this.#secret;
  }
}

declare const messages: readonly Message[];
declare const turns: Turn[];
declare const contents: IContent[];
const budget = { strategy: 'high-density', contextLimit: 100_000 } as const;

describe("the caller's own message type goes through", () => {
  test('optimize and compress', () => {
    expectTypeOf(optimize(messages)).toEqualTypeOf<Result<Message>>();
    expectTypeOf(optimize(messages).messages).toEqualTypeOf<readonly Message[]>();
    expectTypeOf(optimize(turns).messages[0]).toEqualTypeOf<Turn | undefined>();
    expectTypeOf(compress(messages, budget)).toEqualTypeOf<CompressResult<Message>>();
    expectTypeOf(compress(contents, budget).messages).toEqualTypeOf<readonly IContent[]>();
  });

  test('density results', () => {
    const config: DensityConfig = {
      readWritePruning: true,
      fileDedupe: true,
      recencyPruning: false,
      recencyRetention: 3,
      workspaceRoot: '/',
    };
    expectTypeOf(proposeDensity(messages, config)).toEqualTypeOf<DensityResult<Message>>();
    expectTypeOf(proposeDensity(messages, config).replacements).toEqualTypeOf<ReadonlyMap<number, Message>>();
    expectTypeOf(applyDensityResult(turns, proposeDensity(turns, config))).toEqualTypeOf<Turn[]>();
  });

  test('handles', () => {
    const optimizer = createOptimizer<Message>();
    expectTypeOf(optimizer).toEqualTypeOf<Optimizer<Message>>();
    expectTypeOf(optimizer.optimize(messages)).toEqualTypeOf<Result<Message>>();
    expectTypeOf(optimizer.optimize(messages).messages).toEqualTypeOf<readonly Message[]>();
    expectTypeOf(optimizer.optimize()).toEqualTypeOf<Result<Message>>();
    expectTypeOf(optimizer.flush()).toEqualTypeOf<Result<Message>>();
    expectTypeOf(optimizer.compress(budget)).toEqualTypeOf<CompressResult<Message>>();
    expectTypeOf(optimizer.push).parameters.toEqualTypeOf<Message[]>();
    expectTypeOf(optimizer[Symbol.dispose]).toEqualTypeOf<() => void>();
    // @ts-expect-error a message of another type
    optimizer.push({ speaker: 'ai', blocks: [] });
  });

  test('callbacks see it', () => {
    optimize(messages, {
      protect: (message, index) => {
        expectTypeOf(message).toEqualTypeOf<Message>();
        expectTypeOf(index).toEqualTypeOf<number>();
        return message.createdAt.getTime() > 0;
      },
      isFailure: ({ result, toolName }) => {
        expectTypeOf(result).toEqualTypeOf<unknown>();
        expectTypeOf(toolName).toEqualTypeOf<string>();
        return false;
      },
    });
    createOptimizer<Turn>({ protect: (turn) => turn.count() > 1 });
    compress(turns, { ...budget, protect: (turn) => turn.count() > 1, countTokens: (text) => text.length });
  });

  test('what densify cannot read is refused', () => {
    // @ts-expect-error no blocks
    optimize([{ speaker: 'ai' }]);
    // @ts-expect-error no such speaker
    optimize([{ speaker: 'assistant', blocks: [] }]);
    // @ts-expect-error no such block
    optimize([{ speaker: 'ai', blocks: [{ type: 'image' }] }] satisfies IContent[]);
    // @ts-expect-error a string is no history
    optimize('hello');
  });
});

describe('options', () => {
  test('unknown keys and wrong values are refused', () => {
    // @ts-expect-error a slip of the pen
    optimize(messages, { fileDedup: true });
    // @ts-expect-error an option of compress
    optimize(messages, { contextLimit: 1 });
    // @ts-expect-error no such policy
    optimize(messages, { flush: 'sometimes' });
    // @ts-expect-error not a number
    optimize(messages, { rules: { recencyRetention: '3' } });
    // @ts-expect-error null is not undefined
    optimize(messages, { rules: { recencyPruning: null } });
    // @ts-expect-error a counter returns a number
    optimize(messages, { countTokens: (text: string) => text });
    // @ts-expect-error no such kind of tool
    optimize(messages, { tools: [{ name: 'cat', kind: 'reader' }] });
    // @ts-expect-error no such option
    optimize(messages, { verify: true });
  });

  test('compress needs a budget and a strategy without a model', () => {
    // @ts-expect-error no limit
    compress(messages, { strategy: 'high-density' });
    // @ts-expect-error no strategy
    compress(messages, { contextLimit: 1 });
    // @ts-expect-error it needs a model
    compress(messages, { strategy: 'middle-out', contextLimit: 1 });
    // @ts-expect-error no such size
    compress(messages, { ...budget, preserve: { entries: 3 } });
    // @ts-expect-error settled when the handle was made
    createOptimizer<Message>().compress({ ...budget, tokens: [1] });
  });

  test('what is constant may be written as constants', () => {
    const tools = [{ name: 'cat', kind: 'read', pathKeys: ['file'] }] as const;
    optimize(messages, { tools, rules: { recencyTools: ['glob'] as const }, flush: { tokens: 100 } });
    compress(messages, { ...budget, tools, tokens: [1, 2] as const, preserve: 0.5 });
    expectTypeOf<ToolDefinition>().toExtend<{ name: string }>();
  });

  test('undefined is as good as absent', () => {
    const options: OptimizeOptions<Message> = {
      rules: { readWritePruning: undefined },
      flush: undefined,
      tools: undefined,
      protect: undefined,
    };
    const more: OptimizeOptions<Message> = { ...options, preset: undefined };
    const last: CompressOptions<Message> = {
      ...budget,
      preserve: undefined,
      tokens: undefined,
      countTokens: undefined,
    };
    optimize(messages, options);
    createOptimizer(more);
    compress(messages, last);
    estimateTokens('text', { countTokens: undefined });
  });
});

describe('results', () => {
  test('a compression is one of two', () => {
    const result = compress(messages, budget);
    void result.metadata;
    if (result.kind === 'applied') {
      expectTypeOf(result).toEqualTypeOf<Extract<CompressResult<Message>, { kind: 'applied' }>>();
      expectTypeOf(result.metadata).toExtend<{ readonly strategyUsed: StrategyName }>();
      expectTypeOf(result.metadata.strategyUsed).toEqualTypeOf<StrategyName>();
    } else {
      expectTypeOf(result).toEqualTypeOf<Extract<CompressResult<Message>, { kind: 'noop' }>>();
      expectTypeOf(result.reason).toExtend<string>();
      expectTypeOf(result.messages).toEqualTypeOf<readonly Message[]>();
    }
  });

  test('an edit tells by its kind what else it has', () => {
    const explain = (edit: Edit): string => {
      switch (edit.kind) {
        case 'drop':
          return edit.rule;
        case 'drop-block':
          return String(edit.block);
        case 'set':
          return edit.text;
        case 'cut':
        case 'unnumber':
          return String(edit.end - edit.start);
        case 'replace':
          return edit.text + String(edit.end - edit.start);
      }
    };
    expectTypeOf(explain).returns.toEqualTypeOf<string>();
    expectTypeOf<Edit['kind']>().toEqualTypeOf<'drop' | 'drop-block' | 'set' | 'cut' | 'replace' | 'unnumber'>();
  });

  test('are read, not written', () => {
    const result = optimize(messages);
    // @ts-expect-error read only
    result.messages = [];
    // @ts-expect-error read only
    result.messages.push(messages[0]!);
    // @ts-expect-error may be absent
    void result.flush.index;
    expectTypeOf(result.metadata.recencyPruned).toEqualTypeOf<number>();
    expectTypeOf(result.warnings).toEqualTypeOf<readonly Warning[]>();
  });

  test('words are unions, not strings', () => {
    expectTypeOf<StrategyName>().toEqualTypeOf<
      'middle-out' | 'top-down-truncation' | 'one-shot' | 'high-density' | 'structured' | 'digest' | 'auto'
    >();
    expectTypeOf<CompressOptions['strategy']>().toEqualTypeOf<'top-down-truncation' | 'high-density'>();
    expectTypeOf<Edit['rule']>().extract<'stale-reads'>().not.toBeNever();
    expectTypeOf<string>().not.toExtend<Edit['rule']>();
    expectTypeOf<string>().not.toExtend<ErrorCode>();
    expectTypeOf(strategies).toExtend<readonly { readonly name: StrategyName; readonly requiresLLM: boolean }[]>();
    expectTypeOf(errorCodes).toEqualTypeOf<readonly ErrorCode[]>();
  });
});

describe('errors', () => {
  test('are narrowed by isDensifyError', () => {
    const caught: unknown = new Error('what');
    if (isDensifyError(caught)) {
      expectTypeOf(caught).toEqualTypeOf<DensifyError>();
      expectTypeOf(caught.code).toEqualTypeOf<ErrorCode>();
      expectTypeOf(caught.index).toEqualTypeOf<number | undefined>();
      expectTypeOf(caught.cause).toEqualTypeOf<unknown>();
      // @ts-expect-error no such code
      void (caught.code === 'invalid-option');
    }
  });
});

test('there is no any in what the package gives out', () => {
  expectTypeOf(optimize(messages)).not.toBeAny();
  expectTypeOf(optimize(messages).messages).not.toBeAny();
  expectTypeOf(optimize(messages).edits).items.not.toBeAny();
  expectTypeOf(optimize(messages).metadata).not.toBeAny();
  expectTypeOf(compress(messages, budget)).not.toBeAny();
  expectTypeOf(createDensify().optimize(messages)).toEqualTypeOf<Result<Message>>();
  expectTypeOf(createDensify().memoryBytes).returns.toEqualTypeOf<number>();
  expectTypeOf(strategies).items.not.toBeAny();
  expectTypeOf(init).returns.toEqualTypeOf<Promise<void>>();
  expectTypeOf(estimateTokens).returns.toEqualTypeOf<number>();
});
