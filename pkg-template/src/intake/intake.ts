import { isStackFull } from '../base/stack.js';
import { aboutCall } from '../messages/about-call.js';
import type { Adapter, KnownCall } from '../messages/adapter.js';
import { noted, RECALLING } from '../recall/note.js';
import type { Recall } from '../recall/types.js';
import type { Redact } from '../summary/redaction.js';
import type { Callbacks } from '../types.js';
import type { Shrinker } from './shrinker.js';

/** Makes of messages what goes into the history. */
export interface Intake<M> {
  /** What goes in; `index` is the message's place among those that were added. */
  take(message: M, index: number): M;
  /** Notes the calls of a message that is in the history already. */
  note(message: M): void;
}

/** What intake depends on. */
interface IntakeOf<M> {
  readonly adapter: Adapter<M>;
  readonly shrinker: Shrinker;
  /** The settings of shrinking, as JSON. */
  readonly settings: string;
  readonly protect?: Callbacks<M>['protect'];
  readonly recall?: Recall | undefined;
  /** Takes credentials out of what is kept of a result's call. */
  readonly redact?: Redact;
  /** Is told which reducers had a part in a result. */
  readonly tell?: (reducers: readonly string[]) => void;
  /** Is told what went wrong with keeping a result, which isn't shrunk then. */
  readonly failed?: (error: unknown) => void;
}

/** Shrinks results of tools before they were ever sent. */
export function intakeOf<M>(means: IntakeOf<M>): Intake<M> {
  const { adapter, shrinker, settings, protect, recall, redact, tell, failed } = means;
  const calls = new Map<string, KnownCall>();
  const note = (message: M) => {
    try {
      for (const call of adapter.calls(message)) calls.set(call.id, call);
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
    }
  };
  const keep = (text: string, shorter: string, name: string, call: KnownCall | undefined) => {
    try {
      return noted(recall, text, shorter, recall && aboutCall(name, call, redact));
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
      failed?.(thrown);
      return undefined;
    }
  };
  const shrink = (text: string, tool: string, id: string) => {
    const call = calls.get(id);
    const name = tool || (call?.name ?? '');
    if (recall !== undefined && RECALLING.includes(name)) return undefined;
    const [shorter, reducers = []] = shrinker.shrink(text, name, call?.parameters, settings) ?? [];
    const kept = shorter === undefined ? undefined : keep(text, shorter, name, call);
    if (kept !== undefined) tell?.(reducers);
    return kept;
  };
  const take = (message: M, index: number) => {
    note(message);
    try {
      return protect?.(message, index) === true ? message : adapter.withResults(message, shrink);
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
      return message; // what can't be read stays as it is; what the caller's function throws is said by who reads it next
    }
  };
  return { take, note };
}

/** Leaves everything as it is. */
export const NO_INTAKE: Intake<never> = { take: (message) => message, note: () => undefined };
