/** Items of OpenAI's Agents SDK: those of the Responses API, in its own words. */
import type { JsonRecord } from '../../transcripts/json.js';
import type { Path } from '../api.js';
import { recordAt } from '../context.js';
import type { FormatRules } from '../format.js';
import { NO_RESULT } from '../rules/shared.js';
import { AGENTS_INPUT, AGENTS_OUTPUT, agentsItem, agentsMessage } from '../shapes/openai-agents.js';
import type { Words } from '../words.js';
import { itemWords, rulesOfItems } from './openai-responses.js';

/** The types that the SDK names otherwise. */
const SENT: ReadonlyMap<unknown, string> = new Map([
  ['function_call_result', 'function_call_output'],
  ['computer_call_result', 'computer_call_output'],
]);

/** Stands where an item has no id of the provider's. */
const NO_ID = 'FAKE_ID';

/** What the API says names its own keys; the SDK's earlier checks are unknown. */
const words: Words = Object.fromEntries(
  Object.entries(itemWords)
    .filter(([code]) => code !== 'bad-shape' && code !== 'misplaced-block')
    .map(([code, says]) => [code, (path: Path, info) => says(path.map(inApi), info)] satisfies [string, typeof says]),
);

function inApi(key: string | number): string | number {
  return key === 'callId' ? 'call_id' : key;
}

/** The item as the API gets it, as far as the rules look at it. */
function asSent(item: JsonRecord): JsonRecord {
  const { type, id, callId, caller } = item;
  const data = recordAt(item, 'providerData') ?? {};
  const own = id === NO_ID ? undefined : id;
  // What the provider's own tools did is told apart by their names.
  if (type === 'hosted_tool_call') {
    const { approval_request_id = data['approvalRequestId'] } = data;
    return { ...item, type: data['type'] ?? item['name'], id: data['id'] ?? own, approval_request_id };
  }
  const { callerId, ...called } = recordAt(item, 'caller') ?? {};
  return {
    ...item,
    type: SENT.get(type) ?? type,
    id: own,
    call_id: callId ?? item['call_id'],
    caller: caller === undefined ? undefined : { ...called, caller_id: callerId },
    encrypted_content: item['encrypted_content'] ?? data['encryptedContent'] ?? data['encrypted_content'],
  };
}

export const openAiAgents: FormatRules = /* @__PURE__ */ rulesOfItems({
  name: 'openai-agents',
  words,
  shapeOf: ({ type }) => (type === undefined ? agentsMessage : agentsItem),
  asSent,
  idKey: 'callId',
  parts: [AGENTS_INPUT, AGENTS_OUTPUT],
  answer: (type, { id, name }) =>
    type === 'function_call'
      ? { type: 'function_call_result', callId: id, name: name ?? '', status: 'completed', output: NO_RESULT }
      : undefined,
});
