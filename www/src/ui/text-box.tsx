import type { ComponentChildren, JSX } from 'preact';

/** A text that may be longer than its place; keys scroll it too. */
export function TextBox({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <pre class="text" tabIndex={0}>
      {children}
    </pre>
  );
}
