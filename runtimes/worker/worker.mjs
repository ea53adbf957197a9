// A worker that keeps each conversation in a Durable Object, which stores the messages and a snapshot.
import * as parts from '../parts.mjs';
import { probe } from '../probe.mjs';
import { OPTIONS } from './options.mjs';

const { densify } = parts;

export class Conversation {
  #storage;
  #conversation;

  constructor(state) {
    this.#storage = state.storage;
  }

  async fetch(request) {
    const conversation = (this.#conversation ??= await this.#load());
    const message = await request.json();
    conversation.add(message);
    const step = conversation.beforeSend();
    await this.#storage.put({ messages: conversation.raw, snapshot: conversation.snapshot() });
    const { messages, raw } = conversation;
    return Response.json({ kind: step.kind, messages, raw });
  }

  async #load() {
    const stored = await this.#storage.get(['messages', 'snapshot']);
    const snapshot = stored.get('snapshot');
    if (snapshot === undefined) return densify.createConversation(OPTIONS);
    return densify.restoreConversation(snapshot, stored.get('messages'), OPTIONS);
  }
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/probe') return new Response(await probe(parts));
    return env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(pathname)).fetch(request);
  },
};
