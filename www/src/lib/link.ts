import { DEFAULTS, readSettings, type Settings } from './settings.js';

/** Settings as a part of an address: only what differs from the defaults, and nothing else. */
export function toQuery(settings: Settings): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(settings)) {
    if (value !== DEFAULTS[key as keyof Settings]) query.set(key, String(value));
  }
  return query.toString();
}

/** The settings in an address. Links are untrusted: anything but a setting in its range is left out. */
export function fromQuery(query: string): Partial<Settings> {
  const found: Record<string, unknown> = {};
  for (const [key, text] of new URLSearchParams(query)) {
    const kind = typeof (Object.hasOwn(DEFAULTS, key) ? DEFAULTS[key as keyof Settings] : undefined);
    if (kind === 'boolean' && (text === 'true' || text === 'false')) found[key] = text === 'true';
    if (kind === 'number' && text.trim() !== '') found[key] = Number(text);
    if (kind === 'string') found[key] = text;
  }
  return readSettings(found);
}

/** A link to this page that holds the settings, never a conversation and never an endpoint. */
export function linkTo(settings: Settings, page: string): string {
  const query = toQuery(settings);
  return `${page.split('#')[0]}#context${query === '' ? '' : `?${query}`}`;
}
