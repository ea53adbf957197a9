/** Tools whose results are shrunk before anybody keeps them. */
import type { Bag } from '../facts.js';
import { withChanges } from '../share.js';
import { type ShrinkOptions, shrinkResult } from './functions.js';

/** Options of `shrinkTools`. */
export type ShrinkToolsOptions = ShrinkOptions & {
  /**
   * Shrinks nothing; `onShrunk` is told what would have been done.
   *
   * @default false
   */
  readonly observe?: boolean | undefined;
  /**
   * Is told of each result that is shorter.
   *
   * @default nobody is told
   */
  readonly onShrunk?: ((shrunk: ShrunkTool) => void) | undefined;
  /**
   * Is told what went wrong; the result was handed on as it is.
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
}

/** The methods by which SDKs call tools, and which of their arguments the call's parameters are. */
const METHODS: Readonly<Record<string, (args: readonly unknown[]) => unknown>> = {
  // The AI SDK has the parameters first, pi the call's id.
  execute: ([first, second]) => (typeof first === 'string' ? second : first),
  // Anthropic's runnable tools.
  run: ([first]) => first,
  // LangChain has the call first, or its arguments; OpenAI's agents the context of the run, then JSON.
  invoke: ([first, second]) => (typeof second === 'string' ? fromJson(second) : ((first as Bag | null)?.args ?? first)),
};

/**
 * Copies of tools whose results are shrunk as `shrinkResult` does it, before they enter a history: of the AI SDK (a record),
 * Anthropic's SDK, OpenAI's Agents SDK, LangChain or pi (lists). Texts are shrunk, also in lists of parts and in
 * messages; whatever else a tool returns is handed on as it is. If anything goes wrong, so is the result.
 *
 * @example
 * await generateText({ model, tools: shrinkTools({ run_tests }), prompt });
 */
export function shrinkTools<T extends object>(tools: T, options: ShrinkToolsOptions = {}): T {
  const { observe, onShrunk, onWarning = warn, ...settings } = options;
  // Wrong options are an error now.
  shrinkResult({ name: '' }, '', settings);
  const shrunk = (tool: string, parameters: unknown, result: unknown): unknown => {
    try {
      let before = 0;
      let after = 0;
      const shorter = withTexts(result, (text) => {
        const { result: found, changed } = shrinkResult({ name: tool, parameters }, text, settings);
        before += text.length;
        after += found.length;
        return changed ? found : undefined;
      });
      if (shorter === result) return result;
      onShrunk?.({ tool, before, after });
      return observe === true ? result : shorter;
    } catch (error) {
      try {
        onWarning(error);
      } catch {
        // Who is told of a failure must not make a second one of it.
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
  return Object.keys(METHODS).some((key) => typeof (tool as Bag)[key] === 'function');
}

/** A copy of a tool with other methods; what isn't called here is handed on. */
function wrapped(
  tool: unknown,
  name: string,
  shrunk: (tool: string, parameters: unknown, result: unknown) => unknown,
): unknown {
  if (typeof tool !== 'object' || tool === null) return tool;
  const changes: Record<string, unknown> = {};
  for (const [key, parametersOf] of Object.entries(METHODS)) {
    const method = (tool as Bag)[key];
    if (typeof method !== 'function') continue;
    changes[key] = (...args: unknown[]): unknown => {
      const result: unknown = method.apply(tool, args);
      const settle = (value: unknown) => shrunk(name, parametersOf(args), value);
      return isPromise(result) ? result.then(settle) : settle(result);
    };
  }
  return Object.keys(changes).length === 0 ? tool : withChanges(tool, changes);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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
  console.warn('densify: a result was handed on as it is', error);
}
