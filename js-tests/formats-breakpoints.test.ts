// Cache breakpoints at any place. densify never adds one, and puts none where the provider allows none. Without them, a
// request's result is that of its messages.
import * as aiSdk from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, options } from './support/arbitrary.js';
import { check } from './support/check.js';
import { type FormatCase, formats, plain } from './support/formats.js';
import { aiSdkCase } from './support/formats-ai-sdk.js';
import type { Message } from './support/loose.js';
import { frozen } from './support/simulation.js';

const anthropicCase = formats.find(({ name }) => name === 'anthropic')!;

/** How a format marks a block. */
interface Marking {
  readonly format: FormatCase;
  readonly verbs: typeof anthropic;
  readonly mark: Message;
  readonly refusing: readonly string[];
}

const MARKINGS: readonly (readonly [string, Marking])[] = [
  [
    'anthropic',
    {
      format: anthropicCase,
      verbs: anthropic,
      mark: { cache_control: { type: 'ephemeral' } },
      refusing: ['thinking', 'redacted_thinking'],
    },
  ],
  [
    'ai-sdk',
    {
      format: aiSdkCase,
      verbs: aiSdk as unknown as typeof anthropic,
      mark: { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
      refusing: ['reasoning'],
    },
  ],
];

const blocksOf = ({ content }: Message): Message[] => (Array.isArray(content) ? (content as Message[]) : []);

describe.each(MARKINGS)('%s', (_, { format, verbs, mark, refusing }) => {
  const [key] = Object.keys(mark) as [string];
  const isMarked = (block: Message) => JSON.stringify(block[key]) === JSON.stringify(mark[key]);
  const strip = (message: Message): Message => {
    const { [key]: __, ...bare } = message;
    if (!Array.isArray(bare.content)) return bare;
    return { ...bare, content: blocksOf(bare).map(({ [key]: ___, ...block }) => block) };
  };
  /** Texts that are all of a message are lists of one once they are marked. */
  const plainly = (messages: readonly Message[]) =>
    messages.map((message) => {
      const bare = strip(message);
      const [only, ...others] = blocksOf(bare);
      return only?.type === 'text' && others.length === 0 ? { ...bare, content: only.text } : bare;
    });

  test('whatever is marked', () => {
    check(
      400,
      fc.property(
        history(),
        options,
        fc.array(fc.nat(60), { maxLength: 4 }),
        (entries, { protect: __, ...given }, places) => {
          let number = 0;
          const messages = format.from(plain(entries, true)).map((message) => {
            if (!Array.isArray(message.content)) return message;
            const content = blocksOf(message).map((block) => {
              number += 1;
              const bears = !refusing.includes(String(block.type)) && block.text !== '';
              return places.includes(number - 1) && bears ? { ...block, ...mark } : block;
            });
            return { ...message, content };
          });
          const before = messages.flatMap(blocksOf).filter(isMarked).length;
          const settings = { ...given, ...format.known } as never;
          const request = { messages: frozen(messages) as never };
          const output = verbs.optimizeRequest(request, settings).request.messages as unknown as Message[];
          const marked = output.flatMap((message) => [message, ...blocksOf(message)]).filter(isMarked);
          expect(marked.length).toBeLessThanOrEqual(before);
          expect(marked.some(({ type }) => refusing.includes(String(type)))).toBe(false);
          const bare = verbs.optimize(messages.map(strip) as never, settings).messages as unknown as Message[];
          expect(plainly(output)).toEqual(plainly(bare));
          if (before > 0 && output.length > 0 && marked.length === 0) {
            // All that is left before them bears none.
            const bearing = output
              .flatMap(blocksOf)
              .filter(({ type, text }) => !refusing.includes(String(type)) && text !== '');
            const first = messages.findIndex((message) => blocksOf(message).some(isMarked));
            const left = messages
              .slice(0, first)
              .filter((message) => output.includes(message))
              .flatMap(blocksOf);
            expect(left.some((block) => bearing.includes(block))).toBe(false);
          }
        },
      ),
    );
  });
});
