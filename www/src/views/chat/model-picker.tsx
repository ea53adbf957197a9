import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { endpoint, isWorking, type ModelKind, model, withTools } from '../../chat/session.js';
import type { Dialect, Endpoint } from '../../endpoint/api.js';
import { rememberedKey, rememberKey } from '../../state/keys.js';
import { LocalFields } from './local-fields.js';

const NAMES: Readonly<Record<ModelKind, string>> = {
  script: 'Scripted agent (no model)',
  local: 'A small model in this page',
  endpoint: 'Your own model',
};

/** Who answers, and for a model of one's own, where it is. */
export function ModelPicker({ withScript = true }: { readonly withScript?: boolean }): JSX.Element {
  const chosen = !withScript && model.value === 'script' ? 'endpoint' : model.value;
  return (
    <div class="models">
      <label class="field inline-field">
        <span>Model</span>
        <select
          class="select"
          aria-label="Model"
          value={chosen}
          disabled={isWorking.value}
          onChange={(event) => (model.value = event.currentTarget.value as ModelKind)}
        >
          {Object.entries(NAMES)
            .filter(([key]) => withScript || key !== 'script')
            .map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
        </select>
      </label>
      {chosen === 'local' && <LocalFields />}
      {chosen === 'endpoint' && <EndpointFields />}
    </div>
  );
}

function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

/** A key stays with the origin that it was typed for: another address empties the field, or brings the key remembered for it. */
function change(part: Partial<Endpoint>): void {
  const next: Endpoint = { ...endpoint.value, ...part };
  const { key, ...rest } = next;
  const origin = originOf(next.url);
  if (key && key.origin === origin) {
    endpoint.value = next;
    return;
  }
  const text = origin === undefined ? undefined : rememberedKey(origin);
  endpoint.value = text && origin ? { ...rest, key: { text, origin } } : rest;
}

function EndpointFields(): JSX.Element {
  const { dialect, url, model: name, key } = endpoint.value;
  const origin = originOf(url);
  const wish = useSignal<{ readonly origin: string | undefined; readonly isKept: boolean } | undefined>(undefined);
  const isKept =
    wish.value?.origin === origin && wish.value !== undefined
      ? wish.value.isKept
      : origin !== undefined && rememberedKey(origin) !== undefined;
  const type = (text: string): void => {
    if (origin === undefined) return;
    if (isKept) rememberKey(origin, text);
    change({ key: { text, origin } });
  };
  const keep = (wanted: boolean): void => {
    wish.value = { origin, isKept: wanted };
    if (origin !== undefined) rememberKey(origin, wanted ? key?.text : undefined);
  };
  return (
    <fieldset class="endpoint">
      <legend class="unseen">Your own model</legend>
      <label class="field">
        <span>API</span>
        <select
          class="select"
          value={dialect}
          onChange={(event) => change({ dialect: event.currentTarget.value as Dialect })}
        >
          <option value="openai">OpenAI (chat completions)</option>
          <option value="anthropic">Anthropic (messages)</option>
        </select>
      </label>
      <label class="field">
        <span>Address</span>
        <input
          class="input"
          type="url"
          value={url}
          spellcheck={false}
          placeholder="http://localhost:8080/v1"
          onInput={(event) => change({ url: event.currentTarget.value.trim() })}
        />
      </label>
      <label class="field">
        <span>Model name</span>
        <input
          class="input"
          value={name}
          spellcheck={false}
          placeholder="gpt-5"
          onInput={(event) => change({ model: event.currentTarget.value.trim() })}
        />
      </label>
      <label class="field">
        <span>Key, if it needs one</span>
        <input
          class="input"
          type="password"
          autocomplete="off"
          value={key?.text ?? ''}
          disabled={origin === undefined}
          onInput={(event) => type(event.currentTarget.value.trim())}
        />
      </label>
      <label class="switch">
        <input
          type="checkbox"
          checked={isKept}
          disabled={origin === undefined}
          onChange={(event) => keep(event.currentTarget.checked)}
        />
        <span>remember the key in this browser</span>
      </label>
      <label class="switch">
        <input
          type="checkbox"
          checked={withTools.value}
          onChange={(event) => (withTools.value = event.currentTarget.checked)}
        />
        <span>offer the project’s tools</span>
      </label>
      <p class="faint">
        The key goes to {origin ?? 'that address'} only.{' '}
        {isKept
          ? 'This browser remembers it until you untick the box.'
          : 'It stays in this page’s memory until you close the page.'}
      </p>
    </fieldset>
  );
}
