// What the estimator says of texts for which no vocabulary is public, against what providers reported in real logs.
// Both sides differ by more than the vocabulary: providers count what logs don't show.
import { readdirSync, readFileSync } from 'node:fs';
import { estimateTokens as ofAnthropic } from 'densify/anthropic';
import { estimateTokens as ofGemini } from 'densify/gemini';
import { calibrate, calibrated, uncalibrated } from 'densify/tokens';
import { describe, expect, test } from 'vitest';
import { sharedFolder } from './support/shared.js';

/** What the prompt grew by from one request to the next: as the provider counted it, and estimated. */
interface Growth {
  readonly counted: number;
  readonly estimated: number;
}

/** Smaller ones are mostly what providers add to each message. */
const TELLING = 300;

/** Anything of a log. */
// biome-ignore lint/suspicious/noExplicitAny: logs of others
type Json = Readonly<Record<string, any>>;

const withoutThinking = (message: Json): Json =>
  Array.isArray(message['content'])
    ? { ...message, content: message['content'].filter((block: Json) => block['type'] !== 'thinking') }
    : message;

/** The growths of a log of Claude Code, where only results of tools were added. */
function growthsOfClaude(text: string): Growth[] {
  const growths: Growth[] = [];
  let last: { id: string; model: string; prompt: number } | undefined;
  let added: Json[] = [];
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const { isSidechain, message } = JSON.parse(line) as Json;
    if (isSidechain === true || message === undefined) continue;
    const { role, content, id, model, usage } = message;
    if (role === 'assistant' && usage !== undefined && last?.id !== id) {
      const prompt = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
      const isOfTools = added.every((one) => one['role'] === 'assistant' || isResults(one['content']));
      if (last !== undefined && last.model === model && isOfTools)
        growths.push({ counted: prompt - last.prompt, estimated: ofAnthropic(added.map(withoutThinking) as never) });
      [last, added] = [{ id, model, prompt }, []];
    }
    added.push({ role, content });
  }
  return growths;
}

/** Whether a user's message is results of tools, all of them text. */
function isResults(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.every((block: Json) => block['type'] === 'tool_result' && !JSON.stringify(block).includes('"image"'))
  );
}

/** The growths of a log of Gemini CLI. */
function growthsOfGemini(text: string): Growth[] {
  const growths: Growth[] = [];
  let last: number | undefined;
  let added: Json[] = [];
  for (const { type, content, tokens, toolCalls = [] } of (JSON.parse(text) as Json)['messages'] as Json[]) {
    if (type === 'user') last = undefined;
    if (type !== 'gemini' || tokens === undefined) continue;
    if (last !== undefined) growths.push({ counted: tokens.input - last, estimated: ofGemini(added as never) });
    last = tokens.input;
    added = [
      {
        role: 'model',
        parts: [{ text: content }, ...toolCalls.map(({ name, args }: Json) => ({ functionCall: { name, args } }))],
      },
      { role: 'user', parts: toolCalls.flatMap(({ result }: Json) => result ?? []) },
    ];
  }
  return growths;
}

/** Estimated over counted, in total, as it is and by what was learned from the growths before. */
function ratios(growths: readonly Growth[]): { plain: number; learned: number; of: number } {
  let [calibration, counted, plain, learned] = [uncalibrated, 0, 0, 0];
  for (const growth of growths) {
    counted += growth.counted;
    plain += growth.estimated;
    learned += calibrated(calibration, growth.estimated);
    calibration = calibrate(calibration, {
      counted: growth.estimated,
      overhead: 0,
      usage: { input_tokens: growth.counted },
    });
  }
  return { plain: plain / counted, learned: learned / counted, of: growths.length };
}

function growthsIn(folder: string, read: (text: string) => Growth[]): Growth[] {
  const files = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  return files.flatMap(read).filter(({ counted, estimated }) => counted > 0 && estimated > TELLING);
}

describe.each([
  ['claude-code', growthsOfClaude, 0.7, 0.9],
  ['gemini-cli', growthsOfGemini, 0.7, 1],
] as const)('%s', (format, read, least, most) => {
  const folder = sharedFolder(`transcripts/${format}`, 'real-usage');

  test.skipIf(folder === undefined)(
    'what estimates miss of what the provider counted, and what calibration leaves',
    () => {
      const { plain, learned, of } = ratios(growthsIn(folder as string, read));
      console.log(
        `${format}: ${of} requests, estimated : counted ${plain.toFixed(3)}, calibrated ${learned.toFixed(3)}`,
      );
      expect(of).toBeGreaterThan(10);
      expect(plain).toBeGreaterThan(least);
      expect(plain).toBeLessThan(most);
      expect(Math.abs(learned - 1)).toBeLessThan(Math.abs(plain - 1));
    },
  );
});
