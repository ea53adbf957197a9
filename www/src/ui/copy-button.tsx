import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Check, Copy } from './icons.js';

/** Copies a text, and says so. */
export function CopyButton({
  text,
  label,
  primary = false,
}: {
  readonly text: () => string;
  readonly label: string;
  readonly primary?: boolean;
}): JSX.Element {
  const said = useSignal('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      said.value = 'Copied';
    } catch {
      said.value = 'The browser forbids copying: select the text and copy it';
    }
    setTimeout(() => (said.value = ''), 2500);
  };
  return (
    <button type="button" class={`button ${primary ? 'primary' : ''}`} onClick={() => void copy()}>
      {said.value === 'Copied' ? <Check /> : <Copy />}
      <span aria-live="polite">{said.value || label}</span>
    </button>
  );
}
