// What every runtime must say alike of the same conversations.
import type * as Densify from 'densify';
import type { IContent } from 'densify';
import { conversation } from './conversations.js';
import { goodReply } from './replies.js';

/** All that the package says of some conversations, as text. */
export function probe(densify: typeof Densify): string {
  return JSON.stringify(
    [1, 2, 3].map((seed) => [
      stateless(densify, seed),
      handle(densify, seed),
      summary(densify, seed),
      talk(densify, seed),
      failures(densify),
    ]),
  );
}

function stateless({ optimize, compress, estimateTokens }: typeof Densify, seed: number): unknown {
  const history = conversation(seed, 40);
  return [
    optimize(history, { rules: { recencyPruning: true } }),
    compress(history, { strategy: 'high-density', contextLimit: 4_000 }),
    compress(history, { strategy: 'top-down-truncation', contextLimit: 4_000 }),
    estimateTokens(history, { countTokens: (text) => text.length }),
  ];
}

function handle({ createDensify }: typeof Densify, seed: number): unknown {
  const optimizer = createDensify().createOptimizer<IContent>({ flush: { tokens: 500 } });
  let history: readonly IContent[] = [];
  return Array.from({ length: 20 }, (_, turn) => {
    history = [...history, ...conversation(seed + turn, 2)];
    const result = optimizer.optimize(history);
    history = result.messages;
    return JSON.parse(JSON.stringify(result)) as unknown;
  });
}

function summary(densify: typeof Densify, seed: number): unknown {
  const { requestSummary, applySummary, verifySummary, fileOperations, redact } = densify;
  const history = conversation(seed, 40);
  const request = requestSummary(history, { strategy: 'structured', pins: ['naïve 検索 🙂'] });
  const reply = goodReply({ strategy: 'structured' });
  return [
    request,
    request.kind === 'request' && applySummary(request, reply, history),
    verifySummary('no', history, { strategy: 'one-shot' }),
    fileOperations(history),
    redact('nothing to hide'),
  ];
}

/** A conversation that lives through a summary, a restart and a step back. */
function talk({ createConversation, restoreConversation }: typeof Densify, seed: number): unknown {
  const options = { strategy: 'structured', contextLimit: 6_000, summary: { window: 1e6 } } as const;
  const talking = createConversation<IContent>(options);
  talking.add(...conversation(seed, 60));
  const step = talking.beforeSend();
  const result = step.kind === 'summarize' && step.complete(goodReply(step.request));
  const restored = restoreConversation(talking.snapshot(), talking.raw, options);
  talking.rewind(30);
  return [result, restored.messages, restored.tokens, talking.messages, talking.tokens];
}

function failures({ optimize, isDensifyError }: typeof Densify): unknown {
  try {
    optimize([], { fileDedup: true } as object);
    return 'no error';
  } catch (thrown) {
    return isDensifyError(thrown) ? [thrown.name, thrown.code, thrown.key, thrown.message] : String(thrown);
  }
}
