// The small model, run by node-llama-cpp on one processor.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../.toolchain/llm/', import.meta.url);
const MODEL = fileURLToPath(new URL('model.gguf', FOLDER));
const RUNTIME = new URL('node_modules/node-llama-cpp/dist/index.js', FOLDER);

/** Has `scripts/llm-setup.sh` been here? */
export const isInstalled = () => existsSync(MODEL) && existsSync(RUNTIME);

/**
 * Loads the model. `reply(messages, options)` continues a conversation of `{role, content}`; one at a time.
 * A `grammar` in GBNF leaves it only replies of that form.
 * Answers `{text, finishReason, usage}`; after an abort, with the text until then.
 */
export async function createEngine({ contextSize = 8192 } = {}) {
  const { getLlama, LlamaChat } = await import(RUNTIME.href);
  // More than one thread is slower wherever the processors are shared with others.
  const llama = await getLlama({ build: 'never', gpu: false, maxThreads: 1, logLevel: 'error', progressLogs: false });
  const model = await llama.loadModel({ modelPath: MODEL });
  const context = await model.createContext({ contextSize, threads: 1, sequences: 1 });
  const sequence = context.getSequence();
  const chat = new LlamaChat({ contextSequence: sequence });
  const countTokens = (history) =>
    chat.chatWrapper.generateContextState({ chatHistory: history }).contextText.tokenize(model.tokenizer).length;

  async function reply(messages, { maxTokens, temperature, grammar, signal, onText }) {
    const history = [...messages.map(toItem), { type: 'model', response: [] }];
    const promptTokens = countTokens(history);
    if (promptTokens + maxTokens > contextSize) throw new WindowError(promptTokens, maxTokens, contextSize);
    const before = sequence.tokenMeter.getState();
    const { response, metadata } = await chat.generateResponse(history, {
      maxTokens,
      temperature,
      grammar: grammar && (await llama.createGrammar({ grammar })),
      signal,
      stopOnAbortSignal: true,
      onTextChunk: onText,
    });
    const { usedOutputTokens } = sequence.tokenMeter.diff(before);
    return {
      text: response,
      finishReason: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
      usage: { prompt_tokens: promptTokens, completion_tokens: usedOutputTokens },
    };
  }

  return { reply, countTokens: (messages) => countTokens(messages.map(toItem)), contextSize };
}

/**
 * Loads the model to read, not to write. `logLikelihoods(messages, reply, most)` are the natural logarithms of the
 * probabilities of the first `most` tokens of a reply, after messages of `{role, text}`. `ends(text, most)` are the ends of a
 * text's first tokens.
 */
export async function createReader({ contextSize = 8192 } = {}) {
  const { getLlama } = await import(RUNTIME.href);
  const llama = await getLlama({ build: 'never', gpu: false, maxThreads: 1, logLevel: 'error', progressLogs: false });
  const model = await llama.loadModel({ modelPath: MODEL });
  const context = await model.createContext({ contextSize, threads: 1, sequences: 1, flashAttention: true });
  const sequence = context.getSequence();
  // Texts of logs are no markup: only our own lines may hold the model's special tokens.
  const turn = ({ role, text }) => [
    ...model.tokenize(`<|im_start|>${role}\n`, true),
    ...model.tokenize(text),
    ...model.tokenize('<|im_end|>\n', true),
  ];

  function ends(text, most) {
    const tokens = model.tokenize(text).slice(0, most);
    // A token may end inside a character, whose rest comes with the next one.
    return tokens.map((_, at) => model.detokenize(tokens.slice(0, at + 1)).replace(/\ufffd+$/, '').length);
  }

  async function logLikelihoods(messages, reply, most) {
    const prompt = [...messages.flatMap(turn), ...model.tokenize('<|im_start|>assistant\n', true)];
    const answer = model.tokenize(reply).slice(0, most);
    if (prompt.length + answer.length > contextSize) throw new WindowError(prompt.length, answer.length, contextSize);
    // What the last prompt had at its beginning is still in the cache.
    const known = sequence.contextTokens;
    let same = 0;
    while (same < prompt.length - 1 && same < known.length && known[same] === prompt[same]) same++;
    await sequence.eraseContextTokenRanges([{ start: same, end: known.length }]);
    await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(same, -1));
    const read = [...prompt.slice(-1), ...answer.slice(0, -1)];
    // The probabilities of the whole vocabulary would take longer than the model.
    const outputs = await sequence.controlledEvaluate(
      read.map((token, at) => {
        const logits = { filter: { tokens: [answer[at]], includeTop: 1 } };
        return [token, { generateNext: { logits, totalLogitWeight: true } }];
      }),
    );
    return answer.map((token, at) => {
      const { logits, totalLogitWeight } = outputs[at].next;
      return logits.get(token) - Math.max(...logits.values()) - Math.log(totalLogitWeight);
    });
  }

  return { logLikelihoods, ends };
}

/** A request and its reply are larger than the model's window. */
export class WindowError extends Error {
  constructor(promptTokens, maxTokens, contextSize) {
    super(`${promptTokens} tokens and ${maxTokens} for the reply do not fit into a window of ${contextSize}`);
    this.name = 'WindowError';
  }
}

function toItem({ role, content }) {
  if (role === 'system') return { type: 'system', text: content };
  if (role === 'assistant') return { type: 'model', response: [content] };
  return { type: 'user', text: content };
}
