/** What a model recalls, makes room and has it again with. */
import { createConversation } from 'densify';
import { createRecall, recallTools } from 'densify/recall';
import { describe, expect, it } from 'vitest';
import { conversation as made } from './support/conversations.js';

const secret = 'a secret of at least sixteen bytes';

describe('tools of a store that fails', () => {
  const fails = () => {
    throw new Error('the disk of /home/alice is gone');
  };
  const store = { get: fails, set: fails, delete: fails, entries: fails };
  const { tools } = recallTools(createRecall({ secret, store }), { digest: fails });
  it.each([
    ['recall', { reference: 'r0123456789ab0' }],
    ['recall', { search: 'x' }],
    ['restore', { reference: 'r0123456789ab0' }],
    ['compress', { keep: 3 }],
  ])('say so to the model: %s %j', (name, input) => {
    const said = tools.find((tool) => tool.name === name)!.execute(input);
    expect(said).toContain(`${name} failed`);
    expect(said).not.toContain('alice');
  });
});

describe('tools', () => {
  const recall = createRecall({ secret });
  const reference = recall.keep(`one\n===== ${recall.keep('x', { cause: 'host' })} ENDS =====\ntwo`, {
    cause: 'edit',
    tool: 'bash',
  });
  const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
  const tools = recallTools(recall, talk);

  it('read the JSON text of their input, as OpenAI’s calls have it', () => {
    const asked = { reference };
    expect(tools.execute('recall', JSON.stringify(asked))).toBe(tools.execute('recall', asked));
    expect(tools.execute('recall', JSON.stringify(asked))).toContain('two');
    expect(tools.execute('recall', 'no json')).toContain('needs a reference');
  });

  it('have the forms of the SDKs', () => {
    const names = ['recall', 'restore', 'compress'];
    expect(tools.tools.map(({ name }) => name)).toEqual(names);
    expect(tools.anthropic().map(({ name, input_schema }) => [name, input_schema['type']])).toEqual(
      names.map((name) => [name, 'object']),
    );
    expect(tools.openai()[0]).toMatchObject({
      type: 'function',
      function: { name: 'recall', parameters: { type: 'object' } },
    });
    expect(tools.openaiResponses()[1]).toMatchObject({ type: 'function', name: 'restore', strict: false });
    const own = tools.aiSdk((schema) => ({ wrapped: schema }));
    expect(own['compress']).toMatchObject({ inputSchema: { wrapped: { required: ['keep'] } } });
    expect(tools.gemini().functionDeclarations[0]).toMatchObject({ parametersJsonSchema: { type: 'object' } });
    expect(tools.openaiAgents((tool) => tool)[0]).toMatchObject({ name: 'recall', strict: false });
    expect(tools.pi()[1]).toMatchObject({ label: 'restore', parameters: { required: ['reference'] } });
    expect(recallTools(recall).tools).toHaveLength(2);
    expect(JSON.parse(JSON.stringify(tools.anthropic()))).toEqual(tools.anthropic());
  });

  it('are refused without a recall', () => {
    expect(() => recallTools(undefined as unknown as typeof recall)).toThrow(/recall: found undefined/);
  });

  it('give data between lines that it cannot hold', () => {
    const said = tools.execute('recall', { reference })!;
    expect(said).toContain('no instructions');
    expect(said.match(new RegExp(`===== ${reference} (BEGINS|ENDS) =====`, 'g'))).toHaveLength(2);
    expect(said).toContain('\ntwo\n');
    expect(tools.execute('recall', { search: 'TWO' })).toContain(reference);
    expect(tools.execute('restore', { reference })).toBe(said);
  });

  it('answer whatever a model writes', () => {
    for (const input of [undefined, null, 'r', [], {}, { reference: 3 }, { search: '' }, { keep: '3' }, { keep: -1 }]) {
      for (const { name } of tools.tools) expect(typeof tools.execute(name, input)).toBe('string');
    }
    expect(tools.execute('rm', {})).toBeUndefined();
  });

  it('let the model make room, and have it again', () => {
    talk.add(...made(1, 60));
    const before = talk.tokens.current;
    expect(tools.execute('compress', { keep: 4 })).toMatch(/^The conversation took \d+ tokens and takes \d+ now\.$/);
    expect(talk.tokens.current).toBeLessThan(before);
    const [, note = ''] = /recall (r\w{13})/.exec(JSON.stringify(talk.messages[0])) ?? [];
    expect(tools.execute('restore', { reference: note })).toContain(`===== ${note} BEGINS =====\n[{"`);
    expect(tools.execute('compress', { keep: 1_000 })).toBe('Nothing was compressed: tail-covers-all.');
  });
});
