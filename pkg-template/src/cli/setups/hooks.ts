/** Hooks in the settings of an agent, behind the user's own. */
import { UsageError } from '../gateway.js';

/** What an event calls. */
export type HookList = readonly object[];

/** The hooks of some settings with further ones; `path` is that of the settings. */
export function withHooks(path: string, given: unknown, more: Readonly<Record<string, HookList>>): object {
  const own = given ?? {};
  const isFit =
    typeof own === 'object' &&
    !Array.isArray(own) &&
    Object.keys(more).every((event) => Array.isArray((own as Record<string, unknown>)[event] ?? []));
  if (!isFit) throw new UsageError(`${path}: 'hooks' must map event names to lists. Fix it, then run setup again`);
  const lists = own as Readonly<Record<string, HookList>>;
  return {
    ...lists,
    ...Object.fromEntries(Object.entries(more).map(([event, list]) => [event, [...(lists[event] ?? []), ...list]])),
  };
}
