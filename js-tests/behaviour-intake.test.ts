/** Results of tools are shrunk as they are added to a conversation, and only there. */
import { createConversation, type IContent, restoreConversation } from 'densify';
import { describe, expect, it } from 'vitest';

const progress = Array.from({ length: 200 }, (_, at) => `downloading ${at}%\r`).join('');
const noise = `\u001B[32mok\u001B[0m\n${progress}\n${'warning: deprecated\n'.repeat(300)}done`;
const listing = Array.from({ length: 20_000 }, (_, at) => `src/file-${at}.ts: match ${at}`).join('\n');

function call(id: string, toolName: string, result: unknown): IContent[] {
  return [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: toolName, parameters: { command: 'make' } }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName, result }] },
  ];
}

function resultOf(message: IContent | undefined): unknown {
  const block = message?.blocks[0];
  return block?.type === 'tool_response' ? block.result : undefined;
}

const request: IContent = { speaker: 'human', blocks: [{ type: 'text', text: `Build it.\n${noise}` }] };

class Message implements IContent {
  readonly #own = 'private';
  readonly speaker = 'tool';
  readonly blocks: IContent['blocks'];

  constructor(result: string) {
    this.blocks = [{ type: 'tool_response', callId: '1', toolName: 'bash', result }];
  }

  get own(): string {
    return this.#own;
  }
}

describe('intake', () => {
  it('leaves instances of classes as they are: a copy would lack their private fields', () => {
    const conversation = createConversation<IContent>({ strategy: 'auto', contextLimit: 1_000_000 });
    const [asked] = call('1', 'bash', '') as [IContent, IContent];
    conversation.add(request, asked, new Message(noise));
    const message = conversation.messages[2] as Message;
    expect(message.own).toBe('private');
    expect(resultOf(message)).toBe(noise);
  });

  it('shrinks noise and the middle of long results for auto, and keeps what was added', () => {
    const conversation = createConversation({ strategy: 'auto', contextLimit: 1_000_000 });
    const entries = [request, ...call('1', 'bash', noise), ...call('2', 'grep', { output: listing, code: 0 })];
    conversation.add(...entries);
    const { messages, raw } = conversation;
    expect(raw).toStrictEqual(entries);
    raw.forEach((message, at) => expect(message).toBe(entries[at]));
    [0, 1, 3].forEach((at) => expect(messages[at]).toBe(entries[at]));
    expect(String(resultOf(messages[2])).length).toBeLessThan(noise.length / 20);
    expect(resultOf(messages[2])).toContain('done');
    expect(resultOf(messages[2])).not.toContain('\u001B');
    const long = resultOf(messages[4]) as { output: string; code: number };
    expect(long.code).toBe(0);
    expect(long.output.length).toBeLessThan(listing.length / 5);
    expect(long.output).toContain('src/file-0.ts');
    expect(long.output).toContain('src/file-19999.ts');
  });

  it('leaves results as they are for other strategies, unless it is asked for', () => {
    const entries = call('1', 'bash', noise);
    const plain = createConversation({ strategy: 'high-density', contextLimit: 1_000_000 });
    plain.add(...entries);
    plain.messages.forEach((message, at) => expect(message).toBe(entries[at]));
    const asked = createConversation({ strategy: 'high-density', contextLimit: 1_000_000, intake: true });
    asked.add(...entries);
    expect(resultOf(asked.messages[1])).not.toBe(noise);
    const off = createConversation({ strategy: 'auto', contextLimit: 1_000_000, intake: false });
    off.add(...entries);
    expect(resultOf(off.messages[1])).toBe(noise);
  });

  it('leaves files and protected messages alone', () => {
    const entries = [...call('1', 'read_file', noise), ...call('2', 'bash', noise)];
    const protect = (message: IContent) => message === entries[3];
    const conversation = createConversation({ strategy: 'auto', contextLimit: 1_000_000, optimize: { protect } });
    conversation.add(...entries);
    conversation.messages.forEach((message, at) => expect(message).toBe(entries[at]));
  });

  it('comes back after fork, rewind and restore', () => {
    const options = { strategy: 'auto', contextLimit: 1_000_000, intake: { maxResultTokens: 200 } } as const;
    const conversation = createConversation(options);
    conversation.add(request, ...call('1', 'bash', noise), ...call('2', 'grep', listing));
    const { messages } = conversation;
    const stored = JSON.parse(JSON.stringify(conversation.snapshot()));
    const parsed = JSON.parse(JSON.stringify(conversation.raw)) as IContent[];
    expect(restoreConversation(stored, parsed, options).messages).toStrictEqual(messages);
    expect(conversation.fork().messages).toStrictEqual(messages);
    conversation.rewind(3);
    expect(conversation.messages).toStrictEqual(messages.slice(0, 3));
    expect(restoreConversation(conversation.snapshot(), conversation.raw, options).messages).toStrictEqual(
      messages.slice(0, 3),
    );
  });

  it('names a setting that is wrong', () => {
    const wrong = (intake: unknown) => () =>
      createConversation({ strategy: 'auto', contextLimit: 1000, intake: intake as boolean });
    expect(wrong(3)).toThrow(expect.objectContaining({ code: 'invalid-options', key: 'intake' }));
    expect(wrong({ maxResultTokens: 3 })).toThrow(expect.objectContaining({ key: 'maxResultTokens' }));
    expect(wrong({ most: 3 })).toThrow(expect.objectContaining({ key: 'intake.most' }));
  });
});
