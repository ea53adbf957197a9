import type { ComponentChildren, JSX } from 'preact';
import {
  type Counting,
  isConversed,
  type PresetChoice,
  type Settings,
  type StrategyChoice,
  WINDOWS,
} from '../../lib/settings.js';
import { short } from '../../lib/text.js';
import { codeFor } from '../../state/code.js';
import { change, settings } from '../../state/conversation.js';
import { CopyButton } from '../../ui/copy-button.js';
import { PriceFields } from '../../ui/price-fields.js';
import { SdkPicker } from '../../ui/sdk-picker.js';
import { Where } from './where.js';

const CHOICES: readonly { readonly key: StrategyChoice; readonly name: string; readonly what: string }[] = [
  { key: 'auto', name: 'Auto', what: 'rules; as the window fills, one-line results, then a summary; for most agents' },
  { key: 'high-density', name: 'High density', what: 'rules; at the threshold, each old result becomes one line' },
  {
    key: 'digest',
    name: 'Digest',
    what: 'edits nothing until the threshold; then a summary of the oldest messages, made without a model',
  },
  { key: 'top-down-truncation', name: 'Truncation', what: 'rules; at the threshold, the oldest messages are dropped' },
  { key: 'optimize', name: 'Rules only', what: 'only the rules of the chosen preset; no compression' },
];

const PRESETS: Readonly<Record<PresetChoice, string>> = {
  seed: 'seed: cuts what was read from a file before the file was written, and repeated file pastes',
  lossless: 'lossless: cuts line numbers, repeated text and outdated text',
  balanced: 'balanced: cuts old results, too',
  aggressive: 'aggressive: cuts more, sooner',
};

/** The user's settings. Every change replays the session. */
export function Controls(): JSX.Element {
  const { strategy } = settings.value;
  return (
    <aside class="card controls" aria-label="Settings">
      <fieldset class="strategies">
        <legend>Strategy</legend>
        {CHOICES.map(({ key, name, what }) => (
          <label key={key} class={strategy === key ? 'choice chosen' : 'choice'}>
            <input type="radio" name="strategy" checked={strategy === key} onChange={() => change({ strategy: key })} />
            <span>
              <strong>{name}</strong>
              <small>{what}</small>
            </span>
          </label>
        ))}
        <p class="beside">
          {strategy === 'auto'
            ? 'This page uses a digest instead of a model’s summary. '
            : 'If sessions outgrow the window, use Auto. This page starts with High density, which loads faster. '}
          <a href="#prompts">See the summary prompt</a>
        </p>
      </fieldset>
      {strategy !== 'optimize' && <Window />}
      {strategy !== 'digest' && <Rules />}
      <details class="more">
        <summary>More</summary>
        {strategy !== 'digest' && <Flush />}
        <Count />
      </details>
      <Where />
      <div class="take">
        <SdkPicker />
        <CopyButton label="Copy the code" text={() => codeFor()} primary />
      </div>
    </aside>
  );
}

function Window(): JSX.Element {
  const { contextLimit, threshold, preserve, strategy } = settings.value;
  const isAuto = strategy === 'auto';
  const sizes: readonly number[] = (WINDOWS as readonly number[]).includes(contextLimit)
    ? WINDOWS
    : [contextLimit, ...WINDOWS].sort((a, b) => a - b);
  return (
    <fieldset>
      <legend>Window</legend>
      <label class="field">
        <span>Context window</span>
        <select
          class="select"
          value={contextLimit}
          onChange={(event) => change({ contextLimit: Number(event.currentTarget.value) })}
        >
          {sizes.map((size) => (
            <option key={size} value={size}>
              {short(size)} tokens
            </option>
          ))}
        </select>
      </label>
      <Slider
        label={isAuto ? 'Compress at the latest at this share of the window' : 'Compress at this share of the window'}
        value={threshold}
        min={0.3}
        onInput={(value) => change({ threshold: value })}
      />
      <Slider
        label="Share of newest messages kept"
        value={preserve}
        min={0}
        onInput={(value) => change({ preserve: value })}
      />
      {isConversed(settings.value) && (
        <Switch checked={settings.value.recall} onChange={(value) => change({ recall: value })}>
          Keep removed content searchable (recall)
        </Switch>
      )}
    </fieldset>
  );
}

function Slider({
  label,
  value,
  min,
  onInput,
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly onInput: (value: number) => void;
}): JSX.Element {
  return (
    <label class="field">
      <span>
        {label} <span class="number">{Math.round(value * 100)}%</span>
      </span>
      <input
        type="range"
        min={min}
        max={1}
        step={0.01}
        value={value}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

function Rules(): JSX.Element {
  return (
    <fieldset>
      <legend>Rules</legend>
      <label class="field">
        <span>Preset</span>
        <select
          class="select"
          value={settings.value.preset}
          onChange={(event) => change({ preset: event.currentTarget.value as PresetChoice })}
        >
          {Object.entries(PRESETS).map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {settings.value.preset === 'seed' && <Switches />}
    </fieldset>
  );
}

/** The rules of the preset that has a switch for each. */
function Switches(): JSX.Element {
  const { readWritePruning, fileDedupe, recencyPruning, recencyRetention } = settings.value;
  return (
    <>
      <Switch checked={readWritePruning} onChange={(value) => change({ readWritePruning: value })}>
        Stale reads
      </Switch>
      <Switch checked={fileDedupe} onChange={(value) => change({ fileDedupe: value })}>
        Repeated file pastes
      </Switch>
      <Switch checked={recencyPruning} onChange={(value) => change({ recencyPruning: value })}>
        Older results of each tool
      </Switch>
      {recencyPruning && (
        <label class="field inline">
          <span>results kept per tool</span>
          <input
            class="input"
            type="number"
            min={1}
            max={1000}
            value={recencyRetention}
            onChange={(event) =>
              change({ recencyRetention: Math.max(1, Math.min(1000, event.currentTarget.valueAsNumber || 1)) })
            }
          />
        </label>
      )}
    </>
  );
}

function Flush(): JSX.Element {
  const { flush, flushTokens } = settings.value;
  return (
    <>
      <label class="field">
        <span>Edit messages already sent</span>
        <select
          class="select"
          value={flush}
          onChange={(event) => change({ flush: event.currentTarget.value as Settings['flush'] })}
        >
          <option value="always">as soon as possible</option>
          <option value="when-it-pays">when it pays</option>
          <option value="tokens">once {short(flushTokens)} tokens can be saved</option>
          <option value="when-cold">when the cache has expired</option>
          <option value="never">never</option>
        </select>
      </label>
      {flush === 'when-it-pays' && <PriceFields />}
    </>
  );
}

function Count(): JSX.Element {
  return (
    <label class="field">
      <span>Token counting</span>
      <select
        class="select"
        value={settings.value.counting}
        onChange={(event) => change({ counting: event.currentTarget.value as Counting })}
      >
        <option value="estimate">estimate</option>
        <option value="o200k_base">exact (o200k_base)</option>
        <option value="cl100k_base">exact (cl100k_base)</option>
      </select>
    </label>
  );
}

function Switch({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <label class="switch">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}
