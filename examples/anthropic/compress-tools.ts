// Anthropic's tool runner (`npm i @anthropic-ai/sdk densify`) with a model that keeps its own
// context small: it may replace messages by a digest, and undo that.
import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { createConversation, middleware } from 'densify/anthropic';
import { createRecall, recallTools } from 'densify/recall';

const bash = betaTool({
  name: 'bash',
  description: 'Runs a command.',
  inputSchema: {
    type: 'object',
    properties: { command: { type: 'string' } },
    required: ['command'],
  },
  run: ({ command }) =>
    Array.from({ length: 200 }, (_, at) => `${command}: test number ${at * at} is done`).join('\n'),
});

/** Asks a model that may run commands, compress the conversation and restore parts of it. */
export async function run(client: ClientOptions, secret: string): Promise<string> {
  const model = 'claude-3-5-haiku-latest';
  // One of each per run: a model may recall only text of its own conversation.
  const recall = createRecall({ secret });
  // Here the model decides what goes, so old results stay until it says so.
  const optimize = { rules: { oldResults: false } };
  const options = {
    strategy: 'auto',
    contextLimit: 200_000,
    intake: false,
    optimize,
    recall,
    model,
  } as const;
  const conversation = createConversation<Anthropic.MessageParam>(options);
  const hook = middleware<Anthropic.MessageParam>({ conversation: () => conversation });
  const anthropic = new Anthropic({ ...client, middleware: [hook] });
  const message = await anthropic.beta.messages.toolRunner({
    model,
    max_tokens: 1000,
    // Without a breakpoint Anthropic caches nothing, and each call pays for the whole history.
    cache_control: { type: 'ephemeral' },
    thread: false, // the history goes with each request, so that there is something to compress
    messages: [{ role: 'user', content: 'Why do the tests fail?' }],
    tools: [bash, ...recallTools(recall, conversation).anthropicRunner()],
  });
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}
