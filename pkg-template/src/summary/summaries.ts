import { needOption, refuse } from '../base/options.js';
import { Engine } from '../core/engine.js';
import { digestKeys, summaryKeys } from '../generated/constants.js';
import type { HistoryHandle, ScreenedSummary, SummaryOutcome, SummaryPlan } from '../generated/summary.js';
import { type Adapter, behindChange } from '../messages/adapter.js';
import { checkList, listFrom } from '../optimizer/optimizer.js';
import { readSettings } from '../optimizer/settings.js';
import type { Host } from '../session/host.js';
import type { Callbacks } from '../types.js';
import { type FullGlue, fullInstances } from '../wasm/full.js';
import { suspicious, written } from './detection.js';
import { findPrompt } from './overrides.js';
import { Reading, type ReadingFactory, shapes, twice } from './reading.js';
import { type Redact, redactAll, redactingErrors, redactionOf } from './redaction.js';
import { checkRequest } from './stored.js';
import { checkReply, messagesOfPart, TextMaker } from './texts.js';
import type {
  AppliedSummary,
  ApplyOptions,
  DigestOptions,
  DigestResult,
  SummaryCheck,
  SummaryNoop,
  SummaryOptions,
  SummaryRequest,
  SummaryResult,
} from './types.js';

/** The options that stay here. */
const OURS = ['redact', 'prompts', 'provider', 'model'];
/** The functions that are called while a history is read. */
const READING = ['countTokens', 'isUser', 'isFailure'];
/** What to use where `protect` isn't an option. */
const NO_PROTECT = "not supported here. Use 'preserve' or 'pins' to keep messages";

type AppliedOutcome = Extract<SummaryOutcome, { readonly kind: 'applied' }>;

/** Where the messages of a new history come from. */
export type Layout = Pick<AppliedOutcome, 'top' | 'moved' | 'tail'>;

/** The text that follows a summary, by the messages that it covers. */
type Note<M> = (messages: readonly M[]) => string;

/** The messages that a summary makes of others. */
export function composed<M>(
  adapter: Adapter<M>,
  messages: readonly M[],
  { layout, inserted }: { readonly layout: Layout; readonly inserted: readonly M[] },
): readonly M[] {
  const { top, moved, tail } = layout;
  const kept = [...moved.map((index) => messages[index] as M), ...messages.slice(tail)];
  return [...messages.slice(0, top), ...inserted, ...behindChange(adapter, kept)];
}

/** What came of a reply; if it was applied, the parts of the new history. */
interface Judged<M, R = SummaryResult<M>> {
  readonly result: R;
  readonly layout?: Layout;
  readonly inserted?: readonly M[];
  /** The acknowledgement for a history that no longer holds the newest request, where it quotes that. */
  readonly withoutRequest?: M | undefined;
}

/** The action on a history that was read. */
type Action<M, T> = (handle: HistoryHandle, host: Host<M>) => T;

/** Options of a summary, taken apart. */
interface Settings<M> {
  readonly json: string;
  /** The options that the history is read with. */
  readonly reading: string;
  readonly callbacks: Callbacks<M>;
}

/** Everything around a summary, on an instance of its module. */
export class Summaries {
  readonly #engine = new Engine(fullInstances);
  /** Only kept, see `shapes`. */
  readonly shapes = shapes(this.#engine);

  /** Prepares the module off the main thread where the host can. */
  async init(): Promise<void> {
    await this.#engine.init();
  }

  /** Calls a function of the module; after a trap once more. */
  call<T>(action: (glue: FullGlue) => T): T {
    return twice(() => this.#engine.guard(() => action(this.#engine.instance.glue)));
  }

  /** The instance, for handles that live on in it. */
  get engine(): Engine<FullGlue> {
    return this.#engine;
  }

  /** Takes well-known credentials out of a text. */
  readonly redact: Redact = Object.assign((text: string) => this.#redacted(text) ?? text, { isByLine: true });

  #redacted(text: string): string | undefined {
    if (text === '') return undefined;
    return twice(() =>
      this.#engine.guard(() => {
        const { instance } = this.#engine;
        const bytes = suspicious(instance, text);
        return bytes === 0 ? undefined : instance.glue.redactText(written(instance, text, bytes));
      }),
    );
  }

  request<M>(adapter: Adapter<M>, messages: readonly M[], options: SummaryOptions<M>): SummaryRequest<M> | SummaryNoop {
    checkList(messages);
    const redact = redactionOf(options?.redact, this.redact);
    return redactingErrors(redact, () => {
      const settings = this.#settings(adapter, (options as Partial<SummaryOptions<M>> | undefined) ?? {});
      const { json, callbacks } = settings;
      const history = listFrom(messages, 0);
      const { screened, host } = this.#read(
        adapter,
        history,
        callbacks,
        (glue) => glue.HistoryHandle.forSummary(json),
        (handle, host) => ({ screened: handle.request(host, redact === this.redact), host }),
      );
      const maker = new TextMaker(adapter, host, redact);
      return requestOf(screened, history, settings.reading, redact, maker, options);
    });
  }

  apply<M>(
    adapter: Adapter<M>,
    request: SummaryRequest<M>,
    reply: string,
    messages: readonly M[],
    options: ApplyOptions<M> | undefined,
  ): SummaryResult<M> {
    return this.applyWithLayout(adapter, request, reply, messages, options).result;
  }

  /** Applies a reply; says too where the new history's messages come from. */
  applyWithLayout<M>(
    adapter: Adapter<M>,
    request: SummaryRequest<M>,
    reply: string,
    messages: readonly M[],
    options: ApplyOptions<M> | undefined,
    note?: Note<M>,
  ): Judged<M> {
    checkRequest(request);
    checkReply(reply);
    checkList(messages);
    const known = { core: [], ours: ['redact'], taken: adapter.options, functions: READING };
    const { callbacks } = readSettings<M>(options, known);
    const redact = redactionOf(options?.redact, this.redact);
    return redactingErrors(redact, () => {
      const history = listFrom(messages, 0);
      const plan = JSON.stringify(request.plan);
      const { judged, host } = this.#read(
        adapter,
        history,
        callbacks,
        (glue) => new glue.HistoryHandle(request.reading),
        (handle, host) => ({ judged: handle.apply(plan, redact(reply), host), host }),
      );
      const outcome = redactAll(judged, redact);
      return resultOf(adapter, outcome, request, history, messages, new TextMaker(adapter, host, redact), note);
    });
  }

  /** Makes a digest; says too where the new history's messages come from. */
  digest<M>(
    adapter: Adapter<M>,
    messages: readonly M[],
    options: DigestOptions<M> | undefined,
    note?: Note<M>,
  ): Judged<M, DigestResult<M>> {
    checkList(messages);
    const redact = redactionOf(options?.redact, this.redact);
    return redactingErrors(redact, () => {
      refuse(options, ['protect'], NO_PROTECT);
      const known = { core: digestKeys, ours: ['redact'], taken: adapter.options, functions: READING };
      const { json, callbacks } = readSettings<M>(options, known);
      const { workspaceRoot, tools } = options ?? {};
      const reading = JSON.stringify({ workspaceRoot, tools });
      const history = listFrom(messages, 0);
      const made = this.#read(
        adapter,
        history,
        callbacks,
        (glue) => new glue.HistoryHandle(reading),
        (handle, host) => handle.digest(json, host),
      );
      const outcome = redactAll(made, redact);
      if (outcome.kind === 'noop') return { result: { ...outcome, changed: false, messages } };
      return applied(adapter, outcome, history, note);
    });
  }

  verify<M>(adapter: Adapter<M>, reply: string, messages: readonly M[], options: SummaryOptions<M>): SummaryCheck<M> {
    checkReply(reply);
    checkList(messages);
    const redact = redactionOf(options?.redact, this.redact);
    return redactingErrors(redact, () => {
      const { json, callbacks } = this.#settings(adapter, (options as Partial<SummaryOptions<M>> | undefined) ?? {});
      const history = listFrom(messages, 0);
      const { found, host } = this.#read(
        adapter,
        history,
        callbacks,
        (glue) => glue.HistoryHandle.forSummary(json),
        (handle, host) => ({ found: handle.verify(redact(reply), host), host }),
      );
      const { ok, findings, repair, again } = found;
      const told = { ok, findings: redactAll(findings, redact) };
      if (repair.length === 0) return told;
      const asked = new TextMaker(adapter, host, redact).messages(repair);
      // If nothing of a reply is usable, the whole request is sent again.
      const request = again ? this.request(adapter, messages, options) : undefined;
      return { ...told, messages: request?.kind === 'request' ? [...request.messages, ...asked] : asked };
    });
  }

  /** Reads a history with options of reading alone. */
  read<M, T>(adapter: Adapter<M>, messages: readonly M[], options: object | undefined, action: Action<M, T>): T {
    checkList(messages);
    refuse(options, ['protect', 'countTokens'], 'a digest does not use it; leave it out');
    const known = { core: ['workspaceRoot', 'tools'], functions: ['isFailure'] };
    const { json, callbacks } = readSettings<M>(options, known);
    return this.#read(adapter, listFrom(messages, 0), callbacks, (glue) => new glue.HistoryHandle(json), action);
  }

  #read<M, T>(
    adapter: Adapter<M>,
    history: readonly M[],
    callbacks: Callbacks<M>,
    create: (glue: FullGlue) => ReturnType<ReadingFactory>,
    action: Action<M, T>,
  ): T {
    const reading = new Reading<M>(this.#engine, adapter, callbacks, history);
    return reading.use(({ glue }) => create(glue), action);
  }

  #settings<M>(adapter: Adapter<M>, options: Partial<SummaryOptions<M>>): Settings<M> {
    refuse(options, ['protect'], NO_PROTECT);
    const known = { core: summaryKeys, ours: OURS, taken: adapter.options, functions: READING };
    const { json, callbacks } = readSettings<M>(options, known);
    needOption(options, 'strategy', "'middle-out', 'one-shot' or 'structured'");
    const { workspaceRoot, tools, prompts, provider, model, strategy, prompt } = options;
    const reading = JSON.stringify({ workspaceRoot, tools });
    const override = prompt ?? this.call((glue) => findPrompt(glue, prompts, strategy, provider, model));
    const isOverridden = prompt === undefined && override !== undefined;
    const whole = isOverridden ? readSettings<M>({ ...options, prompt: override }, known).json : json;
    return { json: whole, reading, callbacks };
  }
}

/** What a request says of its plan. */
function about(plan: SummaryPlan) {
  const { strategy, mode, part, parts, attempt } = plan;
  return { strategy, mode, part, parts, attempt, plan };
}

/** What was planned, for the caller. */
function requestOf<M>(
  { planned, clean }: ScreenedSummary,
  history: readonly M[],
  reading: string,
  redact: Redact,
  maker: TextMaker<M>,
  options: SummaryOptions<M>,
): SummaryRequest<M> | SummaryNoop {
  if (planned.kind === 'noop') return planned;
  const ours = maker.messages(planned.messages, clean);
  const { profile, replyTokens } = options;
  return {
    kind: 'request',
    version: 1,
    ...about(redactAll(planned.plan, redact)),
    messages: planned.plan.mode === 'append' ? [...history, ...ours] : ours,
    needsTools: planned.needsTools,
    ...(planned.todosLeftOut === 0 ? {} : { todosLeftOut: planned.todosLeftOut }),
    ...(profile === undefined ? {} : { profile: redactAll(profile, redact) }),
    ...(replyTokens === undefined ? {} : { replyTokens }),
    remaining: planned.remaining.map((part) => maker.part(part)),
    reading: JSON.stringify(redactAll(JSON.parse(reading) as unknown, redact)),
  };
}

/** What came of a reply, for the caller. */
function resultOf<M>(
  adapter: Adapter<M>,
  outcome: SummaryOutcome,
  request: SummaryRequest<M>,
  history: readonly M[],
  messages: readonly M[],
  maker: TextMaker<M>,
  note: Note<M> | undefined,
): Judged<M> {
  const same = { changed: false, messages } as const;
  switch (outcome.kind) {
    case 'applied':
      return applied(adapter, outcome, history, note);
    case 'conflict':
      return { result: { ...outcome, ...same } };
    case 'continue': {
      const { kind, findings, plan, previous } = outcome;
      return { result: { kind, findings, request: nextPart(adapter, request, plan, previous), ...same } };
    }
    case 'failed': {
      const { kind, findings, plan, repair, again } = outcome;
      const original = request.original ?? request.messages;
      const asked = maker.messages(repair);
      const next = { ...request, ...about(plan), original, messages: again ? [...original, ...asked] : asked };
      return { result: { kind, findings, request: next, ...same } };
    }
  }
}

function nextPart<M>(
  adapter: Adapter<M>,
  request: SummaryRequest<M>,
  plan: SummaryPlan,
  previous: string,
): SummaryRequest<M> {
  const { original: _, ...rest } = request;
  const [part = [], ...remaining] = request.remaining;
  return { ...rest, ...about(plan), messages: messagesOfPart(adapter, part, previous), remaining };
}

function applied<M>(
  adapter: Adapter<M>,
  outcome: AppliedOutcome,
  history: readonly M[],
  note: Note<M> | undefined,
): Judged<M, AppliedSummary<M>> {
  const { kind, top, insert, moved, tail, findings, metadata, state } = outcome;
  const gone = history.slice(top, tail).filter((_, at) => !moved.includes(top + at));
  const behind = note?.(gone) ?? '';
  const inserted = insert.map(({ speaker, text }, at) =>
    adapter.make(speaker, at === 0 ? text + behind : text, at === 0),
  );
  const { tokensBefore, tokensAfter } = metadata;
  const result: AppliedSummary<M> = {
    kind,
    changed: true,
    messages: composed(adapter, history, { layout: outcome, inserted }),
    summary: inserted[0] as M,
    findings,
    metadata,
    state,
    tokensBefore,
    tokensAfter,
  };
  const other = insert.find(({ withoutRequest }) => withoutRequest !== undefined)?.withoutRequest;
  const withoutRequest = other === undefined ? undefined : adapter.make('ai', other, false);
  return { result, layout: outcome, inserted, withoutRequest };
}
