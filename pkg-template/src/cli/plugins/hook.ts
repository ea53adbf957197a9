/**
 * The hooks of Claude Code, as a program: it reads an event as JSON and prints the change, if there is one.
 * `PostToolUse` shortens new results; at the start of a session and before a prompt the gateway is started if none answers.
 */
import { type Answering, isOnCloud, isStanding, PORT } from '../agents/address.js';
import { type Environment, environment, print, stdin } from '../host.js';
import { shortened } from './claude-results.js';
import { startIfDown } from './gateway.js';
import { fromEnvironment } from './settings.js';

type Bag = Readonly<Record<string, unknown>>;

/** Bytes of an event that is read: a larger result stays as it is. */
const EVENT_AT_MOST = 16 * 2 ** 20;

async function event(): Promise<Bag> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stdin()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > EVENT_AT_MOST) return {};
  }
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Bag) : {};
}

/** What Claude Code is told if its requests, with the user's key, would reach a program that isn't the user's gateway. */
function refusal(event: string, found: Answering, env: Environment): object | undefined {
  if (found !== 'another program' || !isStanding(env.ANTHROPIC_BASE_URL ?? '') || isOnCloud(env)) return undefined;
  const line =
    `densify: the program at port ${PORT} is not your densify gateway, so prompts are not sent to it. ` +
    'Stop that program, start `densify run -- claude` instead, or run `densify setup claude --undo`.';
  return event === 'SessionStart' ? { systemMessage: line } : { decision: 'block', reason: line };
}

async function run(): Promise<void> {
  const { hook_event_name: name, tool_name: tool, tool_input: input, tool_response: response } = await event();
  const { intake, isRun } = fromEnvironment('claude');
  if (isRun) return;
  if (name === 'SessionStart' || name === 'UserPromptSubmit') {
    const env = environment();
    const warned = refusal(name, await startIfDown(env), env);
    if (warned !== undefined) print(JSON.stringify(warned));
    return;
  }
  if (name !== 'PostToolUse' || typeof tool !== 'string' || !intake) return;
  const updatedToolOutput = shortened(tool, input, response);
  if (updatedToolOutput === undefined) return;
  print(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } }));
}

// A hook that fails would be shown to the user; the agent goes on without it.
await run().catch(() => undefined);
