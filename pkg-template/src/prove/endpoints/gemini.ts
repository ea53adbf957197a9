import type { Part } from '../turns.js';
import {
  type Ask,
  type Bag,
  bag,
  below,
  type Endpoint,
  list,
  type Reply,
  type Settings,
  text,
  usageOf,
} from './endpoint.js';

/** Gemini takes calls of other models only with this instead of a thought's signature. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Google's `generateContent`. */
export const gemini: Endpoint = {
  address: ({ url, model }) => below(url, '/v1beta', `/models/${encodeURIComponent(model)}:generateContent`),
  headers: ({ key }): Record<string, string> => (key === undefined ? {} : { 'x-goog-api-key': key }),
  body,
  read,
};

function body({ system, turns, tools }: Ask, { maxTokens, temperature, seed, without }: Settings): Bag {
  return {
    systemInstruction: { parts: [{ text: system }] },
    contents: turns.map(({ role, parts }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: parts.map(partOf),
    })),
    generationConfig: {
      maxOutputTokens: maxTokens,
      ...(without.has('temperature') ? {} : { temperature }),
      ...(without.has('seed') ? {} : { seed }),
    },
    ...(tools.length === 0
      ? {}
      : {
          tools: [
            {
              functionDeclarations: tools.map(({ name, description, parameters }) => {
                return { name, description, parametersJsonSchema: parameters };
              }),
            },
          ],
        }),
  };
}

function partOf(part: Part): Bag {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'call':
      return { functionCall: { name: part.name, args: part.input }, thoughtSignature: NO_SIGNATURE };
    case 'result':
      return { functionResponse: { name: part.name, response: { result: part.text } } };
  }
}

function read(given: unknown): Reply | undefined {
  const { candidates, usageMetadata, promptFeedback } = bag(given);
  const isBlocked = typeof bag(promptFeedback)['blockReason'] === 'string';
  const [candidate = isBlocked ? {} : undefined] = list(candidates);
  if (candidate === undefined) return undefined;
  const parts = list(bag(candidate['content'])['parts']);
  const { promptTokenCount: input, candidatesTokenCount: output, thoughtsTokenCount: thoughts } = bag(usageMetadata);
  const spent = (typeof output === 'number' ? output : 0) + (typeof thoughts === 'number' ? thoughts : 0);
  return {
    text: parts.flatMap(({ text: said, thought }) => (thought === true ? [] : [text(said)])).join(''),
    calls: parts.flatMap(({ functionCall: called }) => {
      const { name, args, id } = bag(called);
      return typeof name === 'string' ? [{ id: text(id), name, input: args }] : [];
    }),
    usage: usageOf(input, spent),
    isCut: candidate['finishReason'] === 'MAX_TOKENS',
  };
}
