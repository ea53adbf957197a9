import { useSignal } from '@preact/signals';
import type { JSX, TargetedPointerEvent } from 'preact';
import { placeOf, thousands } from '../../lib/text.js';
import { call, facts, replay, sent, settings, step } from '../../state/conversation.js';
import { Canvas } from '../../ui/canvas.js';
import { callAt, drawChart, xOf } from './chart-drawing.js';

const HEIGHT = 190;

/** The growth of the context; drag it, or use the arrow keys, to look at any model call. */
export function GrowthChart(): JSX.Element {
  const width = useSignal(0);
  const [run, known] = [replay.value, facts.value];
  const calls = known?.calls.length ?? 1;
  const go = (to: number): void => {
    step.value = undefined;
    call.value = Math.max(0, Math.min(calls - 1, to));
  };
  const drag = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    if (event.buttons & 1)
      go(callAt(event.clientX - event.currentTarget.getBoundingClientRect().left, calls, width.value));
  };
  const keys = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.round(calls / 20));
    const moves: Record<string, number> = {
      ArrowLeft: call.value - 1,
      ArrowDown: call.value - 1,
      ArrowRight: call.value + 1,
      ArrowUp: call.value + 1,
      PageDown: call.value - page,
      PageUp: call.value + page,
      Home: 0,
      End: calls - 1,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  const x = xOf(call.value, calls, width.value);
  return (
    <div
      class="chart"
      role="slider"
      tabIndex={0}
      aria-label="Model call"
      aria-valuemin={1}
      aria-valuemax={calls}
      aria-valuenow={call.value + 1}
      aria-valuetext={run ? spoken(run.before[call.value] ?? 0, run.after[call.value] ?? 0, call.value) : undefined}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={keys}
    >
      <Canvas
        height={HEIGHT}
        deps={[run]}
        draw={(surface) => run && drawChart(surface, run, settings.peek())}
        onWidth={(next) => (width.value = next)}
        aria-hidden="true"
      />
      <Compressions calls={calls} width={width.value} />
      <span class="cursor" style={{ transform: `translateX(${x}px)` }} />
    </div>
  );
}

/** The calls at which a compression was made; they stay where they are while the cursor moves. */
function Compressions({ calls, width }: { readonly calls: number; readonly width: number }): JSX.Element {
  return (
    <>
      {replay.value?.compressions.map((one) => (
        <span key={one.call} class="compression" style={{ left: `${xOf(one.call, calls, width)}px` }} />
      ))}
    </>
  );
}

function spoken(before: number, after: number, at: number): string {
  return `${placeOf(at, sent.value)}: ${thousands(after)} tokens with densify, ${thousands(before)} without`;
}
