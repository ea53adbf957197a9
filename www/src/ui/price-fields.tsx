import type { JSX } from 'preact';
import { change, settings } from '../state/conversation.js';

const FIELDS = [
  { key: 'priceUncached', label: 'Price per 1M new input tokens ($)' },
  { key: 'priceCached', label: 'Price per 1M cached input tokens ($)' },
] as const;

/** What a million input tokens cost. */
export function PriceFields(): JSX.Element {
  return (
    <span class="price-fields">
      {FIELDS.map(({ key, label }) => (
        <label key={key} class="price">
          <span>{label}</span>
          <input
            class="input"
            type="number"
            min={0}
            max={10_000}
            step={0.01}
            value={settings.value[key]}
            onInput={(event) =>
              change({ [key]: Math.min(10_000, Math.max(0, event.currentTarget.valueAsNumber || 0)) })
            }
          />
        </label>
      ))}
    </span>
  );
}
