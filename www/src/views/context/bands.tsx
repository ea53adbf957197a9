import { useSignal } from '@preact/signals';
import type { JSX, TargetedMouseEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { KINDS, nameOfBlock, ruleWords } from '../../lib/kinds.js';
import { startOf } from '../../lib/settings.js';
import { change, thousands } from '../../lib/text.js';
import { call, facts, hovered, replay, selected, settings, states, step } from '../../state/conversation.js';
import { type BlockStates, KEPT } from '../../state/states.js';
import { colour } from '../../state/theme.js';
import { Canvas } from '../../ui/canvas.js';
import { blockAt, type Bands as Drawn, drawBands, HEIGHT } from './band-drawing.js';

const MOVE_MS = 260;
const isStill = matchMedia('(prefers-reduced-motion: reduce)');

/** The history as blocks sized by tokens: before, after, and what became of what. */
export function Bands(): JSX.Element | null {
  const [known, now, run] = [facts.value, states.value, replay.value];
  const left = useMoving(now);
  const tip = useSignal<{ x: number; y: number; block: number } | undefined>(undefined);
  if (!known || !now || !run) return <div class="bands" style={{ height: `${HEIGHT}px` }} />;
  const span = spanOf(run.trigger > 0 ? settings.value.contextLimit : 0, known.total);
  const drawn: Drawn = {
    facts: known,
    states: now,
    left,
    span,
    marks: marksOf(span),
    tail: tailOf(),
    highlight: hovered.value ?? selected.value,
  };
  const point = (event: TargetedMouseEvent<HTMLCanvasElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const block = blockAt(x, y, box.width, drawn);
    hovered.value = block;
    tip.value = block === undefined ? undefined : { x: Math.min(x, box.width - 280), y, block };
  };
  return (
    <div class="bands">
      <div class="band-head">
        <strong>Before</strong> <span class="number">{thousands(now.before)} tokens</span>
        <Legend />
      </div>
      <div
        class="band-picture"
        role="img"
        aria-label={`The history before: ${thousands(now.before)} tokens; after: ${thousands(now.after)}`}
      >
        <Canvas
          height={HEIGHT}
          deps={[now, left, span, drawn.highlight, run, run.trigger]}
          draw={(surface) => drawBands(surface, drawn)}
          onMouseMove={point}
          onMouseLeave={() => {
            hovered.value = undefined;
            tip.value = undefined;
          }}
          onClick={() => (selected.value = hovered.value ?? selected.value)}
        />
        {tip.value && <Tip {...tip.value} />}
      </div>
      <div class="band-head after">
        <strong>After</strong> <span class="number">{thousands(now.after)} tokens</span>
        <span class={now.after < now.before ? 'chip good' : 'chip'}>{change(now.before, now.after)}</span>
      </div>
    </div>
  );
}

/** The whole width: the conversation, or the window where it is not much wider. */
function spanOf(window: number, total: number): number {
  return window > total && window < total * 1.6 ? window * 1.01 : Math.max(1, total);
}

function marksOf(span: number): Drawn['marks'] {
  const run = replay.value;
  if (!run || run.trigger === 0) return [];
  const { contextLimit } = settings.value;
  return [
    { tokens: run.target, name: 'target after compression', colour: colour('ink-faint') },
    { tokens: startOf(settings.value, run.trigger) ?? Infinity, name: 'Auto from', colour: colour('warn') },
    { tokens: run.trigger, name: 'threshold', colour: colour('warn') },
    { tokens: contextLimit, name: 'window', colour: colour('bad') },
  ].filter(({ tokens }) => tokens <= span);
}

/** The tail that the newest compression kept, as tokens from the beginning. */
function tailOf(): Drawn['tail'] {
  const [run, known] = [replay.value, facts.value];
  const compression = run?.compressions.findLast((one) => one.call <= call.value);
  if (!known || !compression) return undefined;
  const entries = known.calls[compression.call] ?? 0;
  const upTo = (entry: number): number => {
    const end = known.blockStart[Math.max(0, entry)] ?? 0;
    let tokens = 0;
    for (let block = 0; block < end; block += 1) tokens += known.tokens[block] ?? 0;
    return tokens;
  };
  return { start: upTo(entries - compression.tail), end: upTo(entries) };
}

/** The rest of each block, moving from its old place: steps move, scrubbing doesn't. */
function useMoving(now: BlockStates | undefined): ArrayLike<number> {
  const moving = useSignal<ArrayLike<number> | undefined>(undefined);
  const from = useRef<BlockStates | undefined>(undefined);
  const target = now?.left ?? [];
  useLayoutEffect(() => {
    const start = from.current;
    from.current = now;
    const isStep = step.peek() !== undefined && start?.count === now?.count && !isStill.matches;
    if (!now || !start || !isStep) {
      moving.value = undefined;
      return undefined;
    }
    const origin = Float32Array.from(moving.peek() ?? start.left);
    const begin = performance.now();
    let frame = 0;
    const move = (time: number): void => {
      const part = Math.min(1, Math.max(0, (time - begin) / MOVE_MS));
      const eased = 1 - (1 - part) ** 3;
      moving.value =
        part === 1 ? undefined : origin.map((value, block) => value + ((target[block] ?? 0) - value) * eased);
      if (part < 1) frame = requestAnimationFrame(move);
    };
    move(begin);
    return () => cancelAnimationFrame(frame);
  }, [now]);
  return moving.value?.length === target.length ? moving.value : target;
}

function Tip({ x, y, block }: { readonly x: number; readonly y: number; readonly block: number }): JSX.Element | null {
  const [known, now, run] = [facts.value, states.value, replay.value];
  if (!known || !now || !run) return null;
  const edit = now.edit[block] ?? -1;
  const [before, after] = [known.tokens[block] ?? 0, now.left[block] ?? 0];
  return (
    <div class="tip" style={{ left: `${x}px`, top: `${y + 16}px` }}>
      <div>
        <span class={`dot ${KINDS[known.kind[block] ?? 6]?.key ?? ''}`} /> {nameOfBlock(known, block)}:{' '}
        {KINDS[known.kind[block] ?? 6]?.name}
        {' · '}
        <span class="number">
          {edit < 0 ? `${thousands(before)} tokens` : `${thousands(before)} → ${thousands(after)} tokens`}
        </span>
      </div>
      <div class="tip-label">{known.labels[block]}</div>
      {now.state[block] !== KEPT && edit >= 0 && (
        <div class="tip-why">{ruleWords(run.editRule[edit] ?? 0, settings.value).name}</div>
      )}
    </div>
  );
}

function Legend(): JSX.Element {
  const known = facts.value;
  const used = KINDS.filter((_, kind) => known?.kind.includes(kind));
  return (
    <ul class="legend" aria-label="Colours">
      {used.map(({ key, name }) => (
        <li key={key}>
          <span class={`dot ${key}`} /> {name}
        </li>
      ))}
      <li>
        <span class="fate changed" /> shortened
      </li>
      <li>
        <span class="fate gone" /> removed
      </li>
    </ul>
  );
}
