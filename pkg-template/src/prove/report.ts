import { tableText, wrapped } from '../base/columns.js';
import type { Share } from '../replay/types.js';
import { type Agreement, agreementOf } from './action.js';
import type { Answer, Plan } from './plan.js';
import type { Stop } from './prove.js';
import type { Verdict } from './questions.js';
import { type Estimate, meanBySession } from './statistics.js';

/** A share of pairs that agree, with their number. */
interface Agreed extends Estimate {
  readonly agreed: number;
}

/** How often actions agree, by what is compared. */
type Agreements = Readonly<Record<keyof Agreement, Agreed>>;

/** The change that packing made, for each part of an action. */
type Differences = Readonly<Record<keyof Agreement, Estimate>>;

/** A cut point at which the model agreed with itself and not with its answer to the packed history. */
interface Loss {
  readonly log: string;
  /** The entry of the log that the model was asked for. */
  readonly entry: number;
  readonly full: string;
  readonly packed: string;
}

/** How recall questions went in one way of asking. */
type Verdicts = Readonly<Record<Verdict, number>>;

/** The same, with the share of right answers. */
export interface Recalled extends Verdicts {
  readonly share?: Estimate | undefined;
}

/** What came of one policy. */
export interface PolicyProof {
  readonly policy: string;
  /** Tokens of the packed histories, as a share of the whole ones. */
  readonly tokens: number;
  /** Next edits whose quoted text still stands verbatim in the history, over all calls of the logs. No model is asked. */
  readonly quotes: Share;
  /** B against A. */
  readonly agreement?: Agreements | undefined;
  /** B against A less A′ against A: what packing changed beyond the model's own unsteadiness. */
  readonly difference?: Differences | undefined;
  readonly losses: readonly Loss[];
  readonly recall?: { readonly full: Recalled; readonly packed: Recalled; readonly tools: Recalled } | undefined;
}

/** What came of a run. */
export interface Proof {
  readonly version: 1;
  readonly model: string | undefined;
  readonly logs: number;
  /** Cut points that were planned, that all answers are there for, and that don't fit the window. */
  readonly cuts: { readonly planned: number; readonly judged: number; readonly tooLong: number };
  /** A′ against A: how far the model agrees with itself. */
  readonly noise?: Agreements | undefined;
  readonly policies: readonly PolicyProof[];
  readonly stopped?: Omit<Stop, 'detail'> | undefined;
  /** Next actions that the model gave, and those of them that call a tool. */
  readonly actions: { readonly all: number; readonly calls: number };
  /** Parameters that the model refused, so that it was asked without them. */
  readonly without: readonly string[];
}

const VERDICTS: readonly Verdict[] = ['right', 'wrong', 'asked again', 'unknown'];
const KEYS = ['tool', 'arguments', 'intent'] as const;

interface Findings {
  readonly plan: Plan;
  readonly policies: readonly string[];
  readonly names: readonly string[];
  readonly answer: (key: string) => Answer | undefined;
  readonly model: string | undefined;
  readonly stopped: Stop | undefined;
  readonly without: readonly string[];
}

/** Judges the answers. It depends on them alone: an interrupted run that went on has the same report. */
export function proofOf({ plan, policies, names, answer, model, stopped, without }: Findings): Proof {
  const actionOf = (key: string) => {
    const found = answer(key);
    return found?.kind === 'action' ? found.action : undefined;
  };
  const given = plan.cuts
    .flatMap(({ full, packed }) => [...full, ...packed.values()])
    .flatMap((key) => actionOf(key) ?? []);
  const steady: Pair[] = [];
  const judged = new Set<number>();
  const reports = policies.map((policy): PolicyProof => {
    const pairs: (Pair & { readonly noise: Agreement })[] = [];
    const losses: Loss[] = [];
    plan.cuts.forEach(({ log, at, full, packed }, number) => {
      const [one, again, other] = [full[0], full[1], packed.get(policy) ?? ''].map(actionOf);
      if (one === undefined || again === undefined || other === undefined) return;
      const [noise, agreement] = [agreementOf(again, one), agreementOf(other, one)];
      if (!judged.has(number)) steady.push({ log, agreement: noise });
      judged.add(number);
      pairs.push({ log, agreement, noise });
      if (noise.tool && noise.arguments && !agreement.arguments) {
        losses.push({ log: names[log]!, entry: at, full: stepOf(one), packed: stepOf(other) });
      }
    });
    const tokens = plan.fullTokens === 0 ? 1 : (plan.tokens.get(policy) ?? 0) / plan.fullTokens;
    const quotes = plan.quotes.get(policy) ?? { kept: 0, of: 0 };
    return {
      ...{ policy, tokens, quotes, losses },
      agreement: agreements(pairs),
      difference: estimates(pairs, ({ agreement, noise }, key) => Number(agreement[key]) - Number(noise[key]), -1),
      recall: recallOf(plan, policy, answer),
    };
  });
  return {
    ...{ version: 1, model, logs: names.length, without },
    stopped: stopped && { reason: stopped.reason, message: stopped.message },
    cuts: { planned: plan.cuts.length, judged: judged.size, tooLong: plan.tooLong },
    actions: { all: given.length, calls: given.filter(({ tool }) => tool !== '').length },
    noise: agreements(steady),
    policies: reports,
  };
}

interface Pair {
  readonly log: number;
  readonly agreement: Agreement;
}

const stepOf = ({ tool }: { readonly tool: string }): string => (tool === '' ? 'an answer in words' : tool);

function agreements(pairs: readonly Pair[]): Agreements | undefined {
  const found = estimates(pairs, ({ agreement }, key) => Number(agreement[key]));
  const counted = (key: keyof Agreement, { value, ...rest }: Estimate): Agreed => {
    return { value, agreed: pairs.filter(({ agreement }) => agreement[key]).length, ...rest };
  };
  return (
    found && {
      tool: counted('tool', found.tool),
      arguments: counted('arguments', found.arguments),
      intent: counted('intent', found.intent),
    }
  );
}

function estimates<P extends Pair>(
  pairs: readonly P[],
  value: (pair: P, key: keyof Agreement) => number,
  least: 0 | -1 = 0,
): Differences | undefined {
  const of = (key: keyof Agreement) =>
    meanBySession(
      bySession(pairs, (pair) => value(pair, key)),
      least,
    );
  const [tool, args, intent] = KEYS.map(of);
  if (tool === undefined || args === undefined || intent === undefined) return undefined;
  return { tool, arguments: args, intent };
}

/** A value of each pair, in lists of one session each. */
function bySession<P extends { readonly log: number }>(pairs: readonly P[], value: (pair: P) => number): number[][] {
  const sessions = new Map<number, number[]>();
  for (const pair of pairs) sessions.set(pair.log, [...(sessions.get(pair.log) ?? []), value(pair)]);
  return [...sessions.values()];
}

function recallOf(plan: Plan, policy: string, answer: Findings['answer']): PolicyProof['recall'] {
  const found = { full: [], packed: [], tools: [] } as Record<
    'full' | 'packed' | 'tools',
    { log: number; verdict: Verdict }[]
  >;
  for (const { log, questions } of plan.cuts) {
    for (const { policy: own, keys } of questions) {
      if (own !== policy) continue;
      for (const [way, key] of [
        ['full', keys.full],
        ['packed', keys.packed],
        ['tools', keys.recall],
      ] as const) {
        const given = key === undefined ? undefined : answer(key);
        if (given?.kind === 'verdict') found[way].push({ log, verdict: given.verdict });
      }
    }
  }
  const recalled = (verdicts: readonly { readonly log: number; readonly verdict: Verdict }[]): Recalled => {
    const count = (wanted: Verdict) => verdicts.filter(({ verdict }) => verdict === wanted).length;
    const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>;
    return { ...counts, share: meanBySession(bySession(verdicts, ({ verdict }) => Number(verdict === 'right'))) };
  };
  const { full, packed, tools } = found;
  if (full.length + packed.length + tools.length === 0) return undefined;
  return { full: recalled(full), packed: recalled(packed), tools: recalled(tools) };
}

const percent = (value: number): string => `${(100 * value).toFixed(1)}%`;
export const shareOf = ({ kept, of }: Share): string => (of === 0 ? '–' : percent(kept / of));

/** An estimate with its interval. */
export function estimated(estimate: Estimate | undefined): string {
  if (estimate === undefined) return '–';
  const { value, low, high } = estimate;
  if (low === undefined || high === undefined) return `${percent(value)} [one log]`;
  return `${percent(value)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
}

export const HEADINGS: readonly string[] = [
  'policy',
  'tokens',
  'quotes kept',
  'tool',
  'arguments',
  'intent',
  'arguments less noise',
  'losses',
];

/** The rows of the main table: A′ first, which says how far the model agrees with itself. */
export function rowsOf({ noise, policies }: Proof): readonly (readonly string[])[] {
  const of = (one: Agreements | undefined) => KEYS.map((key) => estimated(one?.[key]));
  const first = noise === undefined ? [] : [['the model with itself', '100.0%', '–', ...of(noise), '–', '–']];
  const others = policies.map(({ policy, tokens, quotes, agreement, difference, losses }) => {
    const found = agreement === undefined ? '–' : String(losses.length);
    return [policy, percent(tokens), shareOf(quotes), ...of(agreement), estimated(difference?.arguments), found];
  });
  return [...first, ...others];
}

export const COUNT_HEADINGS: readonly string[] = ['policy', ...KEYS];

/** How many pairs agree, of how many; empty if no model was asked. */
export function countRows({ noise, policies }: Proof): readonly (readonly string[])[] {
  const all = [{ policy: 'the model with itself', agreement: noise }, ...policies];
  return all.flatMap(({ policy, agreement }) => {
    if (agreement === undefined) return [];
    return [[policy, ...KEYS.map((key) => `${agreement[key].agreed} of ${agreement[key].pairs}`)]];
  });
}

/** Answers in words from which on a model is suspected to have no tools. */
const WORDY = 3;
const NO_CALL =
  'no answer called a tool, so the agreement proves nothing: ' +
  'check that the endpoint passes tools on, or pass --without-tools';

/** What a report is about, in one line. */
export function summaryOf({ model, logs, cuts, stopped, without, actions }: Proof): string {
  const asked = model === undefined ? 'no model was asked' : `asked ${model}`;
  const long = cuts.tooLong === 0 ? '' : `, ${cuts.tooLong} others don't fit the window`;
  const left = without.length === 0 ? '' : `; the model refused ${without.join(', ')}`;
  const end = stopped === undefined ? '' : `; stopped early: ${stopped.message}`;
  const wordy = actions.calls > 0 || actions.all < WORDY ? '' : `; ${NO_CALL}`;
  const named = logs === 1 ? '1 log' : `${logs} logs`;
  return `${named}, ${cuts.judged} of ${cuts.planned} cut points judged${long}; ${asked}${left}${wordy}${end}`;
}

export const RECALL_HEADINGS: readonly string[] = ['policy', 'history', ...VERDICTS, 'share right'];

/** The rows of recall questions; empty if none was asked. */
export function recallRows({ policies }: Proof): readonly (readonly string[])[] {
  return policies.flatMap(({ policy, recall }) => {
    if (recall === undefined) return [];
    const ways = { whole: recall.full, packed: recall.packed, 'packed, with recall tools': recall.tools };
    return Object.entries(ways)
      .filter(([, verdicts]) => VERDICTS.some((verdict) => verdicts[verdict] > 0))
      .map(([way, verdicts]) => {
        return [policy, way, ...VERDICTS.map((verdict) => String(verdicts[verdict])), estimated(verdicts.share)];
      });
  });
}

/** A report as plain text, for a terminal of this width. */
export function proofTable(proof: Proof, columns?: number): string {
  const [counts, questions] = [countRows(proof), recallRows(proof)];
  const losses = proof.policies.flatMap(({ policy, losses: own }) =>
    own.map(({ log, entry, full, packed }) => `  ${policy}: ${log}, entry ${entry}: ${full}, packed ${packed}`),
  );
  const part = (heading: string, text: string) => ['', wrapped(heading, columns), text];
  return [
    wrapped(summaryOf(proof), columns),
    '',
    tableText([HEADINGS, ...rowsOf(proof)], columns),
    ...(counts.length === 0 ? [] : part('Pairs that agree:', tableText([COUNT_HEADINGS, ...counts], columns))),
    ...(questions.length === 0
      ? []
      : part('Questions about what was cut:', tableText([RECALL_HEADINGS, ...questions], columns))),
    ...(losses.length === 0
      ? []
      : part(
          'The model agreed with itself and did something else after packing:',
          wrapped(losses.join('\n'), columns, '  '),
        )),
    '',
  ].join('\n');
}
