import type { Engine } from '../core/engine.js';
import { type Intake, intakeOf, NO_INTAKE } from '../intake/intake.js';
import type { Shrinker } from '../intake/shrinker.js';
import type { Cuts } from '../session/cuts.js';
import { type HandleFactory, Session } from '../session/session.js';
import type { Redact } from '../summary/redaction.js';
import type { Summaries } from '../summary/summaries.js';
import type { CoreGlue } from '../wasm/core.js';
import type { ConversationSettings } from './options.js';

/** The instances that a conversation works on. */
export interface Host {
  readonly engine: Engine<CoreGlue>;
  readonly summaries: Summaries;
  readonly shrinker: Shrinker;
}

/** What shrinks the results that are added, if the conversation is to do so; `failed` is told what can't be kept. */
export function intakeFor<M>(
  { shrinker }: Host,
  settings: ConversationSettings<M>,
  redact: Redact,
  failed: (error: unknown) => void,
): Intake<M> {
  const { adapter, intake, callbacks, options } = settings;
  if (intake === undefined) return NO_INTAKE as Intake<M>;
  const { protect } = callbacks;
  const { recall } = options;
  return intakeOf({ adapter, shrinker, settings: intake, recall, redact, failed, ...(protect && { protect }) });
}

/** Makes the sessions of a history. */
export function sessionsOf<M>(
  engine: Engine<CoreGlue>,
  { adapter, callbacks, optimizer, clock }: ConversationSettings<M>,
  cuts?: Cuts<M>,
): () => Session<M> {
  return () => {
    const create: HandleFactory = ({ glue }, keptFor) => new glue.OptimizerHandle(optimizer(keptFor));
    const session = new Session<M>(engine, adapter, callbacks, create, cuts);
    session.clock = clock;
    return session;
  };
}
