import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ruleWords } from '../../lib/kinds.js';
import { plural, thousands } from '../../lib/text.js';
import {
  calmStates,
  facts,
  madeEdits,
  replay,
  selected,
  settings,
  shownEdits,
  step,
} from '../../state/conversation.js';
import { Back, First, Forward, Last, Pause, Play } from '../../ui/icons.js';

const FRAME_MS = 320;
const FRAMES = 60;

/** Replays the cuts one by one: played, stepped, or dragged. */
export function Player(): JSX.Element {
  const isPlaying = useSignal(false);
  const isStepping = step.value !== undefined;
  const made = isStepping ? madeEdits.value : (calmStates.value?.edits ?? 0);
  const shown = isStepping ? shownEdits.value : made;
  useEffect(() => {
    if (!isPlaying.value) return undefined;
    const stride = Math.max(1, Math.ceil(made / FRAMES));
    const timer = setInterval(() => {
      const next = Math.min(made, shownEdits.peek() + stride);
      go(next);
      if (next === made) isPlaying.value = false;
    }, FRAME_MS);
    return () => clearInterval(timer);
  }, [isPlaying.value, made]);
  const play = (): void => {
    if (!isPlaying.value && shown >= made) go(0);
    isPlaying.value = !isPlaying.value;
  };
  const move = (to: number): void => {
    isPlaying.value = false;
    go(to);
  };
  return (
    <section class="player" aria-label="Replay of the cuts">
      <button type="button" class="button primary" disabled={made === 0} onClick={play}>
        {isPlaying.value ? <Pause /> : <Play />}
        {isPlaying.value ? 'Pause' : 'Replay the cuts'}
      </button>
      <span class="steps">
        <Step label="Before the first cut" disabled={shown === 0} onClick={() => move(0)} icon={<First />} />
        <Step label="Previous cut" disabled={shown === 0} onClick={() => move(shown - 1)} icon={<Back />} />
        <Step label="Next cut" disabled={shown >= made} onClick={() => move(shown + 1)} icon={<Forward />} />
        <Step label="All cuts" disabled={shown >= made} onClick={() => move(made)} icon={<Last />} />
      </span>
      <input
        type="range"
        min={0}
        max={made}
        value={shown}
        disabled={made === 0}
        aria-label="Cuts made"
        aria-valuetext={`${shown} of ${made} cuts`}
        onInput={(event) => move(event.currentTarget.valueAsNumber)}
      />
      <p class="said" aria-live={isPlaying.value ? 'off' : 'polite'}>
        {sentence(shown, made)}
      </p>
    </section>
  );
}

function Step({
  label,
  icon,
  ...rest
}: {
  readonly label: string;
  readonly icon: JSX.Element;
  readonly disabled: boolean;
  readonly onClick: () => void;
}): JSX.Element {
  return (
    <button type="button" class="button icon" aria-label={label} title={label} {...rest}>
      {icon}
    </button>
  );
}

function go(to: number): void {
  const run = replay.peek();
  const next = Math.max(0, Math.min(madeEdits.peek(), to));
  step.value = next;
  if (run && next > 0) selected.value = run.editBlock[next - 1];
}

function sentence(shown: number, made: number): string {
  const [run, known] = [replay.value, facts.value];
  if (!run || !known) return '';
  if (made === 0) return `Nothing was cut up to this call.`;
  if (step.value === undefined) return `${plural(made, 'cut')} up to this call.`;
  if (shown === 0) return `0 of ${plural(made, 'cut')} shown`;
  const edit = shown - 1;
  const entry = known.entryOf[run.editBlock[edit] ?? 0] ?? 0;
  const saved = (run.editBefore[edit] ?? 0) - (run.editAfter[edit] ?? 0);
  return `Cut ${thousands(shown)} of ${thousands(made)}: ${ruleWords(run.editRule[edit] ?? 0, settings.value).name}, message #${entry}, −${thousands(saved)} tokens`;
}
