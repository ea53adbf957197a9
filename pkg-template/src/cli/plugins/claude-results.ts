/** Results of Claude Code's tools with shorter texts. */
import { shrinkResult } from '../../intake/functions.js';

type Bag = Readonly<Record<string, unknown>>;

/** The keys of results whose texts a model reads, by tool; the form must stay that of the tool. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  Bash: ['stdout', 'stderr'],
  PowerShell: ['stdout', 'stderr'],
  Grep: ['content'],
};

/** Whether results of a tool are shortened; those of files stay letter by letter. */
export const isShortened = (name: string): boolean => Object.hasOwn(TEXTS, name) || name.startsWith('mcp__');

/** A result with shorter texts; `undefined` where none is. */
export function shortened(name: string, parameters: unknown, response: unknown): unknown {
  let isShorter = false;
  const shrink = (text: unknown): unknown => {
    if (typeof text !== 'string' || text === '') return text;
    const { result, changed } = shrinkResult({ name, parameters }, text);
    isShorter ||= changed;
    return result;
  };
  const part = (given: unknown): unknown => {
    const { type, text } = (given ?? {}) as Bag;
    return type === 'text' ? { ...(given as Bag), text: shrink(text) } : given;
  };
  let made: unknown;
  if (Object.hasOwn(TEXTS, name)) {
    const texts = TEXTS[name]!.map((key) => [key, shrink((response as Bag | undefined)?.[key])] as const);
    made = { ...(response as Bag), ...Object.fromEntries(texts.filter(([, text]) => text !== undefined)) };
  } else if (isShortened(name)) {
    made = Array.isArray(response) ? response.map(part) : shrink(response);
  }
  return isShorter ? made : undefined;
}
