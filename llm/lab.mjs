// What every case works with: the endpoint behind its faults, the clock and the notes.

import { complete, endpointOf } from './client.mjs';
import { startFaultProxy } from './fault-proxy.mjs';
import { MODEL_NAME, startLocalModel } from './local-model.mjs';
import { toChat, toolsOf } from './chat.mjs';

/** No case is started after this. */
const START_MS = 7 * 60_000;
/** Whatever still waits for a reply then gives up. */
const END_MS = 9 * 60_000;
const CALL_TIMEOUT_MS = 60_000;

export async function createLab(env) {
  const external = endpointOf(env);
  let local;
  let calls = 0;
  const proxy = await startFaultProxy(() => external ?? local);
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), END_MS);
  const startedAt = performance.now();
  const notes = new Map();

  /** The model is started by the first call that needs it: most of the time nobody does. */
  async function startModel() {
    if (!external) local ??= await startLocalModel();
  }

  /**
   * Sends a request. `how`: `{made}` is answered with that text, `{fault}` as the proxy describes; otherwise the
   * local model answers, with a `grammar` in that form, with at most `maxTokens`. Every other call is streamed.
   */
  async function send(request, how = {}, { signal, timeout = CALL_TIMEOUT_MS } = {}) {
    const fault = how.made === undefined ? how.fault : { kind: 'reply', text: how.made };
    if (fault) proxy.inject(fault);
    else await startModel();
    calls += 1;
    const options = {
      maxTokens: (external ? undefined : how.maxTokens) ?? request.replyTokens,
      signal: signal ? AbortSignal.any([signal, end.signal]) : end.signal,
      timeout,
      stream: calls % 2 === 0,
      tools: request.needsTools ? toolsOf(request.messages) : undefined,
      grammar: external ? undefined : how.grammar,
    };
    const from = performance.now();
    const { text } = await complete(
      { url: proxy.url, model: external?.model ?? MODEL_NAME },
      toChat(request.messages),
      options,
    );
    if (!fault) note('reply of the model', performance.now() - from);
    return text;
  }

  function note(what, ms = 0) {
    const { count, total } = notes.get(what) ?? { count: 0, total: 0 };
    notes.set(what, { count: count + 1, total: total + ms });
  }

  return {
    send,
    note,
    notes,
    proxy,
    startModel,
    isLocal: !external,
    name: external ? `${external.model} at DENSIFY_LLM_URL` : MODEL_NAME,
    elapsed: () => performance.now() - startedAt,
    mayStart: () => performance.now() - startedAt < START_MS,
    isOver: () => end.signal.aborted,
    /** Ends the local model as a crash would; the next call starts another one. */
    async kill() {
      const dying = local;
      await dying?.kill();
      if (local === dying) local = undefined;
    },
    async close() {
      clearTimeout(timer);
      await proxy.down();
      await local?.stop();
    },
  };
}
