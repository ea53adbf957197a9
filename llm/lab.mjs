// What every case works with: the endpoint behind its faults, the clock and the notes.

import { toChat, toolsOf } from './chat.mjs';
import { complete, endpointOf } from './client.mjs';
import { startFaultProxy } from './fault-proxy.mjs';
import { MODEL_NAME, startLocalModel } from './local-model.mjs';

/** After this only what is needed is started. */
export const START_MS = 5.5 * 60_000;
/** Whatever still waits for a reply then gives up. */
const END_MS = 7.5 * 60_000;
const CALL_TIMEOUT_MS = 60_000;

export async function createLab(env) {
  const external = endpointOf(env);
  const lab = new Lab(external);
  lab.proxy = await startFaultProxy(() => external ?? lab.local);
  return lab;
}

class Lab {
  #external;
  #calls = 0;
  #startedAt = performance.now();
  #end = new AbortController();
  #timer = setTimeout(() => this.#end.abort(), END_MS);
  proxy;
  /** The process that runs the model, if it runs. */
  local;
  /** How often what happened, and how long it took in all. */
  notes = new Map();

  constructor(external) {
    this.#external = external;
  }

  get isLocal() {
    return !this.#external;
  }

  get name() {
    return this.#external ? `${this.#external.model} at DENSIFY_LLM_URL` : MODEL_NAME;
  }

  elapsed = () => performance.now() - this.#startedAt;
  mayStart = () => this.elapsed() < START_MS;
  isOver = () => this.#end.signal.aborted;

  note(what, ms = 0) {
    const { count, total } = this.notes.get(what) ?? { count: 0, total: 0 };
    this.notes.set(what, { count: count + 1, total: total + ms });
  }

  /**
   * Sends a request. `how`: `{made}` is answered with that text, `{fault}` as the proxy describes; otherwise the
   * local model answers, with a `grammar` in that form, with at most `maxTokens`. Every other call is streamed.
   */
  async send(request, how = {}, { signal, timeout = CALL_TIMEOUT_MS } = {}) {
    const fault = how.made === undefined ? how.fault : { kind: 'reply', text: how.made };
    if (fault) this.proxy.inject(fault);
    else await this.startModel();
    this.#calls += 1;
    const endpoint = { url: this.proxy.url, model: this.#external?.model ?? MODEL_NAME };
    const options = {
      maxTokens: (this.isLocal ? how.maxTokens : undefined) ?? request.replyTokens,
      grammar: this.isLocal ? how.grammar : undefined,
      tools: request.needsTools ? toolsOf(request.messages) : undefined,
      stream: this.#calls % 2 === 0,
      signal: AbortSignal.any([this.#end.signal, ...(signal ? [signal] : [])]),
      timeout,
    };
    const from = performance.now();
    const { text } = await complete(endpoint, toChat(request.messages), options);
    if (!fault) this.note('reply of the model', performance.now() - from);
    return text;
  }

  /** The first call that needs the model starts it; most runs don't need it. */
  async startModel() {
    if (this.isLocal) this.local ??= await startLocalModel();
  }

  /** Ends the local model as a crash would; the next call starts another one. */
  async kill() {
    const dying = this.local;
    this.local = undefined;
    await dying?.kill();
  }

  async close() {
    clearTimeout(this.#timer);
    await this.proxy.down();
    await this.local?.stop();
  }
}
