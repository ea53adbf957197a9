import type { JSX } from 'preact';
import { SDKS, type Sdk } from '../lib/sdks.js';
import { sdk } from '../state/code.js';

/** Whose messages the copied code is for. */
export function SdkPicker(): JSX.Element {
  return (
    <label class="field inline-field">
      <span>SDK</span>
      <select
        class="select"
        aria-label="SDK"
        value={sdk.value}
        onChange={(event) => (sdk.value = event.currentTarget.value as Sdk)}
      >
        {SDKS.map(({ entry, name }) => (
          <option key={entry} value={entry}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
