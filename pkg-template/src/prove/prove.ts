import type { RecallTool } from '../recall/tools.js';
import { type Action, ANSWER, actionOf } from './action.js';
import type { Client, Outcome } from './client.js';
import type { Ask, Reply } from './endpoints/endpoint.js';
import type { Journal } from './journal.js';
import type { Answer, Errand } from './plan.js';
import type { Purse } from './purse.js';
import { verdictOf } from './questions.js';
import { type Turn, toolName } from './turns.js';

/** Why a run asked less than it planned. */
export interface Stop {
  readonly reason: 'limit' | 'refused' | 'failures';
  readonly message: string;
  /** Words of the endpoint, which no report holds. */
  readonly detail?: string | undefined;
}

/** What a run works with. */
interface Desk {
  readonly client: Client;
  readonly journal: Journal;
  readonly purse: Purse;
  readonly maxTokens: number;
  /** Questions under way at once. */
  readonly parallel: number;
  /** Called after each answer with the number of answers. */
  readonly onProgress: (done: number) => void;
}

/** Questions in a row without an answer, after which a run ends: the endpoint is down. */
const MOST_FAILURES = 8;
/** How often a model may call recall tools for one question. */
export const MOST_RECALLS = 3;
/** Statuses of a request that the endpoint can't take: too long, or with something that it doesn't know. */
const UNFIT: readonly (number | undefined)[] = [400, 413, 422];

/** Asks all that has no answer yet; what stopped it early, if something did. */
export async function askAll(errands: readonly Errand[], desk: Desk): Promise<Stop | undefined> {
  const { journal } = desk;
  // Last those that failed before: one that the endpoint can't answer must not hold up all others.
  const open = errands
    .filter(({ key }) => journal.answer(key) === undefined)
    .sort((one, other) => Number(journal.hasFailed(one.key)) - Number(journal.hasFailed(other.key)));
  let hasAnswer = false;
  let done = errands.length - open.length;
  let [next, failures, missing] = [0, 0, 0];
  let stop: Stop | undefined;
  let last: Pick<Stop, 'message' | 'detail'> = { message: '' };
  desk.onProgress(done);
  const work = async (until: number): Promise<void> => {
    while (stop === undefined && next < until) {
      const errand = open[next++]!;
      const end = await askOne(errand, desk);
      if (end.kind === 'answer') {
        journal.answered(errand.key, end.answer, end.dollars);
        hasAnswer = true;
        failures = 0;
        desk.onProgress((done += 1));
        continue;
      }
      const { kind, message, detail } = end;
      if (kind !== 'limit' || end.dollars > 0) journal.failed(errand.key, end.dollars, message);
      // Of an endpoint that answers, a refusal concerns the one question.
      if (kind === 'failed' || (kind === 'refused' && done > 0 && UNFIT.includes(end.status))) {
        [failures, missing, last] = [failures + 1, missing + 1, { message, detail }];
        // While nothing was answered, each further question may be billed for nothing.
        if (failures < MOST_FAILURES && (hasAnswer || kind === 'refused')) continue;
        const which = hasAnswer ? `${failures} questions in a row` : 'the first question';
        stop ??= { ...last, reason: 'failures', message: `${which} got no answer: ${message}` };
      } else stop ??= { reason: kind, message: kind === 'limit' ? limitMessage(desk) : message, detail };
    }
  };
  // The first one alone: it shows what the endpoint bills.
  await work(Math.min(1, open.length));
  await Promise.all(Array.from({ length: Math.max(1, desk.parallel) }, () => work(open.length)));
  if (stop === undefined && missing > 0) {
    return { ...last, reason: 'failures', message: `${missing} questions got no answer: ${last.message}` };
  }
  return stop;
}

/** Why the limit ends a run. What got no answer counts too, since it may be billed. */
function limitMessage({ journal }: Desk): string {
  const message = 'the next question could cost more than the limit leaves';
  const { dollars, why } = journal.unanswered;
  if (dollars === 0) return message;
  return `${message}; $${dollars.toFixed(4)} of it count for requests without an answer, which may be billed (${why})`;
}

type End = { readonly kind: 'answer'; readonly answer: Answer; readonly dollars: number } | Unanswered;

interface Unanswered {
  readonly kind: 'failed' | 'refused' | 'limit';
  readonly message: string;
  readonly detail?: string | undefined;
  readonly status?: number | undefined;
  readonly dollars: number;
}

/** Asks one question, with the calls of recall tools that it leads to. */
async function askOne(errand: Errand, desk: Desk): Promise<End> {
  let ask = errand.ask();
  let dollars = 0;
  for (let recalls = 0; ; recalls += 1) {
    const sent = await send(errand.key, ask, dollars, desk);
    dollars += sent.dollars;
    if (sent.kind !== 'reply') return { ...sent, dollars };
    const { reply } = sent;
    if (errand.question === undefined) return { kind: 'answer', answer: answerOf(reply, ask), dollars };
    const more = recalls < MOST_RECALLS ? recalled(ask, reply, errand.recall) : undefined;
    if (more === undefined) {
      const verdict = reply.calls.length > 0 ? 'asked again' : verdictOf(errand.question.answer, reply.text);
      return { kind: 'answer', answer: { kind: 'verdict', verdict }, dollars };
    }
    ask = more;
  }
}

type Sent = { readonly kind: 'reply'; readonly reply: Reply; readonly dollars: number } | Unanswered;

/** Sends one request within the limit: it reserves the highest price, then pays the real one. */
async function send(key: string, ask: Ask, before: number, { client, journal, purse, maxTokens }: Desk): Promise<Sent> {
  const most = purse.most(client.bodyOf(ask), ask, maxTokens);
  if (!purse.reserve(most)) return { kind: 'limit', message: '', dollars: 0 };
  let lost = 0;
  let isShort = false;
  journal.asked(key, before + most);
  const outcome: Outcome = await client.ask(ask, (mayCost) => {
    if (!mayCost) return true;
    // The try before may be billed, and the next one may cost as much again.
    isShort = !purse.reserve(most);
    if (isShort) return false;
    lost += most;
    journal.asked(key, before + lost + most);
    return true;
  });
  const isPaid = outcome.kind === 'reply' || (outcome.kind === 'failed' && outcome.mayCost);
  const { usage } = outcome.kind === 'reply' ? outcome.reply : { usage: undefined };
  const dollars = lost + (usage === undefined ? (isPaid ? most : 0) : purse.billed(usage, most));
  purse.pay(lost + most, dollars);
  if (outcome.kind === 'reply') return { kind: 'reply', reply: outcome.reply, dollars };
  return { ...outcome, kind: isShort ? 'limit' : outcome.kind, dollars };
}

/** What a model did: its first call, or an answer in words. */
function answerOf({ calls, text, isCut }: Reply, { tools }: Ask): Answer {
  const [call] = calls;
  // The last call of a reply that was cut off may be cut off, too.
  if (isCut && calls.length === 1) return { kind: 'none' };
  if (call !== undefined) return { kind: 'action', action: actionOf(toolName(call.name), call.input) };
  const written = tools.length === 0 ? calledInText(text) : undefined;
  if (written !== undefined) return { kind: 'action', action: written };
  // Words that were cut off may have led to a call; no words are nonsense.
  return isCut || text.trim() === '' ? { kind: 'none' } : { kind: 'action', action: ANSWER };
}

/** A call that a model without tools wrote as JSON. */
function calledInText(text: string): Action | undefined {
  const from = text.indexOf('{');
  for (let to = text.lastIndexOf('}'); from >= 0 && to > from; to = text.lastIndexOf('}', to - 1)) {
    try {
      const { tool, arguments: input } = JSON.parse(text.slice(from, to + 1)) as {
        tool?: unknown;
        arguments?: unknown;
      };
      return typeof tool === 'string' ? actionOf(toolName(tool), input) : undefined;
    } catch {
      // A shorter piece may be JSON.
    }
  }
  return undefined;
}

/** The question with what recall tools brought back; nothing if the model called none of them. */
function recalled(ask: Ask, { calls, text }: Reply, tools: readonly RecallTool[]): Ask | undefined {
  const own = calls.filter(({ name }) => tools.some((tool) => tool.name === name));
  if (own.length === 0 || own.length < calls.length) return undefined;
  const named = own.map(({ id, name, input }, at) => ({ name, input, id: id === '' ? `recall_${at}` : id }));
  const said: Turn = {
    role: 'assistant',
    parts: [
      ...(text.trim() === '' ? [] : [{ kind: 'text' as const, text }]),
      ...named.map(({ id, name, input }) => ({ kind: 'call' as const, id, name, input: asRecord(input) })),
    ],
  };
  const brought: Turn = {
    role: 'user',
    parts: named.map(({ id, name, input }) => {
      return { kind: 'result' as const, id, name, text: tools.find((tool) => tool.name === name)!.execute(input) };
    }),
  };
  return { ...ask, turns: [...ask.turns, said, brought] };
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
