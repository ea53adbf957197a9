import type { ContentBlock, IContent } from '../types.js';
import {
  base64Block,
  callBlock,
  pairingId,
  readBlocks,
  readOutput,
  responseBlock,
  textBlock,
  unknownBlock,
  urlBlock,
  withRest,
} from './blocks.js';
import type { Log } from './format.js';
import { filled, isList, isRecord, type JsonRecord } from './json.js';

/** What one speaker said in a message. */
interface Part {
  readonly speaker: IContent['speaker'];
  readonly blocks: ContentBlock[];
}

/** Reads the blocks of Anthropic's Messages API, wherever a log has them. */
export class AnthropicBlocks {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The blocks of a message in which no tool answers. */
  blocks(said: unknown, line: number): ContentBlock[] {
    return readBlocks(said, this.#translate, this.#log, line);
  }

  /** A message of the user: results of tools, then the user's text. */
  ofUser(said: unknown, line: number): readonly Part[] {
    const results = isList(said) ? said.filter(isToolResult) : [];
    if (!isList(said) || results.length === 0) return [{ speaker: 'human', blocks: this.blocks(said, line) }];
    const answers: Part = { speaker: 'tool', blocks: results.flatMap((result) => this.#response(result, line)) };
    const others = said.filter((item) => !isToolResult(item));
    return others.length === 0 ? [answers] : [answers, { speaker: 'human', blocks: this.blocks(others, line) }];
  }

  #response(block: JsonRecord, line: number): ContentBlock[] {
    const { result, others } = readOutput(block['content'], this.#translate, this.#log, line);
    const id = pairingId(block['tool_use_id'], this.#log, line);
    return [responseBlock(id, undefined, result, block['is_error'] === true), ...others];
  }

  readonly #translate = (block: JsonRecord, line: number): ContentBlock | undefined => {
    const { type, thinking } = block;
    if (type === 'thinking' && typeof thinking === 'string') {
      return withRest({ type: 'thinking' as const, thought: thinking }, block, ['thinking']);
    }
    if (type === 'tool_use') {
      const id = pairingId(block['id'], this.#log, line);
      return withRest(callBlock(id, block['name'], block['input']), block, ['input']);
    }
    if (type === 'tool_reference') return textBlock(filled(block['tool_name']) ?? '');
    if (isOfServer(type)) return unknownBlock(block);
    return type === 'image' || type === 'document' ? media(block) : undefined;
  };
}

/** Blocks of the provider's own tools, hidden blocks and markers: they are kept as they are. */
function isOfServer(type: unknown): boolean {
  return (
    typeof type === 'string' &&
    /^(?:server_tool_use|mcp_tool_use|\w+_tool_result|redacted_thinking|compaction|fallback)$/.test(type)
  );
}

function isToolResult(item: unknown): item is JsonRecord {
  return isRecord(item) && item['type'] === 'tool_result';
}

function media(block: JsonRecord): ContentBlock | undefined {
  const { source, title } = block;
  if (!isRecord(source)) return undefined;
  const { type, data, url } = source;
  if (type === 'base64' && typeof data === 'string') return base64Block(source['media_type'], data, title);
  const mimeType = block['type'] === 'document' ? 'application/pdf' : 'image/*';
  return type === 'url' && typeof url === 'string' ? urlBlock(url, mimeType, title) : undefined;
}
