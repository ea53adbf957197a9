import { batch, computed, effect, signal } from '@preact/signals';
import type { Facts, Loaded, Replay } from '../engine/api.js';
import { engine } from '../engine/client.js';
import { sentCalls } from '../lib/cost.js';
import { DEFAULTS, type Settings, windowFor } from '../lib/settings.js';
import { fromJson, looksLikeSettings } from '../lib/settings-json.js';
import { oneLine } from '../lib/text.js';
import { type BlockStates, statesAt } from './states.js';

/** The conversations that are open, and which one is looked at. */
export const open = signal<readonly Facts[]>([]);
export const facts = signal<Facts | undefined>(undefined);
export const problems = signal<readonly string[]>([]);
export const isBusy = signal(0);

/** The number of its requests that were sent. */
export const sent = computed(() => (facts.value ? sentCalls(facts.value) : 0));

/** What the user tunes. */
export const settings = signal<Settings>(DEFAULTS);
/** Whether the window was chosen, by hand or by a link; else it follows the conversation. */
export const isWindowChosen = signal(false);

/** How the conversation would have grown; of the newest settings that were computed. */
export const replay = signal<Replay | undefined>(undefined);

/** The call of the model that is looked at. */
export const call = signal(0);
/** How many of the call's edits are shown; nothing for all. */
export const step = signal<number | undefined>(undefined);
/** The entry that is looked at closely. */
export const selected = signal<number | undefined>(undefined);
export const hovered = signal<number | undefined>(undefined);

/** How many edits were made up to the call that is looked at. */
export const madeEdits = computed(() => {
  const { editCall } = replay.value ?? { editCall: [] };
  let count = editCall.length;
  while (count > 0 && (editCall[count - 1] ?? 0) > call.value) count -= 1;
  return count;
});
export const shownEdits = computed(() => Math.min(step.value ?? Number.POSITIVE_INFINITY, madeEdits.value));

/** The state of each block at the selected call. */
export const states = computed<BlockStates | undefined>(() => {
  const [known, run] = [facts.value, replay.value];
  return known && run ? statesAt(known, run, call.value, shownEdits.value) : undefined;
});

/** Blocks far from the cursor stay unchanged for this time while it moves. */
const CALM_MS = 120;

/** The same for lists and texts: they follow a cursor that moves fast a few times a second, and then come to rest. */
export const calmStates = signal<BlockStates | undefined>(undefined);
let calmed = 0;
let later: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const now = states.value;
  const isOther = now?.replay !== calmStates.peek()?.replay;
  const wait = isOther ? 0 : calmed + CALM_MS - performance.now();
  clearTimeout(later);
  if (wait > 0) later = setTimeout(() => calm(now), wait);
  else calm(now);
});

function calm(now: BlockStates | undefined): void {
  calmed = performance.now();
  calmStates.value = now;
}

/** Takes in more of the conversation that is looked at; the newest call is shown. */
export function update(next: Facts): void {
  batch(() => {
    open.value = open.value.map((one) => (one.id === next.id ? next : one));
    if (facts.value?.id !== next.id) return;
    facts.value = next;
    step.value = undefined;
    call.value = next.calls.length - 1;
  });
}

/** Takes a conversation off the list; what is looked at stays until another one is. */
export function close(id: number): void {
  open.value = open.value.filter((one) => one.id !== id);
}

/** Looks at a conversation; a new one is put on the list. */
export function show(next: Facts, isNew = false): void {
  batch(() => {
    const others = open.value.filter((one) => one.id !== next.id);
    if (isNew) open.value = [...others, next];
    facts.value = next;
    replay.value = undefined;
    step.value = undefined;
    selected.value = undefined;
    hovered.value = undefined;
    call.value = next.calls.length - 1;
    if (!isWindowChosen.value) settings.value = { ...settings.value, contextLimit: windowFor(next.total) };
  });
}

export function change(part: Partial<Settings>): void {
  batch(() => {
    if (part.contextLimit !== undefined) isWindowChosen.value = true;
    settings.value = { ...settings.value, ...part };
    step.value = undefined;
  });
}

/** Adds the conversations that were read, and shows the first. */
export function take(loaded: readonly Loaded[]): void {
  const read = loaded.flatMap((one) => ('facts' in one ? [one.facts] : []));
  batch(() => {
    problems.value = loaded.flatMap((one) =>
      'problem' in one ? [`${one.name}: ${one.problem}`] : one.notes.map((note) => `${one.name}: ${note}`),
    );
    open.value = [...open.value, ...read];
    const [first] = read;
    if (first) show(first);
  });
}

/** Settings are much smaller than most logs. */
const MOST_SETTINGS = 20_000;

/** Takes the settings among some files; their faults are shown, and the others are logs. */
async function takeSettings(files: readonly File[]): Promise<{ logs: readonly File[]; wrong: readonly string[] }> {
  const logs: File[] = [];
  const wrong: string[] = [];
  for (const file of files) {
    const text = file.size > MOST_SETTINGS ? '' : await file.text();
    if (!looksLikeSettings(text)) {
      logs.push(file);
      continue;
    }
    const read = fromJson(text);
    if ('settings' in read) change(read.settings);
    else wrong.push(...read.problems.map((problem) => `${oneLine(file.name)}: ${problem}`));
  }
  return { logs, wrong };
}

export async function openFiles(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  isBusy.value += 1;
  try {
    const { logs, wrong } = await takeSettings(files);
    if (logs.length > 0) take(await engine.readFiles(logs));
    problems.value = [...wrong, ...(logs.length > 0 ? problems.value : [])];
  } finally {
    isBusy.value -= 1;
  }
}

/** What is looked at first: the block that lost most. */
function biggestCut({ editBlock, editBefore, editAfter }: Replay): number | undefined {
  let best: number | undefined;
  const saved = (edit: number): number => (editBefore[edit] ?? 0) - (editAfter[edit] ?? 0);
  for (let edit = 0; edit < editBlock.length; edit += 1)
    if (best === undefined || saved(edit) > saved(best)) best = edit;
  return best === undefined ? undefined : editBlock[best];
}

let newest = 0;

/** Replays whenever the conversation or the settings change; an older answer never overtakes a newer one. */
export function keepReplaying(): () => void {
  return effect(() => {
    const [known, wanted] = [facts.value, settings.value];
    if (!known) return;
    newest += 1;
    const mine = newest;
    engine.replay(known.id, wanted).then(
      ({ replay: run, facts: counted }) => {
        if (mine !== newest || facts.peek() !== known) return;
        batch(() => {
          replay.value = run;
          selected.value ??= biggestCut(run);
          if (!counted) return;
          facts.value = counted;
          open.value = open.value.map((one) => (one.id === counted.id ? counted : one));
        });
      },
      (error: unknown) => {
        if (mine === newest) problems.value = [error instanceof Error ? error.message : String(error)];
      },
    );
  });
}
