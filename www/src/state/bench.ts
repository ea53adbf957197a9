import { batch, effect, signal } from '@preact/signals';
import { endpoint, model } from '../chat/session.js';
import type { Piece } from '../endpoint/api.js';
import { askModel } from '../endpoint/client.js';
import { engine } from '../engine/client.js';
import { askLocal } from '../local/client.js';
import type { BenchOptions, Outcome, Planned } from '../summary/api.js';
import { summaries } from '../summary/client.js';
import { facts } from './conversation.js';
import { view } from './route.js';

export const options = signal<BenchOptions>({
  strategy: 'middle-out',
  mode: 'transcript',
  pins: [],
  todos: [],
  workspaceRoot: '/',
});
export const planned = signal<Planned | undefined>(undefined);
export const reply = signal('');
export const outcome = signal<Outcome | undefined>(undefined);
export const problem = signal<string | undefined>(undefined);
export const isAsking = signal(false);

const say = (error: unknown): string => (error instanceof Error ? error.message : String(error));
let loaded: unknown;
let newest = 0;
let stop: AbortController | undefined;

/** Plans the request again whenever something about it changes, while it is looked at. */
export function keepPlanning(): () => void {
  return effect(() => {
    const [known, wanted, isSeen] = [facts.value, options.value, view.value === 'prompts'];
    if (!known || !isSeen) return;
    newest += 1;
    void plan(known, wanted, newest);
  });
}

async function plan(known: NonNullable<typeof facts.value>, wanted: BenchOptions, mine: number): Promise<void> {
  try {
    if (loaded !== known) {
      await summaries().load(await engine.contents(known.id, undefined));
      loaded = known;
    }
    // An older plan that ends later would leave its own request in the worker.
    if (mine !== newest) return;
    const next = await summaries().plan({ ...wanted, workspaceRoot: known.workspaceRoot });
    if (mine !== newest) return;
    batch(() => {
      planned.value = next;
      outcome.value = undefined;
      problem.value = undefined;
    });
  } catch (error) {
    if (mine === newest) problem.value = say(error);
  }
}

export const change = (part: Partial<BenchOptions>): void => {
  options.value = { ...options.value, ...part };
};

export async function apply(): Promise<void> {
  try {
    const next = await summaries().apply(reply.value);
    batch(() => {
      problem.value = undefined;
      outcome.value = next;
      if (next.next) planned.value = next.next;
      if (next.kind === 'continue') reply.value = '';
    });
  } catch (error) {
    problem.value = say(error);
  }
}

export async function fillIn(): Promise<void> {
  reply.value = await summaries().standIn();
}

/** Sends the request unchanged to the chosen model. */
export async function ask(): Promise<void> {
  stop = new AbortController();
  batch(() => {
    isAsking.value = true;
    problem.value = undefined;
    reply.value = '';
  });
  try {
    const messages = await summaries().request();
    const shown = planned.value;
    const withTools = shown?.kind === 'request' && shown.needsTools;
    const hear = (piece: Piece): unknown => piece.kind === 'text' && (reply.value += piece.text);
    const blocks =
      model.value === 'local'
        ? await askLocal(messages, true, hear, stop.signal)
        : await askModel({ endpoint: endpoint.value, messages, withTools, isBare: true }, hear, stop.signal);
    // The answer may be here before its last pieces are.
    reply.value = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  } catch (error) {
    problem.value = say(error);
  } finally {
    isAsking.value = false;
  }
}

export const stopAsking = (): void => stop?.abort();
