// A request is redacted only where something was found while its texts were read: the result must be that of
// redacting the whole text.

import { type IContent, redact, requestSummary } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';
import { ai, call, human, response, tool } from './support/say.js';
import { secrets } from './support/secrets.js';

const planted = secrets(5);

/** Pieces that are, begin, end or hide a credential, and what makes one of its neighbours. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...planted.map(({ text }) => text)) },
  // Halves: what is none by itself may be one where another text goes on.
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...planted), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean())
      .map(([{ text }, share, isHead]) => {
        const cut = Math.round(text.length * share);
        return isHead ? text.slice(0, cut) : text.slice(cut);
      }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        '\n',
        ' ',
        '"',
        '\\"',
        "'",
        '`',
        '(',
        ')',
        '=',
        ': ',
        '://',
        '@',
        '~',
        '--',
        '<',
        '>',
        '.',
        'é',
        '\ud83d',
        '\ude00',
      ],
      ...[
        'password',
        'token',
        'password="',
        'token: ',
        '--token ',
        '-u bob:',
        'u',
        '-u ',
        'api_key=',
        'Bearer ',
        'error',
      ],
      ...['[REDACTED: token]', '[REDACTED', '-----BEGIN RSA PRIVATE KEY-----', '-----END RSA PRIVATE KEY-----'],
      ...['hunter22x', 'session: 438', '12:46:07', 'MIIEpAIBAAKCAQEA1c7Wq9xT', 'S3cr3t!pass'],
    ),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 70 }).map((length) => ' '.repeat(length)) },
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const name = fc.oneof(fc.constantFrom('read_file', 'run_shell_command'), text);

const entry: fc.Arbitrary<readonly IContent[]> = fc.oneof(
  text.map((said) => [human(said)]),
  fc.tuple(text, text).map(([one, other]) => [ai(one, other)]),
  fc.tuple(text, text).map(([code, said]) => [ai({ type: 'code', code }, said)]),
  fc
    .tuple(text, text)
    .map(([filename, said]) => [
      human({ type: 'media', mimeType: 'image/png', data: '', encoding: 'url', filename }, said),
    ]),
  fc
    .tuple(name, text, text, fc.option(text), fc.constantFrom('text', 'output', 'object'))
    .map(([used, parameter, result, error, kind]) => {
      const payload = kind === 'text' ? result : kind === 'output' ? { output: result, code: 1 } : { result };
      return [ai(call('', used, { parameter })), tool(response('', used, payload, error ?? undefined))];
    }),
);
const history = fc.array(entry, { minLength: 2, maxLength: 8 }).map((entries) =>
  entries.flat().map((content, at) => ({
    ...content,
    blocks: content.blocks.map((block) => {
      // Each call has an id of its own.
      if (block.type === 'tool_call') return { ...block, id: `c${at}` };
      return block.type === 'tool_response' ? { ...block, callId: `c${at - 1}` } : block;
    }),
  })),
);

function texts(messages: readonly IContent[], options: { redact: boolean }): readonly string[] {
  const planned = requestSummary(messages, { strategy: 'one-shot', preserve: { messages: 0 }, ...options });
  return planned.kind === 'noop' ? [planned.reason] : planned.messages.map((message) => textOf(message));
}

function textOf({ blocks }: IContent): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

describe('a request', () => {
  test('reads as if its whole text had been redacted', () => {
    check(
      500,
      fc.property(history, (messages) => {
        expect(texts(messages, { redact: true })).toEqual(texts(messages, { redact: false }).map(redact));
      }),
    );
  });

  test('what makes a credential only together with what stands around it goes', () => {
    const history = [
      human('go on'),
      ai(call('1', 'login --password "', { user: 'ann' })),
      tool(response('1', 'login --password "', 'fine', '-u bob:S3cr3t!pass failed')),
      human('well'),
    ];
    expect(texts(history, { redact: true })).toEqual(texts(history, { redact: false }).map(redact));
    expect(texts(history, { redact: true }).join()).not.toContain('S3cr3t!pass');
  });

  test('what a text says when it is asked again is never said', () => {
    const [{ secret }] = planted as [(typeof planted)[number]];
    for (const isOdd of [true, false]) {
      let asked = 0;
      const block = {
        type: 'text' as const,
        get text() {
          asked += 1;
          if (asked === 2 && isOdd) throw new Error('not now');
          return asked > 2 ? secret : 'harmless words';
        },
      };
      const said = texts([human('go on'), { speaker: 'human', blocks: [block] }, ai('fine')], { redact: true });
      expect(said.join()).not.toContain(secret);
    }
  });
});

test('a credential goes wherever in a text it stands', () => {
  for (const { kind, secret, text } of planted) {
    const alone = redact(text);
    expect(alone, kind).not.toContain(secret);
    for (let before = 0; before < 130; before += 1) {
      for (const pad of [' ', 'é ', 'x\n']) {
        const padding = pad.repeat(before);
        expect(redact(`${padding}${text}\n`), `${kind} behind ${before}`).toBe(`${padding}${alone}\n`);
      }
    }
    // Across the chunks in which texts cross.
    for (const before of [16_360, 16_384, 32_760]) {
      const padding = `${'line\n'.repeat(before / 5)}${' '.repeat(before % 5)}`;
      expect(redact(`${padding}${text}\n`), `${kind} behind ${before}`).toBe(`${padding}${alone}\n`);
      expect(redact(`${' '.repeat(before)}${text}`)).toBe(`${' '.repeat(before)}${alone}`);
    }
  }
});
