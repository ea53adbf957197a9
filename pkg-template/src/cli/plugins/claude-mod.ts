/**
 * A mod of Claude Code (tested with 2.1.330), which runs in its process: shortens new results, and tells the model what a
 * summary must keep. If anything fails, Claude Code continues without it.
 */
import { anthropic } from '../../formats/anthropic/format.js';
import { digestOf } from '../../formats/summary-verbs.js';
import { give } from './claude-mod-wasm.js';
import { isShortened, shortened } from './claude-results.js';
import { INTRODUCTION, OF_ALL, textOf } from './facts.js';
import { type PluginSettings, settingsFrom } from './settings.js';

type Bag = Readonly<Record<string, unknown>>;

/** What is used of the engine. */
interface Engine {
  readonly env: { get(name: string): Promise<string | undefined> };
  readonly wasm: { compile(path: string): Promise<WebAssembly.Module> };
}

interface ToolCall extends Bag {
  readonly tool: string;
}

/** A tool's result; one that a hook makes has only `result` and `context`. */
interface Answer {
  readonly result?: unknown;
  readonly context?: readonly string[];
  readonly deny?: string;
  readonly isError?: boolean;
}

interface SessionMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly toolUses: readonly { readonly tool_use_id: string; readonly tool: string; readonly input: Bag }[];
  readonly toolResults?: readonly { readonly tool_use_id: string; readonly text: string; readonly isError?: boolean }[];
  /** By it the engine knows its own message again. */
  readonly handle?: string;
}

interface Compaction {
  readonly instructions?: string;
  readonly messages: readonly SessionMessage[];
}

type Next<E, R> = (event: E) => Promise<R>;
interface On {
  (event: 'tool.call', hook: ($: Engine, event: ToolCall, next: Next<ToolCall, Answer>) => Promise<Answer>): unknown;
  (
    event: 'session.compact',
    hook: ($: Engine, event: Compaction, next: Next<Compaction, object>) => Promise<object>,
  ): unknown;
}

/** How Claude Code begins a summary of its own. */
const CONTINUED = 'This session is being continued from a previous conversation';

const digest = digestOf(anthropic);

let isReady: Promise<void> | undefined;

// Claude Code reads the source before it runs it: `$` may only be given to functions of the module, and its calls must
// be spelled `$.noun.event(…)`.

/** Makes the core ready; throws where Claude Code has no `$.wasm`. */
async function ready($: Engine): Promise<void> {
  await (isReady ??= $.wasm.compile('./full.wasm').then(give));
}

let settings: Promise<PluginSettings> | undefined;

async function settingsOf($: Engine): Promise<PluginSettings> {
  const [intake, compaction, run] = await Promise.all([
    $.env.get('DENSIFY_INTAKE'),
    $.env.get('DENSIFY_COMPACTION'),
    $.env.get('DENSIFY_RUN'),
  ]);
  return settingsFrom({ DENSIFY_INTAKE: intake, DENSIFY_COMPACTION: compaction, DENSIFY_RUN: run }, 'claude');
}

/** The message as the API has it. */
function messageOf({ role, text, toolUses, toolResults = [] }: SessionMessage) {
  const results = toolResults.map(({ tool_use_id, text: content, isError }) => ({
    type: 'tool_result' as const,
    tool_use_id,
    content,
    ...(isError === true ? { is_error: true } : {}),
  }));
  const texts = text === '' ? [] : [{ type: 'text' as const, text }];
  const calls = toolUses.map(({ tool_use_id: id, tool: name, input }) => ({
    type: 'tool_use' as const,
    id,
    name,
    input,
  }));
  return { role, content: [...results, ...texts, ...calls] };
}

/** A text of all that the session is about; `undefined` if there is little. */
function factsOf(messages: readonly SessionMessage[]): string | undefined {
  const made = digest(messages.map(messageOf), OF_ALL);
  return made.kind === 'applied' ? textOf(made.summary.content) : undefined;
}

/**
 * A digest instead of old messages; the newest ones stay, as texts and calls. They have no handles: by a handle
 * Claude Code would keep the thinking, which models refuse behind other messages, and resume the old session.
 */
function digested(messages: readonly SessionMessage[]): readonly SessionMessage[] | undefined {
  if (messages.some(({ text }) => text.startsWith(CONTINUED))) return undefined; // the model's summary goes on
  const own = new Map<object, SessionMessage>();
  for (const message of messages) own.set(messageOf(message), message);
  const made = digest([...own.keys()] as ReturnType<typeof messageOf>[], { keepFirstRequest: false });
  if (made.kind !== 'applied') return undefined;
  const kept = made.messages.flatMap((message): readonly SessionMessage[] => {
    const was = own.get(message);
    if (was === undefined) return []; // the digest, and the model's line behind it
    const { handle: _, ...built } = was;
    return [built];
  });
  return [{ role: 'user', text: textOf(made.summary.content), toolUses: [] }, ...kept];
}

export function register(on: On): void {
  on('tool.call', async ($, event, next) => {
    const answer = await next(event);
    try {
      if (!isShortened(event.tool) || answer.result === undefined || answer.isError === true) return answer;
      const { intake, isRun } = await (settings ??= settingsOf($));
      if (!intake || isRun) return answer;
      await ready($);
      const result = shortened(event.tool, event, answer.result);
      if (result === undefined) return answer;
      return answer.context === undefined ? { result } : { result, context: answer.context };
    } catch {
      return answer;
    }
  });

  on('session.compact', async ($, event, next) => {
    let changed: Compaction = event;
    try {
      const { compaction, isRun } = await (settings ??= settingsOf($));
      if (!isRun) {
        await ready($);
        const messages = compaction ? digested(event.messages) : undefined;
        if (messages !== undefined) return { messages };
        const facts = factsOf(event.messages);
        const instructions = [event.instructions ?? '', facts === undefined ? '' : `${INTRODUCTION}\n${facts}`];
        const text = instructions.filter((each) => each !== '').join('\n\n');
        if (facts !== undefined) changed = { ...event, instructions: text };
      }
    } catch {
      // Claude Code asks its model as usual.
    }
    return next(changed);
  });
}
