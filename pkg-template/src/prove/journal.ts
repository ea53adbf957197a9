import { densifyError } from '../base/errors.js';
import type { Answer } from './plan.js';

/** What a journal is written to. */
interface Paper {
  /** What is there, or nothing. */
  readonly text: string | undefined;
  append(line: string): void;
}

/** An answer with what it cost, or a question under way with the most it can cost. */
type Line =
  | { readonly run: string }
  /** A parameter that the model refused. */
  | { readonly without: string }
  | { readonly asked: string; readonly most: number }
  | { readonly key: string; readonly answer: Answer; readonly dollars: number }
  /** A question without an answer, with its highest cost and the reason in densify's words. */
  | { readonly failed: string; readonly dollars: number; readonly why?: string };

/**
 * The answers of a run, a line each, so that an interrupted run goes on where it was. A question is noted before it is sent: if
 * the run ends before its reply, the next one counts the most that it may have cost.
 */
export class Journal {
  readonly #paper: Paper;
  readonly #answers = new Map<string, Answer>();
  /** Dollars of an earlier run. */
  readonly spent: number;
  /** Parameters that the model refused in an earlier run. */
  readonly without: readonly string[];
  readonly #failed = new Set<string>();
  #unanswered: Unanswered = { dollars: 0, why: '' };

  /** `run` stands for all that answers depend on: a journal of another run is refused. */
  constructor(paper: Paper, run: string) {
    this.#paper = paper;
    const lines = (paper.text ?? '').split('\n').flatMap(lineOf);
    const first = lines.find((line): line is { run: string } => 'run' in line);
    if (paper.text !== undefined && !isBlank(paper.text) && first?.run !== run) {
      throw densifyError(
        'invalid-options',
        'option state: the file belongs to a run with other logs, another model or other options; name another file or delete it',
        { key: 'state' },
      );
    }
    const open = new Map<string, number>();
    let spent = 0;
    for (const line of lines) {
      if ('asked' in line) open.set(line.asked, line.most);
      if ('failed' in line) {
        open.delete(line.failed);
        spent += line.dollars;
        this.#note(line.failed, line.dollars, line.why ?? '');
      }
      if ('key' in line) {
        open.delete(line.key);
        spent += line.dollars;
        if (!this.#answers.has(line.key)) this.#answers.set(line.key, line.answer);
      }
    }
    this.without = lines.flatMap((line) => ('without' in line ? [line.without] : []));
    this.spent = [...open.values()].reduce((sum, most) => sum + most, spent);
    // The last line may be torn: what follows begins on a line of its own.
    if ((paper.text ?? '') !== '' && !paper.text!.endsWith('\n')) paper.append('\n');
    if (first === undefined) this.#write({ run });
    // Asked once more, such a question costs again: what it may have cost already stands in a line of its own.
    for (const [key, most] of open) this.failed(key, most, 'the run was interrupted');
  }

  answer(key: string): Answer | undefined {
    return this.#answers.get(key);
  }

  refused(without: string): void {
    this.#write({ without });
  }

  asked(key: string, most: number): void {
    this.#write({ asked: key, most });
  }

  answered(key: string, answer: Answer, dollars: number): void {
    this.#answers.set(key, answer);
    this.#write({ key, answer, dollars });
  }

  failed(key: string, dollars: number, why: string): void {
    this.#note(key, dollars, why);
    this.#write({ failed: key, dollars, why });
  }

  /** Whether a request was sent before and got no answer, for this question or for one with the same request. */
  hasFailed(key: string): boolean {
    return this.#failed.has(requestOf(key));
  }

  /** What questions without an answer may have cost, and why the last of these has none. */
  get unanswered(): Unanswered {
    return this.#unanswered;
  }

  #note(key: string, dollars: number, why: string): void {
    this.#failed.add(requestOf(key));
    if (dollars > 0 && why !== '') this.#unanswered = { dollars: this.#unanswered.dollars + dollars, why };
  }

  #write(line: Line): void {
    this.#paper.append(`${JSON.stringify(line)}\n`);
  }
}

/** The end of a question's key, which stands for its request. */
const requestOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

interface Unanswered {
  readonly dollars: number;
  readonly why: string;
}

/** Whether a journal holds nothing yet: at most a beginning of its first line. */
const isBlank = (text: string): boolean =>
  text.trim() === '' || (!text.includes('\n') && '{"run":"'.startsWith(text.slice(0, 8)));

/** A line that was written to its end. */
function lineOf(text: string): Line[] {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null ? [line as Line] : [];
  } catch {
    return [];
  }
}
