/**
 * Trajectories of SWE-agent: one JSON document, `{trajectory, history, info}`. The model saw `history`. A typed
 * command (`action`) becomes a call of `bash`, the observation after it the response; newer versions call tools in
 * OpenAI's form.
 */
import type { Format, Log, Reader } from '../format.js';
import { filled, isList, isRecord, type JsonRecord } from '../json.js';
import { ChatTranslator } from '../shell.js';

class SweAgentReader extends ChatTranslator implements Reader {
  read(message: JsonRecord, line: number): void {
    const { role, action, thought, content, tool_call_ids: ids } = message;
    if (role === 'assistant' && !isList(message['tool_calls']) && filled(action) !== undefined) {
      // The thought is the content without the command; where it is missing, the content says both.
      const text = typeof thought === 'string' ? thought : content;
      const texts = typeof text === 'string' ? [text] : [];
      return this.call(message, { command: String(action), texts }, line);
    }
    const [id] = isList(ids) ? ids : [];
    if (role === 'tool') return this.chat(id === undefined ? message : { tool_call_id: id, ...message }, line);
    if (role === 'user' && this.awaits) return this.answer(message, false, line);
    this.chat(message, line);
  }
}

export const sweAgent: Format = {
  name: 'swe-agent',
  // A message of its own is one of Chat Completions.
  detect: () => false,
  records(document) {
    if (!isRecord(document) || !isList(document['trajectory'])) return undefined;
    return isList(document['history']) ? document['history'] : undefined;
  },
  recordsTell: () => true,
  open: (log: Log) => new SweAgentReader(log),
};
