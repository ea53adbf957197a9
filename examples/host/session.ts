// A chat session (`npm i densify`) that keeps its history in a conversation: settings in layers, `/set`, `/compress`, profiles,
// models, todo items, hooks, a transcript, and a snapshot that survives a restart. It speaks to any model: `ask` sends messages.
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

export interface Model {
  readonly provider: string;
  readonly contextLimit: number;
}

/** What the session needs of the program around it. */
export interface Host {
  readonly models: Readonly<Record<string, Model>>;
  /** Settings by profile: whole profiles, of which only the keys of densify are read. */
  readonly profiles: Readonly<Record<string, object>>;
  /** Sends messages to a model. `profile` is the one that summaries are to be made with. */
  readonly ask: (
    messages: readonly IContent[],
    to: { readonly model: string; readonly profile?: string | undefined },
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
}

const text = (content: IContent) =>
  content.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

export class ChatSession {
  readonly #host: Host;
  #model: string;
  #profile: string;
  /** What `/set` has set: it goes before the profile. */
  #settings: Record<string, unknown>;
  readonly #conversation;

  constructor(host: Host, start: { readonly model: string; readonly profile: string } | StoredSession) {
    this.#host = host;
    this.#model = start.model;
    this.#profile = start.profile;
    this.#settings = 'settings' in start ? { ...start.settings } : {};
    const options = this.#options();
    this.#conversation =
      'snapshot' in start ? restoreConversation(start.snapshot, start.raw, options) : createConversation(options);
  }

  /** Settings, model and hooks as options of the conversation. */
  #options(): ConversationOptions {
    const { models, profiles, prompts, todos, transcript } = this.#host;
    const { provider, contextLimit } = models[this.#model]!;
    const settings = resolveSettings([this.#settings, profiles[this.#profile]], { ignoreUnknown: true });
    const { summary, ...options } = conversationOptions(settings);
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
    tokensUpdated: ({ current, limit }) => this.#host.print(`${Math.round((100 * current) / limit)}% of the window`),
  };

  /** A line of the user's: a command, or something to say to the model. */
  async enter(line: string): Promise<void> {
    const [command = '', key = '', ...words] = line.split(' ');
    try {
      if (command === '/set') this.#set(key, words.join(' '));
      else if (command === '/unset') this.#change(() => delete this.#settings[key]);
      else if (command === '/profile') this.#change(() => (this.#profile = known(this.#host.profiles, key)));
      else if (command === '/model') this.#change(() => (this.#model = known(this.#host.models, key)));
      else if (command === '/compress') await this.#compress([key, ...words].join(' ').trim());
      else await this.#turn(line);
    } catch (error) {
      // Errors of densify are sentences for the user: what was found, where, and what to do.
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
    try {
      change();
      this.#conversation.configure({ ...this.#options() });
    } catch (error) {
      [this.#model, this.#profile, this.#settings] = [before.model, before.profile, before.settings];
      throw error;
    }
  }

  readonly #summarize = async ({ messages, profile }: SummaryRequest): Promise<string> =>
    text((await this.#host.ask(messages, { model: this.#model, profile })).answer);

  /** `/compress the parser`: by the strategy of the settings, with a model if that needs one. */
  async #compress(focus: string): Promise<void> {
    const { strategy } = this.#options();
    if (strategy === 'high-density' || strategy === 'top-down-truncation') this.#conversation.compress();
    else if (strategy === 'digest') this.#conversation.digest();
    else {
      const step = this.#conversation.summarize(focus === '' ? {} : { instructions: `Focus on ${focus}.` });
      if (step.kind === 'noop') return this.#host.print(`nothing to compress: ${step.reason}`);
      await this.#conversation.prepare({ summarize: this.#summarize });
    }
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
      const { answer, usage } = await this.#host.ask(step.messages, { model: this.#model });
      this.#conversation.report(usage);
      this.#conversation.add(answer);
      const calls = answer.blocks.flatMap((block) => (block.type === 'tool_call' ? [block] : []));
      for (const { id, name, parameters } of calls) {
        const result = await this.#host.runTool(name, parameters);
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
    return { model: this.#model, profile: this.#profile, settings: this.#settings, raw, snapshot };
  }
}

function known(table: object, name: string): string {
  if (Object.hasOwn(table, name)) return name;
  throw new Error(`found ${name}, expected one of ${Object.keys(table).join(', ')}`);
}
