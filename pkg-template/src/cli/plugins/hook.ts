/**
 * The hooks of Claude Code, as a program: it reads an event as JSON and prints the change, if there is one.
 * `PostToolUse` shortens new results; at the start of a session and before a prompt the gateway is started if none answers.
 */
import { shrinkResult } from '../../intake/functions.js';
import { environment, print, stdin } from '../host.js';
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

/** The keys of results whose texts a model reads, by tool; the form must stay that of the tool. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  Bash: ['stdout', 'stderr'],
  PowerShell: ['stdout', 'stderr'],
  Grep: ['content'],
};

/** A result with shorter texts; `undefined` where none is. */
function shortened(name: string, parameters: unknown, response: unknown): unknown {
  let isShorter = false;
  const shrink = (text: unknown): unknown => {
    if (typeof text !== 'string' || text === '') return text;
    const { result, changed } = shrinkResult({ name, parameters }, text);
    isShorter ||= changed;
    return result;
  };
  const part = (given: unknown): unknown => {
    const { type, text } = (given ?? {}) as Bag;
    return type === 'text' ? { ...(given as Bag), text: shrink(text) } : given;
  };
  let made: unknown;
  if (Object.hasOwn(TEXTS, name)) {
    const texts = TEXTS[name]!.map((key) => [key, shrink((response as Bag | undefined)?.[key])] as const);
    made = { ...(response as Bag), ...Object.fromEntries(texts.filter(([, text]) => text !== undefined)) };
  } else if (name.startsWith('mcp__')) {
    made = Array.isArray(response) ? response.map(part) : shrink(response);
  }
  return isShorter ? made : undefined;
}

async function run(): Promise<void> {
  const { hook_event_name: name, tool_name: tool, tool_input: input, tool_response: response } = await event();
  const { intake, isRun } = fromEnvironment('claude');
  if (isRun) return;
  if (name === 'SessionStart' || name === 'UserPromptSubmit') return startIfDown(environment());
  if (name !== 'PostToolUse' || typeof tool !== 'string' || !intake) return;
  const updatedToolOutput = shortened(tool, input, response);
  if (updatedToolOutput === undefined) return;
  print(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } }));
}

// A hook that fails would be shown to the user; the agent goes on without it.
await run().catch(() => undefined);
