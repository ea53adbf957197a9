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
 * Answers `{text, finishReason, usage}`; after an abort with what there was until then.
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
