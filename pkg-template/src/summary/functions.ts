import { densifyError } from '../base/errors.js';
import { describe, wrongArgument } from '../base/options.js';
import type { FileOperations } from '../generated/summary.js';
import { readSettings } from '../optimizer/settings.js';
import type { FullGlue } from '../wasm/full.js';
import { redactingErrors } from './redaction.js';
import { Summaries } from './summaries.js';
import type { Todo } from './types.js';

let shared: Summaries | undefined;

/** What the functions here share; it is made at first use. */
export function summaries(): Summaries {
  return (shared ??= new Summaries());
}

/** What a function of the module says; an error of its options may hold anything, so it is redacted. */
function told<T>(action: (glue: FullGlue) => T): T {
  return redactingErrors(summaries().redact, () => summaries().call(action));
}

/** Which prompt `compressionPrompt` returns. */
interface PromptOptions {
  /** The strategy: whether the middle of the history is summarised, all of it, or all of it in the structured form. */
  readonly framing: 'middle-out' | 'one-shot' | 'structured';
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

/** The built-in prompt of a strategy: the form and the content of the summary. */
export function compressionPrompt(options: PromptOptions): string {
  return told((glue) => glue.compressionPrompt(readSettings(options).json));
}

/** Todo items as text for a prompt; `undefined` if there are none. */
export function todoContext(todos: readonly Todo[]): string | undefined {
  return told((glue) => glue.todoContext(readSettings({ todos }).json));
}

/**
 * The paths of prompts that may replace a built-in one, the most specific first. A model's path lies below its
 * provider's: without a provider, the model's name is checked, but adds no path. densify never reads prompts from the
 * workspace.
 */
export function promptCandidates(
  name: string,
  { provider, model }: { readonly provider?: string | undefined; readonly model?: string | undefined } = {},
): readonly string[] {
  for (const [key, value] of Object.entries({ name, provider, model })) {
    if (typeof value === 'string' || (value === undefined && key !== 'name')) continue;
    throw densifyError(
      'invalid-path',
      `${key}: found ${describe(value)}, expected a string without '..' that is no absolute path`,
      { key },
    );
  }
  return told((glue) => glue.promptCandidates(name, provider, model));
}

/** File operations as lists, in the form that a structured summary ends with. */
export function formatFileOperations(operations: FileOperations): string {
  return told((glue) => glue.formatFileOperations(readSettings(operations).json));
}

/** Replaces credentials of well-known shapes in a text by `[REDACTED: <kind>]`. Everything else stays unchanged. */
export function redact(text: string): string {
  if (typeof text !== 'string') {
    throw wrongArgument('text', text, 'a string');
  }
  return summaries().redact(text);
}
