// A model of LangChain's that calls tools by a script.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';

/** Calls tools, one after the other, and keeps the messages of each request. */
export class Scripted extends BaseChatModel {
  readonly asked: BaseMessage[][] = [];
  readonly model = 'claude-3-5-haiku';
  readonly #tools: readonly string[];

  constructor(tools: readonly string[]) {
    super({});
    this.#tools = tools;
  }

  _llmType(): string {
    return 'anthropic';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]) {
    this.asked.push(messages);
    const name = this.#tools[this.asked.length - 1];
    const call = { type: 'tool_call' as const, id: `${this.asked.length}`, name: name ?? '', args: { path: 'a.ts' } };
    const message = name === undefined ? new AIMessage('Done.') : new AIMessage({ content: '', tool_calls: [call] });
    return { generations: [{ text: '', message }] };
  }
}

/** The calls that the results in a request answer. */
export const idsOf = (messages: readonly BaseMessage[]) =>
  messages.filter(({ type }) => type === 'tool').map((message) => (message as ToolMessage).tool_call_id);
