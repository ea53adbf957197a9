/** A plug-in of opencode, for version 1 (`server`) and version 2 (`setup`): packs each request's history in its process. */
import { withChanges } from '../../base/share.js';
import { opencodeModel } from '../../formats/opencode/model.js';
import { digestOf } from '../../formats/verbs.js';
import { shrinkResult } from '../../intake/functions.js';
import {
  digest,
  type OpencodeMessageLike,
  type OpencodeModelMessageLike,
  transformContext,
  transformMessages,
} from '../../opencode.js';
import { INTRODUCTION, OF_ALL, textOf } from './facts.js';
import { fromEnvironment, type PluginSettings } from './settings.js';

interface ToolInput {
  readonly tool: string;
  readonly args: unknown;
}

interface Hooks {
  'experimental.chat.messages.transform'(input: unknown, output: { messages: OpencodeMessageLike[] }): Promise<void>;
  'experimental.session.compacting'(
    input: { readonly sessionID: string },
    output: { context: string[] },
  ): Promise<void>;
  'tool.execute.after'?(input: ToolInput, output: { output: unknown }): Promise<void>;
}

/** What is used of the events of opencode 2. */
interface ContextEvent {
  messages: OpencodeModelMessageLike[];
}

interface CompactionEvent extends ContextEvent {
  /** If a plug-in sets it, opencode asks no model for a summary. */
  result?: { summary: string };
}

/** What is used of opencode 2. */
interface Context {
  readonly session: {
    hook(name: 'context', action: (event: ContextEvent) => Promise<void>): unknown;
    hook(name: 'compaction', action: (event: CompactionEvent) => Promise<void>): unknown;
  };
}

const optionsOf = ({ preset }: PluginSettings): object => ({
  ...(preset === undefined ? {} : { preset }),
  onWarning: () => undefined,
});

async function server(): Promise<Partial<Hooks>> {
  const settings = fromEnvironment('opencode');
  if (settings.isRun) return {};
  const pack = transformMessages(optionsOf(settings));
  /** The messages of sessions as opencode has them, for what its summaries are to hold. */
  const newest = new Map<string, readonly OpencodeMessageLike[]>();
  const hooks: Hooks = {
    async 'experimental.chat.messages.transform'(input, output) {
      remember(newest, output.messages);
      await pack(input, output);
    },
    async 'experimental.session.compacting'({ sessionID }, { context }) {
      const facts = factsOf(newest.get(sessionID) ?? []);
      if (facts !== undefined) context.push(facts);
    },
  };
  if (!settings.intake) return hooks;
  return {
    ...hooks,
    async 'tool.execute.after'({ tool: name, args }, result) {
      if (typeof result.output !== 'string') return;
      try {
        result.output = shrinkResult({ name, parameters: args }, result.output).result;
      } catch {
        // The result stays.
      }
    },
  };
}

/** Sessions whose messages are held: an agent and its sub-agents. */
const SESSIONS_AT_MOST = 8;

function remember(newest: Map<string, readonly OpencodeMessageLike[]>, messages: readonly OpencodeMessageLike[]): void {
  const { sessionID } = (messages.at(-1)?.info ?? {}) as { readonly sessionID?: unknown };
  if (typeof sessionID !== 'string') return;
  newest.delete(sessionID);
  newest.set(sessionID, [...messages]);
  for (const oldest of newest.keys()) {
    if (newest.size <= SESSIONS_AT_MOST) break;
    newest.delete(oldest);
  }
}

/** The facts of a session, for a summary by the model; `undefined` if there is little. */
function factsOf(messages: readonly OpencodeMessageLike[]): string | undefined {
  try {
    const made = digest(messages, OF_ALL);
    return made.kind === 'applied' ? `${INTRODUCTION}\n${textOf(made.summary.parts)}` : undefined;
  } catch {
    return undefined;
  }
}

const digestOfModel = digestOf(opencodeModel);

/** Opens what opencode 2 writes for an earlier summary. */
const CHECKPOINT = '<conversation-checkpoint>';
const isSummary = ({ content }: OpencodeModelMessageLike): boolean =>
  content.some((part) => part.type === 'compaction') || textOf(content).includes(CHECKPOINT);

/** A digest instead of the model's summary, or facts for it behind opencode's own prompt, which comes last. */
function summarised(event: CompactionEvent, isDigest: boolean): void {
  const history = event.messages.slice(0, -1);
  const prompt = event.messages.at(-1);
  if (event.result !== undefined || prompt?.role !== 'user') return;
  const made = digestOfModel(history, OF_ALL);
  const text = made.kind === 'applied' ? textOf(made.summary.content) : '';
  if (text === '') return;
  if (isDigest && !history.some(isSummary)) {
    event.result = { summary: text };
    return;
  }
  // What comes before is in the provider's cache.
  const content = [...prompt.content, { type: 'text', text: `${INTRODUCTION}\n${text}` }];
  event.messages.splice(-1, 1, withChanges(prompt, { content }));
}

async function setup({ session }: Context): Promise<void> {
  const settings = fromEnvironment('opencode');
  if (settings.isRun) return;
  const pack = transformContext(optionsOf(settings)) as (event: ContextEvent) => Promise<void>;
  await session.hook('context', pack);
  await session.hook('compaction', async (event) => {
    try {
      summarised(event, settings.compaction);
    } catch {
      // opencode asks its model without them.
    }
    // The provider's cache holds the packed messages of the requests before.
    if (event.result === undefined) await pack(event);
  });
}

export default { id: 'densify', server, setup };
