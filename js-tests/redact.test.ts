// Redaction in the package: the default, a caller's function, and off.
import { type IContent, redact, requestSummary, type SummaryOptions } from 'densify';
import { expect, test } from 'vitest';
import { ai, human, read } from './support/say.js';

const token = `ghp_${'aB3dE6gH9k'.repeat(4)}`.slice(0, 40);

const history: readonly IContent[] = [
  human(`GITHUB_TOKEN=${token} is the token`),
  ...Array.from({ length: 12 }, (_, at) => [
    human(`request ${at} ${'words '.repeat(60)}`),
    ...read(`c${at}`, 'a.ts', `password = "hunter22x"\n${'line\n'.repeat(50)}`),
    ai('done'),
  ]).flat(),
];

function requested(options: Pick<SummaryOptions, 'redact' | 'instructions'>): string {
  const planned = requestSummary(history, { strategy: 'one-shot', ...options });
  if (planned.kind !== 'request') throw new Error(planned.reason);
  return JSON.stringify(planned);
}

test('credentials go, everything else stays', () => {
  expect(redact(`a ${token} b`)).toBe('a [REDACTED: github-token] b');
  const clean = `const a = 1; \ud800 ${'x = y;\n'.repeat(100_000)}`;
  expect(redact(clean)).toBe(clean);
  const long = `${'é = y;\n'.repeat(100_000)}${token}\n`;
  expect(redact(long)).toBe(long.replace(token, '[REDACTED: github-token]'));
});

test('by default no credential is in a request', () => {
  for (const options of [{}, { redact: true }]) {
    const text = requested({ ...options, instructions: `use ${token}` });
    expect(text).not.toContain(token);
    expect(text).not.toContain('hunter22x');
    expect(text).toContain('[REDACTED: github-token]');
    expect(text).toContain('[REDACTED: password]');
  }
});

test("a caller's function replaces the default", () => {
  const text = requested({ redact: (part) => part.replaceAll('hunter22x', '<gone>') });
  expect(text).not.toContain('hunter22x');
  expect(text).toContain('<gone>');
  expect(text).toContain(token);
});

test('false turns it off', () => {
  const text = requested({ redact: false });
  expect(text).toContain(token);
  expect(text).toContain('hunter22x');
});
