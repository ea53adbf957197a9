/**
 * Sessions of pi and Oh My Pi: JSONL, a tree of entries (`id`, `parentId`) that only ever grows. The
 * conversation is the branch that ends at the last entry; sessions of the first version have no
 * ids and are read in order. The whole branch is read, also what a compaction had summarised: the
 * summary names the entries before it that the model still saw.
 */
import type { ContentBlock, IContent } from '../../types.js';
import {
  base64Block,
  callBlock,
  content,
  pairingId,
  readBlocks,
  readOutput,
  responseBlock,
  textBlock,
  withRest,
} from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, isRecord, type JsonRecord, present } from '../json.js';
import { usageOf } from '../usage.js';

/** Entries that say something about the session and nothing to the model. */
const BOOKKEEPING: ReadonlySet<unknown> = new Set([
  'session',
  'model_change',
  'thinking_level_change',
  'custom',
  'label',
  'session_info',
  'context_transform',
  'ephemeral',
  'usage',
  'title',
  'credential_pin',
  'mode_change',
  'service_tier_change',
  'ttsr_injection',
  'mcp_tool_selection',
]);

const ENTRY_TYPES: ReadonlySet<unknown> = new Set([
  'message',
  'compaction',
  'branch_summary',
  'custom_message',
  'model_change',
  'thinking_level_change',
]);

const SPEAKERS: ReadonlyMap<unknown, IContent['speaker']> = new Map([
  ['user', 'human'],
  ['assistant', 'ai'],
  ['custom', 'human'],
  ['hookMessage', 'human'],
  ['system', 'human'],
  ['developer', 'human'],
]);

/** The entry before which a branch begins. */
const ROOT = -1;

interface Entry {
  readonly id: unknown;
  readonly parent: number;
  readonly content: IContent | undefined;
}

class PiReader implements Reader {
  readonly #log: Log;
  readonly #entries: Entry[] = [];
  readonly #byId = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  read(record: JsonRecord, line: number): void {
    // The header has an id, but it isn't part of the tree.
    if (record['type'] === 'session' || record['type'] === 'title') return this.#log.skip();
    const parent = this.#parent(record['parentId'], line);
    const { id } = record;
    if (typeof id === 'string') this.#byId.set(id, this.#entries.length);
    this.#entries.push({ id, parent, content: this.#content(record, line) });
  }

  finish(): IContent[] {
    const branch: Entry[] = [];
    // A parent always comes before its children, so this ends for any log.
    for (let at = this.#entries.length - 1; at !== ROOT; at = this.#entries[at]?.parent ?? ROOT) {
      const entry = this.#entries[at];
      if (entry === undefined) break;
      branch.push(entry);
      if (entry.content === undefined) this.#log.skip();
    }
    for (let off = this.#entries.length - branch.length; off > 0; off -= 1) this.#log.skip();
    branch.reverse();
    branch.forEach((entry, at) => keepBefore(branch, entry, at));
    return branch.flatMap(({ content: said }) => said ?? []);
  }

  #parent(parentId: unknown, line: number): number {
    const before = this.#entries.length - 1;
    if (parentId === undefined) return before;
    if (parentId === null) return ROOT;
    const known = typeof parentId === 'string' ? this.#byId.get(parentId) : undefined;
    if (known === undefined) this.#log.warn('broken-branch', line);
    return known ?? before;
  }

  #content(record: JsonRecord, line: number): IContent | undefined {
    const { type, message } = record;
    if (type === 'message' && isRecord(message)) return this.#message(record, message, line);
    if (type === 'compaction' || type === 'branch_summary') return summary(record, record);
    if (type === 'session_init') return systemPrompt(record);
    if (type === 'custom_message') return this.#plain('human', record, record, line);
    if (!BOOKKEEPING.has(type)) this.#log.warn('unknown-record', line);
    return undefined;
  }

  #message(record: JsonRecord, message: JsonRecord, line: number): IContent | undefined {
    const { role } = message;
    if (role === 'toolResult') return this.#response(record, message, line);
    if (role === 'bashExecution') return command(record, message);
    if (role === 'compactionSummary' || role === 'branchSummary') return summary(record, message);
    const speaker = SPEAKERS.get(role);
    if (speaker === undefined) this.#log.warn('unknown-role', line);
    return this.#plain(speaker ?? 'human', record, message, line);
  }

  #plain(speaker: IContent['speaker'], record: JsonRecord, message: JsonRecord, line: number): IContent | undefined {
    const blocks = readBlocks(message['content'], this.#translate, this.#log, line);
    if (blocks.length > 0) return content(speaker, blocks, metadata(record, message));
    this.#log.warn('empty-message', line);
    return undefined;
  }

  #response(record: JsonRecord, message: JsonRecord, line: number): IContent {
    const { result, others } = readOutput(message['content'], this.#translate, this.#log, line);
    const id = pairingId(message['toolCallId'], this.#log, line);
    const response = responseBlock(id, message['toolName'], result, message['isError'] === true);
    return content('tool', [response, ...others], metadata(record, {}));
  }

  readonly #translate = (block: JsonRecord, line: number): ContentBlock | undefined => {
    const { type, thinking, data } = block;
    if (type === 'thinking' && typeof thinking === 'string') {
      const signature = filled(block['thinkingSignature']);
      const thought = { type: 'thinking' as const, thought: thinking };
      return withRest(signature === undefined ? thought : { ...thought, signature }, block, [
        'thinking',
        'thinkingSignature',
      ]);
    }
    if (type === 'toolCall') {
      const id = pairingId(block['id'], this.#log, line);
      return withRest(callBlock(id, block['name'], block['arguments']), block, ['arguments']);
    }
    return type === 'image' && typeof data === 'string' ? base64Block(block['mimeType'], data) : undefined;
  };
}

/** Notes at a compaction's summary which contents before it the model still saw. */
function keepBefore(branch: readonly Entry[], { content: summed }: Entry, at: number): void {
  const first = summed?.metadata?.['firstKeptEntryId'];
  if (summed?.metadata === undefined || first === undefined) return;
  const from = branch.findIndex(({ id }) => id === first);
  const kept = from < 0 ? [] : branch.slice(from, at).flatMap(({ content: said }) => said?.metadata?.['id'] ?? []);
  Object.assign(summed.metadata, { compactBoundary: true, ...(kept.length > 0 && { compactKept: kept }) });
}

/** The system prompt that Oh My Pi writes down. */
function systemPrompt(record: JsonRecord): IContent | undefined {
  const text = filled(record['systemPrompt']);
  return text === undefined ? undefined : content('human', [textBlock(text)], metadata(record, { role: 'system' }));
}

/** What a compaction, or leaving a branch, left behind. */
function summary(record: JsonRecord, message: JsonRecord): IContent | undefined {
  const text = filled(message['summary']);
  if (text === undefined) return undefined;
  const { firstKeptEntryId } = message;
  return content('human', [textBlock(text)], {
    ...metadata(record, {}),
    isSummary: true,
    ...present({ firstKeptEntryId }),
  });
}

/** A command that the user ran; the model sees it as something the user said, if it sees it at all. */
function command(record: JsonRecord, message: JsonRecord): IContent | undefined {
  if (message['excludeFromContext'] === true) return undefined;
  const { exitCode } = message;
  const lines = [`$ ${filled(message['command']) ?? ''}`, filled(message['output']) ?? '(no output)'];
  if (typeof exitCode === 'number' && exitCode !== 0) lines.push(`(exit code ${exitCode})`);
  return content('human', [textBlock(lines.join('\n'))], metadata(record, { role: message['role'] }));
}

function metadata(record: JsonRecord, message: JsonRecord): Record<string, unknown> | undefined {
  const { role, stopReason } = message;
  const usage = isRecord(message['usage']) ? message['usage'] : {};
  return present({
    id: record['id'],
    timestamp: record['timestamp'],
    model: message['model'],
    usage: usageOf(usage['input'], usage['cacheRead'], usage['cacheWrite'], usage['output']),
    // The roles that a speaker stands for need no further mention.
    role: role === 'user' || role === 'assistant' ? undefined : role,
    customType: message['customType'],
    stopReason: stopReason === 'error' || stopReason === 'aborted' ? stopReason : undefined,
  });
}

export const pi: Format = {
  name: 'pi',
  detect(sample) {
    const { type, message } = sample;
    if (type === 'session') return typeof sample['id'] === 'string' && typeof sample['timestamp'] === 'string';
    const inTree = Object.hasOwn(sample, 'parentId') || type === 'message';
    return (
      inTree &&
      ENTRY_TYPES.has(type) &&
      (type !== 'message' || (isRecord(message) && typeof message['role'] === 'string'))
    );
  },
  open: (log) => new PiReader(log),
};
