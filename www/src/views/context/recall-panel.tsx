import type { JSX } from 'preact';
import type { KeptPiece } from '../../conversed/api.js';
import { plural, thousands } from '../../lib/text.js';
import { forget, found, keptTexts, look, piece, said, search, words } from '../../state/recall.js';
import { TextBox } from '../../ui/text-box.js';

const CAUSES: Readonly<Record<string, string>> = {
  intake: 'shortened before first send',
  edit: 'cut by a rule',
  summary: 'in the digest',
};

/** Cut texts that are kept: searched, read, forgotten. */
export function RecallPanel(): JSX.Element | null {
  if (keptTexts.value === 0) return null;
  return (
    <section class="card block recall" aria-label="Removed content kept by recall">
      <div class="recall-head">
        <h3>Removed content kept by recall</h3>
        <span class="faint">
          {plural(keptTexts.value, 'removed text')}; the model can ask for each by its reference
        </span>
      </div>
      <input
        class="input"
        type="search"
        aria-label="Search removed content"
        placeholder="Search removed content, or select a block"
        value={words.value}
        onInput={(event) => void search(event.currentTarget.value)}
      />
      <p class="faint" aria-live="polite">
        {said.value}
      </p>
      {found.value.length > 0 && (
        <ul class="hits">
          {found.value.map((hit) => (
            <Hit key={hit.reference} hit={hit} />
          ))}
        </ul>
      )}
      {piece.value && <Whole whole={piece.value} />}
    </section>
  );
}

const about = ({ cause, tool }: KeptPiece): string => [CAUSES[cause] ?? cause, tool].filter(Boolean).join(' · ');

function Hit({ hit }: { readonly hit: KeptPiece }): JSX.Element {
  return (
    <li>
      <button
        type="button"
        class="hit"
        aria-pressed={piece.value?.reference === hit.reference}
        onClick={() => void look(hit.reference)}
      >
        <span class="mono">{hit.reference}</span> <span class="faint">{about(hit)}</span>
        <span class="hit-text">{hit.text}</span>
      </button>
    </li>
  );
}

function Whole({ whole }: { readonly whole: KeptPiece }): JSX.Element {
  return (
    <section class="stack" aria-label={`Kept text ${whole.reference}`}>
      <div class="recall-head">
        <strong class="mono">{whole.reference}</strong>
        <span class="faint">
          {about(whole)} · {thousands(whole.length)} characters
        </span>
        <button type="button" class="button" onClick={() => void forget(whole.reference)}>
          Erase
        </button>
      </div>
      <TextBox>{whole.text}</TextBox>
      {whole.next !== undefined && (
        <button type="button" class="button" onClick={() => void look(whole.reference)}>
          Show more
        </button>
      )}
    </section>
  );
}
