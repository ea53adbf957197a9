/** What becomes of a history before another model, or a smaller window, gets it. */

import { isObject, needObject, onlyKnown, optionError, readOption } from '../base/options.js';
import { isStackFull } from '../base/stack.js';
import type { Adapter } from '../messages/adapter.js';
import { jsonText } from '../messages/measure.js';
import { measuredFactor, scaled } from '../models/measured.js';
import { reasoningLoss } from '../models/profiles.js';
import type { Target } from '../models/target.js';
import { compressIn, estimateIn } from '../optimizer/functions.js';
import { checkList } from '../optimizer/optimizer.js';
import { sharedEngine } from '../optimizer/shared-engine.js';
import type { Callbacks, CompressOptions, CompressResult, Edit } from '../types.js';
import { listed, targetKeys } from './adapter.js';
import type { Format } from './format.js';
import type { Listed } from './listed-blocks.js';
import { take } from './take.js';

/** A model and its window: the options of the format (`model`, `provider`, …), and these. */
export type PlanSide<O extends Target = Target> = O &
  Pick<Callbacks, 'countTokens'> & {
    /**
     * The model's context window, in tokens; of `to` it must be known.
     *
     * @default none
     */
    readonly contextLimit?: number | undefined;
  };

/** What `plan` is asked: the options of `compress` say how it would cut. */
export interface PlanOptions<M, O extends Target = Target>
  extends Omit<CompressOptions<M>, 'strategy' | 'contextLimit' | 'tokens' | 'countTokens'> {
  readonly messages: readonly M[];
  /** The model that the messages are sent to now. */
  readonly from: PlanSide<O>;
  /** The next model. Name only the window if the model stays the same. */
  readonly to: PlanSide<O> & { readonly contextLimit: number };
  /**
   * How it would be cut.
   *
   * @default 'high-density'
   */
  readonly strategy?: CompressOptions['strategy'] | undefined;
}

/** Tokens of the messages. */
export interface PlannedTokens {
  /**
   * As the current model counts them: densify's count, times 1.6 for Claude (1.24 for models before Opus 4.7 and Sonnet
   * 5, and for Gemini).
   */
  readonly from: number;
  /** As the next one counts, without reasoning that it takes none of. */
  readonly to: number;
  /** The next model's room for them: its window without `reserve` and `overhead`. */
  readonly room: number;
  /** How many have to go; 0 if the messages fit. */
  readonly excess: number;
  /** How many are left after the cut. */
  readonly after: number;
}

/** A message whose reasoning is lost. */
export interface LostReasoning {
  readonly index: number;
  readonly tokens: number;
  /**
   * `'other-model'`: only the model that wrote it can read or verify it. `'not-taken'`: the next model accepts none.
   * `'cut'`: its message has to be cut.
   */
  readonly reason: 'other-model' | 'not-taken' | 'cut';
}

/** The effects of a switch. `plan` changes nothing. */
export interface Plan<M> {
  /**
   * `'fits'`: the history fits. `'fits-when-cut'`: `messages` fit. `'too-large'`: not even the result of `compress`
   * fits, so ask for a summary.
   */
  readonly verdict: 'fits' | 'fits-when-cut' | 'too-large';
  readonly tokens: PlannedTokens;
  /** What would be cut; `undefined` if the messages fit. */
  readonly cut: CompressResult<M> | undefined;
  /** The messages after the cut; your own list if nothing has to be cut. */
  readonly messages: readonly M[];
  /** The reasoning that the next model won't have, in order. */
  readonly reasoning: readonly LostReasoning[];
}

/** `plan` over the messages of one format. */
interface PlanVerbs<L extends object, O extends Target> {
  /**
   * Previews a switch to another model or a smaller window. It changes nothing.
   *
   * @example
   * const { verdict, reasoning } = plan({ messages, from: { model }, to: { model: cheaper, contextLimit: 128_000 } });
   */
  plan<M extends L>(options: PlanOptions<M, O>): Plan<M>;
}

/** Makes `plan` of a format. */
export function planOf<L extends object, O extends Target>(format: Format<L, O>): PlanVerbs<L, O>['plan'] {
  return <M extends L>(options: PlanOptions<M, O>) => {
    const { messages, from, to: given, settings } = taken<L, O>(format.options, options);
    checkList(messages);
    const to = sameModel(from, given);
    const source = sideOf(format, { from });
    const destination = sideOf(format, { to });
    const { contextLimit, countTokens } = destination.counts;
    const { reserve, overhead } = settings;
    const room = (contextLimit ?? 0) - (reserve ?? 0) - (overhead ?? 0);
    // A window that has no room is an answer here. Options are checked by this, also where nothing has to go.
    const hasRoom = room > 0 || !((contextLimit ?? 0) > 0);
    const ours = <T>(tokens: T, round: (value: number) => number) => scaled(tokens, destination.factor, round);
    const within = {
      strategy: 'high-density',
      ...settings,
      countTokens,
      contextLimit: ours(contextLimit, Math.floor),
      reserve: hasRoom ? ours(reserve, Math.ceil) : 0,
      overhead: hasRoom ? ours(overhead, Math.ceil) : 0,
    } as CompressOptions<L>;
    const theirs = (tokens: number) => Math.ceil(tokens * destination.factor);
    const result = compressIn(sharedEngine(), destination.adapter, messages, within);
    const loss = reasoningLoss(format.family, from, to);
    // What the next model takes none of costs nothing there.
    const unsent = (list: readonly L[]) =>
      loss === 'not-taken' ? sum(lostReasoning(destination, list, loss, undefined)) : 0;
    const needed = theirs(result.tokensBefore) - unsent(messages);
    const fits = needed <= room;
    const after = fits ? needed : theirs(result.tokensAfter) - unsent(result.messages);
    const plan: Plan<L> = {
      verdict: fits ? 'fits' : after <= room ? 'fits-when-cut' : 'too-large',
      tokens: { from: countOf(source, messages), to: needed, room, excess: Math.max(0, needed - room), after },
      cut: fits ? undefined : result,
      messages: fits ? messages : result.messages,
      reasoning: lostReasoning(source, messages, loss, fits || loss !== undefined ? undefined : goneBy(result.edits)),
    };
    return plan as unknown as Plan<M>;
  };
}

/** The next side; where it names no model, that of the one before. */
function sameModel<S extends Target>(from: S, to: S): S {
  if (!isObject(from) || !isObject(to) || to.model !== undefined || to.provider !== undefined) return to;
  const { contextLimit: _, countTokens: __, ...target } = from as S & PlanSide;
  return { ...target, ...to };
}

function sum(lost: readonly LostReasoning[]): number {
  return lost.reduce((tokens, one) => tokens + one.tokens, 0);
}

/** Tokens as a side counts them. */
function countOf<L extends object>(side: Side<L>, what: string | readonly L[]): number {
  const { adapter, factor, counts } = side;
  return what === ''
    ? 0
    : Math.ceil(estimateIn(sharedEngine(), adapter, what, { countTokens: counts.countTokens }) * factor);
}

/** The messages whose reasoning is lost: all of them, or those of which some goes. */
function lostReasoning<L extends object>(
  source: Side<L>,
  messages: readonly L[],
  loss: LostReasoning['reason'] | undefined,
  gone: ReadonlyMap<number, ReadonlySet<number> | undefined> | undefined,
): LostReasoning[] {
  if (loss === undefined && gone === undefined) return [];
  return messages.flatMap((message, index) => {
    if (loss === undefined && gone?.has(index) !== true) return [];
    const blocks = gone?.get(index);
    const lost = thoughtsOf(source.format, message).filter(({ block }) => blocks === undefined || blocks.has(block));
    if (lost.length === 0) return [];
    const tokens = countOf(source, lost.map(({ text }) => text).join('\n'));
    return [{ index, tokens, reason: loss ?? 'cut' }];
  });
}

/** What goes, by message: blocks of it, or `undefined` for all of them. */
function goneBy(edits: readonly Edit[]): Map<number, Set<number> | undefined> {
  const gone = new Map<number, Set<number> | undefined>();
  for (const edit of edits) {
    const { index, kind, pending } = edit;
    if (pending) continue;
    if (kind === 'drop') gone.set(index, undefined);
    else if (kind === 'drop-block' && !(gone.has(index) && gone.get(index) === undefined)) {
      gone.set(index, (gone.get(index) ?? new Set()).add(edit.block));
    }
  }
  return gone;
}

/** What the model thought in a message; items that only the provider can read among it. */
function thoughtsOf<L extends object>(format: Format<L, never>, message: L) {
  try {
    return listed(format, message).list.flatMap((found, block) =>
      isThought(found) ? [{ block, text: typeof found.value === 'string' ? found.value : jsonText(found.value) }] : [],
    );
  } catch (thrown) {
    if (isStackFull(thrown)) throw thrown;
    return []; // what can't be read stays as it is
  }
}

function isThought({ kind, value }: Listed): boolean {
  if (kind === 'thinking') return true;
  if (kind !== 'opaque' || typeof value !== 'object' || value === null) return false;
  const { type, reasoning } = value as { readonly type?: unknown; readonly reasoning?: unknown };
  return type === 'reasoning' || type === 'thinking' || (typeof reasoning === 'object' && reasoning !== null);
}

/** The options of `plan`: what they say of both sides, and how to cut. */
function taken<L, O extends Target>(own: readonly string[], options: object) {
  needObject(options);
  const read: Record<string, unknown> = {};
  for (const key of Object.keys(options)) read[key] = readOption(options, key);
  const misplaced = [...own, 'model', 'provider', ...OF_SIDES].find((key) => Object.hasOwn(read, key));
  if (misplaced !== undefined) {
    throw optionError(misplaced, ": set it inside 'from: {…}' or 'to: {…}'");
  }
  const { messages, from, to, ...settings } = read;
  return { messages, from, to, settings } as {
    readonly messages: readonly L[];
    readonly from: PlanSide<O>;
    readonly to: PlanSide<O>;
    readonly settings: Pick<CompressOptions<L>, 'reserve' | 'overhead'>;
  };
}

/** The description of one side, apart from its target. */
const OF_SIDES = ['contextLimit', 'countTokens'];

/** One side, and how it reads messages. */
interface Side<L extends object> {
  readonly adapter: Adapter<L>;
  readonly format: Format<L, never>;
  readonly counts: Pick<PlanSide, 'contextLimit' | 'countTokens'>;
  /** The provider's count, divided by densify's. */
  readonly factor: number;
}

function sideOf<L extends object, O extends Target>(
  format: Format<L, O>,
  named: Readonly<Record<string, PlanSide<O>>>,
): Side<L> {
  const [name, side] = Object.entries(named)[0]!;
  needObject(side, name);
  const { adapter, format: chosen = format, rest, target } = take<L, L, O, object>(format, side);
  onlyKnown(rest, [...targetKeys(format), ...OF_SIDES], { within: name });
  const counts: Side<L>['counts'] = rest ?? {};
  return { adapter, format: chosen, counts, factor: measuredFactor(adapter, { ...target, ...counts }) };
}
