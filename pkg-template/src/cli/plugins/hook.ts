/**
 * The hooks of agents, as a program: it reads an event as JSON and prints the change, if there is one. Its argument is the
 * agent's name. At the start of a session and before a prompt it starts the gateway if none answers. For Claude Code it
 * also shortens new results (`PostToolUse`).
 */
import { type Answering, isOnCloud, isStanding, PORT } from '../agents/address.js';
import { textOrNone } from '../agents/agent.js';
import { argv, type Environment, environment, home, joined, print, stdin } from '../host.js';
import { shortened } from './claude-results.js';
import { startIfDown } from './gateway.js';
import { fromEnvironment } from './settings.js';

type Bag = Readonly<Record<string, unknown>>;

/** Bytes of an event that is read: a larger result stays as it is. */
const EVENT_AT_MOST = 16 * 2 ** 20;

/** Whether an agent's requests go to the gateway that it is set up for. */
const POINTED: Readonly<Record<string, (env: Environment) => boolean>> = {
  claude: (env) => isStanding(env.ANTHROPIC_BASE_URL ?? '') && !isOnCloud(env),
  codex(env) {
    const settings = textOrNone(joined(env.CODEX_HOME || joined(home(), '.codex'), 'config.toml'));
    return isStanding(/^[ \t]*openai_base_url[ \t]*=[ \t]*"([^"]*)"/m.exec(settings)?.[1] ?? '');
  },
  gemini: (env) => [env.GOOGLE_GEMINI_BASE_URL, env.CODE_ASSIST_ENDPOINT].some((url) => isStanding(url ?? '')),
};

/** The events before which the gateway must run. */
const STARTING: ReadonlySet<unknown> = new Set(['SessionStart', 'UserPromptSubmit', 'BeforeAgent']);

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

/**
 * What an agent is told if its requests don't reach the user's gateway. Those that would reach another program, with the
 * user's key, are stopped.
 */
function refusal(agent: string, event: string, found: Answering, env: Environment): object | undefined {
  if (found === 'gateway' || POINTED[agent]?.(env) !== true) return undefined;
  if (found === 'nothing') {
    return {
      systemMessage:
        "densify: your gateway did not start, so this agent's requests fail. " +
        `Run \`densify gateway\` to see why, or \`densify setup ${agent} --undo\` to work without it.`,
    };
  }
  const line =
    `densify: the program at port ${PORT} is not your densify gateway, so prompts are not sent to it. ` +
    `Stop that program, start \`densify run -- ${agent}\` instead, or run \`densify setup ${agent} --undo\`.`;
  if (event === 'SessionStart') return { systemMessage: line };
  return { decision: event === 'BeforeAgent' ? 'deny' : 'block', reason: line };
}

async function run([agent = 'claude']: readonly string[]): Promise<void> {
  const { hook_event_name: name, tool_name: tool, tool_input: input, tool_response: response } = await event();
  const { intake, isRun } = fromEnvironment(agent);
  if (isRun) return;
  if (typeof name === 'string' && STARTING.has(name)) {
    const env = environment();
    const warned = refusal(agent, name, await startIfDown(env), env);
    if (warned !== undefined) print(JSON.stringify(warned));
    return;
  }
  if (name !== 'PostToolUse' || typeof tool !== 'string' || !intake) return;
  const updatedToolOutput = shortened(tool, input, response);
  if (updatedToolOutput === undefined) return;
  print(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } }));
}

// A hook that fails would be shown to the user; the agent goes on without it.
await run(argv()).catch(() => undefined);
