/** A plug-in of opencode, for version 1 (`server`) and version 2 (`setup`): packs each request's history in its process. */
import { shrinkResult } from '../../intake/functions.js';
import { digest, type OpencodeMessageLike, transformContext, transformMessages } from '../../opencode.js';
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

/** What is used of opencode 2. */
interface Context {
  readonly session: { hook(name: 'context', action: (event: { messages: never[] }) => Promise<void>): unknown };
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

/** What rules find in a history: the user's requests, changed files, open errors. A summary by the model is to hold them. */
function factsOf(messages: readonly OpencodeMessageLike[]): string | undefined {
  try {
    const made = digest(messages, { preserve: { messages: 0 }, keepFirstRequest: false });
    if (made.kind !== 'applied') return undefined;
    const texts = made.summary.parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
    return `These facts were read from the session. Keep all that still matter:\n${texts.join('\n')}`;
  } catch {
    return undefined;
  }
}

async function setup({ session }: Context): Promise<void> {
  const settings = fromEnvironment('opencode');
  if (!settings.isRun) await session.hook('context', transformContext(optionsOf(settings)) as never);
}

export default { id: 'densify', server, setup };
