// Requests that a provider rejects: an example from a bug report, and the findings that are expected.
import type { Finding, FindingCode, ValidateOptions } from 'densify/validate';

export type Message = Record<string, unknown>;

export interface Example {
  readonly of: string;
  readonly messages: readonly unknown[];
  readonly options?: ValidateOptions;
  readonly code: FindingCode;
  readonly path: Finding['path'];
  /** What the provider says; absent where only we say it. */
  readonly says?: RegExp;
  readonly level?: 'warning';
  /** Whether a repair makes it acceptable without a decision. */
  readonly mended: boolean;
}

export const user = (content: unknown = 'hi'): Message => ({ role: 'user', content });
export const said = (...content: unknown[]): Message => ({ role: 'assistant', content });
