// Runs the example of Mastra with a scripted model; says which results each request held.
import { run } from './agent.mjs';

const TOOLS = ['read_file', 'write_file', 'read_file'];

/** A model that calls tools, one after the other, and notes which results it was shown. */
function scripted(asked) {
  const answer = ({ prompt }) => {
    asked.push(
      prompt
        .filter(({ role }) => role === 'tool')
        .flatMap(({ content }) => content.map(({ toolCallId }) => toolCallId)),
    );
    const name = TOOLS[asked.length - 1];
    const input = JSON.stringify({ path: 'a.ts', ...(name === 'write_file' ? { content: 'x' } : {}) });
    const content =
      name === undefined
        ? [{ type: 'text', text: 'Done.' }]
        : [{ type: 'tool-call', toolCallId: `c${asked.length}`, toolName: name, input }];
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    return { content, finishReason: name === undefined ? 'stop' : 'tool-calls', usage, warnings: [] };
  };
  return {
    specificationVersion: 'v2',
    provider: 'anthropic.messages',
    modelId: 'claude-3-5-haiku',
    supportedUrls: {},
    doGenerate: async (options) => answer(options),
    doStream: async (options) => {
      const { content, finishReason, usage } = answer(options);
      const parts = content.flatMap((part) =>
        part.type === 'text'
          ? [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: part.text },
              { type: 'text-end', id: '1' },
            ]
          : [part],
      );
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of [{ type: 'stream-start', warnings: [] }, ...parts]) controller.enqueue(part);
            controller.enqueue({ type: 'finish', finishReason, usage });
            controller.close();
          },
        }),
      };
    },
  };
}

async function asked(options) {
  const requests = [];
  await run(scripted(requests), options);
  return requests;
}

const protect = () => {
  throw new Error('odd');
};
const packed = await asked({ preset: 'seed' });
const observed = await asked({ preset: 'seed', observe: true });
const failed = await asked({ preset: 'seed', protect, onWarning: () => undefined });
console.log(JSON.stringify({ packed, observed, failed }));
process.exit(0);
