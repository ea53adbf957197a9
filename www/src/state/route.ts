import { signal } from '@preact/signals';

export const VIEWS = [
  { key: 'context', name: 'Context' },
  { key: 'worth', name: 'Worth it?' },
  { key: 'compare', name: 'Compare strategies' },
  { key: 'replay', name: 'Replay my logs' },
  { key: 'chat', name: 'Chat' },
  { key: 'prompts', name: 'Prompts' },
  { key: 'export', name: 'Export' },
] as const;
export type ViewKey = (typeof VIEWS)[number]['key'];

function current(): ViewKey {
  const [name] = location.hash.slice(1).split('?');
  return VIEWS.find(({ key }) => key === name)?.key ?? 'context';
}

/** The view that the address names. */
export const view = signal<ViewKey>(current());
addEventListener('hashchange', () => (view.value = current()));

/** The part of the address after the view: settings, if it is a link with settings. */
export const query = (): string => location.hash.split('?')[1] ?? '';
