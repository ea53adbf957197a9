// JSON Schemas of the messages of four SDKs, generated from their types: what their API descriptions say of shapes.
// Generated once for each version of the SDKs, since that takes some seconds.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';

const TYPES = `
import type OpenAI from 'openai';
import type Anthropic from '@anthropic-ai/sdk';
import type { Part } from '@google/genai';
export type OpenAiChat = OpenAI.Chat.ChatCompletionMessageParam;
export type OpenAiResponses = OpenAI.Responses.ResponseInputItem;
export type AnthropicMessage = Anthropic.MessageParam;
export type AnthropicBeta = Anthropic.Beta.BetaMessageParam;
// The SDK's own type leaves everything open: the roles, and that there are parts.
type Keys = 'text' | 'inlineData' | 'fileData' | 'functionCall' | 'functionResponse' | 'executableCode' | 'codeExecutionResult' | 'thought' | 'thoughtSignature';
export type GeminiContent = { role: 'user' | 'model'; parts: Pick<Part, Keys>[] };
`;

const folder = new URL('./node_modules/.schemas/', import.meta.url);
const path = (name) => fileURLToPath(new URL(name, folder));

/** The schemas by the names of the types above. */
export function schemas() {
  const lock = readFileSync(new URL('./package-lock.json', import.meta.url));
  const stamp = createHash('sha256').update(lock).update(TYPES).digest('hex');
  const cache = path(`${stamp}.json`);
  if (existsSync(cache)) return JSON.parse(readFileSync(cache, 'utf8'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path('types.ts'), TYPES);
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ['ES2022', 'DOM'],
  };
  writeFileSync(path('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }));
  const names = [...TYPES.matchAll(/^export type (\w+)/gm)].map(([, name]) => name);
  const options = {
    path: path('types.ts'),
    tsconfig: path('tsconfig.json'),
    skipTypeCheck: true,
    additionalProperties: true,
    jsDoc: 'none',
  };
  const generator = createGenerator(options);
  const made = Object.fromEntries(names.map((name) => [name, generator.createSchema(name)]));
  writeFileSync(cache, JSON.stringify(made));
  return made;
}
