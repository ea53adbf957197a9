import type { IContent } from '../base/content.js';
import { blocksOf, read } from '../replay/odd.js';
import { identifiersOf, linesOf, textsOf } from '../replay/texts.js';

/** What a question is about. */
type Subject = 'file or output' | 'error' | 'decision' | 'request';

/** A line of the history with a gap, and the word that stood in it. */
export interface Question {
  readonly subject: Subject;
  readonly text: string;
  readonly answer: string;
}

/** How an answer was. */
export type Verdict = 'right' | 'wrong' | 'asked again' | 'unknown';

const GAP = '____';
const [SHORTEST, LONGEST] = [20, 300];
/** Names of errors end so: `TypeError`. */
const ERROR = /(?:error|exception|failed|failure|panic|traceback|fatal)\b/i;
/** What another line may have instead of a gap. */
const WORD = /\w{3,}/g;
const SUBJECTS: readonly Subject[] = ['request', 'decision', 'error', 'file or output'];

interface Line {
  readonly subject: Subject;
  readonly where: string;
  readonly text: string;
}

/**
 * Questions about lines that were cut. Each shows such a line with a gap instead of one name, which stands nowhere in
 * the packed history. No model makes them, and each has one right answer.
 */
export function questionsOf(full: readonly IContent[], left: readonly IContent[], most: number): readonly Question[] {
  if (most === 0) return [];
  const kept = left.flatMap(textsOf).join('\n');
  const lines = linesWith(full);
  const found = lines.flatMap(({ subject, where, text }) => {
    if (text.length < SHORTEST || text.length > LONGEST || kept.includes(text)) return [];
    const answer = identifiersOf(text).find((word) => !kept.includes(word));
    const gapped = answer === undefined ? '' : text.replace(answer, GAP);
    // The answer must not stand in the question.
    if (answer === undefined || gapped.includes(answer)) return [];
    return [{ subject, answer, gapped, text, where }];
  });
  const fitting = fittingLines(
    lines,
    found.map(({ text, gapped }) => [shapeOf(text), gapped]),
  );
  const bySubject = new Map<Subject, Question[]>(SUBJECTS.map((subject) => [subject, []]));
  for (const { subject, answer, gapped, where } of found) {
    // Where several lines fit, no name is the right one.
    if (fitting.get(gapped) === 1) bySubject.get(subject)!.push({ subject, answer, text: asked(where, gapped) });
  }
  return chosen([...bySubject.values()], most);
}

/** Lines of one shape differ in words alone: only these may fit the same gap. */
const shapeOf = (text: string): string => text.replace(WORD, GAP);

/** How many lines fit each gapped line, which come with their shapes. */
function fittingLines(
  lines: readonly Line[],
  gapped: readonly (readonly [shape: string, line: string])[],
): ReadonlyMap<string, number> {
  const shapes = new Set(gapped.map(([shape]) => shape));
  const counts = new Map(gapped.map(([, line]) => [line, 0]));
  for (const { text } of lines) {
    if (text.length > LONGEST || !shapes.has(shapeOf(text))) continue;
    const variants = [...text.matchAll(WORD)].map(({ 0: word, index }) => {
      return text.slice(0, index) + GAP + text.slice(index + word.length);
    });
    for (const variant of new Set(variants)) {
      const count = counts.get(variant);
      if (count !== undefined) counts.set(variant, count + 1);
    }
  }
  return counts;
}

function asked(where: string, line: string): string {
  return `Before you go on, one question about this conversation. ${where} held this line, in which one name is replaced by ${GAP}:

${line}

Which name is it? Answer with the name alone. If the conversation no longer shows it, and you have no tool that brings it back, answer UNKNOWN.`;
}

/** Every line that somebody said or a tool printed, with its place in words. */
function linesWith(contents: readonly IContent[]): readonly Line[] {
  const tools = new Map<unknown, string>();
  return contents.flatMap((content) => {
    const speaker = read(content, 'speaker');
    return blocksOf(content).flatMap((block): Line[] => {
      if (block.type === 'tool_call') tools.set(block.id, String(block.name));
      if (block.type === 'tool_response') {
        const where = `The output of the tool ${tools.get(block.callId) ?? 'that ran'}`;
        return textsOf({ speaker: 'tool', blocks: [block as never] })
          .flatMap(linesOf)
          .map((text) => ({ subject: ERROR.test(text) ? 'error' : 'file or output', where, text: text.trim() }));
      }
      if (block.type !== 'text' || typeof block.text !== 'string') return [];
      const [subject, where]: [Subject, string] =
        speaker === 'human' ? ['request', 'A message of the user'] : ['decision', 'A message of yours'];
      return linesOf(block.text).map((text) => ({ subject, where, text: text.trim() }));
    });
  });
}

/** Some of each list in turns, at equal distances within each. */
function chosen(lists: readonly (readonly Question[])[], most: number): readonly Question[] {
  const each = lists.map((all) => {
    const count = Math.min(all.length, most);
    return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]!);
  });
  const found: Question[] = [];
  for (let at = 0; found.length < most && each.some((all) => at < all.length); at += 1) {
    for (const all of each) if (at < all.length && found.length < most) found.push(all[at]!);
  }
  return found;
}

/** What an answer in words is worth. */
export function verdictOf(answer: string, said: string): Verdict {
  const words: readonly string[] = said.match(/[A-Za-z0-9_]+/g) ?? [];
  if (words.includes(answer)) return 'right';
  return words.length === 0 || words.includes('UNKNOWN') ? 'unknown' : 'wrong';
}
