/**
 * Sessions of GitHub Copilot CLI 1.0 (`events.jsonl`): JSONL of `{type, data, id, timestamp, parentId}`. What the model saw
 * of a user's message is `transformedContent`; of a result, `content`. Contents of other agents in the same session
 * (`parentToolCallId`) are left out.
 */
import type { ContentBlock, IContent } from '../../types.js';
import { callBlock, content, pairingId, responseBlock, textBlock, unknownBlock, withRest } from '../blocks.js';
import type { Format, Log, Reader } from '../format.js';
import { filled, isList, isRecord, type JsonRecord, parseJson, present } from '../json.js';

/** Events that say nothing to the model; those of these families as well. */
const BOOKKEEPING =
  /^(?:hook|permission|session|subagent|skill|abort|tool\.execution_(?:start|progress|partial_result)|tool\.user_requested|assistant\.(?:turn_start|turn_end|intent|usage|streaming_delta|message_delta|reasoning|reasoning_delta)|system\.notification|pending_messages|user_input|elicitation|external_tool|command|exit_plan_mode)(?:\.|$)/;

class CopilotCliReader implements Reader {
  readonly #log: Log;
  readonly #contents: IContent[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  read(record: JsonRecord, line: number): void {
    const { type, data } = record;
    if (!isRecord(data) || filled(data['parentToolCallId']) !== undefined) return this.#log.skip();
    switch (type) {
      case 'user.message':
        return this.#human(record, data['transformedContent'] ?? data['content'], undefined, line);
      case 'system.message':
        return this.#system(record, data, line);
      case 'assistant.message':
        return this.#assistant(record, data, line);
      case 'tool.execution_complete':
        return this.#response(record, data, line);
      case 'session.compaction_complete':
        return this.#compacted(record, data);
      default:
        if (typeof type !== 'string' || !BOOKKEEPING.test(type)) this.#log.warn('unknown-record', line);
        return this.#log.skip();
    }
  }

  finish(): IContent[] {
    return this.#contents;
  }

  /** The system prompt is written again whenever it changes; it takes the place of the one before. */
  #system(record: JsonRecord, { content: said }: JsonRecord, line: number): void {
    const at = this.#contents.findIndex(({ metadata }) => metadata?.['role'] === 'system');
    if (at >= 0) {
      this.#contents.splice(at, 1);
      this.#log.skip();
    }
    const before = this.#contents.length;
    this.#human(record, said, 'system', line);
    const [prompt] = this.#contents.splice(before);
    if (prompt !== undefined) this.#contents.unshift(prompt);
  }

  #human(record: JsonRecord, said: unknown, role: string | undefined, line: number): void {
    const text = filled(said);
    if (text === undefined) return this.#log.warn('empty-message', line);
    this.#contents.push(content('human', [textBlock(text)], metadata(record, { role })));
  }

  #assistant(record: JsonRecord, data: JsonRecord, line: number): void {
    const { content: said, reasoningText, encryptedContent, toolRequests } = data;
    const blocks: ContentBlock[] = [];
    const thought = filled(reasoningText) ?? '';
    if (thought !== '' || encryptedContent !== undefined) {
      blocks.push(withRest({ type: 'thinking' as const, thought }, present({ encryptedContent }) ?? {}, []));
    }
    const text = filled(said);
    if (text !== undefined) blocks.push(textBlock(text));
    for (const request of isList(toolRequests) ? toolRequests : []) blocks.push(this.#call(request, line));
    if (blocks.length === 0) return this.#log.skip();
    this.#contents.push(content('ai', blocks, metadata(record, { id: data['messageId'], model: data['model'] })));
  }

  #call(request: unknown, line: number): ContentBlock {
    if (!isRecord(request)) {
      this.#log.warn('unknown-block', line);
      return unknownBlock(request);
    }
    const id = pairingId(request['toolCallId'], this.#log, line);
    const call = callBlock(id, request['name'], readArguments(request['arguments']));
    return withRest(call, request, ['toolCallId', 'name', 'arguments', 'intentionSummary', 'toolTitle']);
  }

  #response(record: JsonRecord, data: JsonRecord, line: number): void {
    const { toolCallId, toolName, success, result, error } = data;
    const id = pairingId(toolCallId, this.#log, line);
    const said = isRecord(result) ? (result['content'] ?? result) : result;
    const failure = isRecord(error) ? error['message'] : error;
    const block = responseBlock(id, toolName, said ?? failure ?? '', success === false);
    this.#contents.push(content('tool', [block], metadata(record, {})));
  }

  #compacted(record: JsonRecord, { summaryContent, success }: JsonRecord): void {
    const text = filled(summaryContent);
    if (text === undefined || success === false) return this.#log.skip();
    const about = { ...metadata(record, {}), isSummary: true, compactBoundary: true };
    this.#contents.push(content('human', [textBlock(text)], about));
  }
}

/** Arguments are an object; those of custom tools are the text that the model wrote. */
function readArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  return isRecord(parsed) ? parsed : { input: value };
}

function metadata({ id, timestamp }: JsonRecord, about: JsonRecord): Record<string, unknown> | undefined {
  return present({ id, timestamp, ...present(about) });
}

const OWN = /^(?:session\.start|(?:user|assistant|system)\.message|tool\.execution_(?:start|complete))$/;

export const copilotCli: Format = {
  name: 'copilot-cli',
  detect: ({ type, data, timestamp }) =>
    typeof type === 'string' && OWN.test(type) && isRecord(data) && typeof timestamp === 'string',
  open: (log) => new CopilotCliReader(log),
};
