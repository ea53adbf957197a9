import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { BlockDetail } from '../../engine/api.js';
import { engine } from '../../engine/client.js';
import { KINDS, nameOfBlock, ruleWords } from '../../lib/kinds.js';
import { thousands } from '../../lib/text.js';
import { calmStates, facts, replay, selected, settings } from '../../state/conversation.js';
import { look } from '../../state/recall.js';
import { GONE, KEPT } from '../../state/states.js';

const LENGTH = 12_000;

/** One block down to its text: the cut text, the rule and the reason. */
export function Inspector(): JSX.Element {
  const block = selected.value;
  const [known, now] = [facts.value, calmStates.value];
  return (
    <section class="card inspector" aria-label="The selected block">
      {block === undefined || !known || !now || block >= now.count ? <Hint /> : <Block block={block} />}
    </section>
  );
}

function Hint(): JSX.Element {
  return (
    <div class="hint faint">
      <p>Select a block in the chart or list. Here you see its text, its cut parts, the rule and the reason.</p>
      <p>
        Use <kbd>←</kbd> <kbd>→</kbd> on the chart to step through model calls, and <kbd>↑</kbd> <kbd>↓</kbd> in the
        list to step through blocks.
      </p>
    </div>
  );
}

function Block({ block }: { readonly block: number }): JSX.Element | null {
  const [known, now, run] = [facts.value, calmStates.value, replay.value];
  const length = useSignal(LENGTH);
  const detail = useSignal<BlockDetail | undefined>(undefined);
  const edits = now?.edits ?? 0;
  useEffect(() => {
    length.value = LENGTH;
  }, [block]);
  useEffect(() => {
    let isStale = false;
    if (!known || !run) return undefined;
    const entry = known.entryOf[block] ?? 0;
    void engine.detail(known.id, entry, edits, length.value).then(
      (blocks) => {
        if (!isStale) detail.value = blocks.find((one) => one.block === block);
      },
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [known, run, block, now?.edit[block], length.value]);
  if (!known || !now || !run) return null;
  const kind = KINDS[known.kind[block] ?? 6];
  const texts = detail.value?.block === block ? detail.value : undefined;
  return (
    <>
      <div class="inspector-head">
        <span class={`dot ${kind?.key ?? ''}`} />
        <h2>
          {nameOfBlock(known, block)}: {kind?.name}
        </h2>
        <span class="number faint">{tokensText(known.tokens[block] ?? 0, now.left[block] ?? 0)}</span>
      </div>
      <Why block={block} />
      {texts?.reference !== undefined && now.state[block] !== KEPT && <Again reference={texts.reference} />}
      {texts && <Texts detail={texts} more={() => (length.value *= 8)} />}
    </>
  );
}

/** The way back to what was cut. */
function Again({ reference }: { readonly reference: string }): JSX.Element {
  return (
    <p class="again">
      Full text:{' '}
      <button type="button" class="link mono" onClick={() => void look(reference)}>
        recall {reference}
      </button>
    </p>
  );
}

const tokensText = (before: number, after: number): string =>
  before === after ? `${thousands(before)} tokens` : `${thousands(before)} → ${thousands(after)} tokens`;

function Why({ block }: { readonly block: number }): JSX.Element | null {
  const [known, now, run] = [facts.value, calmStates.value, replay.value];
  const edit = now?.edit[block] ?? -1;
  if (!known || !now || !run) return null;
  if (edit < 0 || now.state[block] === KEPT) return <p class="why kept">Unchanged.</p>;
  const { name, why } = ruleWords(run.editRule[edit] ?? 0, settings.value);
  const cause = run.editCause[edit] ?? 0;
  const causeBlock = known.blockStart[cause] ?? 0;
  return (
    <div class={`why ${now.state[block] === GONE ? 'gone' : 'changed'}`}>
      <p>
        <strong>{name}</strong> · cut before model call {thousands((run.editCall[edit] ?? 0) + 1)}
      </p>
      <p>{why}</p>
      {cause !== known.entryOf[block] && causeBlock < now.count && (
        <button type="button" class="link" onClick={() => (selected.value = causeBlock)}>
          decided after message #{cause}: {known.labels[lastOf(cause)] ?? ''}
        </button>
      )}
    </div>
  );
}

const lastOf = (entry: number): number => Math.max(0, (facts.value?.blockStart[entry + 1] ?? 1) - 1);

function Texts({ detail, more }: { readonly detail: BlockDetail; readonly more: () => void }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
    <section class="texts" aria-label="Its text" tabIndex={0}>
      {detail.after !== undefined && (
        <>
          <h3>After</h3>
          <pre class="text after">{detail.after}</pre>
          <h3>Before</h3>
        </>
      )}
      <pre class="text">
        {detail.before.map((piece, index) =>
          piece.cut ? <del key={index}>{piece.text}</del> : <span key={index}>{piece.text}</span>,
        )}
      </pre>
      {detail.clipped > 0 && (
        <button type="button" class="button" onClick={more}>
          Show more of {thousands(detail.clipped)} further characters
        </button>
      )}
    </section>
  );
}
