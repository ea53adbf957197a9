import { densifyError } from './errors.js';
import type { DensityMetadata } from './generated/densify.js';
import { type LoggedEdit, RULES, type Run } from './output.js';
import { DROPPED, type Session } from './session.js';
import type { Edit, ResultBase, Warning } from './types.js';

/** The counts of a run under the documents' names. */
export function densityMetadata({ counts }: Run): DensityMetadata {
  return {
    readWritePairsPruned: counts[0] ?? 0,
    fileDeduplicationsPruned: counts[1] ?? 0,
    recencyPruned: counts[2] ?? 0,
  };
}

/** A run's edits in public form. */
export function publicEdits<M>(session: Session<M>, edits: readonly LoggedEdit[]): readonly Edit[] {
  return edits.map((edit) => {
    const about = { index: edit.unit, rule: RULES[edit.rule] ?? 'truncation', pending: edit.pending };
    return { ...about, ...session.applied(edit) };
  });
}

/** The messages that are still there. */
export function liveMessages<M>(out: readonly (M | typeof DROPPED)[]): M[] {
  const live: M[] = [];
  for (const message of out) if (message !== DROPPED) live.push(message);
  return live;
}

/** How a result finds its messages and its token counts. */
export interface LazyParts<M> {
  readonly messages: () => readonly M[];
  readonly tokensBefore: () => number;
  readonly tokensAfter: () => number;
}

/**
 * A result whose costly parts are computed when they are first read.
 */
export function lazyResult<M>(
  session: Session<M>,
  run: Run,
  changed: boolean,
  parts: LazyParts<M>,
): ResultBase<M> {
  const result: ResultBase<M> = {
    changed,
    get messages() {
      return fix(this, 'messages', parts.messages());
    },
    get edits() {
      return fix(this, 'edits', publicEdits(session, run.edits));
    },
    get tokensBefore() {
      return fix(this, 'tokensBefore', parts.tokensBefore());
    },
    get tokensAfter() {
      return fix(this, 'tokensAfter', parts.tokensAfter());
    },
    warnings: warningsOf(run),
  };
  return run.flush ? Object.assign(result, { flush: flushOf(session, run) }) : result;
}

/** Replaces a getter by the value that it found. */
function fix<T>(object: object, key: string, value: T): T {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
  return value;
}

function warningsOf({ unbalanced }: Run): readonly Warning[] {
  return unbalanced.map((index) => ({ code: 'unbalanced-inclusion', index }));
}

/** Where the messages given out before stop being what they were: as many are live before it. */
function flushOf<M>(session: Session<M>, run: Run): { readonly index: number } {
  const { version } = session;
  return {
    get index() {
      checkFresh(session, version);
      let index = 0;
      for (let at = 0; at < run.first; at += 1) if (session.out[at] !== DROPPED) index += 1;
      return fix(this, 'index', index);
    },
  };
}

/** What is computed late must not speak of a later history. */
export function checkFresh<M>(session: Session<M>, version: number): void {
  if (session.version === version) return;
  throw densifyError('stale-result', 'read a result before its optimizer goes on: it has changed since');
}
