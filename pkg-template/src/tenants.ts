import type { ContentLike, IContent } from './base/content.js';
import { Engine } from './core/engine.js';
import { densify } from './formats/densify.js';
import * as verbs from './formats/verbs.js';
import { Shrinker } from './intake/shrinker.js';
import { Summaries } from './summary/summaries.js';
import type { CoreGlue } from './wasm/core.js';
import { fullInstances } from './wasm/full.js';

/** The functions of the package, and what concerns their instances. */
interface Tenant extends verbs.Verbs<ContentLike, object, IContent> {
  /** Prepares the instance off the main thread where the host can; optional everywhere else. */
  init(): Promise<void>;
  /** Bytes of the memory of its instances. */
  memoryBytes(): number;
  /** Gives its instances up; what still lives makes itself new ones when it is used. */
  [Symbol.dispose](): void;
}

/**
 * The functions of the package on wasm instances of their own, for tenants that must share nothing: histories,
 * summaries, conversations.
 */
export function createDensify(): Tenant {
  const engine: Engine<CoreGlue> = new Engine(fullInstances);
  const [summaries, shrinker] = [new Summaries(), new Shrinker()];
  const host = { engine, summaries, shrinker };
  const [core, summary] = [() => engine, () => summaries];
  return {
    optimize: verbs.optimizeOf(densify, core),
    compress: verbs.compressOf(densify, core),
    createOptimizer: verbs.createOptimizerOf(densify, core),
    estimateTokens: verbs.estimateTokensOf(densify, core),
    requestSummary: verbs.requestSummaryOf(densify, summary),
    applySummary: verbs.applySummaryOf(densify, summary),
    verifySummary: verbs.verifySummaryOf(densify, summary),
    digest: verbs.digestOf(densify, summary),
    fileOperations: verbs.fileOperationsOf(densify, summary),
    shrinkResults: verbs.shrinkResultsOf(densify, () => shrinker),
    createConversation: verbs.createConversationOf(densify, () => host),
    restoreConversation: verbs.restoreConversationOf(densify, () => host),
    init: async () => {
      await engine.init();
    },
    memoryBytes: () => engine.memoryBytes + summaries.engine.memoryBytes + shrinker.memoryBytes,
    [Symbol.dispose]() {
      engine.retire();
      summaries.engine.retire();
      shrinker.retire();
    },
  };
}
