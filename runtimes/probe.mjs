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
  .map((heading) => `## ${heading}\n${heading === 'Goal' ? 'Make each step of the project work.' : 'None.'}`)
  .join('\n\n');

/** A turn through an optimizer, which keeps its state in wasm. */
function turns({ createOptimizer }) {
  const optimizer = createOptimizer({ preset: 'seed', rules: { recencyPruning: true } });
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

const LINES = 'a line\n'.repeat(40);
const INPUT = { path: 'a.ts' };
const part = (type, id, name, more) => ({ type, toolCallId: id, toolName: name, ...more });

/** How each format says a call, its result, and the words before them. */
const FORMATS = {
  aiSdk: (id, name) => [
    { role: 'assistant', content: [part('tool-call', id, name, { input: INPUT })] },
    { role: 'tool', content: [part('tool-result', id, name, { output: { type: 'text', value: LINES } })] },
  ],
  aiSdkPrompt: (id, name) => FORMATS.aiSdk(id, name),
  aiSdkUi: (id, name) => [
    {
      id,
      role: 'assistant',
      parts: [part('dynamic-tool', id, name, { state: 'output-available', input: INPUT, output: LINES })],
    },
  ],
  anthropic: (id, name) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input: INPUT }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: LINES }] },
  ],
  gemini: (id, name) => [
    { role: 'model', parts: [{ functionCall: { id, name, args: INPUT } }] },
    { role: 'user', parts: [{ functionResponse: { id, name, response: { output: LINES } } }] },
  ],
  langchain: (id, name) => [
    { type: 'ai', data: { content: '', tool_calls: [{ type: 'tool_call', id, name, args: INPUT }] } },
    { type: 'tool', data: { content: LINES, tool_call_id: id, name } },
  ],
  openai: (id, name) => [
    { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(INPUT) } }] },
    { role: 'tool', tool_call_id: id, content: LINES },
  ],
  agents: (id, name) => [
    { type: 'function_call', callId: id, name, arguments: JSON.stringify(INPUT) },
    { type: 'function_call_result', callId: id, name, output: LINES },
  ],
  responses: (id, name) => [
    { type: 'function_call', call_id: id, name, arguments: JSON.stringify(INPUT) },
    { type: 'function_call_output', call_id: id, output: LINES },
  ],
  pi: (id, name) => [
    { role: 'assistant', content: [{ type: 'toolCall', id, name, arguments: INPUT }], timestamp: 1 },
    {
      role: 'toolResult',
      toolCallId: id,
      toolName: name,
      content: [{ type: 'text', text: LINES }],
      isError: false,
      timestamp: 1,
    },
  ],
};

/** The names that differ from those that `validate` has. */
const NAMES = {
  aiSdk: 'ai-sdk',
  aiSdkPrompt: 'ai-sdk-prompt',
  aiSdkUi: 'ai-sdk-ui',
  openai: 'openai-chat',
  agents: 'openai-agents',
  responses: 'openai-responses',
};

/** In each format: optimizes a read that a write made stale, and validates half of the history. */
function optimized(parts) {
  return Object.entries(FORMATS).map(([name, turn]) => {
    const messages = ['read_file', 'write_file'].flatMap((tool, at) => turn(`c${at}`, tool));
    const { edits, messages: left } = parts[name].optimize(messages, { preset: 'seed' });
    const { findings } = parts.validation.validate(messages.slice(0, -1), { format: NAMES[name] ?? name });
    return [name, edits, left.length, findings.map(({ code }) => code)];
  });
}

/** A result that is shrunk where a tool gives it, and had again by its reference. */
function recalled({ shrinkTools }, { createRecall }) {
  const log = `${'compiling a thing\n'.repeat(300)}error: it broke\n`;
  const { run } = shrinkTools({ run: { execute: () => log } });
  const recall = createRecall({ secret: 'a secret of at least sixteen bytes' });
  const reference = recall.keep(log, { cause: 'host' });
  return { shrunk: run.execute(), reference, piece: recall.recall(reference) };
}

/** The text whose tokens are counted. */
export const COUNTED = 'naïve 検索 🙂 <|endoftext|>';

/** What the package says without waiting. */
export function saidAtOnce({ densify, recall, replay, tools, transcripts, ...formats }) {
  return [
    densify.optimize(conversation(12)),
    densify.compress(conversation(12), { strategy: 'top-down-truncation', contextLimit: 2_000 }),
    turns(densify),
    summarised(densify),
    talked(densify),
    transcripts.readTranscript('{"role":"user","content":"hello"}').contents.length,
    optimized(formats),
    recalled(tools, recall),
    replay.replay(conversation(3), { policies: ['none', 'lossless'] }),
  ];
}

/** All that the package says, as text. */
export async function probe({ tokens, ...parts }) {
  const tokenizer = await tokens.loadTokenizer('o200k_base');
  return JSON.stringify([tokenizer.count(COUNTED), saidAtOnce(parts)]);
}
