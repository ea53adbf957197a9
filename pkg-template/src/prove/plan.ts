import type { IContent } from '../base/content.js';
import { createRecall } from '../recall/recall.js';
import { type RecallTool, recallTools } from '../recall/tools.js';
import { Scale } from '../replay/meter.js';
import { blocksOf, read } from '../replay/odd.js';
import { keepsCuts, type Make, type Scene } from '../replay/policies.js';
import type { Share } from '../replay/types.js';
import { type Action, fingerprint } from './action.js';
import type { Ask, Tool } from './endpoints/endpoint.js';
import { type Question, questionsOf, type Verdict } from './questions.js';
import { quotesLeft, quotesOf } from './quotes.js';
import { dialogueOf, toolName } from './turns.js';

/** What came of a question, as journals keep it: no word of a log. */
export type Answer =
  | { readonly kind: 'action'; readonly action: Action }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /** The reply was cut off, or there was none after all tries. */
  | { readonly kind: 'none' };

/** One question to the model, asked at most once in a run. */
export interface Errand {
  readonly key: string;
  /** Tokens of its history, estimated. */
  readonly tokens: number;
  readonly ask: () => Ask;
  /** The question, if it is one about the history. */
  readonly question?: Question | undefined;
  /** Tools that run here and bring cut texts back. */
  readonly recall: readonly RecallTool[];
}

/** A point of a log at which the model is asked. */
export interface Cut {
  readonly log: number;
  readonly at: number;
  /** The keys of A and A′. */
  readonly full: readonly [string, string];
  /** The key of B, for each policy. */
  readonly packed: ReadonlyMap<string, string>;
  readonly questions: readonly { readonly question: Question; readonly policy: string; readonly keys: RecallKeys }[];
}

/** The keys of one question: with the whole history, the packed one, and the packed one with recall tools. */
interface RecallKeys {
  readonly full: string;
  readonly packed: string;
  readonly recall: string | undefined;
}

/** What was planned for some logs. */
export interface Plan {
  readonly cuts: readonly Cut[];
  readonly errands: readonly Errand[];
  /** Tokens of all histories at the cuts, for each policy, and of the logs as they were. */
  readonly tokens: ReadonlyMap<string, number>;
  readonly fullTokens: number;
  /** Quotes of the next edits that are still there, over all calls of the logs. */
  readonly quotes: ReadonlyMap<string, Share>;
  /** Cut points that are too long for the model's window. */
  readonly tooLong: number;
}

interface PlanSettings {
  readonly policies: readonly { readonly name: string; readonly make: Make }[];
  readonly window: number;
  /** Cut points of a log. */
  readonly cuts: number;
  /** Questions at a cut point for each policy. */
  readonly questions: number;
  readonly isWithoutTools: boolean;
  readonly scene: Pick<Scene, 'prices' | 'provider'>;
}

const SYSTEM =
  'You are a coding agent in the middle of a task. Read the conversation and take the next step with one tool call, as you would have done. Answer in words only when the task is done.';
const SYSTEM_AS_TEXT = `${SYSTEM} You call a tool by answering with one JSON object and nothing else, such as {"tool": "read_file", "arguments": {"path": "a.ts"}}.`;
/** Tools that a request declares at most. */
const MOST_TOOLS = 100;

/** Plans what to ask: cut points in turns over the logs, so that a run that ends early has some of each. */
export function planOf(logs: readonly (readonly IContent[])[], settings: PlanSettings): Plan {
  const planner = new Planner(settings);
  const each = logs.map((log, at) => planner.log(log, at));
  const longest = Math.max(0, ...each.map(({ length }) => length));
  const cuts = Array.from({ length: longest }, (_, at) => each.flatMap((own) => own[at] ?? [])).flat();
  return planner.plan(cuts);
}

class Planner {
  readonly #settings: PlanSettings;
  readonly #scale = new Scale();
  readonly #errands = new Map<string, Errand>();
  readonly #tokens = new Map<string, number>();
  readonly #quotes = new Map<string, Share>();
  #fullTokens = 0;
  #tooLong = 0;

  constructor(settings: PlanSettings) {
    this.#settings = settings;
  }

  plan(cuts: readonly Cut[]): Plan {
    // Errands in the order of cuts: those of one cut follow each other.
    const keys = new Set(
      cuts.flatMap(({ full, packed, questions }) => [
        ...full,
        ...packed.values(),
        ...questions.flatMap(({ keys: own }) => [own.full, own.packed, own.recall ?? own.packed]),
      ]),
    );
    return {
      cuts,
      errands: [...keys].flatMap((key) => this.#errands.get(key) ?? []),
      tokens: this.#tokens,
      fullTokens: this.#fullTokens,
      quotes: this.#quotes,
      tooLong: this.#tooLong,
    };
  }

  log(log: readonly IContent[], number: number): Cut[] {
    const { policies, window, scene: given } = this.#settings;
    const tokens = this.#tokensOf(log);
    const scene: Scene = { ...given, contextLimit: window, tokens };
    const calls = log.flatMap((content, at) => (at > 0 && read(content, 'speaker') === 'ai' ? [at] : []));
    const chosen = new Set(this.#chosen(log, calls));
    const tools = this.#settings.isWithoutTools ? [] : toolsOf(log);
    const packed = new Map<number, Map<string, readonly IContent[]>>();
    const recalled = new Map<number, Map<string, { messages: readonly IContent[]; tools: readonly RecallTool[] }>>();
    for (const { name, make } of policies) {
      follow(log, calls, make(scene), (at, messages) => {
        const quotes = quotesOf(log[at]);
        if (quotes.length > 0) this.#quote(name, quotesLeft(quotes, log.slice(0, at), messages));
        if (!chosen.has(at)) return;
        put(packed, at, name, [...messages]);
        this.#tokens.set(name, (this.#tokens.get(name) ?? 0) + this.#tokensOf(messages));
      });
      if (this.#settings.questions === 0 || this.#settings.isWithoutTools || !keepsCuts(name)) continue;
      const recall = createRecall({ secret: `densify prove ${number} ${name}` });
      const known = recallTools(recall).tools;
      follow(log, calls, make({ ...scene, recall }), (at, messages) => {
        if (chosen.has(at)) put(recalled, at, name, { messages: [...messages], tools: known });
      });
    }
    return [...chosen].map((at) => {
      const full = log.slice(0, at);
      this.#fullTokens += this.#tokensOf(full);
      return this.#cut({ number, at, full, tools }, packed.get(at) ?? new Map(), recalled.get(at) ?? new Map());
    });
  }

  /** Cut points that fit, at equal distances: before messages with a call, behind something that the model has to react to. */
  #chosen(log: readonly IContent[], calls: readonly number[]): number[] {
    const { cuts, window } = this.#settings;
    const fit: number[] = [];
    let [tokens, from] = [0, 0];
    for (const at of calls) {
      for (; from < at; from += 1) tokens += this.#scale.of(log[from]!);
      if (read(log[at - 1]!, 'speaker') === 'ai' || !blocksOf(log[at]!).some(({ type }) => type === 'tool_call'))
        continue;
      if (tokens > window) this.#tooLong += 1;
      else fit.push(at);
    }
    const count = Math.min(cuts, fit.length);
    return Array.from({ length: count }, (_, at) => fit[Math.floor(((at + 0.5) * fit.length) / count)]!);
  }

  #cut(
    { number, at, full, tools }: { number: number; at: number; full: readonly IContent[]; tools: readonly Tool[] },
    packed: ReadonlyMap<string, readonly IContent[]>,
    recalled: ReadonlyMap<string, { readonly messages: readonly IContent[]; readonly tools: readonly RecallTool[] }>,
  ): Cut {
    const first = this.#errand('A', full, tools);
    const again = this.#errand('A2', full, tools);
    const keys = [...packed].map(([name, messages]): [string, string] => {
      // An unchanged history is asked once more anyway: A′ is that answer.
      return [name, areSame(messages, full) ? again : this.#errand('B', messages, tools)];
    });
    const questions = [...packed].flatMap(([policy, messages]) => {
      if (areSame(messages, full)) return [];
      return questionsOf(full, messages, this.#settings.questions).map((question) => {
        const own = recalled.get(policy);
        const keysOfOne: RecallKeys = {
          full: this.#errand('Q', full, tools, question),
          packed: this.#errand('Q', messages, tools, question),
          recall: own && this.#errand('R', own.messages, tools, question, own.tools),
        };
        return { question, policy, keys: keysOfOne };
      });
    });
    return { log: number, at, full: [first, again], packed: new Map(keys), questions };
  }

  /** Notes a question to the model; equal ones are asked once. */
  #errand(
    arm: string,
    contents: readonly IContent[],
    tools: readonly Tool[],
    question?: Question,
    recall: readonly RecallTool[] = [],
  ): string {
    const { isWithoutTools } = this.#settings;
    const ask = (): Ask => {
      const { system, turns } = dialogueOf(contents, isWithoutTools);
      if (question !== undefined) turns.at(-1)!.parts.push({ kind: 'text', text: question.text });
      const known = recall.map(({ name, description, parameters }) => ({ name, description, parameters }));
      const own = isWithoutTools ? SYSTEM_AS_TEXT : SYSTEM;
      return { system: system === '' ? own : `${system}\n\n${own}`, turns, tools: [...tools, ...known] };
    };
    const key = `${arm}:${fingerprint(JSON.stringify(ask()))}`;
    if (!this.#errands.has(key)) {
      const tokens = this.#tokensOf(contents);
      this.#errands.set(key, { key, tokens, ask, question, recall });
    }
    return key;
  }

  #quote(policy: string, { kept, of }: Share): void {
    const before = this.#quotes.get(policy) ?? { kept: 0, of: 0 };
    this.#quotes.set(policy, { kept: before.kept + kept, of: before.of + of });
  }

  #tokensOf(contents: readonly IContent[]): number {
    return contents.reduce((sum, content) => sum + this.#scale.of(content), 0);
  }
}

/** Lets a history grow as the log did, and shows what would be sent at each call. */
function follow(
  log: readonly IContent[],
  calls: readonly number[],
  history: ReturnType<Make>,
  see: (at: number, messages: readonly IContent[]) => void,
): void {
  try {
    let from = 0;
    for (const at of calls) {
      history.add(log.slice(from, at));
      from = at;
      see(at, history.messages({ cold: false }));
    }
  } finally {
    history.dispose();
  }
}

function put<V>(all: Map<number, Map<string, V>>, at: number, name: string, value: V): void {
  const own = all.get(at) ?? new Map<string, V>();
  all.set(at, own.set(name, value));
}

const areSame = (one: readonly IContent[], other: readonly IContent[]): boolean =>
  one.length === other.length && one.every((content, at) => content === other[at]);

/** The tools that a log calls, as far as their calls show them; logs don't hold the declarations. */
export function toolsOf(log: readonly IContent[]): readonly Tool[] {
  const tools = new Map<string, Map<string, string>>();
  for (const content of log) {
    for (const { type, name, parameters } of blocksOf(content)) {
      if (type !== 'tool_call') continue;
      const known = tools.get(toolName(name)) ?? new Map<string, string>();
      tools.set(toolName(name), known);
      if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) continue;
      for (const key of Object.keys(parameters)) known.set(key, kindOf(read(parameters, key)));
    }
  }
  return [...tools].slice(0, MOST_TOOLS).map(([name, keys]) => ({
    name,
    description: `The tool ${name} of this session.`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries([...keys].map(([key, type]) => [key, schemaOf(type)])),
    },
  }));
}

const schemaOf = (type: string): object => (type === 'array' ? { type, items: {} } : { type });

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object' && value !== null) return 'object';
  return typeof value === 'number' || typeof value === 'boolean' ? typeof value : 'string';
}
