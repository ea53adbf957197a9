// An image's size in pixels, read from its first bytes. Its tokens depend on it.
import { estimateTokens } from 'densify';
import { estimateTokens as ofAnthropic } from 'densify/anthropic';
import { estimateTokens as ofGemini } from 'densify/gemini';
import { estimateTokens as ofOpenAi } from 'densify/openai';
import { estimateTokens as ofAgents } from 'densify/openai-agents';
import { estimateTokens as ofResponses } from 'densify/openai-responses';
import { imageSize, imageTokens } from 'densify/tokens';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';

/** The beginnings of files as programs write them, and their pixels. */
const IMAGES: readonly (readonly [string, string, number, number])[] = [
  ['PNG', 'iVBORw0KGgoAAAANSUhEUgAABEQAAALbCAYAAADzZVWP', 1092, 731],
  ['PNG with a palette', 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9T', 16, 16],
  ['GIF', 'R0lGODlhEAAQAPU/AOu7GOu+IfPBGvrHGf3LG//MHOvC', 16, 16],
  ['GIF of one pixel', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAAB', 1, 1],
  ['WebP, lossy', 'UklGRg4CAABXRUJQVlA4IAICAACwLwCdASoFAgcBPtFm', 517, 263],
  ['WebP, lossless', 'UklGRgwFAABXRUJQVlA4TAAFAAAvBIJBEBcQ8x/zHxjg', 517, 263],
  ['WebP with a profile', 'UklGRgACAABXRUJQVlA4WAoAAAAgAAAAhxMALAEASUND', 5000, 301],
  ['WebP with transparency', 'UklGRqwDAABXRUJQVlA4WAoAAAAwAAAABAIABgEASUND', 517, 263],
  [
    'JPEG',
    '/9j/4AAQSkZJRgABAQEAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/2wBDAQMDAwQDBAgEBAgQCwkLEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBD/wAARCAAQABADASIA',
    16,
    16,
  ],
];

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'));
const base64Of = (bytes: readonly number[] | Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A JPEG with some segments before its frame. */
function jpeg(segments: readonly (readonly number[])[], frame = 0xc0): number[] {
  const size = [0xff, frame, 0, 17, 8, 0x01, 0xdf, 0x02, 0x81, 3, 1, 0x22, 0];
  return [0xff, 0xd8, ...segments.flat(), ...size];
}
const segment = (marker: number, length: number): number[] => [
  ...[0xff, marker, (length + 2) >> 8, (length + 2) & 0xff],
  ...Array.from({ length }, (_, at) => at % 251),
];

describe('the size is read', () => {
  test.each(IMAGES)('of %s', (_, base64, width, height) => {
    const size = { width, height };
    expect(imageSize(base64)).toEqual(size);
    expect(imageSize(bytesOf(base64))).toEqual(size);
    expect(imageSize(`data:image/any;base64,${base64}`)).toEqual(size);
    expect(imageSize(base64.replaceAll('+', '-').replaceAll('/', '_'))).toEqual(size);
    expect(imageSize(base64.replace(/.{19}/g, '$&\r\n'))).toEqual(size);
  });

  test.each([0xc0, 0xc1, 0xc2, 0xc5, 0xcf])('of a JPEG whose frame is 0x%s, behind long segments', (frame) => {
    const bytes = jpeg([segment(0xe1, 65_000), segment(0xc4, 300), [0xff], segment(0xe2, 60_000), [0xff, 0x01]], frame);
    expect(imageSize(base64Of(bytes))).toEqual({ width: 641, height: 479 });
  });

  test('and its tokens follow', () => {
    expect(imageTokens('claude', imageSize(IMAGES[0]![1])!)).toBe(39 * 27);
  });
});

describe('what is broken has none', () => {
  test('each beginning of an image that ends before the size, and an image without pixels', () => {
    for (const [name, base64] of IMAGES) {
      const bytes = bytesOf(base64);
      for (let length = 0; length < 10; length += 1) {
        expect(imageSize(bytes.subarray(0, length)), name).toBeUndefined();
        expect(imageSize(base64Of(bytes.subarray(0, length))), name).toBeUndefined();
      }
    }
    expect(imageSize('R0lGODlhAAAQAPU/')).toBeUndefined();
    expect(imageSize(Uint8Array.from(jpeg([]).fill(0, 7, 9)))).toBeUndefined();
  });

  test('text, other files, base64 that is none', () => {
    const others = [
      '',
      'hello',
      'data:,',
      'data:image/png;base64,',
      '%%%%',
      'iVBORw0KGgo\u{1f600}AAAANSUhEUgAABEQ',
      '/9j/',
    ];
    for (const text of others) expect(imageSize(text), text).toBeUndefined();
    expect(imageSize(Uint8Array.from(Buffer.from('%PDF-1.7 and more of it')))).toBeUndefined();
  });

  test('any bytes, and any change of an image: a size of whole numbers or none, and nothing is thrown', () => {
    const changed = fc
      .tuple(fc.constantFrom(...IMAGES), fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { maxLength: 4 }))
      .map(([[, base64], changes]) => {
        const bytes = bytesOf(base64);
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
        return bytes;
      });
    check(
      2_000,
      fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 60 })), (bytes) => {
        const size = imageSize(bytes);
        expect(imageSize(base64Of(bytes))).toEqual(size);
        if (size === undefined) return;
        expect(Number.isInteger(size.width) && size.width > 0 && size.width < 2 ** 32).toBe(true);
        expect(Number.isInteger(size.height) && size.height > 0 && size.height < 2 ** 32).toBe(true);
      }),
    );
  });

  test('a JPEG of nothing but fill bytes or empty segments is given up', () => {
    expect(imageSize(Uint8Array.from([0xff, 0xd8, ...Array<number>(100_000).fill(0xff)]))).toBeUndefined();
    const empty = Array.from({ length: 30_000 }, () => segment(0xfe, 0));
    expect(imageSize(Uint8Array.from(jpeg(empty)))).toBeUndefined();
    expect(imageSize(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 0, 0]))).toBeUndefined();
  });

  test('what is neither text nor bytes is the caller’s error', () => {
    expect(() => imageSize(5 as never)).toThrow(expect.objectContaining({ code: 'invalid-options', key: 'image' }));
  });
});

/** The beginning of a PNG of a size. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(60, 65);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

describe.each([
  [1024, 1024],
  [512, 512],
  [2048, 4096],
  [100, 100],
])('an image of %i × %i costs what its provider publishes', (width, height) => {
  const data = png(width, height);
  const url = `data:image/png;base64,${data}`;
  const image = { width, height };

  test('in chat completions, as the request says how closely it is looked at', () => {
    const tokens = (detail?: 'low' | 'high' | 'auto', of = url) =>
      ofOpenAi(
        [{ role: 'user', content: [{ type: 'image_url', image_url: { url: of, ...(detail && { detail }) } }] }],
        { model: 'gpt-4o' },
      );
    expect([tokens(), tokens('high'), tokens('auto')]).toEqual(Array(3).fill(imageTokens('gpt-4o', image)));
    expect([tokens('low'), tokens('low', 'https://example.org/a.png')]).toEqual([85, 85]);
  });

  test('in the Responses API and the Agents SDK', () => {
    const response = (detail: 'low' | 'auto') =>
      ofResponses([{ type: 'message', role: 'user', content: [{ type: 'input_image', image_url: url, detail }] }], {
        model: 'gpt-4o',
      });
    expect([response('auto'), response('low')]).toEqual([imageTokens('gpt-4o', image), 85]);
    const agents = (more: object) =>
      ofAgents([{ type: 'message', role: 'user', content: [{ type: 'input_image', image: url, ...more }] }] as never, {
        model: 'gpt-4o',
      });
    expect([agents({}), agents({ detail: 'low' })]).toEqual([imageTokens('gpt-4o', image), 85]);
    // Of newer models 'high' is less than what they do by themselves.
    const high = (model: string) =>
      ofResponses(
        [{ type: 'message', role: 'user', content: [{ type: 'input_image', image_url: url, detail: 'high' }] }],
        { model },
      );
    expect(high('gpt-5.5')).toBe(imageTokens('gpt-5.5', { ...image, detail: 'high' }));
  });

  test('of Anthropic, of Gemini, and of nobody, whose are Anthropic’s', () => {
    const source = { type: 'base64', media_type: 'image/png', data } as const;
    expect(ofAnthropic([{ role: 'user', content: [{ type: 'image', source }] }])).toBe(
      imageTokens('claude-4.7', image),
    );
    const inlineData = { mimeType: 'image/png', data };
    expect(ofGemini([{ role: 'user', parts: [{ inlineData }] }])).toBe(imageTokens('gemini', image));
    const media = { type: 'media', mimeType: 'image/png', data, encoding: 'base64' } as const;
    expect(estimateTokens([{ speaker: 'human', blocks: [media] }])).toBe(imageTokens('claude', image));
  });
});

test('an image whose first bytes say that it is immense costs no more than any does', () => {
  const inlineData = { mimeType: 'image/png', data: png(2 ** 31, 2 ** 31) };
  expect(ofGemini([{ role: 'user', parts: [{ inlineData }] }])).toBe(50_000);
});
