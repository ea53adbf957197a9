// The SDKs' own schemas, converters and types as judges of messages. They are installed apart, in judges/.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const folder = new URL('../judges/', import.meta.url);
const require = createRequire(new URL('package.json', folder));

/** Says whether a message, or a list of them, is accepted. */
export type Judge = (value: unknown) => boolean | Promise<boolean>;

interface Schema {
  safeParse(value: unknown): { readonly success: boolean };
}

interface AiSdk {
  readonly modelMessageSchema: Schema;
  safeValidateUIMessages(options: { messages: unknown }): Promise<{ readonly success: boolean }>;
  generateText(options: object): Promise<unknown>;
}

interface LangChain {
  coerceMessageLikeToMessage(value: unknown): object;
  mapStoredMessagesToChatMessages(stored: readonly unknown[]): object[];
}

type Provider = (options: {
  apiKey: string;
  fetch: typeof fetch;
}) => Readonly<Record<string, (model: string) => object>> & ((model: string) => object);

type Compile = (schema: unknown) => (value: unknown) => boolean;

const load = async <T>(name: string): Promise<T> => (await import(pathToFileURL(require.resolve(name)).href)) as T;

/** Whether an action ends well. */
async function works(action: () => unknown): Promise<boolean> {
  try {
    await action();
    return true;
  } catch {
    return false;
  }
}

/** The judges of one message, by their names, and those of whole conversations. */
export async function judges(): Promise<{
  readonly ofMessages: Readonly<Record<string, Judge>>;
  readonly ofConversations: Readonly<Record<string, Judge>>;
  /** The providers' own API descriptions, by the format; none where they couldn't be fetched. */
  readonly ofDescriptions: Readonly<Record<string, (message: unknown) => boolean>>;
  readonly langchain: LangChain;
  /** What the Agents SDK sends of its items. */
  readonly agents: (items: readonly unknown[]) => Promise<readonly unknown[]>;
  /** What the AI SDK's providers make of its messages: what they would send, by the format. */
  readonly wires: Readonly<Record<string, { readonly model: string; send(messages: unknown): Promise<unknown[]> }>>;
}> {
  const { schemas } = (await import(new URL('schemas.mjs', folder).href)) as { schemas(): Record<string, unknown> };
  const { default: Ajv } = await load<{ default: new (options: object) => { compile: Compile } }>('ajv');
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const made = Object.fromEntries(Object.entries(schemas()).map(([name, schema]) => [name, ajv.compile(schema)]));
  const byType = (name: string, value: unknown): boolean => made[name]?.(value) === true;
  const { descriptions } = (await import(new URL('descriptions.mjs', folder).href)) as {
    descriptions(): Record<string, unknown> | undefined;
  };
  const { default: Ajv2020 } = await load<{ default: new (options: object) => { compile: Compile } }>(
    'ajv/dist/2020.js',
  );
  const ajv2020 = new Ajv2020({ strict: false, validateFormats: false });
  const described = Object.fromEntries(
    Object.entries(descriptions() ?? {}).map(([name, schema]) => [name, ajv2020.compile(schema)]),
  );
  const byDescription = (name: string, value: unknown): boolean => described[name]?.(value) === true;
  const ofDescriptions = {
    anthropic: (value: unknown) => byDescription('AnthropicMessage', value) || byDescription('AnthropicBeta', value),
    'openai-chat': (value: unknown) => byDescription('OpenAiChat', value),
    'openai-responses': (value: unknown) => byDescription('OpenAiResponses', value),
  };
  const hasDescriptions = Object.keys(described).length > 0;
  if (!hasDescriptions) {
    if (process.env['CI'] !== undefined) throw new Error('the API descriptions are missing: scripts/judges.sh');
    console.warn(
      'The API descriptions are missing (scripts/judges.sh fetches them by pip): nothing is judged by them.',
    );
  }
  const [ai7, ai6] = await Promise.all([load<AiSdk>('ai'), load<AiSdk>('ai6')]);
  const langchain = await load<LangChain>('@langchain/core/messages');
  const mocks = await load<Record<'MockLanguageModelV4', new (options: object) => object>>('ai/test');
  const mocks6 = await load<Record<'MockLanguageModelV3', new (options: object) => object>>('ai6/test');
  const ui =
    (ai: AiSdk): Judge =>
    async (message) =>
      (await ai.safeValidateUIMessages({ messages: [message] })).success;
  const reply = {
    content: [{ type: 'text', text: 'x' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: { inputTokens: {}, outputTokens: {} },
    warnings: [],
  };
  const doGenerate = (): Promise<unknown> => Promise.resolve(reply);
  const [{ createAnthropic }, { createOpenAI }, { createGoogle }] = await Promise.all([
    load<{ createAnthropic: Provider }>('@ai-sdk/anthropic'),
    load<{ createOpenAI: Provider }>('@ai-sdk/openai'),
    load<{ createGoogle: Provider }>('@ai-sdk/google'),
  ]);
  const wire = (model: string, make: (fetch: typeof globalThis.fetch) => object | undefined) => ({
    model,
    async send(messages: unknown): Promise<unknown[]> {
      let body: Record<string, unknown[]> = {};
      const capture = (_url: unknown, request?: { body?: unknown }): Promise<Response> => {
        body = JSON.parse(String(request?.body)) as typeof body;
        return Promise.resolve(new Response('{}', { status: 400 }));
      };
      await works(() => ai7.generateText({ model: make(capture as typeof fetch), messages, maxRetries: 0 }));
      return body['messages'] ?? body['input'] ?? body['contents'] ?? [];
    },
  });
  const apiKey = 'none';
  const { protocol, setTracingDisabled, withTrace } = await import('@openai/agents-core');
  setTracingDisabled(true);
  const { OpenAIResponsesModel } = await import('@openai/agents-openai');
  return {
    ofDescriptions: hasDescriptions ? ofDescriptions : {},
    wires: {
      anthropic: wire('claude-sonnet-4-5', (fetch) => createAnthropic({ apiKey, fetch })('claude-sonnet-4-5')),
      'openai-chat': wire('gpt-4.1', (fetch) => createOpenAI({ apiKey, fetch })['chat']?.('gpt-4.1')),
      'openai-responses': wire('gpt-5', (fetch) => createOpenAI({ apiKey, fetch })['responses']?.('gpt-5')),
      gemini: wire('gemini-2.5-pro', (fetch) => createGoogle({ apiKey, fetch })('gemini-2.5-pro')),
    },
    ofMessages: {
      'anthropic: types': (value) => byType('AnthropicMessage', value) || byType('AnthropicBeta', value),
      'openai-chat: types': (value) => byType('OpenAiChat', value),
      'openai-responses: types': (value) => byType('OpenAiResponses', value),
      'openai-agents: the SDK': (value) => protocol.ModelItem.safeParse(value).success,
      'gemini: types': (value) => byType('GeminiContent', value),
      'ai-sdk: version 7': (value) => ai7.modelMessageSchema.safeParse(value).success,
      'ai-sdk: version 6': (value) => ai6.modelMessageSchema.safeParse(value).success,
      'ai-sdk-ui: version 7': ui(ai7),
      'ai-sdk-ui: version 6': ui(ai6),
      'langchain: coercion': (value) => works(() => langchain.coerceMessageLikeToMessage(value)),
    },
    ofConversations: {
      'ai-sdk: version 7': (messages) =>
        works(() =>
          ai7.generateText({ model: new mocks.MockLanguageModelV4({ doGenerate }), messages, maxRetries: 0 }),
        ),
      'ai-sdk: version 6': (messages) =>
        works(() =>
          ai6.generateText({ model: new mocks6.MockLanguageModelV3({ doGenerate }), messages, maxRetries: 0 }),
        ),
    },
    langchain,
    async agents(input) {
      let body: { readonly input?: readonly unknown[] } = {};
      const create = (sent: typeof body): never => {
        body = sent;
        throw new Error('not sent');
      };
      const model = new OpenAIResponsesModel({ responses: { create } } as never, 'gpt-5');
      const request = { input, modelSettings: {}, tools: [], outputType: 'text', handoffs: [], tracing: false };
      await works(() => withTrace('judge', () => model.getResponse(request as never)));
      return body.input ?? [];
    },
  };
}
