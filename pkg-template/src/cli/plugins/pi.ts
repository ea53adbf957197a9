/** An extension of pi: packs each request's history, and shortens results before they enter it. */
import { shrinkResult } from '../../intake/functions.js';
import { digest, transformContext } from '../../pi.js';
import { OF_ALL, textOf } from './facts.js';
import { fromEnvironment } from './settings.js';

interface Context {
  readonly model?: { readonly id?: string; readonly provider?: string } | undefined;
}

interface TextPart {
  readonly type: string;
  readonly text?: string;
}

interface ResultEvent {
  readonly toolName: string;
  readonly input: unknown;
  readonly content: readonly TextPart[];
}

interface CompactEvent {
  readonly preparation: {
    readonly firstKeptEntryId: string;
    readonly messagesToSummarize: readonly never[];
    readonly previousSummary?: string;
    readonly tokensBefore: number;
  };
}

interface Pi {
  on(
    event: 'context',
    action: (event: { readonly messages: object[] }, context: Context) => Promise<{ messages: object[] }>,
  ): void;
  on(event: 'tool_result', action: (event: ResultEvent) => { content: TextPart[] } | undefined): void;
  on(event: 'session_before_compact', action: (event: CompactEvent) => { compaction: object } | undefined): void;
}

export default function densify(pi: Pi): void {
  const { preset, intake, compaction, isRun } = fromEnvironment('pi');
  if (isRun) return;
  const hooks = new Map<string, (messages: never[]) => Promise<object[]>>();
  pi.on('context', async ({ messages }, { model }) => {
    const key = JSON.stringify([model?.provider, model?.id]);
    let hook = hooks.get(key);
    if (hook === undefined) {
      const options = { preset, model: model?.id, provider: model?.provider, onWarning: () => undefined };
      hook = transformContext(options as never) as never;
      hooks.set(key, hook!);
    }
    return { messages: await hook!(messages as never[]) };
  });
  if (intake) pi.on('tool_result', shortened);
  if (compaction) pi.on('session_before_compact', compacted);
}

/** A result whose texts are shorter; nothing where none is. */
function shortened({ toolName: name, input, content }: ResultEvent): { content: TextPart[] } | undefined {
  let isShorter = false;
  try {
    const parts = content.map((part) => {
      if (part.type !== 'text' || part.text === undefined) return part;
      const { result, changed } = shrinkResult({ name, parameters: input }, part.text);
      isShorter ||= changed;
      return changed ? { ...part, text: result } : part;
    });
    return isShorter ? { content: parts } : undefined;
  } catch {
    return undefined; // the result stays
  }
}

/** A summary by rules instead of the model's; nothing where there is little to summarise. */
function compacted({ preparation }: CompactEvent): { compaction: object } | undefined {
  const { firstKeptEntryId, messagesToSummarize, previousSummary, tokensBefore } = preparation;
  if (previousSummary !== undefined) return undefined; // the model's own goes on
  try {
    const made = digest(messagesToSummarize, OF_ALL);
    if (made.kind !== 'applied') return undefined;
    const summary = textOf((made.summary as { readonly content?: unknown }).content);
    return summary === '' ? undefined : { compaction: { summary, firstKeptEntryId, tokensBefore } };
  } catch {
    return undefined; // pi asks its model
  }
}
