import type { Bag } from '../facts.js';

/** Whether a part of some content is `{type: 'text', text}`. */
export function isText(part: unknown): part is Bag & { readonly text: string } {
  const { type, text } = (part ?? {}) as Bag;
  return type === 'text' && typeof text === 'string';
}

/** All texts of some parts as one; nothing if there are none. */
export function textsOf(parts: readonly unknown[]): string | undefined {
  let texts: string | undefined;
  for (const part of parts) if (isText(part)) texts = texts === undefined ? part.text : `${texts}\n${part.text}`;
  return texts;
}

/** One text in the place of all; what one of them says by some key (a breakpoint of the cache), it says. */
export function withOneText(parts: readonly unknown[], text: string, key: string): unknown[] {
  const marks = parts.filter(isText).map((part) => part[key]);
  const mark = marks.filter((found) => found !== undefined).pop();
  const one = { type: 'text', text, ...(mark === undefined ? {} : { [key]: mark }) };
  let isDone = false;
  return parts.flatMap((part) => {
    if (!isText(part)) return [part];
    if (isDone) return [];
    isDone = true;
    return [one];
  });
}
