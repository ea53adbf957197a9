import type { ProviderRules } from '../api.js';
import type { Context, Edit, Entry, Pairing, Part } from '../context.js';
import { dropping, textAt } from '../context.js';
import type { Info } from '../words.js';
import { lastIndex, runEnds } from './last.js';

interface Call {
  readonly part: Part;
  /** The entries that may hold its result: from, and up to but not including. */
  readonly from: number;
  readonly to: number;
  /** How many calls before it have its id. */
  readonly ordinal: number;
  result?: Part;
}

/** The calls of one id: the first, and those without a result, in order. */
interface SameId {
  readonly first: Call;
  readonly open: Call[];
  count: number;
}

type Calls = Map<string, SameId>;

/** A result that found no call when it was met; one that comes later may be meant. */
interface Stray {
  readonly part: Part;
  readonly id: string;
  readonly at: number;
  /** Whether earlier calls used this id and all of them have results. */
  readonly isAgain: boolean;
}

/** Calls and results: each has its one counterpart, in the right place, under a good id. */
export function checkPairs(context: Context, pairing: Pairing): void {
  const { entries } = context;
  const calls: Calls = new Map();
  const all: Call[] = [];
  const strays: Stray[] = [];
  const window = windows(entries, pairing);
  entries.forEach(({ parts }, at) => {
    for (const part of parts) {
      if (part.kind !== 'call' && part.kind !== 'result') continue;
      if (part.id === undefined) context.report('missing-call-id', part.path);
      else if (part.kind === 'result') {
        const stray = checkResult(part, part.id, at, calls.get(part.id), pairing, context);
        if (stray !== undefined) strays.push(stray);
      } else all.push(addCall(part, part.id, window(at), calls));
    }
  });
  checkStrays(strays, calls, pairing, context);
  checkIds(all, calls, context);
  checkNames(all, pairing, context);
  checkAnswers(all, calls, pairing, context);
}

function addCall(part: Part, id: string, window: Pick<Call, 'from' | 'to'>, calls: Calls): Call {
  const known = calls.get(id);
  const call: Call = { part, ...window, ordinal: known?.count ?? 0 };
  const same = known ?? { first: call, open: [], count: 0 };
  same.open.push(call);
  same.count += 1;
  calls.set(id, same);
  return call;
}

function checkAnswers(all: readonly Call[], calls: Calls, pairing: Pairing, context: Context): void {
  const pending = pairing.pending?.(context);
  const open = all.filter(({ part, result }) => result === undefined && pending?.(part) !== true);
  // A provider names all unanswered calls of a message, and says it once.
  const named = new Map<unknown, string[]>();
  for (const { part } of open)
    named.set(part.path[0], [...(named.get(part.path[0]) ?? []).slice(0, 99), part.id ?? '']);
  for (const { part } of open) {
    const ids = named.get(part.path[0]) ?? [part.id ?? ''];
    named.delete(part.path[0]);
    // An id that is to be changed is changed before it is answered.
    const renamed = idProblem(part.id ?? '', context.rules) !== undefined && calls.get(part.id ?? '')?.count === 1;
    const remedy = renamed ? [] : (pairing.answer?.(part, context) ?? drop(part, pairing, context));
    context.report('orphan-call', part.path, { ...naming(part), ids }, remedy);
  }
}

/** What tells a call or a result from others. */
function naming({ id, source }: Part): Pick<Info, 'id' | 'type'> {
  return { id, type: textAt(source, 'type') };
}

/** Finds a result's call among those before it; the result, if there is none. */
function checkResult(
  part: Part,
  id: string,
  at: number,
  same: SameId | undefined,
  pairing: Pairing,
  context: Context,
): Stray | undefined {
  // The newest call is meant where an id is used again.
  const open = takeLast(same?.open, (call) => call.from <= at && at < call.to);
  if (open !== undefined) {
    open.result = part;
    const level = pairing.warnsApart === true ? apart(open.part, at, context) : undefined;
    if (level === undefined) return undefined;
    const move = pairing.move?.(part, open.part, context) ?? [];
    context.report('misplaced-result', part.path, { ...naming(part), level, hint: APART }, move);
    return undefined;
  }
  const late = takeLast(same?.open, (call) => call.from <= at);
  if (late === undefined) return { part, id, at, isAgain: same !== undefined && same.open.length === 0 };
  reportMisplaced(part, late, pairing, context);
  return undefined;
}

/** What results without a call before them are: those of later calls that have none, duplicates, or nobody's. */
function checkStrays(strays: readonly Stray[], calls: Calls, pairing: Pairing, context: Context): void {
  const later = strays.length === 0 ? undefined : laterCalls(context);
  for (const { part, id, at, isAgain } of strays) {
    const remedy = drop(part, pairing, context);
    const early = isAgain ? undefined : calls.get(id)?.open.shift();
    if (early !== undefined) reportMisplaced(part, early, pairing, context);
    else if (isAgain) context.report('duplicate-result', part.path, { id }, remedy);
    else if ((later?.get(id) ?? -1) >= at) context.report('misplaced-result', part.path, naming(part), remedy);
    else if (context.options.continues !== true) context.report('orphan-result', part.path, naming(part), remedy);
  }
}

/** A result belongs to a call and goes where that wants it. */
function reportMisplaced(part: Part, call: Call, pairing: Pairing, context: Context): void {
  call.result = part;
  const move = pairing.move?.(part, call.part, context) ?? [];
  const remedy = move.length > 0 ? move : drop(part, pairing, context);
  context.report('misplaced-result', part.path, naming(part), remedy);
}

const APART = 'put the results directly behind the message with their calls: providers reject others';

/** How grave it is that other messages stand between a call and its result, where the format itself allows it. */
function apart(call: Part, at: number, context: Context): 'error' | 'warning' | undefined {
  const { provider } = context.options;
  const called = context.positionOf(Number(call.path[0]));
  if (at === called || at < context.endOf('tool', called + 1)) return undefined;
  // For these two, messages of the model in a row count as one.
  const merged = at < context.endOf('tool', context.endOf('assistant', called + 1));
  const merges = provider === 'anthropic' || provider === 'bedrock';
  return provider === undefined || (merged && merges) ? 'warning' : 'error';
}

function takeLast(calls: Call[] | undefined, fits: (call: Call) => boolean): Call | undefined {
  const at = calls === undefined ? -1 : lastIndex(calls, fits);
  return at === -1 ? undefined : calls?.splice(at, 1)[0];
}

function drop(part: Part, pairing: Pairing, context: Context): readonly Edit[] {
  return pairing.drop?.(part, context) ?? dropping(part);
}

/** The last entry that holds a call of each id. */
function laterCalls({ entries }: Context): Map<string, number> {
  const newest = new Map<string, number>();
  entries.forEach(({ parts }, at) => {
    for (const { kind, id } of parts) if (kind === 'call' && id !== undefined) newest.set(id, at);
  });
  return newest;
}

/** Where the results of an entry's calls may stand. */
function windows(
  entries: readonly Entry[],
  { results, neverWithin }: Pairing,
): (at: number) => { from: number; to: number } {
  if (results === 'later') return (at) => ({ from: at, to: entries.length });
  if (results === 'content') return (at) => ({ from: at + 1, to: at + 2 });
  if (results === 'run') {
    const end = runEnds(entries, ({ role }) => role === 'tool');
    return (at) => ({ from: at + 1, to: end(at + 1) });
  }
  if (results === 'step') {
    const end = runEnds(entries, ({ role }) => role !== 'user' && role !== 'system');
    return (at) => ({ from: neverWithin === true ? at + 1 : at, to: end(at + 1) });
  }
  // Messages of one side count as one, and system messages are passed over.
  const own = runEnds(entries, ({ role }) => role === 'assistant' || role === 'system');
  const theirs = runEnds(entries, ({ role }) => role === 'user' || role === 'system');
  return (at) => ({ from: own(at + 1), to: entries[own(at + 1)]?.role === 'user' ? theirs(own(at + 1)) : own(at + 1) });
}

/** Where a part's id stands. */
function idPath({ path, idKey }: Part): readonly (string | number)[] {
  return idKey === undefined ? path : path.concat(idKey);
}

/** Ids that the provider takes, each used for one call. */
function checkIds(all: readonly Call[], calls: Calls, context: Context): void {
  const used = new Set(calls.keys());
  for (const call of all) {
    const { part, result } = call;
    const { id = '' } = part;
    const problem = idProblem(id, context.rules);
    const again = calls.get(id)?.first !== call;
    const rename = problem !== undefined || again ? renaming(call, used, context.rules) : [];
    if (again) context.report('duplicate-call-id', idPath(part), { id }, problem === undefined ? rename : []);
    for (const [of, remedy] of [
      [part, rename],
      [result, []],
    ] as const) {
      if (of === undefined || problem === undefined) continue;
      context.report(problem.code, idPath(of), { ...problem, id, type: of.kind }, remedy);
    }
  }
}

/** Names of tools that the provider takes. */
function checkNames(all: readonly Call[], { rename }: Pairing, context: Context): void {
  const { toolName, toolNameLength: most = Infinity } = context.rules;
  for (const { part } of all) {
    const { name } = part;
    if (name === undefined) continue;
    // No tool can have a name that its own definition is refused for, so nothing else knows it.
    if (name.length > most) {
      const remedy = rename?.(part, name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)) ?? [];
      context.report('bad-tool-name', part.path, { name, most, level: 'error' }, remedy);
    } else if (toolName?.test(name) === false) context.report('bad-tool-name', part.path, { name });
  }
}

type IdProblem = { readonly code: 'bad-call-id' | 'long-call-id'; readonly expected?: string; readonly most?: number };

function idProblem(id: string, { callId, callIdLength }: ProviderRules): IdProblem | undefined {
  if (callId !== undefined && !callId.test(id)) return { code: 'bad-call-id', expected: String(callId).slice(1, -1) };
  if (callIdLength !== undefined && id.length > callIdLength) return { code: 'long-call-id', most: callIdLength };
  return undefined;
}

/** A new id for a call and its result: as much of the old one as fits, and what tells it from others. */
function renaming({ part, result, ordinal }: Call, used: Set<string>, rules: ProviderRules): Edit[] {
  const { id = '' } = part;
  const safe = id.replace(/[^a-zA-Z0-9_-]/g, '_');
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const mark = digest(`${id} ${ordinal} ${attempt}`);
    const room = (rules.callIdLength ?? 64) - mark.length - 1;
    const value = [`${safe.slice(0, room)}_${mark}`, mark].find((text) => idProblem(text, rules) === undefined);
    if (value === undefined || used.has(value)) continue;
    used.add(value);
    const paths = [part, ...(result === undefined ? [] : [result])].map(idPath);
    return paths.map((path) => ({ op: 'set', path, value }));
  }
  return [];
}

/** Nine letters and digits that follow from a text: the same ones in every run, so that caches hold. */
function digest(text: string): string {
  let [one, two] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    two = Math.imul(two + text.charCodeAt(at), 0x85ebca6b) ^ (two >>> 13);
  }
  return ((one >>> 0).toString(36) + (two >>> 0).toString(36)).padEnd(9, '0').slice(0, 9);
}
