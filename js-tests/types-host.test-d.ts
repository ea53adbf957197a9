// A host's own content model: interfaces without index signatures, classes, readonly lists. Every verb takes them as they are.
import {
  applyEdits,
  applySummary,
  compress,
  createConversation,
  createOptimizer,
  digest,
  estimateTokens,
  fileOperations,
  optimize,
  requestSummary,
  restoreConversation,
  shrinkResults,
  verifySummary,
} from 'densify';
import { applyDensityResult, proposeDensity } from 'densify/host';
import { expectTypeOf, test } from 'vitest';

interface UsageStats {
  promptTokens: number;
  completionTokens: number;
}

interface ContentMetadata {
  id?: string;
  model?: string | undefined;
  timestamp?: number;
  isSummary?: boolean;
  usage?: UsageStats;
  providerMetadata?: Record<string, unknown>;
}

type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_call'; id: string; name: string; parameters: unknown; description?: string }
  | {
      type: 'tool_response';
      callId: string;
      toolName: string;
      result: unknown;
      error?: string | undefined;
      isComplete?: boolean;
    }
  | { type: 'media'; mimeType: string; data: string; encoding: 'url' | 'base64'; caption?: string; filename?: string }
  | { type: 'thinking'; thought: string; isHidden?: boolean; signature?: string }
  | { type: 'code'; code: string; language?: string; title?: string };

interface HostContent {
  speaker: 'human' | 'ai' | 'tool';
  blocks: ContentBlock[];
  metadata?: ContentMetadata;
}

class Entry implements HostContent {
  readonly speaker = 'human' as const;
  metadata?: ContentMetadata;
  constructor(readonly blocks: ContentBlock[]) {}
  get text(): string {
    return this.blocks.map((block) => ('text' in block ? block.text : '')).join('');
  }
}

interface FrozenContent {
  readonly speaker: 'human' | 'ai' | 'tool';
  readonly blocks: readonly Readonly<ContentBlock>[];
  readonly metadata?: Readonly<ContentMetadata> | undefined;
}

function everyVerb<M extends HostContent | Entry | FrozenContent>(history: readonly M[]) {
  const window = { contextLimit: 1000 };
  const config = {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: false,
    recencyRetention: 3,
    workspaceRoot: '/',
  };
  expectTypeOf(optimize(history).messages).toEqualTypeOf<readonly M[]>();
  expectTypeOf(shrinkResults(history).messages).toEqualTypeOf<readonly M[]>();
  for (const message of history) {
    const edited: M | undefined = applyEdits(message, []);
    if (edited !== undefined) estimateTokens([edited]);
  }
  expectTypeOf(createOptimizer<M>().optimize(history).messages).toEqualTypeOf<readonly M[]>();
  expectTypeOf(applyDensityResult(history, proposeDensity(history, config))).toExtend<readonly M[]>();
  expectTypeOf(compress(history, { strategy: 'high-density', ...window }).messages).toEqualTypeOf<readonly M[]>();
  const request = requestSummary(history, { strategy: 'one-shot' });
  if (request.kind === 'request') applySummary(request, '', history);
  verifySummary('', history, { strategy: 'one-shot' });
  digest(history);
  estimateTokens(history);
  fileOperations(history);
  const talk = createConversation<M>(window);
  talk.addAll(history);
  expectTypeOf(talk.messages).toEqualTypeOf<readonly M[]>();
  restoreConversation<M>(talk.snapshot(), history, window);
}

test('interfaces, classes and readonly lists are passed without a cast', () => {
  expectTypeOf(everyVerb<HostContent>)
    .parameter(0)
    .toEqualTypeOf<readonly HostContent[]>();
  everyVerb<HostContent>([]);
  everyVerb<Entry>([]);
  everyVerb<FrozenContent>([]);
});
