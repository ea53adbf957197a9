import { effect, signal } from '@preact/signals';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** The theme in force: the system's, until the user chooses. */
export const theme = signal<'light' | 'dark'>(dark.matches ? 'dark' : 'light');
dark.addEventListener('change', () => (theme.value = dark.matches ? 'dark' : 'light'));

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

/** A colour of the theme, for what is drawn on a canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
