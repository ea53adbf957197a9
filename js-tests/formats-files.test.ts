// What files cost: PDFs by their pages, texts as texts.
import { estimateTokens } from 'densify';
import { createOptimizer, estimateTokens as ofAnthropic } from 'densify/anthropic';
import { estimateTokens as ofGemini } from 'densify/gemini';
import { estimateTokens as ofResponses } from 'densify/openai-responses';
import { describe, expect, test } from 'vitest';

/** A file of so many pages, whose first begins so many bytes later. */
function pdf(pages: number, later: number, page = '/Type /Page'): Buffer {
  const head = `%PDF-1.7\n${'%'.repeat(later)}\n1 0 obj << /Type /Pages /Count ${pages} >>\n`;
  const body = Array.from({ length: pages }, (_, at) => `${at} 0 obj\n<< ${page} /Parent 1 0 R >>\nendobj\n`);
  return Buffer.from(`${head}${body.join('')}2 0 obj << /PageLabels /Type/Catalog >>\n${' '.repeat(500_000)}`);
}

describe.each([0, 1, 2])('a PDF whose pages begin at byte %d of three', (later) => {
  test.each(['/Type /Page', '/Type/Page', '/Type\n/Page'])('with %j', (page) => {
    const data = pdf(10, later, page).toString('base64');
    const source = { type: 'base64', media_type: 'application/pdf', data };
    const document = { type: 'document', source };
    expect(ofAnthropic([{ role: 'user', content: [document] }] as never)).toBe(20_000);
    const part = { inlineData: { mimeType: 'application/pdf', data } };
    const gemini = (model?: string) => ofGemini([{ role: 'user', parts: [part] }] as never, model ? { model } : {});
    expect([gemini(), gemini('gemini-2.5-pro'), gemini('gemini-3-pro')]).toEqual([2_580, 2_580, 5_600]);
    const file = { type: 'input_file', file_data: `data:application/pdf;base64,${data}` };
    expect(ofResponses([{ type: 'message', role: 'user', content: [file] }] as never)).toBe(20_000);
    const lines = data.replace(/.{76}/g, '$&\n');
    const media = { type: 'media', mimeType: 'application/pdf', data: lines, encoding: 'base64' } as const;
    expect(estimateTokens([{ speaker: 'human', blocks: [media] }])).toBe(20_000);
  });
});

test('a PDF whose pages are compressed, or that is none, costs by its bytes', () => {
  for (const text of [`%PDF-1.7\n${'x'.repeat(99_000)}`, `no PDF /Type /Page ${'x'.repeat(99_000)}`]) {
    const data = Buffer.from(text).toString('base64');
    const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } };
    expect(ofAnthropic([{ role: 'user', content: [document] }] as never)).toBe(4_000);
    const part = { inlineData: { mimeType: 'application/pdf', data } };
    const isPdf = text.startsWith('%PDF');
    expect(ofGemini([{ role: 'user', parts: [part] }] as never)).toBe(isPdf ? 2 * 258 : 4_000);
  }
});

describe('a text document of Anthropic’s', () => {
  const data = 'The quick brown fox jumps over the lazy dog. '.repeat(300);
  const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: 'Foxes' };
  const messages = [{ role: 'user', content: [document] }] as never[];

  test('is counted as a text, by the caller’s counter too', () => {
    expect(ofAnthropic(messages)).toBe(estimateTokens(data));
    const asked: string[] = [];
    const countTokens = (text: string) => (asked.push(text), 7);
    expect(ofAnthropic(messages, { countTokens })).toBe(7);
    expect(asked).toEqual([data]);
  });

  test('in a result as well; and one that comes again is a word where it came before', () => {
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [document] }] };
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
    const asked: string[] = [];
    ofAnthropic([call, result] as never, { countTokens: (text) => (asked.push(text), 1) });
    expect(asked).toContain(data);
    const optimizer = createOptimizer({ flush: 'always' });
    const list = [
      ...messages,
      { role: 'assistant', content: 'Seen.' },
      ...messages,
      { role: 'assistant', content: 'So?' },
    ];
    const { messages: left, tokensAfter } = optimizer.optimize(list as never);
    expect(JSON.stringify(left[0])).toContain('the same file');
    expect(tokensAfter).toBeLessThan(estimateTokens(data) + 30);
  });
});
