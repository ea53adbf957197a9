// A chat session (`npm i densify`) that keeps its history in a conversation. It has layers of
// settings, `/set`, `/compress`, profiles, models and todo items. It also has hooks, a transcript,
// recall, and a snapshot that survives a restart. It speaks to any model: `ask` sends messages.
import {
  type ConversationHooks,
  type ConversationOptions,
  type ConversationSnapshot,
  createConversation,
  type IContent,
  restoreConversation,
  type SummaryRequest,
  type Todo,
} from 'densify';
import { conversationOptions, parseSetting, resolveSettings } from 'densify/host';
import {
  createRecall,
  type Recall,
  type RecallSnapshot,
  type RecallTool,
  recallTools,
} from 'densify/recall';

export interface Model {
  readonly provider: string;
  readonly contextLimit: number;
}

/** What the session needs of the program around it. */
export interface Host {
  readonly models: Readonly<Record<string, Model>>;
  /** Settings by profile: whole profiles, of which only the keys of densify are read. */
  readonly profiles: Readonly<Record<string, object>>;
  /**
   * Sends messages to a model. `profile` names the profile for summaries. `tools` are the session's
   * tools, to offer together with yours.
   */
  readonly ask: (
    messages: readonly IContent[],
    to: {
      readonly model: string;
      readonly profile?: string | undefined;
      readonly tools?: readonly RecallTool[] | undefined;
    },
  ) => Promise<{ readonly answer: IContent; readonly usage?: unknown }>;
  readonly runTool: (name: string, parameters: unknown) => Promise<unknown>;
  readonly todos: () => Promise<readonly Todo[]>;
  /** Files with prompts of the user's own (`readPrompts` of `densify/node`). */
  readonly prompts?: ReadonlyMap<string, string>;
  readonly transcript: { readonly path: string; readonly append: (line: string) => void };
  /** Shows a line to the user. */
  readonly print: (line: string) => void;
  /** Whether the history may be made smaller now. */
  readonly mayCompress?: () => boolean;
}

/** A session as it is stored: plain JSON. */
export interface StoredSession {
  readonly model: string;
  readonly profile: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly raw: readonly IContent[];
  readonly snapshot: ConversationSnapshot;
  /** What the references to cut texts are made with, and these texts. */
  readonly secret: string;
  readonly recall: RecallSnapshot;
}

const text = (content: IContent) =>
  content.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

export class ChatSession {
  readonly #host: Host;
  #model: string;
  #profile: string;
  /** What `/set` has set: it goes before the profile. */
  #settings: Record<string, unknown>;
  readonly #secret: string;
  readonly #recall: Recall;
  #conversation;

  constructor(
    host: Host,
    start: { readonly model: string; readonly profile: string } | StoredSession,
  ) {
    this.#host = host;
    this.#model = start.model;
    this.#profile = start.profile;
    this.#settings = 'settings' in start ? { ...start.settings } : {};
    const stored = 'snapshot' in start ? start : undefined;
    this.#secret = stored?.secret ?? crypto.randomUUID();
    this.#recall = createRecall({ secret: this.#secret, snapshot: stored?.recall });
    const options = this.#options();
    this.#conversation = stored
      ? restoreConversation(stored.snapshot, stored.raw, options)
      : createConversation(options);
  }

  /** Settings, model and hooks as options of the conversation. */
  #options(): ConversationOptions {
    const { models, profiles, prompts, todos, transcript } = this.#host;
    const { provider, contextLimit } = models[this.#model]!;
    const settings = resolveSettings([this.#settings, profiles[this.#profile]], {
      ignoreUnknown: true,
    });
    const { summary, ...options } = conversationOptions(settings, { recall: this.#recall });
    return {
      ...options,
      ...{ provider, model: this.#model, contextLimit, todos, hooks: this.#hooks },
      summary: { ...summary, prompts, transcriptPath: transcript.path },
    };
  }

  readonly #hooks: ConversationHooks<IContent> = {
    beforeCompression: ({ strategy, reason }) => {
      this.#host.print(`… ${strategy} (${reason})`);
      return this.#host.mayCompress?.() ?? true;
    },
    afterCompression: ({ outcome, tokensBefore, tokensAfter }) =>
      this.#host.print(`… ${outcome}: ${tokensBefore} → ${tokensAfter} tokens`),
    contentAdded: ({ messages }) => {
      for (const message of messages) this.#host.transcript.append(JSON.stringify(message));
    },
    tokensUpdated: ({ current, limit }) =>
      this.#host.print(`${Math.round((100 * current) / limit)}% of the window`),
  };

  /** A line of the user's: a command, or something to say to the model. */
  async enter(line: string): Promise<void> {
    const [command = '', key = '', ...words] = line.split(' ');
    try {
      if (command === '/set') this.#set(key, words.join(' '));
      else if (command === '/unset') this.#change(() => delete this.#settings[key]);
      else if (command === '/profile')
        this.#change(() => (this.#profile = known(this.#host.profiles, key)));
      else if (command === '/model')
        this.#change(() => (this.#model = known(this.#host.models, key)));
      else if (command === '/compress') await this.#compress([key, ...words].join(' ').trim());
      else await this.#turn(line);
    } catch (error) {
      // densify's errors are sentences for the user.
      this.#host.print(error instanceof Error ? error.message : String(error));
    }
  }

  #set(key: string, typed: string): void {
    const setting = parseSetting(key, typed);
    this.#change(() => (this.#settings[setting.key] = setting.value));
  }

  /** Changes something, and all of it back if the conversation can't go on like that. */
  #change(change: () => unknown): void {
    const before = { model: this.#model, profile: this.#profile, settings: { ...this.#settings } };
    const { recall } = this.#options();
    try {
      change();
      const options = this.#options();
      if (options.recall === recall) return this.#conversation.configure({ ...options });
      // The store is the one option that `configure` doesn't change.
      const old = this.#conversation;
      this.#conversation = restoreConversation(old.snapshot(), old.raw, options);
      old.dispose();
    } catch (error) {
      [this.#model, this.#profile, this.#settings] = [
        before.model,
        before.profile,
        before.settings,
      ];
      throw error;
    }
  }

  readonly #summarize = async ({ messages, profile }: SummaryRequest): Promise<string> =>
    text((await this.#host.ask(messages, { model: this.#model, profile })).answer);

  /** `/compress the parser`: by the strategy of the settings, with a model if that needs one. */
  async #compress(focus: string): Promise<void> {
    const { strategy } = this.#options();
    // These verbs don't wait for todo items, as `prepare` does.
    this.#conversation.configure({ todos: await this.#host.todos() });
    if (strategy === 'high-density' || strategy === 'top-down-truncation')
      this.#conversation.compress();
    else if (strategy === 'digest') this.#conversation.digest();
    else {
      const step = this.#conversation.summarize(
        focus === '' ? {} : { instructions: `Focus on ${focus}.` },
      );
      if (step.kind === 'noop') this.#host.print(`nothing to compress: ${step.reason}`);
      else await this.#conversation.prepare({ summarize: this.#summarize });
    }
    this.#conversation.configure({ todos: this.#host.todos });
  }

  async #turn(said: string): Promise<void> {
    this.#conversation.add({ speaker: 'human', blocks: [{ type: 'text', text: said }] });
    for (let isDone = false; !isDone; ) {
      const step = await this.#conversation.prepare({
        summarize: this.#summarize,
        fallback: 'digest',
        timeout: 60_000,
      });
      if (step.kind === 'over-limit') return this.#host.print(step.message);
      for (const { code } of step.warnings) this.#host.print(`! ${code}`);
      // The tools change the conversation, so they are made for the current one.
      const own = this.#options().recall && recallTools(this.#recall, this.#conversation);
      const { answer, usage } = await this.#host.ask(step.messages, {
        model: this.#model,
        tools: own?.tools,
      });
      this.#conversation.report(usage);
      this.#conversation.add(answer);
      const calls = answer.blocks.flatMap((block) => (block.type === 'tool_call' ? [block] : []));
      for (const { id, name, parameters } of calls) {
        const result =
          own?.execute(name, parameters) ?? (await this.#host.runTool(name, parameters));
        const response = { type: 'tool_response', callId: id, toolName: name, result } as const;
        this.#conversation.add({ speaker: 'tool', blocks: [response] });
      }
      isDone = calls.length === 0;
      if (isDone) this.#host.print(text(answer));
    }
  }

  /** All that the session needs to go on after a restart. */
  save(): StoredSession {
    const { raw } = this.#conversation;
    const snapshot = this.#conversation.snapshot();
    const [secret, recall] = [this.#secret, this.#recall.snapshot()];
    return {
      model: this.#model,
      profile: this.#profile,
      settings: this.#settings,
      raw,
      snapshot,
      secret,
      recall,
    };
  }
}

function known(table: object, name: string): string {
  if (Object.hasOwn(table, name)) return name;
  throw new Error(`found ${name}, expected one of ${Object.keys(table).join(', ')}`);
}
