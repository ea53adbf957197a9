// Random histories, valid and broken, in every format, through one function after the other. Only errors of callbacks are
// thrown, and `densify/validate` finds no fault in the output that the input doesn't have.
import { isDensifyError } from 'densify';
import { createRecall } from 'densify/recall';
import { type FindingCode, type MessageFormat, type ValidateOptions, validate } from 'densify/validate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, malformedHistory, options } from './support/arbitrary.js';
import { check } from './support/check.js';
import { damage, damaged, sane } from './support/damage.js';
import { type FormatCase, formats, plain } from './support/formats.js';
import { aiSdkUiCase } from './support/formats-ai-sdk.js';
import { bagOf, type Message } from './support/loose.js';
import { goodReply } from './support/replies.js';
import { isOfOthers, makerOf, signing } from './support/signed.js';
import { frozen } from './support/simulation.js';

/** Where messages go, in densify's words and in those of `validate`. */
type Target = Pick<ValidateOptions, 'model' | 'provider'>;

const OPENAI: readonly Target[] = [{}, { model: 'gpt-4o' }, { model: 'gpt-5' }];
const ANTHROPIC: readonly Target[] = [
  'claude-3-5-haiku',
  'claude-sonnet-4-5',
  'claude-opus-4-6',
  'claude-opus-5-5',
].map((model) => ({ model }));
const GOOGLE: readonly Target[] = ['gemini-2.5-pro', 'gemini-3-pro'].map((model) => ({ model }));
const ANY: readonly Target[] = [
  {},
  { model: 'gpt-5', provider: 'openai' },
  ...ANTHROPIC.map((target) => ({ ...target, provider: 'anthropic' as const })),
  ...GOOGLE.map((target) => ({ ...target, provider: 'google' as const })),
];

const TARGETS: Readonly<Record<string, readonly [MessageFormat, readonly Target[]]>> = {
  anthropic: ['anthropic', [{}, ...ANTHROPIC]],
  openai: ['openai-chat', OPENAI],
  'openai-responses': ['openai-responses', OPENAI],
  'openai-agents': ['openai-agents', OPENAI],
  gemini: ['gemini', [{}, ...GOOGLE]],
  'ai-sdk': ['ai-sdk', ANY],
  'ai-sdk/prompt': ['ai-sdk-prompt', ANY],
  'ai-sdk/ui': ['ai-sdk-ui', ANY],
  langchain: ['langchain', ANY],
  pi: ['pi', ANY],
};

/** Whose models demand most. */
const STRICTEST: Readonly<Partial<Record<MessageFormat, Target>>> = {
  anthropic: { model: 'claude-opus-5-5' },
  gemini: { model: 'gemini-3-pro' },
  'openai-responses': { model: 'gpt-5' },
  'openai-agents': { model: 'gpt-5' },
};

const ACTIONS = [
  'optimize',
  'turns',
  'high-density',
  'top-down-truncation',
  'digest',
  'shrink',
  'one-shot',
  'middle-out',
  'structured',
  'conversation',
] as const;

const presets = fc.constantFrom(
  {},
  {},
  { preset: 'lossless' },
  { preset: 'balanced' },
  { preset: 'aggressive', budget: 200 },
);

const cases = fc.record({
  entries: fc.oneof({ weight: 2, arbitrary: history(10) }, { weight: 1, arbitrary: malformedHistory }),
  wounds: fc.oneof(fc.constant([]), damage),
  given: options,
  preset: presets,
  merged: fc.boolean(),
  target: fc.nat(11),
  action: fc.constantFrom(...ACTIONS),
  limit: fc.constantFrom(40, 100, 400),
  /** The callback that throws, and when. */
  fault: fc.option(fc.tuple(fc.constantFrom('countTokens', 'protect', 'isFailure'), fc.nat(30)), { nil: undefined }),
  storeFails: fc.boolean(),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const fault = new Error('the fault');

/** A callback that throws once it was called so often. */
function failing(which: string, at: number): object {
  let calls = 0;
  const step = <T>(value: T): T => {
    if ((calls += 1) > at) throw fault;
    return value;
  };
  if (which === 'countTokens') return { countTokens: (text: string) => step(Math.ceil(text.length / 3)) };
  return { [which]: () => step(false) };
}

/** A store that fails half of the time. */
function brokenStore() {
  let calls = 0;
  const step = (): void => {
    if ((calls += 1) % 2 === 0) throw fault;
  };
  const kept = new Map<string, never>();
  return {
    get: (key: string) => (step(), kept.get(key)),
    set: (key: string, entry: unknown) => (step(), void kept.set(key, entry as never)),
    delete: (key: string) => (step(), kept.delete(key)),
    entries: () => (step(), kept.entries()),
  };
}

describe.each([...formats, aiSdkUiCase])('$name', (format) => {
  const [name, targets] = TARGETS[format.name]!;

  test('whatever comes in, nothing is thrown and nothing new is wrong', () => {
    let [judged, edited] = [0, 0];
    check(
      400,
      fc.property(cases, (made) => {
        const contents = made.entries.filter((entry) => Array.isArray(bagOf(entry).blocks) && sane(entry));
        const target = targets[made.target % targets.length]!;
        const sign = signing(name, makerOf(target.model));
        const sent = format.from(plain(contents, true), made.merged).map(whole).map(sign);
        const messages = frozen(damaged(sent, made.wounds));
        // Without a model's name the rules of all models hold. A warning names those that a shrunk history breaks.
        const strict = made.action === 'optimize' || made.action === 'turns' ? STRICTEST[name] : undefined;
        const judge = target.model === undefined ? { ...target, ...strict } : target;
        const found = (list: readonly unknown[], original?: readonly unknown[]) =>
          findings(list, { format: name, ...judge, thinking: true, ...(original === undefined ? {} : { original }) });
        const before = found(messages, messages);
        // If an item isn't a message, nobody can read it: the faults of its neighbours may change.
        const isReadable = !SHAPES.some((code) => before.has(code));
        const fine = (output: readonly unknown[], own: number, sent: readonly unknown[] | null = messages): void => {
          if (!isReadable) return;
          const after = found(output, sent ?? undefined);
          judged += 1;
          if (output !== messages) edited += 1;
          const more = [...after].flatMap(([code, count]) => (count > (before.get(code) ?? 0) + own ? [code] : []));
          expect(more).toEqual([]);
        };
        act(format, messages, made, target, fine);
      }),
    );
    // Else nothing was judged.
    expect([judged > 140, edited > 40]).toEqual([true, true]);
  });
});

/** A message with the keys that only providers ask for. */
function whole(message: Message): Message {
  const { type, role, content } = message;
  const isSaid = type === 'message' && role === 'assistant';
  const status = type === 'function_call_result' || isSaid ? 'completed' : undefined;
  return {
    ...message,
    ...(status === undefined ? {} : { status }),
    ...(role === 'toolResult' && typeof content === 'string' ? { content: [{ type: 'text', text: content }] } : {}),
  };
}

/** Findings that are the same to a provider. The remaining messages decide which half of a broken pair is reported. */
const UNPAIRED: ReadonlySet<string> = new Set([
  'orphan-call',
  'orphan-result',
  'duplicate-result',
  'misplaced-result',
  'result-count',
]);

/** Findings after which it isn't known what a message says, or to whom. */
const SHAPES: readonly FindingCode[] = [
  'unreadable',
  'not-a-message',
  'unknown-role',
  'unknown-block',
  'bad-shape',
  'misplaced-block',
  'missing-call-id',
];

/** How often each thing is wrong. */
function findings(messages: readonly unknown[], given: ValidateOptions): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { code, level } of validate(messages, given).findings) {
    const kind = UNPAIRED.has(code) ? 'a broken pair' : code;
    if (level === 'error' && !isOfOthers(code, given.model)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Does to a history what a case says. */
function act(
  { verbs }: FormatCase,
  messages: readonly Message[],
  { given, preset, action, limit, fault: throwing, storeFails }: Case,
  target: Target,
  fine: (output: readonly unknown[], own: number, sent?: readonly unknown[] | null) => void,
): void {
  const broken = throwing === undefined ? {} : failing(...throwing);
  const options = { ...given, ...preset, ...target };
  const list = messages as never;
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (thrown) {
      if (!isDensifyError(thrown)) throw thrown;
      expect([thrown.code, thrown.message, thrown.cause]).toEqual([
        throwing?.[0] === 'countTokens' ? 'token-counter-failed' : 'callback-failed',
        expect.any(String),
        fault,
      ]);
      return undefined;
    }
  };
  switch (action) {
    case 'optimize': {
      const output = verbs.optimize(list, options as never);
      fine(output.messages, 0);
      // Of the presets an edit may make another one possible, which the next run makes.
      if (!('preset' in preset))
        expect(verbs.optimize(output.messages as never, options as never).messages).toBe(output.messages);
      const other = attempt(() => verbs.optimize(list, { ...options, ...broken } as never).messages);
      if (other !== undefined) fine(other, 0);
      return;
    }
    case 'turns': {
      const handle = verbs.createOptimizer({ ...options, flush: 'always', ...broken } as never);
      // Reasoning is bound to the messages that the model received, so these are kept.
      let sent: readonly unknown[] = [];
      for (let [start, end] = [0, 1]; end <= messages.length; [start, end] = [end, end + 3]) {
        const received = [...sent, ...messages.slice(start, end)];
        const output = attempt(() => handle.optimize(messages.slice(0, end) as never).messages);
        if (output !== undefined && end === messages.length) fine(output, 0, received);
        sent = output ?? received;
      }
      return;
    }
    case 'high-density':
    case 'top-down-truncation': {
      const settings = { ...target, ...broken, strategy: action, contextLimit: limit };
      const output = attempt(() => verbs.compress(list, settings as never).messages);
      if (output !== undefined) fine(output, 0);
      return;
    }
    case 'digest': {
      const settings = { ...target, ...(throwing?.[0] === 'protect' ? {} : broken), contextLimit: limit };
      const output = attempt(() => verbs.digest(list, settings as never).messages);
      if (output !== undefined) fine(output, 1);
      return;
    }
    case 'shrink': {
      const recall = storeFails ? createRecall({ secret: 'a secret of sixteen', store: brokenStore() }) : undefined;
      // Results are shrunk before they are sent, so no thought stands behind what they were.
      fine(verbs.shrinkResults(list, { ...target, recall } as never).messages, 0, null);
      return;
    }
    case 'conversation': {
      const recall = storeFails ? createRecall({ secret: 'a secret of sixteen', store: brokenStore() }) : undefined;
      const ofAll = throwing?.[0] === 'countTokens' ? broken : {};
      const optimize = { ...preset, ...(ofAll === broken ? {} : broken) };
      const settings = { ...target, ...ofAll, strategy: 'high-density', contextLimit: limit, recall, optimize };
      const conversation = verbs.createConversation(settings as never);
      const output = attempt(() => {
        conversation.add(...(messages as never[]));
        const step = conversation.beforeSend();
        return 'messages' in step ? step.messages : undefined;
      });
      if (output !== undefined) fine(output as readonly unknown[], 0);
      return;
    }
    default: {
      // Requests have no use for the other callbacks.
      const counter = throwing?.[0] === 'countTokens' ? broken : {};
      const settings = { strategy: action, preserve: { messages: 2 }, ...target, ...counter };
      const request = attempt(() => verbs.requestSummary(list, settings as never));
      if (request?.kind !== 'request') return;
      const { kind, messages: output } = verbs.applySummary(
        request,
        goodReply({ strategy: action }),
        list,
        target as never,
      );
      expect(['applied', 'failed', 'continue']).toContain(kind);
      fine(output, 1);
    }
  }
}
