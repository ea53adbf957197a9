import { isRecord, type JsonRecord } from './json.js';

/** The tokens of one request and its reply, as the provider reported them. */
export interface Usage {
  /** Input tokens that were neither read from the cache nor written to it. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** A usage of what a log says, or nothing if it doesn't hold numbers of tokens. */
export function usageOf(input: unknown, cacheRead: unknown, cacheWrite: unknown, output: unknown): Usage | undefined {
  if (!isCount(input)) return undefined;
  const or0 = (value: unknown): number => (isCount(value) ? value : 0);
  return { input, cacheRead: or0(cacheRead), cacheWrite: or0(cacheWrite), output: or0(output) };
}

/** The same where `input` holds the tokens of the cache as well. */
export function usageOfAll(all: unknown, cacheRead: unknown, cacheWrite: unknown, output: unknown): Usage | undefined {
  const usage = usageOf(all, cacheRead, cacheWrite, output);
  return usage && { ...usage, input: Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite) };
}

/** Usage in the form of Anthropic's API, with the lifetime of cache writes in seconds. */
export function anthropicUsage(value: unknown): JsonRecord {
  if (!isRecord(value)) return {};
  const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written } = value;
  const { cache_creation: created, output_tokens: output } = value;
  const isWritten = (key: string): boolean => isRecord(created) && isCount(created[key]) && created[key] > 0;
  const cacheTtl = isWritten('ephemeral_1h_input_tokens')
    ? 3600
    : isWritten('ephemeral_5m_input_tokens')
      ? 300
      : undefined;
  return { usage: usageOf(input, read, written, output), cacheTtl };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}
