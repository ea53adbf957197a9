// Runs the worker in workerd, by miniflare; says what it said. Needs a newer Node.js than the package.
import { join } from 'node:path';
import { Miniflare } from 'miniflare';

const [folder, persist] = process.argv.slice(2);

const start = () =>
  new Miniflare({
    modules: true,
    modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
    modulesRoot: folder,
    scriptPath: join(folder, 'worker.js'),
    compatibilityDate: '2026-04-01',
    durableObjects: { CONVERSATIONS: 'Conversation' },
    durableObjectsPersist: persist,
  });

/** A message for a conversation, and the conversation's state after it. */
async function say(worker, text, speaker = 'human') {
  const message = { speaker, blocks: [{ type: 'text', text }] };
  const response = await worker.dispatchFetch('http://worker/talk', { method: 'POST', body: JSON.stringify(message) });
  return response.json();
}

let worker = start();
const probed = await (await worker.dispatchFetch('http://worker/probe')).text();
for (const word of ['one', 'two', 'three']) {
  await say(worker, `${word} `.repeat(100));
  await say(worker, `${word} of the model `.repeat(40), 'ai');
}
const before = await say(worker, 'four '.repeat(20));
await worker.dispose();
worker = start();
const after = await say(worker, 'five '.repeat(20));
await worker.dispose();
console.log(JSON.stringify({ probed, before, after }));
