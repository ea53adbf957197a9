import type { JSX } from 'preact';
import type { Explained } from '../lib/strategies.js';

/** Names with their meanings, to be opened. */
export function Words({ title, words }: { readonly title: string; readonly words: readonly Explained[] }): JSX.Element {
  return (
    <details class="card block">
      <summary>{title}</summary>
      <dl class="words">
        {words.map(({ name, what }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
