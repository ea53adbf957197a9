import type { ContentLike } from '../base/content.js';
import { densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';
import type { ToolDefinition } from '../generated/densify.js';
import type { FileOperations } from '../generated/summary.js';
import { neutralAs } from '../messages/neutral.js';
import { readSettings } from '../optimizer/settings.js';
import type { Callbacks } from '../types.js';
import type { FullGlue } from '../wasm/full.js';
import { conversationEngine } from './engine.js';
import { redactingErrors } from './redaction.js';
import { Summaries } from './summaries.js';
import type {
  ApplyOptions,
  DigestOptions,
  DigestResult,
  SummaryCheck,
  SummaryNoop,
  SummaryOptions,
  SummaryRequest,
  SummaryResult,
  Todo,
} from './types.js';

let shared: Summaries | undefined;

/** What the functions here share; it is made at first use. */
export function summaries(): Summaries {
  return (shared ??= new Summaries());
}

/** What a function of the module says; an error of its options may hold anything, so it is redacted. */
function told<T>(action: (glue: FullGlue) => T): T {
  return redactingErrors(summaries().redact, () => summaries().call(action));
}

/** Prepares summaries and conversations off the main thread, as `init` does for the rest. Optional, likewise. */
export async function initSummaries(): Promise<void> {
  await Promise.all([summaries().init(), conversationEngine().init()]);
}

/**
 * Plans the summary of a history: what to send to a model, as plain JSON. No model is called here.
 *
 * @example
 * const request = requestSummary(history, { strategy: 'middle-out' });
 * if (request.kind === 'request') {
 *   const result = applySummary(request, await ask(request.messages), history);
 * }
 */
export function requestSummary<M extends ContentLike>(
  messages: readonly M[],
  options: SummaryOptions<M>,
): SummaryRequest<M> | SummaryNoop {
  return summaries().request(neutralAs<M>(), messages, options);
}

/**
 * Checks a model's reply and puts the summary into the history as it is now: messages that were added meanwhile stay.
 * An unusable reply comes with a new request that names what is missing.
 */
export function applySummary<M extends ContentLike>(
  request: SummaryRequest<M>,
  reply: string,
  messages: readonly M[],
  options?: ApplyOptions,
): SummaryResult<M> {
  return summaries().apply(neutralAs<M>(), request, reply, messages, options);
}

/** Checks a reply as `applySummary` does, and applies nothing. */
export function verifySummary<M extends ContentLike>(
  reply: string,
  messages: readonly M[],
  options: SummaryOptions<M>,
): SummaryCheck<M> {
  return summaries().verify(neutralAs<M>(), reply, messages, options);
}

/**
 * Makes a summary by rules, without a model. It holds the user's requests word for word, changed files, commands with their
 * outcome, open errors, the todo list, the agent's last notes, and the definitions in code it saw. Like a model's summary it
 * replaces everything before the tail, and each kind includes an earlier summary of the other.
 *
 * @example
 * const { messages } = digest(history, { contextLimit: 200_000 });
 */
export function digest<M extends ContentLike>(messages: readonly M[], options?: DigestOptions<M>): DigestResult<M> {
  return summaries().digest(neutralAs<M>(), messages, options).result;
}

/** Options of `structuredPrompt`. */
export interface PromptOptions {
  /**
   * The language of the summary.
   *
   * @default that of the conversation
   */
  readonly language?: string | undefined;
  /**
   * Whether there is an earlier summary to integrate.
   *
   * @default false
   */
  readonly previous?: boolean | undefined;
  /**
   * Whether todo items follow the history.
   *
   * @default false
   */
  readonly todos?: boolean | undefined;
  /**
   * Whether the prompt follows the conversation itself, not a text of it.
   *
   * @default false
   */
  readonly append?: boolean | undefined;
}

/** Options of `compressionPrompt`. */
export interface CompressionPromptOptions extends PromptOptions {
  /** Whether the middle of the history is summarised or all of it. */
  readonly framing: 'middle-out' | 'one-shot' | 'structured';
}

/** The prompt of the strategies `middle-out` and `one-shot`: the form of the snapshot, and what goes into it. */
export function compressionPrompt(options: CompressionPromptOptions): string {
  return told((glue) => glue.compressionPrompt(readSettings(options).json));
}

/** The prompt of the strategy `structured`: the first summary, or with `previous` its update. */
export function structuredPrompt(options: PromptOptions = {}): string {
  return told((glue) => glue.compressionPrompt(readSettings({ ...options, framing: 'structured' }).json));
}

/** Todo items as text for a prompt; `undefined` if there are none. */
export function todoContext(todos: readonly Todo[]): string | undefined {
  return told((glue) => glue.todoContext(readSettings({ todos }).json));
}

/**
 * Where prompts that replace a built-in one are looked up: paths, the most specific first. A model stands below its
 * provider: without one its name is checked and not looked for. Nothing is ever looked up in the workspace.
 */
export function promptCandidates(
  name: string,
  { provider, model }: { readonly provider?: string | undefined; readonly model?: string | undefined } = {},
): readonly string[] {
  for (const [key, value] of Object.entries({ name, provider, model })) {
    if (typeof value === 'string' || (value === undefined && key !== 'name')) continue;
    throw densifyError('invalid-path', `${key}: found ${describe(value)}, expected a plain name`, { key });
  }
  return JSON.parse(told((glue) => glue.promptCandidates(name, provider, model))) as readonly string[];
}

/** Options of `fileOperations`. */
export interface FileOptions extends Pick<Callbacks, 'isFailure'> {
  /**
   * What relative paths are resolved against. Without it they stay relative.
   *
   * @default none
   */
  readonly workspaceRoot?: string | undefined;
  /**
   * Tools that the built-in table doesn't know, or knows differently.
   *
   * @default []
   */
  readonly tools?: readonly ToolDefinition[] | undefined;
}

/** The files that a history's calls read and changed, by action; failed calls don't count. */
export function fileOperations<M extends ContentLike>(messages: readonly M[], options?: FileOptions): FileOperations {
  const found = redactingErrors(redact, () => {
    return summaries().read(neutralAs<M>(), messages, options, (handle, host) => handle.fileOperations(host));
  });
  return JSON.parse(found) as FileOperations;
}

/** File operations as the lists that stand behind a structured summary. */
export function formatFileOperations(operations: FileOperations): string {
  return told((glue) => glue.formatFileOperations(readSettings(operations).json));
}

/**
 * Replaces credentials of well-known shapes in a text by `[REDACTED: <kind>]`, and leaves everything
 * else as it is.
 */
export function redact(text: string): string {
  if (typeof text !== 'string') {
    throw densifyError('invalid-options', `text: found ${describe(text)}, expected a string`, { key: 'text' });
  }
  return summaries().redact(text);
}
