// Messages with what providers sign and number: each thought, call and item gets a signature or an id of its own, as if a
// model had made it. Without them, rules about reasoning find nothing.
import type { FindingCode, MessageFormat } from 'densify/validate';
import { bagOf, type Message } from './loose.js';

/** Whose models sign. */
export type Maker = 'anthropic' | 'openai' | 'google';

/** Whose a model is. */
export function makerOf(model: string | undefined): Maker {
  return model?.startsWith('gpt') ? 'openai' : model?.startsWith('gemini') ? 'google' : 'anthropic';
}

/** A model that doesn't reason refuses another's reasoning to begin with, so nothing about it comes on top of that. */
export function isOfOthers(code: FindingCode, model: string | undefined): boolean {
  return model === 'gpt-4o' && (code === 'reasoning-forbidden' || code === 'successor-without-reasoning');
}

/** What signs the messages of a format. */
export function signing(format: MessageFormat, maker: Maker): (message: Message, at: number) => Message {
  if (format === 'openai-responses' || format === 'openai-agents') return numbered;
  const sign = (parts: unknown, at: number): unknown =>
    Array.isArray(parts) ? signedParts(parts, at, format, maker) : parts;
  return (message, at) => {
    const { role, type, content, parts, data } = message;
    if (type === 'ai') return { ...message, data: { ...bagOf(data), content: sign(bagOf(data).content, at) } };
    if (role === 'model' || (role === 'assistant' && parts !== undefined))
      return { ...message, parts: sign(parts, at) };
    return role === 'assistant' ? { ...message, content: sign(content, at) } : message;
  };
}

/** Items of OpenAI’s, with their ids. */
function numbered(item: Message, at: number): Message {
  const { type = 'message', role } = item;
  const prefix =
    type === 'reasoning' ? 'rs' : type === 'function_call' ? 'fc' : role === 'assistant' ? 'msg' : undefined;
  return prefix === undefined ? item : { ...item, id: `${prefix}_${at}` };
}

/** Thoughts, what OpenAI numbers beside them, and of Gemini’s calls the first of a step. */
function signedParts(parts: readonly unknown[], at: number, format: MessageFormat, maker: Maker): unknown[] {
  let calls = 0;
  return parts.map((part, number): unknown => {
    const given = bagOf(part);
    const { type } = given;
    const signature = `s${at}.${number}`;
    const isCall = given.functionCall !== undefined || 'toolCallId' in given;
    if (isCall) calls += 1;
    if (given.functionCall !== undefined) return calls > 1 ? part : { ...given, thoughtSignature: signature };
    if (type === 'thinking' && format === 'pi') {
      const item = maker === 'openai' ? JSON.stringify({ id: `rs_${signature}` }) : signature;
      return { ...given, thinkingSignature: item };
    }
    if (type === 'thinking') return { ...given, signature };
    const secrets = format.startsWith('ai-sdk') ? SECRETS[maker](type, signature, isCall, calls) : undefined;
    if (secrets === undefined) return part;
    const metadata = isCall ? 'callProviderMetadata' : 'providerMetadata';
    return { ...given, [format === 'ai-sdk-ui' ? metadata : 'providerOptions']: { [maker]: secrets } };
  });
}

/** What each of the AI SDK’s providers puts beside a part. */
const SECRETS: Readonly<
  Record<Maker, (type: unknown, signature: string, isCall: boolean, calls: number) => Message | undefined>
> = {
  anthropic: (type, signature) => (type === 'reasoning' ? { signature } : undefined),
  google: (_, signature, isCall, calls) => (isCall && calls === 1 ? { thoughtSignature: signature } : undefined),
  openai(type, signature, isCall) {
    if (type === 'reasoning') return { itemId: `rs_${signature}`, reasoningEncryptedContent: 'x' };
    return isCall || type === 'text' ? { itemId: `${isCall ? 'fc' : 'msg'}_${signature}` } : undefined;
  },
};
