import { computed, signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { KINDS, ruleWords } from '../../lib/kinds.js';
import { thousands } from '../../lib/text.js';
import { calmStates, facts, hovered, replay, selected, settings } from '../../state/conversation.js';
import { GONE, KEPT } from '../../state/states.js';

const ROW = 34;
const SPARE = 6;

const isCutsOnly = signal(false);

/** The blocks that are listed, oldest first. */
const rows = computed<readonly number[]>(() => {
  const now = calmStates.value;
  if (!now) return [];
  const all: number[] = [];
  for (let block = 0; block < now.count; block += 1)
    if (!isCutsOnly.value || now.state[block] !== KEPT) all.push(block);
  return all;
});

/** Before and after, block by block; only the rows in sight are in the page. */
export function BlockList(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(500);
  const list = rows.value;
  const [now, run] = [calmStates.value, replay.value];
  const place = selected.value === undefined ? -1 : list.indexOf(selected.value);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => (height.value = element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || place < 0) return;
    const y = place * ROW;
    if (y < element.scrollTop || y + ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = y - element.clientHeight / 3;
  }, [place]);
  const keys = (event: KeyboardEvent): void => {
    const page = Math.floor(height.value / ROW) - 1;
    const moves: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -list.length,
      End: list.length,
    };
    const by = moves[event.key];
    if (by === undefined || list.length === 0) return;
    event.preventDefault();
    selected.value = list[Math.max(0, Math.min(list.length - 1, (place < 0 && by > 0 ? -1 : place) + by))];
  };
  const first = Math.max(0, Math.floor(top.value / ROW) - SPARE);
  const sight = list.slice(first, first + Math.ceil(height.value / ROW) + 2 * SPARE);
  return (
    <section class="card list" aria-label="Before and after">
      <div class="list-head">
        <span>Before</span>
        <span>After</span>
        <label class="only">
          <input type="checkbox" checked={isCutsOnly.value} onChange={() => (isCutsOnly.value = !isCutsOnly.value)} />{' '}
          only cuts
        </label>
      </div>
      <div
        ref={box}
        class="list-box"
        role="listbox"
        tabIndex={0}
        aria-label="Blocks of the history"
        aria-activedescendant={place >= first && place < first + sight.length ? `block-${selected.value}` : undefined}
        onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
        onKeyDown={keys}
        onMouseLeave={() => (hovered.value = undefined)}
      >
        <div class="list-all" role="presentation" style={{ height: `${list.length * ROW}px` }}>
          {sight.map((block, index) => (
            <Row
              key={block}
              block={block}
              index={first + index}
              count={list.length}
              state={now?.state[block] ?? KEPT}
              left={now?.left[block] ?? 0}
              rule={run?.editRule[now?.edit[block] ?? 0] ?? 0}
              isSelected={selected.value === block}
              isHovered={hovered.value === block}
            />
          ))}
        </div>
        {list.length === 0 && <p class="empty faint">Nothing was cut up to this call.</p>}
      </div>
    </section>
  );
}

interface RowProps {
  readonly block: number;
  readonly index: number;
  readonly count: number;
  readonly state: number;
  readonly left: number;
  /** The rule that edited it last, by its number. */
  readonly rule: number;
  readonly isSelected: boolean;
  readonly isHovered: boolean;
}

/** A row is made again only if something about it changes: most rows of a step are those of the step before. */
function Row({ block, index, count, state, left, rule, isSelected, isHovered }: RowProps): JSX.Element | null {
  const known = facts.value;
  if (!known) return null;
  const entry = known.entryOf[block] ?? 0;
  const isFirst = known.blockStart[entry] === block;
  const kind = KINDS[known.kind[block] ?? 6];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box, which has the focus, answers the keys
    <div
      id={`block-${block}`}
      class={`row ${isSelected ? 'selected' : ''} ${isHovered ? 'hovered' : ''} ${state === KEPT ? '' : 'cut'}`}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${index * ROW}px)` }}
      onClick={() => (selected.value = block)}
      onMouseEnter={() => (hovered.value = block)}
    >
      <span class="row-entry number">{isFirst ? `#${entry}` : ''}</span>
      <span class={`dot ${kind?.key ?? ''}`} />
      <span class="unseen">{kind?.name}</span>
      <span class="row-label">{known.labels[block]}</span>
      <span class="row-tokens number">{thousands(known.tokens[block] ?? 0)}</span>
      <span class="row-after">
        {state === KEPT ? (
          <span class="same">kept</span>
        ) : (
          <span class={`chip ${state === GONE ? 'gone' : 'changed'}`}>{ruleWords(rule, settings.value).name}</span>
        )}
      </span>
      <span class="row-tokens number">{state === KEPT ? '' : state === GONE ? 'gone' : thousands(left)}</span>
    </div>
  );
}
