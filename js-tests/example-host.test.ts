// The example host, `examples/host`, run against a scripted provider: everything that its users can do.
import type { ConversationSnapshot, IContent, Todo } from 'densify';
import { describe, expect, test } from 'vitest';
import { exampleFolder } from './support/examples.js';
import { goodReply } from './support/replies.js';

type Asked = [
  messages: readonly IContent[],
  to: { readonly model: string; readonly profile?: string; readonly tools?: readonly { readonly name: string }[] },
];

/** What the example asks of its program. */
interface Host {
  readonly models: object;
  readonly profiles: object;
  readonly ask: (...asked: Asked) => Promise<{ readonly answer: IContent; readonly usage?: unknown }>;
  readonly runTool: () => Promise<unknown>;
  readonly todos: () => Promise<readonly Todo[]>;
  readonly prompts?: ReadonlyMap<string, string>;
  readonly transcript: { readonly path: string; readonly append: (line: string) => void };
  readonly print: (line: string) => void;
  readonly mayCompress?: () => boolean;
}

interface Stored {
  readonly snapshot: ConversationSnapshot;
}

interface Session {
  enter(line: string): Promise<void>;
  save(): Stored;
}

const examples = exampleFolder();
const { ChatSession } = await examples.load<{
  ChatSession: new (host: Host, start: { model: string; profile: string } | Stored) => Session;
}>('host/session');
const LONG = 'a line of a file that is long enough to be worth a summary\n';

const isSummary = (messages: readonly IContent[]) => JSON.stringify(messages.at(-1)).includes('state_snapshot');
const says = (text: string): IContent => ({ speaker: 'ai', blocks: [{ type: 'text', text }] });

/** A host whose model reads a file in each turn, and all that it heard and showed. */
function host(more: Partial<Host> = {}) {
  const asked: Asked[] = [];
  const lines: string[] = [];
  const transcript: string[] = [];
  const ask: Host['ask'] = async (...request) => {
    asked.push(request);
    const [messages] = request;
    if (isSummary(messages)) {
      const strategy = JSON.stringify(messages).includes('file_system_state') ? 'one-shot' : 'middle-out';
      return { answer: says(goodReply({ strategy })) };
    }
    const usage = { input_tokens: Math.ceil(JSON.stringify(messages).length / 4) };
    if (messages.at(-1)?.speaker === 'tool') return { answer: says('I have read it.'), usage };
    const call = {
      type: 'tool_call',
      id: `c${asked.length}`,
      name: 'read_file',
      parameters: { path: `${asked.length}.ts` },
    };
    return { answer: { speaker: 'ai', blocks: [call as IContent['blocks'][number]] }, usage };
  };
  const todos: Todo[] = [{ content: 'Write the parser', status: 'in_progress' }];
  const made: Host = {
    models: {
      large: { provider: 'acme', contextLimit: 100_000 },
      small: { provider: 'acme', contextLimit: 6_000 },
    },
    profiles: {
      default: { temperature: 0.2, compression: { strategy: 'middle-out' } },
      cheap: { 'compression.strategy': 'high-density', 'auth-key': 'none' },
      digest: { 'compression.strategy': 'digest' },
    },
    ask,
    runTool: async () => LONG.repeat(30),
    todos: async () => todos,
    transcript: { path: '/tmp/talk.jsonl', append: (line) => transcript.push(line) },
    print: (line) => lines.push(line),
    ...more,
  };
  return { host: made, asked, lines, transcript };
}

async function talk(session: Session, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await session.enter(`please do number ${turn}`);
}

/** The request for a summary that was sent last. */
const summaryOf = (asked: readonly Asked[]) => asked.findLast(([messages]) => isSummary(messages));

describe('a session', () => {
  test('answers, runs tools, keeps a transcript, and shows the use of the window', async () => {
    const { host: given, asked, lines, transcript } = host();
    const session = new ChatSession(given, { model: 'large', profile: 'default' });
    await talk(session, 2);
    expect(lines.filter((line) => line === 'I have read it.')).toHaveLength(2);
    expect(lines.some((line) => line.endsWith('% of the window'))).toBe(true);
    expect(transcript.map((line) => (JSON.parse(line) as IContent).speaker)).toEqual([
      'human',
      'ai',
      'tool',
      'ai',
      'human',
      'ai',
      'tool',
      'ai',
    ]);
    expect(asked.every(([, { model }]) => model === 'large')).toBe(true);
  });

  test('a smaller model gets a summary first, with todo items, transcript and the profile’s model', async () => {
    const { host: given, asked, lines } = host();
    const session = new ChatSession(given, { model: 'large', profile: 'default' });
    await talk(session, 16);
    expect(summaryOf(asked)).toBeUndefined();
    await session.enter('/set compression.profile quick');
    await session.enter('/model small');
    await session.enter('go on');
    const [messages, to] = summaryOf(asked)!;
    expect(to).toEqual({ model: 'small', profile: 'quick' });
    expect(JSON.stringify(messages)).toContain('[IN_PROGRESS] Write the parser');
    expect(lines).toContain('… middle-out (threshold)');
    expect(lines.at(-1)).toBe('I have read it.');
    expect(JSON.stringify(asked.at(-1)![0])).toContain('/tmp/talk.jsonl');
  });

  test('/compress, with a focus, by the strategy of the profile', async () => {
    const { host: given, asked, lines } = host();
    const session = new ChatSession(given, { model: 'large', profile: 'default' });
    await talk(session, 6);
    await session.enter('/compress the parser');
    expect(JSON.stringify(summaryOf(asked)![0])).toContain('Focus on the parser.');
    expect(lines.findLast((line) => line.startsWith('…'))).toMatch(/^… applied: \d+ → \d+ tokens$/);
    const summaries = asked.length;
    await session.enter('/profile digest');
    await talk(session, 4);
    await session.enter('/compress');
    await session.enter('/profile cheap');
    await session.enter('/compress');
    expect(asked.slice(summaries).some(([messages]) => isSummary(messages))).toBe(false);
    expect(lines).toContain('… digest (requested)');
    expect(lines).toContain('… high-density (requested)');
  });

  test('the first /compress has the todo items, too', async () => {
    const { host: given, asked } = host();
    const session = new ChatSession(given, { model: 'large', profile: 'default' });
    await talk(session, 6);
    await session.enter('/compress');
    expect(JSON.stringify(summaryOf(asked)![0])).toContain('[IN_PROGRESS] Write the parser');
  });

  test('/set compression.recall keeps cut texts, which the model can ask for, also after a restart', async () => {
    const { host: given, asked, lines } = host();
    const session = new ChatSession(given, { model: 'large', profile: 'digest' });
    await talk(session, 4);
    expect(asked.at(-1)![1].tools).toBeUndefined();
    await session.enter('/set compression.recall on');
    await session.enter('/set compression.threshold 70%');
    expect(lines.filter((line) => line.includes('recall'))).toEqual([]);
    await session.enter('/compress');
    const stored = JSON.parse(JSON.stringify(session.save())) as Stored;
    const reference = /recall (r\w{12,})/.exec(JSON.stringify(stored.snapshot))![1]!;
    const second = host();
    const answers = [
      { type: 'tool_call', id: 'r1', name: 'recall', parameters: { reference } },
      { type: 'text', text: 'I know it again.' },
    ] as const;
    const ask = async (...request: Asked) => {
      const block = answers[second.asked.push(request) - 1]!;
      return { answer: { speaker: 'ai', blocks: [block] } as IContent };
    };
    const again = new ChatSession({ ...second.host, ask }, stored);
    await again.enter('what was it?');
    expect(second.asked[0]![1].tools!.map(({ name }) => name)).toContain('recall');
    expect(JSON.stringify(second.asked[1]![0].at(-1))).toContain('a line of a file that is long enough');
    expect(second.lines.at(-1)).toBe('I know it again.');
    await again.enter('/set compression.recall off');
    expect(second.lines.at(-1)).not.toContain('recall');
  });

  test('goes on after a restart, with its settings', async () => {
    const first = host();
    const session = new ChatSession(first.host, { model: 'large', profile: 'default' });
    await session.enter('/set compression.strategy one-shot');
    await talk(session, 16);
    await session.enter('/model small');
    await session.enter('go on');
    const second = host();
    const again = new ChatSession(second.host, JSON.parse(JSON.stringify(session.save())) as Stored);
    expect(again.save()).toEqual(JSON.parse(JSON.stringify(session.save())));
    await again.enter('and on');
    const [messages, { model }] = second.asked[0]!;
    expect(model).toBe('small');
    expect(JSON.stringify(messages[0])).toContain('kept by densify');
  });

  test('prompts of the user’s own are used', async () => {
    const prompts = new Map([
      ['providers/acme/compression/middle-out.md', 'Say it in a <state_snapshot> of one word.'],
    ]);
    const { host: given, asked } = host({ prompts });
    const session = new ChatSession(given, { model: 'large', profile: 'default' });
    await talk(session, 6);
    await session.enter('/compress');
    expect(JSON.stringify(asked.at(-1)![0])).toContain('of one word');
  });

  test('without a model for summaries there is a digest, and the turn goes on', async () => {
    const { host: given, asked, lines } = host();
    const ask: Host['ask'] = (...request) =>
      isSummary(request[0]) ? Promise.reject(new Error('overloaded')) : given.ask(...request);
    const session = new ChatSession({ ...given, ask }, { model: 'large', profile: 'default' });
    await talk(session, 16);
    await session.enter('/model small');
    await session.enter('go on');
    expect(lines).toContain('! fell-back');
    expect(lines.at(-1)).toBe('I have read it.');
    expect(JSON.stringify(asked.at(-1)![0])).toContain('# Digest');
  });

  test('a host that forbids it keeps its history', async () => {
    const { host: given, asked, lines } = host({ mayCompress: () => false });
    const session = new ChatSession(given, { model: 'large', profile: 'cheap' });
    await talk(session, 16);
    await session.enter('/set compression.threshold 5%');
    await session.enter('go on');
    expect(lines).toContain('… high-density (threshold)');
    expect(JSON.stringify(asked.at(-1)![0])).toContain('please do number 0');
    expect(lines.some((line) => line.startsWith('… applied'))).toBe(false);
  });

  test.each([
    ['/set compression.threshold many', /compression\.threshold.*number/],
    ['/set compression.stratgy one-shot', /compression\.strategy/],
    ['/set compression.strategy fast', /fast/],
    ['/model huge', /found huge, expected one of large, small/],
    ['/profile none', /expected one of default, cheap, digest/],
  ])('%s is refused, and all stays as it was', async (typed, message) => {
    const { host: given, lines } = host();
    const session = new ChatSession(given, { model: 'large', profile: 'default' });
    await session.enter('hello');
    const before = session.save();
    await session.enter(typed);
    expect(lines.at(-1)).toMatch(message);
    expect(session.save()).toEqual(before);
    await session.enter('go on');
    expect(lines.at(-1)).toBe('I have read it.');
  });
});

test('it compiles', async () => {
  expect(await examples.compiled()).toBe('');
});
