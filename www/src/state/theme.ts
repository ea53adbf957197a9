import { effect, signal } from '@preact/signals';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** The theme in force: the system's, until the user chooses. */
export const theme = signal<'light' | 'dark'>(dark.matches ? 'dark' : 'light');
dark.addEventListener('change', () => (theme.value = dark.matches ? 'dark' : 'light'));

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

const colours = new Map<string, string>();
effect(() => {
  theme.value;
  colours.clear();
});

/** A colour of the theme for a canvas. Reading the style sheet takes longer than drawing, so it is read once. */
export function colour(name: string): string {
  const known = colours.get(name);
  if (known !== undefined) return known;
  const found = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  if (found !== '') colours.set(name, found);
  return found;
}
