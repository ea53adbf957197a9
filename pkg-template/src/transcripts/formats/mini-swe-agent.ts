/**
 * Trajectories of mini-swe-agent: one JSON document of chat messages. The model's one fenced command
 * becomes a call of `bash`, the message after it the response; newer versions call tools in OpenAI's form.
 * A return code other than zero marks a response as failed.
 */
import type { Format, Log, Reader } from '../format.js';
import { isList, isRecord, type JsonRecord } from '../json.js';
import { ChatTranslator, commandOf } from '../shell.js';

const RETURN_CODE = /^\s*<returncode>\s*(-?\d+)/;

class MiniSweAgentReader extends ChatTranslator implements Reader {
  read(message: JsonRecord, line: number): void {
    const { role, content } = message;
    // How the run ended, for who started it.
    if (role === 'exit') return this.log.skip();
    if (role === 'assistant' && typeof content === 'string' && !isList(message['tool_calls'])) {
      const found = commandOf(content);
      return found === undefined ? this.chat(message, line) : this.call(message, found, line);
    }
    if (role === 'tool' || (role === 'user' && this.awaits)) return this.answer(message, failed(message), line);
    this.chat(message, line);
  }
}

function failed({ content, extra }: JsonRecord): boolean {
  const code = isRecord(extra) ? extra['returncode'] : undefined;
  if (typeof code === 'number') return code !== 0;
  const stated = typeof content === 'string' ? RETURN_CODE.exec(content)?.[1] : undefined;
  return stated !== undefined && Number(stated) !== 0;
}

export const miniSweAgent: Format = {
  name: 'mini-swe-agent',
  // A message of its own is one of Chat Completions.
  detect: () => false,
  records(document) {
    if (!isRecord(document) || !isList(document['messages'])) return undefined;
    const { trajectory_format: format, info, messages } = document;
    const named = typeof format === 'string' && format.startsWith('mini-swe-agent');
    return named || (isRecord(info) && 'mini_version' in info) ? messages : undefined;
  },
  recordsTell: () => true,
  open: (log: Log) => new MiniSweAgentReader(log),
};
