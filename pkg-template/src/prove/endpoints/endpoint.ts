import type { Turn } from '../turns.js';

/** A tool as a model sees it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One question to a model. */
export interface Ask {
  readonly system: string;
  readonly turns: readonly Turn[];
  /** Empty for models without tools. */
  readonly tools: readonly Tool[];
}

/** What a model answered. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  /** Tokens, if the endpoint reports them. */
  readonly usage: { readonly input: number; readonly output: number } | undefined;
  /** Whether the reply ended because it had no tokens left. */
  readonly isCut: boolean;
}

/** Parameters that some models refuse; one that is refused is left out from then on. */
export const LEAVABLE = ['temperature', 'seed', 'max_tokens', 'tool_choice', 'parallel_tool_calls'] as const;
export type Leavable = (typeof LEAVABLE)[number];

/** What all questions of a run have in common. */
export interface Settings {
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly seed: number;
  /** Parameters that the model refused. */
  readonly without: ReadonlySet<Leavable>;
}

/** How one kind of API is asked. */
export interface Endpoint {
  address(settings: Settings): string;
  headers(settings: Settings): Readonly<Record<string, string>>;
  body(ask: Ask, settings: Settings): Readonly<Record<string, unknown>>;
  /** `undefined` if it is no reply of this API. */
  read(body: unknown): Reply | undefined;
}

export type Bag = Readonly<Record<string, unknown>>;

export const bag = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {});
export const list = (value: unknown): readonly Bag[] => (Array.isArray(value) ? value.map(bag) : []);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Tokens as an endpoint reports them; nothing if one of them is no number. */
export function usageOf(input: unknown, output: unknown): Reply['usage'] {
  const isCount = (value: unknown): value is number =>
    typeof value === 'number' && value >= 0 && Number.isFinite(value);
  return isCount(input) && isCount(output) ? { input, output } : undefined;
}

/** An address below a base that may or may not have its version, or be the whole address. */
export function below(url: string, version: string, path: string): string {
  const base = url.replace(/\/+$/, '');
  if (base.endsWith(path)) return base;
  return /\/v\d+\w*$/.test(base) ? `${base}${path}` : `${base}${version}${path}`;
}
