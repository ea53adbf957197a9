/** Tools whose results are shrunk before anybody keeps them. */
import { parseJson } from '../base/json.js';
import { isPromise, wrongArgument } from '../base/options.js';
import { withChanges } from '../base/share.js';
import type { Bag } from '../messages/facts.js';
import { RECALLING } from '../recall/note.js';
import { type ShrinkOptions, shrinkResult } from './functions.js';
import type { ShrunkMessages } from './messages.js';

/** Options of `shrinkTools`. */
export type ShrinkToolsOptions = ShrinkOptions & {
  /**
   * Changes nothing. `onShrunk` gets the results that shortening would have had.
   *
   * @default false
   */
  readonly observe?: boolean | undefined;
  /**
   * Called with each shortened result.
   *
   * @default none
   */
  readonly onShrunk?: ((shrunk: ShrunkTool) => void) | undefined;
  /**
   * Called with an error. The result was passed on unchanged.
   *
   * @default a warning on the console
   */
  readonly onWarning?: ((error: unknown) => void) | undefined;
};

/** A tool's result that became shorter, in UTF-16 code units. */
export interface ShrunkTool {
  readonly tool: string;
  readonly before: number;
  readonly after: number;
  /** The reducers that had a part in it. */
  readonly reducers: ShrunkMessages<never>['reducers'];
}

/** A result, shorter. */
type Shrunk = (tool: string, parameters: unknown, result: unknown) => unknown;

/** The methods that SDKs use to call tools, with the position of the parameters among the arguments. */
const METHODS: Readonly<Record<string, (args: readonly unknown[]) => unknown>> = {
  // The AI SDK has the parameters first, pi the call's id.
  execute: ([first, second]) => (typeof first === 'string' ? second : first),
  // Anthropic's runnable tools.
  run: ([first]) => first,
  // LangChain has the call first, or its arguments; OpenAI's agents the context of the run, then JSON.
  invoke: ([first, second]) =>
    typeof second === 'string' ? parseJson(second) : ((first as Bag | null)?.args ?? first),
  // What the OpenAI SDK's `runTools` calls, inside of a tool.
  function: ([first]) => (typeof first === 'string' ? parseJson(first) : first),
};

/**
 * Returns copies of your tools that shorten their results, as `shrinkResult` does, before the results enter a history.
 * Pass tools of the AI SDK (a record), or of Anthropic's, OpenAI's and Google's SDKs, OpenAI's Agents SDK, LangChain or
 * pi (lists). Texts are shortened, also in lists of parts, in messages and in each value of a generator. All other
 * return values pass unchanged. If anything goes wrong, the result passes unchanged, too.
 *
 * @example
 * await generateText({ model, tools: shrinkTools({ run_tests }), prompt });
 */
export function shrinkTools<T extends object>(tools: T, options: ShrinkToolsOptions = {}): T {
  if (typeof (tools as unknown) !== 'object' || (tools as unknown) === null) {
    throw wrongArgument('tools', tools, 'a tool, a list of tools or a record of them');
  }
  const { observe, onShrunk, onWarning = warn, ...wanted } = options;
  // Wrong options are an error now.
  shrinkResult({ name: '' }, '', wanted);
  // Nothing is kept of what isn't cut.
  const settings = observe === true ? { ...wanted, recall: undefined } : wanted;
  const shrunk = (tool: string, parameters: unknown, result: unknown): unknown => {
    if (wanted.recall !== undefined && RECALLING.includes(tool)) return result;
    try {
      let before = 0;
      let after = 0;
      const reducers = new Set<ShrunkTool['reducers'][number]>();
      const shorter = withTexts(result, (text) => {
        const made = shrinkResult({ name: tool, parameters }, text, settings);
        before += text.length;
        after += made.result.length;
        made.reducers.forEach((name) => reducers.add(name));
        return made.changed ? made.result : undefined;
      });
      if (shorter === result) return result;
      onShrunk?.({ tool, before, after, reducers: [...reducers] });
      return observe === true ? result : shorter;
    } catch (error) {
      try {
        onWarning(error);
      } catch {
        // A caller's report of a failure must not fail again.
      }
      return result;
    }
  };
  if (Array.isArray(tools)) return tools.map((tool: unknown) => wrapped(tool, nameOf(tool), shrunk)) as unknown as T;
  if (isCallable(tools)) return wrapped(tools, nameOf(tools), shrunk) as T;
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, wrapped(tool, name, shrunk)])) as T;
}

function nameOf(tool: unknown): string {
  const { name } = (tool ?? {}) as Bag;
  return typeof name === 'string' ? name : '';
}

function isCallable(tool: object): boolean {
  return [...Object.keys(METHODS), 'callTool'].some((key) => typeof (tool as Bag)[key] === 'function');
}

/** A copy of a tool with other methods; what isn't called here is handed on. */
function wrapped(tool: unknown, name: string, shrunk: Shrunk): unknown {
  if (typeof tool !== 'object' || tool === null) return tool;
  const changes: Record<string, unknown> = {};
  const { callTool, function: inner } = tool as Bag;
  if (typeof callTool === 'function') changes.callTool = callingAll(tool, callTool as CallAll, shrunk);
  // Without its own name it has that of its function.
  const innerName = nameOf(inner) || nameOf((inner as Bag | undefined)?.function);
  const made = wrapped(inner, innerName, shrunk);
  if (made !== inner) changes.function = made;
  for (const [key, parametersOf] of Object.entries(METHODS)) {
    const method = (tool as Bag)[key];
    if (typeof method !== 'function') continue;
    changes[key] = (...args: unknown[]): unknown => {
      const result: unknown = method.apply(tool, args);
      return later(result, (value) => shrunk(name, parametersOf(args), value));
    };
  }
  return Object.keys(changes).length === 0 ? tool : withChanges(tool, changes);
}

/** What a tool gives, at once or later, or piece by piece. */
function later(given: unknown, change: (value: unknown) => unknown): unknown {
  if (isPromise(given)) return given.then(change);
  // Streams, which can be iterated too, are the host's.
  return isGenerator(given) ? each(given, change) : change(given);
}

function isGenerator(given: unknown): given is AsyncIterable<unknown> {
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return false;
  return typeof (given as { readonly next?: unknown }).next === 'function';
}

async function* each(values: AsyncIterable<unknown>, change: (value: unknown) => unknown): AsyncGenerator<unknown> {
  for await (const value of values) yield change(value);
}

type CallAll = (...args: unknown[]) => unknown;

/** Google's SDK has all calls of a turn made at once, and gets a part for each. */
function callingAll(tool: object, callTool: CallAll, shrunk: Shrunk): CallAll {
  return async (...args: unknown[]): Promise<unknown> => {
    const parts: unknown = await callTool.apply(tool, args);
    if (!Array.isArray(parts)) return parts;
    const calls = (Array.isArray(args[0]) ? args[0] : []) as readonly (Bag | null)[];
    return parts.map((part: unknown) => {
      const answer = (part as Bag | null)?.functionResponse as Bag | undefined;
      const name = nameOf(answer);
      const call =
        calls.find((each) => each?.id !== undefined && each.id === answer?.id) ??
        calls.find((each) => nameOf(each) === name);
      const response = shrunk(name, call?.args, answer?.response);
      if (answer === undefined || response === answer.response) return part;
      return withChanges(part as object, { functionResponse: withChanges(answer, { response }) });
    });
  };
}

/**
 * A result with other texts: one that is a text, a list of parts with texts, or an object whose `output`, `text` or
 * `content` is one of these. The very one that was handed in if none changes.
 */
function withTexts(result: unknown, change: (text: string) => string | undefined, depth = 0): unknown {
  if (typeof result === 'string') return change(result) ?? result;
  if (typeof result !== 'object' || result === null || depth > 3) return result;
  if (Array.isArray(result)) {
    const parts = result.map((part: unknown) => (isPart(part) ? withTexts(part, change, depth + 1) : part));
    return parts.some((part, at) => part !== result[at]) ? parts : result;
  }
  const key = ['content', 'output', 'text'].find((name) => name in result);
  if (key === undefined) return result;
  const before = (result as Bag)[key];
  const after = withTexts(before, change, depth + 1);
  return after === before ? result : withChanges(result, { [key]: after });
}

/** Whether a member of a list is a part of a content: lists of plain texts are data. */
function isPart(part: unknown): boolean {
  const { type } = (part ?? {}) as Bag;
  return type === 'text' || type === 'input_text';
}

function warn(error: unknown): void {
  console.warn('densify: a result could not be shortened, so it stays whole; the error says why:', error);
}
