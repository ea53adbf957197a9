// Real conversations in every format: `validate` finds only real faults in them.
import { detectFormat, type FindingCode, type MessageFormat, repair, validate } from 'densify/validate';
import { describe, expect, test } from 'vitest';
import { FORMATS, native } from './support/native.js';
import { realLogs } from './support/shared.js';

/** Models that take what the logs hold: no signatures of Gemini's are logged, and some end with the model. */
const MODELS: Readonly<Partial<Record<MessageFormat, string>>> = {
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-pro',
};

type Explanations = readonly (readonly [
  log: RegExp,
  code: FindingCode,
  formats: readonly MessageFormat[],
  why: string,
])[];
const EVERY = FORMATS;
const but = (...others: readonly MessageFormat[]): MessageFormat[] =>
  FORMATS.filter((format) => !others.includes(format));

const EXPLAINED: Explanations = [
  [/agentv-45b03b80|rock-feb874b7/, 'orphan-call', EVERY, 'the run ended, or was interrupted, before the result'],
  [/cli-a1c792dd/, 'misplaced-result', but('anthropic', 'openai-responses', 'openai-agents', 'ai-sdk-ui'), 'the user spoke between parallel results'],
  [/tau-airline|marshmallow/, 'duplicate-call-id', ['anthropic', 'ai-sdk-ui'], 'the model, or a cache of replies, used ids again'],
  [/pi-dev/, 'bad-call-id', ['anthropic'], "ids of the Responses API, `call_…|fc_…`; pi renames them for others' models"],
  [/pi-dev/, 'long-call-id', ['openai-chat', 'openai-responses', 'openai-agents'], 'the same ids'],
  [/claude-code|pi-dev|openhands/, 'empty-text', ['densify'], 'the log has blocks without a text'],
]; // biome-ignore format: a table

const logs = realLogs('validate-real.test.ts');

describe.skipIf(logs.length === 0)('real logs', () => {
  test.each(logs)('$name', ({ name, read }) => {
    const contents = read();
    for (const format of EVERY) {
      const messages = native[format](contents);
      const options = { format, model: MODELS[format] };
      const { findings } = validate(messages, options);
      const explained = EXPLAINED.filter(([log, , formats]) => log.test(name) && formats.includes(format)).map(
        ([, code]) => code,
      );
      expect([format, findings.filter(({ code }) => !explained.includes(code))]).toEqual([format, []]);
      const { ok, changed } = repair(messages, options);
      expect([format, ok, changed]).toEqual([format, true, findings.some(({ level }) => level === 'error')]);
      expect(detectFormat(messages).candidates).toContain(format);
    }
  });

  test.each(EXPLAINED)('%s: %s is still found', (log, code, formats) => {
    const found = logs
      .filter(({ name }) => log.test(name))
      .some(({ read }) => {
        const contents = read();
        return formats.every((format) =>
          validate(native[format](contents), { format, model: MODELS[format] }).findings.some(
            (finding) => finding.code === code,
          ),
        );
      });
    expect(found).toBe(true);
  });
});
