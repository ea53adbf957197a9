import { batch, computed, signal } from '@preact/signals';
import type { ContentBlock, IContent } from 'densify';
import type { Endpoint, Piece } from '../endpoint/api.js';
import { askModel } from '../endpoint/client.js';
import { engine } from '../engine/client.js';
import { asText } from '../lib/payload.js';
import { oneLine } from '../lib/text.js';
import { askLocal } from '../local/client.js';
import { close, facts, settings, show, update } from '../state/conversation.js';
import { demos, openDemo } from '../state/demos.js';
import { view } from '../state/route.js';
import { Project, STATUSES, type TodoItem } from './project.js';
import { blocksOf, ENDED, TASKS } from './script.js';

/** Who answers. */
export const MODELS = ['script', 'local', 'endpoint'] as const;
export type ModelKind = (typeof MODELS)[number];

/** Calls of the model that one request may lead to. */
const MOST_CALLS = 24;

export const model = signal<ModelKind>('script');
export const endpoint = signal<Endpoint>({ dialect: 'openai', url: 'http://localhost:8080/v1', model: '' });
export const withTools = signal(true);
export const contents = signal<readonly IContent[]>([]);
/** What the model is saying right now. */
export const saying = signal<{ readonly text: string; readonly thinking: string } | undefined>(undefined);
export const failure = signal<string | undefined>(undefined);
export const isWorking = computed(() => saying.value !== undefined);
const task = signal(0);

/** What the scripted agent is asked next. */
export const nextRequest = computed(() => TASKS[task.value]?.request);

/** The agent's list of what to do, as it last wrote it. */
export const todos = computed<readonly TodoItem[]>(() => {
  const calls = contents.value.flatMap(({ blocks }) =>
    blocks.filter((block) => block.type === 'tool_call' && block.name === 'todo_write'),
  );
  const last = calls.at(-1);
  return last?.type === 'tool_call' ? todosIn(last.parameters) : [];
});

/** A model may write anything there. */
function todosIn(parameters: unknown): TodoItem[] {
  const { todos: found } = ((typeof parameters === 'object' ? parameters : undefined) ?? {}) as { todos?: unknown };
  if (!Array.isArray(found)) return [];
  return found.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('content' in item)) return [];
    const status = 'status' in item ? STATUSES.find((one) => one === item.status) : undefined;
    return [{ content: oneLine(asText(item.content), 300), status: status ?? 'pending' }];
  });
}

let project = new Project();
let stop: AbortController | undefined;
let id: number | undefined;

const isOwn = (shown: number): boolean => shown === id;

export function startOver(): void {
  stop?.abort();
  if (id !== undefined) {
    const old = id;
    const isShown = facts.value !== undefined && isOwn(facts.value.id);
    close(old);
    void (isShown ? openDemo(demos[0].key) : Promise.resolve()).then(() => engine.forget(old));
  }
  id = undefined;
  project = new Project();
  batch(() => {
    task.value = 0;
    contents.value = [];
    failure.value = undefined;
  });
}

/** Shows the chat's context, if there is one. */
export async function lookAtChat(): Promise<void> {
  if (contents.value.length > 0 && (facts.value === undefined || !isOwn(facts.value.id))) await share();
}

export const stopNow = (): void => stop?.abort();

export async function send(text: string): Promise<void> {
  if (isWorking.value) return;
  contents.value = [...contents.value, { speaker: 'human', blocks: [{ type: 'text', text }] }];
  await work();
}

/** Asks again, from the last thing that the user said. */
export async function retry(): Promise<void> {
  if (isWorking.value) return;
  const last = contents.value.findLastIndex(({ speaker }) => speaker === 'human');
  contents.value = contents.value.slice(0, last + 1);
  await work();
}

async function work(): Promise<void> {
  stop = new AbortController();
  const { signal: stopped } = stop;
  batch(() => {
    failure.value = undefined;
    saying.value = { text: '', thinking: '' };
  });
  try {
    for (let count = 0, goes = true; goes && !stopped.aborted; count += 1) {
      if (count === MOST_CALLS)
        throw new Error(`The model made ${MOST_CALLS} tool calls in a row. Tell it how to continue.`);
      goes = await oneCall(count, stopped);
    }
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
  if (model.value === 'script') task.value += 1;
  saying.value = undefined;
  await share();
}

/** One call of the model, and of the tools that it wants; says whether it goes on. */
async function oneCall(count: number, stopped: AbortSignal): Promise<boolean> {
  const shared = await share();
  const messages = await engine.contents(shared, settings.value);
  saying.value = { text: '', thinking: '' };
  const blocks =
    model.value === 'script' ? await answerOfScript(count, stopped) : await answerOfModel(messages, stopped);
  const calls = blocks.filter((block) => block.type === 'tool_call');
  // A call that was stopped before it was answered would be torn from its result.
  const kept = stopped.aborted ? blocks.filter((block) => block.type !== 'tool_call') : blocks;
  if (kept.length === 0) return false;
  const answers = stopped.aborted ? [] : calls.map(useTool);
  contents.value = [
    ...contents.value,
    { speaker: 'ai', blocks: [...kept] },
    ...(answers.length > 0 ? [{ speaker: 'tool' as const, blocks: answers }] : []),
  ];
  return answers.length > 0;
}

function useTool(call: Extract<ContentBlock, { type: 'tool_call' }>): ContentBlock {
  const { result, error } = project.use(call.name, call.parameters);
  return {
    type: 'tool_response',
    callId: call.id,
    toolName: call.name,
    result,
    ...(error === undefined ? {} : { error }),
  };
}

const isQuick = matchMedia('(prefers-reduced-motion: reduce)');
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, isQuick.matches ? 0 : ms));

async function answerOfScript(count: number, stopped: AbortSignal): Promise<ContentBlock[]> {
  const step = TASKS[task.value]?.steps[count] ?? ENDED;
  await pause(350);
  for (const word of (step.say ?? '').split(/(?<= )/)) {
    if (stopped.aborted) break;
    say({ kind: 'text', text: word });
    await pause(14);
  }
  return blocksOf(step, (index) => `call_${task.value}_${count}_${index}`);
}

function answerOfModel(messages: readonly IContent[], stopped: AbortSignal): Promise<readonly ContentBlock[]> {
  if (model.value === 'local') return askLocal(messages, false, say, stopped);
  return askModel({ endpoint: endpoint.value, messages, withTools: withTools.value }, say, stopped);
}

function say({ kind, text }: Piece): void {
  const { text: said, thinking } = saying.value ?? { text: '', thinking: '' };
  saying.value = kind === 'text' ? { text: said + text, thinking } : { text: said, thinking: thinking + text };
}

/** Gives the chat to the worker, and shows what became of its context, unless the user looks elsewhere. */
async function share(): Promise<number> {
  const isNew = id === undefined;
  const known = await engine.setContents(id, 'Your chat', contents.value);
  id = known.id;
  const isShown = facts.value !== undefined && isOwn(facts.value.id);
  if (isShown) update(known);
  else if (isNew || view.value === 'chat') show(known, true);
  else update(known);
  return known.id;
}
