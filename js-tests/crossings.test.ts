// How often a turn of `prepare` calls into the core: in a process of its own, whose WebAssembly counts calls.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROGRAM = `
const Instance = WebAssembly.Instance;
let counts;
WebAssembly.Instance = function (module, imports) {
  const exports = {};
  for (const [name, value] of Object.entries(new Instance(module, imports).exports)) {
    const isOurs = typeof value === 'function' && !name.startsWith('__wbindgen');
    exports[name] = isOurs ? (...given) => (counts?.push(name), value(...given)) : value;
  }
  return { exports };
};
const { createConversation } = await import('densify');
const say = (speaker, text) => ({ speaker, blocks: [{ type: 'text', text }] });
const conversation = createConversation({ contextLimit: 200000 });
const prepare = () => conversation.prepare({ summarize: async () => '' });
for (let turn = 0; turn < 40; turn += 1) {
  const [id, path] = ['c' + turn, turn + '.rs'];
  conversation.add(
    say('human', 'question ' + turn),
    { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'read_file', parameters: { path } }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: 'read_file', result: path.repeat(200) }] },
  );
  await prepare();
}
counts = [];
conversation.add(say('ai', 'answer'), say('human', 'next'));
await prepare();
console.log(JSON.stringify(counts));
`;

test('a turn of prepare with two new messages makes four calls into the core', () => {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd, encoding: 'utf8' });
  expect(JSON.parse(said)).toStrictEqual([
    'optimizerhandle_push',
    'optimizerhandle_run',
    'optimizerhandle_count',
    'machinehandle_next',
  ]);
});
