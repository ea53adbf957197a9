// Conversations that branch, go back and are restored.
import { type Conversation, type IContent, restoreConversation } from 'densify';
import { describe, expect, test } from 'vitest';
import { full, json, options, summarize, turns } from './support/conversing.js';
import { goodReply } from './support/replies.js';
import { human } from './support/say.js';

describe('trees', () => {
  /** A conversation with two summaries in it. */
  function long(): Conversation {
    const conversation = full();
    for (const from of [100, 200]) {
      const step = summarize(conversation);
      expect(step.complete(goodReply(step.request, `up to ${from}`)).kind).toBe('applied');
      conversation.add(...turns(15, from));
    }
    return conversation;
  }

  test('going back before a summary brings back what was there', () => {
    const untouched = full();
    const conversation = long();
    conversation.rewind(96);
    expect(conversation.raw).toEqual(untouched.raw);
    conversation.rewind(60);
    expect(conversation.messages).toEqual(untouched.raw.slice(0, 60));
    conversation.rewind(0);
    expect(conversation.messages).toEqual([]);
    conversation.add(human('anew'));
    expect(conversation.messages).toEqual([human('anew')]);
  });

  test('a fork is a conversation of its own', () => {
    const conversation = long();
    const before = json([conversation.messages, conversation.raw, conversation.tokens]);
    const fork = conversation.fork();
    expect(json([fork.messages, fork.raw, fork.tokens])).toBe(before);
    fork.messages.forEach((message, at) => expect(message).toBe(conversation.messages[at]));
    fork.add(human('another way'));
    fork.compress();
    fork.rewind(50);
    expect(conversation.fork(50).messages).toEqual(fork.messages);
    expect(json([conversation.messages, conversation.raw, conversation.tokens])).toBe(before);
  });

  test('a snapshot holds no messages, and restores them all', () => {
    const conversation = long();
    conversation.compress();
    conversation.add(...turns(2, 400));
    const snapshot = JSON.parse(json(conversation.snapshot())) as ReturnType<Conversation['snapshot']>;
    expect(json(snapshot).length).toBeLessThan(json(conversation.raw).length / 5);
    const raw = JSON.parse(json(conversation.raw)) as IContent[];
    const restored = restoreConversation(snapshot, raw, options);
    expect(json(restored.messages)).toBe(json(conversation.messages));
    expect(restored.tokens).toEqual(conversation.tokens);
    expect({ ...restored.stats, milliseconds: 0 }).toEqual({ ...conversation.stats, milliseconds: 0 });
    expect(json(restored.snapshot())).toBe(json(conversation.snapshot()));
    for (const at of [150, 100, 96, 30]) {
      restored.rewind(at);
      conversation.rewind(at);
      expect(json(restored.messages)).toBe(json(conversation.messages));
    }
  });

  test('a snapshot of other messages is an error that names the first', () => {
    const conversation = long();
    const snapshot = conversation.snapshot();
    const { raw } = conversation;
    const error = (about: object) => expect.objectContaining({ code: 'invalid-snapshot', ...about }) as Error;
    expect(() => restoreConversation(snapshot, raw.slice(1), options)).toThrow(error({}));
    expect(() => restoreConversation(snapshot, raw.with(7, human('other')), options)).toThrow(error({ index: 7 }));
    expect(() => restoreConversation({ ...snapshot, version: 2 as 1 }, raw, options)).toThrow(error({}));
    expect(() => restoreConversation({ ...snapshot, count: 1 }, raw, options)).toThrow(error({}));
  });
});
