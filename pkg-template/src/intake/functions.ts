import { refuse, wrongArgument } from '../base/options.js';
import { intakeKeys } from '../generated/constants.js';
import type { ToolDefinition } from '../generated/densify.js';
import type { IntakeSettings, ReducerSettings } from '../generated/intake.js';
import { aboutCall } from '../messages/about-call.js';
import { CALLBACKS } from '../optimizer/elsewhere.js';
import { readSettings } from '../optimizer/settings.js';
import { checkRecall, noted, RECALLING } from '../recall/note.js';
import type { Recall } from '../recall/types.js';
import type { AllOptional } from '../types.js';
import { type Shrinker, shrinker } from './shrinker.js';

/** How results are shrunk. */
export type IntakeOptions = Omit<AllOptional<IntakeSettings>, 'reducers'> & {
  /**
   * Reducers that are to be off, or on.
   *
   * @default each as it says
   */
  readonly reducers?: AllOptional<ReducerSettings> | undefined;
};

/** Options of `shrinkResult`. */
export type ShrinkOptions = IntakeOptions & {
  /**
   * Your own tools, and tools that the built-in table describes differently.
   *
   * @default []
   */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /**
   * Keeps full results (`createRecall` of `densify/recall`). A note at the end of each shortened result has its
   * reference. If the store fails, `shrinkResult` throws, and the other functions leave the result unchanged.
   *
   * @default nothing is kept
   */
  readonly recall?: Recall | undefined;
};

/** The call that a result answers. */
export interface AnsweredCall {
  /** The tool's name. */
  readonly name: string;
  /**
   * The arguments of the call: an object, or its JSON text. Results of commands that show a file stay unchanged, and
   * lines that the call asked for stay in shortened results.
   *
   * @default that of `input`, `arguments` or `args`, else unknown
   */
  readonly parameters?: unknown;
  /**
   * The same, as Anthropic's and the AI SDK's calls have it.
   *
   * @default unknown
   */
  readonly input?: unknown;
  /**
   * The same, as OpenAI's and pi's calls have it.
   *
   * @default unknown
   */
  readonly arguments?: unknown;
  /**
   * The same, as Gemini's and LangChain's calls have it.
   *
   * @default unknown
   */
  readonly args?: unknown;
}

/** The outcome of a result. */
export interface ShrunkResult<R> {
  /** The shorter result, or your own if it could not be shortened. */
  readonly result: R;
  readonly changed: boolean;
  /** The reducers that had a part in it. */
  readonly reducers: readonly (keyof ReducerSettings & string)[];
}

/**
 * Shortens a tool's result before it is first sent, when that costs no cache. It removes noise and rewrites the rest in
 * a shorter form. Notes name the lines that it left out (`… (412 passing tests left out)`). Results that show a file
 * stay exact. It shortens only strings and the `output` of objects. Use it only for tool results, not for texts that
 * users paste.
 *
 * @example
 * const { result } = shrinkResult({ name: 'bash', parameters: { command: 'npm test' } }, output);
 */
export function shrinkResult<R>(call: AnsweredCall, result: R, options?: ShrinkOptions): ShrunkResult<R> {
  return shrinkIn(shrinker(), call, result, options);
}

/** @internal The same on an instance. */
export function shrinkIn<R>(
  shrinker: Shrinker,
  call: AnsweredCall,
  result: R,
  options: ShrinkOptions | undefined,
): ShrunkResult<R> {
  const name: unknown = (call as AnsweredCall | null | undefined)?.name;
  if (typeof name !== 'string') {
    throw wrongArgument('call', call, 'an object with a name');
  }
  refuse(options, CALLBACKS, 'shrinking one result does not use it; leave it out');
  const { json } = readSettings(options, { core: [...intakeKeys, 'tools'], ours: ['recall'], functions: [] });
  const { recall } = options ?? {};
  checkRecall(recall);
  const text = textOf(result);
  const shrunk = shrinker.shrink(text ?? '', name, parametersOf(call), json);
  const as = { result, changed: false, reducers: [] };
  if (text === undefined || shrunk === undefined || (recall !== undefined && RECALLING.includes(name))) return as;
  const [short, reducers] = shrunk;
  const shorter = noted(recall, text, short, recall && aboutCall(name, { name, parameters: parametersOf(call) }));
  if (shorter === undefined) return as;
  const changed = typeof result === 'string' ? shorter : { ...result, output: shorter };
  return { result: changed as R, changed: true, reducers: reducers as ShrunkResult<R>['reducers'] };
}

/** The names that SDKs give to a call's parameters; the first one found counts. */
const PARAMETERS = ['parameters', 'input', 'arguments', 'args'];

/** What a tool was called with, in whichever way a call says so. */
function parametersOf(call: object): unknown {
  const held = call as Readonly<Record<string, unknown>>;
  const given = PARAMETERS.map((key) => held[key]).find((value) => value !== undefined);
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}

function textOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined;
  try {
    const { output } = result as { readonly output?: unknown };
    return typeof output === 'string' ? output : undefined;
  } catch {
    return undefined;
  }
}
