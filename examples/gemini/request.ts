// Gemini (`npm i @google/genai densify`): the loop continues from the packed request, not from the
// whole history.
import { type Content, GoogleGenAI, type GoogleGenAIOptions } from '@google/genai';
import { optimizeRequest } from 'densify/gemini';

const files = new Map([['a.ts', 'export const one = 1;\n'.repeat(40)]]);

const tool = (name: string, ...keys: string[]) => ({
  name,
  parametersJsonSchema: {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
  },
});
const tools = [
  { functionDeclarations: [tool('read_file', 'path'), tool('write_file', 'path', 'content')] },
];

function execute(
  name: string | undefined,
  { path = '', content = '' }: { path?: string; content?: string },
): string {
  if (name === 'read_file') return files.get(path) ?? 'There is no such file.';
  files.set(path, content);
  return 'ok';
}

/** Asks a model, which may use the tools. */
export async function run(
  client: GoogleGenAIOptions,
  options: { preset?: 'seed' | 'balanced' } = {},
) {
  const { models } = new GoogleGenAI(client);
  let contents: Content[] = [{ role: 'user', parts: [{ text: 'Rename `one` to `two` in a.ts.' }] }];
  for (;;) {
    const { request } = optimizeRequest(
      { model: 'gemini-2.5-pro', contents, config: { tools } },
      options,
    );
    const response = await models.generateContent(request);
    const answer = response.candidates?.[0]?.content;
    if (answer === undefined || response.functionCalls === undefined) return response.text;
    const parts = response.functionCalls.map(({ id, name, args }) => ({
      functionResponse: { id, name, response: { output: execute(name, args ?? {}) } },
    }));
    contents = [
      ...request.contents,
      answer,
      { role: 'user', parts: parts as NonNullable<Content['parts']> },
    ];
  }
}
