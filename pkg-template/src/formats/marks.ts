/**
 * Messages without the breakpoints of the provider's cache, which wander with the end of a history, and without the notes of
 * frameworks that no provider gets.
 */
import { jsonText } from '../messages/measure.js';

/** The keys under which formats have them. */
const MARKS: ReadonlySet<string> = new Set([
  'cache_control',
  'cacheControl',
  'cachePoint',
  'prompt_cache_breakpoint',
  'promptCacheBreakpoint',
  // Mastra writes the time anew into each call's messages, as an option of a provider that there is not.
  'mastra',
]);

const MARK = /* @__PURE__ */ new RegExp(`"(?:${[...MARKS].join('|')})":`);

/** What makes the text of a message differ from its text without breakpoints: a mark, or a text that became a block. */
const MARKED = /* @__PURE__ */ new RegExp(`${MARK.source}|"content":\\[\\{"t(?:ype":"text"|ext":)`);

/** A message as text. */
export interface Written {
  /** The same wherever its breakpoints are: a text that had to become a block for one is a text too. */
  readonly bare: string;
  /** With its breakpoints; none if it has no breakpoint. */
  readonly marked: string | undefined;
}

/** Few messages bear a breakpoint, and writing without a replacer is several times as fast. */
export function written(message: unknown): Written {
  try {
    const text = JSON.stringify(message) ?? '';
    if (!MARKED.test(text)) return { bare: text, marked: undefined };
    const bare = JSON.stringify(message, withoutMark) ?? '';
    return { bare, marked: MARK.test(text) ? text : undefined };
  } catch {
    return { bare: jsonText(message), marked: undefined };
  }
}

/** A message as text, the same wherever its breakpoints are. */
export const textWithoutMarks = (message: unknown): string => written(message).bare;

function withoutMark(key: string, value: unknown): unknown {
  if (MARKS.has(key) || isOnlyMarks(value)) return undefined;
  if (key !== 'content' || !Array.isArray(value) || value.length !== 1) return value;
  const [part] = value as readonly unknown[];
  if (typeof part !== 'object' || part === null) return value;
  const { type, text, ...rest } = part as Readonly<Record<string, unknown>>;
  const isBare = type === 'text' && Object.entries(rest).every(([name, held]) => withoutMark(name, held) === undefined);
  return isBare ? text : value;
}

/** Whether an object holds breakpoints and nothing else, such as options of providers. */
function isOnlyMarks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([key, held]) => MARKS.has(key) || isOnlyMarks(held));
}
