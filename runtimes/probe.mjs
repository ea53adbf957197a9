// What every runtime must say alike: each part of the package, on conversations that are the same everywhere.

/** A conversation of so many turns: an agent reads a file, edits it, runs its tests. */
function conversation(turns) {
  const call = (id, name, parameters) => ({ speaker: 'ai', blocks: [{ type: 'tool_call', id, name, parameters }] });
  const response = (callId, toolName, result) => ({
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId, toolName, result }],
  });
  const turn = (at) => {
    const path = `src/file-${at % 4}.ts`;
    return [
      { speaker: 'human', blocks: [{ type: 'text', text: `Make step ${at} work, naïve 検索 🙂 included.` }] },
      call(`read-${at}`, 'read_file', { file_path: path }),
      response(`read-${at}`, 'read_file', `export const step = ${at};\n`.repeat(30)),
      call(`edit-${at}`, 'replace', { file_path: path, old_string: `${at}`, new_string: `${at + 1}` }),
      response(`edit-${at}`, 'replace', 'done'),
      { speaker: 'ai', blocks: [{ type: 'text', text: `Step ${at} works.` }] },
    ];
  };
  return Array.from({ length: turns }, (_, at) => turn(at)).flat();
}

const REPLY = ['Goal', 'Constraints & Preferences', 'Progress', 'Key Decisions', 'Next Steps', 'Critical Context']
  .map((heading) => `## ${heading}\nNone.`)
  .join('\n\n');

/** A turn through an optimizer, which keeps its state in wasm. */
function turns({ createOptimizer }) {
  const optimizer = createOptimizer({ preset: 'seed', recencyPruning: true });
  const counts = [];
  for (let at = 0; at < 10; at += 1) {
    optimizer.push(...conversation(1));
    counts.push(optimizer.optimize().tokensAfter);
  }
  optimizer.dispose();
  return counts;
}

function summarised({ requestSummary, applySummary }) {
  const history = conversation(12);
  const request = requestSummary(history, { strategy: 'structured', pins: ['never push to main'] });
  const applied = applySummary(request, REPLY, history);
  return [request.messages, applied.kind, applied.messages];
}

function talked({ createConversation, restoreConversation }) {
  const options = { strategy: 'structured', contextLimit: 4_000, summary: { window: 1e6 } };
  const talking = createConversation(options);
  talking.add(...conversation(12));
  const step = talking.beforeSend();
  const kind = step.kind === 'summarize' ? step.complete(REPLY).kind : step.kind;
  const restored = restoreConversation(talking.snapshot(), talking.raw, options);
  return [kind, restored.messages.length, restored.tokens];
}

/** A read of the Agents SDK that a write made stale. */
function itemsOptimized({ optimize }) {
  const call = (callId, name) => ({ type: 'function_call', callId, name, arguments: '{"path":"a.ts"}' });
  const result = (callId, name) => ({ type: 'function_call_result', callId, name, output: 'a line\n'.repeat(40) });
  const calls = ['read_file', 'write_file'].flatMap((name, at) => [call(`c${at}`, name), result(`c${at}`, name)]);
  return optimize([{ type: 'message', role: 'user', content: 'Go.' }, ...calls], { model: 'gpt-4.1', preset: 'seed' })
    .edits;
}

/** A result that is shrunk where a tool gives it, and had again by its reference. */
function recalled({ shrinkTools }, { createRecall }) {
  const log = `${'compiling a thing\n'.repeat(300)}error: it broke\n`;
  const { run } = shrinkTools({ run: { execute: () => log } });
  const recall = createRecall({ secret: 'a secret of at least sixteen bytes' });
  const reference = recall.keep(log, { cause: 'host' });
  return { shrunk: run.execute(), reference, piece: recall.recall(reference) };
}

/** All that the package says, as text. */
export async function probe({ densify, agents, recall, replay, tokens, tools, transcripts }) {
  const tokenizer = await tokens.loadTokenizer('o200k_base');
  return JSON.stringify([
    densify.optimize(conversation(12)),
    densify.compress(conversation(12), { strategy: 'top-down-truncation', contextLimit: 2_000 }),
    turns(densify),
    summarised(densify),
    talked(densify),
    tokenizer.count('naïve 検索 🙂 <|endoftext|>'),
    transcripts.readTranscript('{"role":"user","content":"hello"}').contents.length,
    itemsOptimized(agents),
    recalled(tools, recall),
    replay.replay(conversation(3), { policies: ['none', 'lossless'] }),
  ]);
}
