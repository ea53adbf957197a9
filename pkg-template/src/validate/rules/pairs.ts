import type { ProviderRules } from '../api.js';
import type { Context, Edit, Entry, Pairing, Part } from '../context.js';
import { dropping } from '../context.js';
import { last } from './last.js';

interface Call {
  readonly part: Part;
  /** The entries that may hold its result: from, and up to but not including. */
  readonly from: number;
  readonly to: number;
  answered: boolean;
  result?: Part;
}

/** Calls and results: each has its one counterpart, in the right place, under a good id. */
export function checkPairs(context: Context, pairing: Pairing): void {
  const calls = new Map<string, Call[]>();
  const all: Call[] = [];
  const later = laterCalls(context);
  context.entries.forEach((entry, at) => {
    for (const part of entry.parts) {
      if (part.kind === 'call') {
        const call = { part, ...windowOf(context.entries, at, pairing), answered: false };
        if (part.id === undefined) {
          context.report('missing-call-id', part.path);
          continue;
        }
        const same = calls.get(part.id) ?? [];
        calls.set(part.id, [...same, call]);
        all.push(call);
      } else if (part.kind === 'result') {
        if (part.id === undefined) context.report('missing-call-id', part.path);
        checkResult(part, at, calls.get(part.id ?? '') ?? [], later, pairing, context);
      }
    }
  });
  checkIds(all, calls, context);
  for (const { part, answered } of all) {
    if (answered || pairing.pending?.(part, context) === true) continue;
    const ids = all
      .filter((call) => !call.answered && call.part.path[0] === part.path[0])
      .map((call) => call.part.id ?? '');
    // An id that is to be changed is changed before it is answered.
    const renamed = idProblem(part.id ?? '', context.rules) !== undefined && calls.get(part.id ?? '')?.length === 1;
    const remedy = renamed ? [] : (pairing.answer?.(part, context) ?? drop(part, pairing, context));
    context.report('orphan-call', part.path, { id: part.id, ids }, remedy);
  }
}

function checkResult(
  part: Part,
  at: number,
  same: readonly Call[],
  later: ReadonlyMap<string, number>,
  pairing: Pairing,
  context: Context,
): void {
  const { id } = part;
  if (id === undefined) return;
  const remedy = drop(part, pairing, context);
  // The newest call is meant where an id is used again.
  const open = last(same, (call) => !call.answered && call.from <= at && at < call.to);
  if (open !== undefined) {
    open.answered = true;
    open.result = part;
    return;
  }
  const late = last(same, (call) => !call.answered && call.from <= at);
  if (late !== undefined) {
    late.answered = true;
    late.result = part;
    const move = pairing.move?.(part, late.part, context) ?? [];
    return context.report('misplaced-result', part.path, { id }, move.length > 0 ? move : remedy);
  }
  if (same.length > 0) return context.report('duplicate-result', part.path, { id }, remedy);
  if ((later.get(id) ?? -1) > at) return context.report('misplaced-result', part.path, { id }, remedy);
  if (context.options.continues === true) return;
  context.report('orphan-result', part.path, { id }, remedy);
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

function windowOf(entries: readonly Entry[], at: number, { results }: Pairing): { from: number; to: number } {
  const after = at + 1;
  if (results === 'later') return { from: at, to: entries.length };
  if (results === 'content') return { from: after, to: after + 1 };
  if (results === 'run') return { from: after, to: endOf(entries, after, ({ role }) => role === 'tool') };
  if (results === 'step') {
    return {
      from: at,
      to: endOf(entries, after, ({ role }) => role === 'tool' || role === 'assistant' || role === 'other'),
    };
  }
  // Messages of one side count as one, and what is neither side's is passed over.
  const from = endOf(entries, after, ({ role }) => role !== 'user');
  const own = endOf(entries, after, ({ role }) => role === 'assistant' || role === 'system');
  if (from !== own) return { from: after, to: after };
  return { from: after, to: endOf(entries, from, ({ role }) => role === 'user' || role === 'system') };
}

function endOf(entries: readonly Entry[], from: number, within: (entry: Entry) => boolean): number {
  let at = from;
  for (let entry = entries[at]; entry !== undefined && within(entry); entry = entries[at]) at += 1;
  return at;
}

/** Where a part's id stands. */
export function idPath({ path, idKey }: Part): readonly (string | number)[] {
  return idKey === undefined ? path : path.concat(idKey);
}

/** Ids that the provider takes, each used for one call. */
function checkIds(all: readonly Call[], calls: ReadonlyMap<string, readonly Call[]>, context: Context): void {
  const { toolName } = context.rules;
  const used = new Set(calls.keys());
  for (const call of all) {
    const { part, result } = call;
    const { id = '', name } = part;
    const problem = idProblem(id, context.rules);
    const again = calls.get(id)?.[0] !== call;
    const rename = problem !== undefined || again ? renaming(call, used, context.rules) : [];
    if (again) context.report('duplicate-call-id', idPath(part), { id }, problem === undefined ? rename : []);
    for (const [of, remedy] of [
      [part, rename],
      [result, []],
    ] as const) {
      if (of === undefined || problem === undefined) continue;
      context.report(problem.code, idPath(of), { ...problem, id, type: of.kind }, remedy);
    }
    if (name === undefined || toolName === undefined || (toolName.test(name) && name.length <= 64)) continue;
    context.report('bad-tool-name', part.path, { name });
  }
}

type IdProblem = { readonly code: 'bad-call-id' | 'long-call-id'; readonly expected?: string; readonly most?: number };

function idProblem(id: string, { callId, callIdLength }: ProviderRules): IdProblem | undefined {
  if (callId !== undefined && !callId.test(id)) return { code: 'bad-call-id', expected: String(callId).slice(1, -1) };
  if (callIdLength !== undefined && id.length > callIdLength) return { code: 'long-call-id', most: callIdLength };
  return undefined;
}

/** A new id for a call and its result: as much of the old one as fits, and what tells it from others. */
function renaming({ part, result }: Call, used: Set<string>, rules: ProviderRules): Edit[] {
  const { id = '' } = part;
  const safe = id.replace(/[^a-zA-Z0-9_-]/g, '_');
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const mark = digest(`${id} ${attempt}`);
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
